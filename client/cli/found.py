"""What a search on the network has found, as lines and as data; and why it has found nothing."""

import os
from collections.abc import Mapping
from pathlib import Path
from typing import Any, NamedTuple

from client.connection.address import Address
from client.connection.search import FoundServer, Search
from client.profile.known_servers import KnownServers
from protocol.versions import PROTOCOL, choose
from protocol.wire.discovery import ANSWER_PORT, DISCOVERY_PORT, TableHint
from protocol.wire.join_links import LEAST_PIN
from protocol.wire.messages import TableInfo

CONTAINERS = ("/.dockerenv", "/run/.containerenv")
"""Files that there are in a container."""
BRIDGES = ("docker", "br-", "cni", "podman", "lxcbr", "lxdbr", "virbr")
"""How the names of bridges to containers and virtual machines begin."""


class FoundTable(NamedTuple):
    """A table that somebody may come to, as far as an answer can be believed.

    Fields:
        address: of its server. fp: the fingerprint that the answer names; empty without encryption.
        table: what the answer says of it. fits: whether server and program speak a common version.
        program: the version of the server's program.
        known: the fingerprint that the player knows at that address; empty if none.
        elsewhere: another address at which the player knows the key of the answer; empty if none.
    """

    address: Address
    fp: str
    table: TableHint
    fits: bool
    program: str
    known: str
    elsewhere: str


def tables_of(servers: list[FoundServer], known: KnownServers) -> list[FoundTable]:
    """Every table of the servers. Raises BadSettings."""
    return [_found(server, table, known) for server in servers for table in server.answer.tables]


def _found(server: FoundServer, table: TableHint, known: KnownServers) -> FoundTable:
    address, answer = server
    there = known.fingerprint(str(address).lower())
    elsewhere = known.address_of(answer.fp) if answer.fp and there != answer.fp else ""
    fits = choose(PROTOCOL, answer.protocol) is not None
    return FoundTable(address, answer.fp, table, fits, answer.server, there, elsewhere)


def at_address(address: Address, fp: str, program: str, info: TableInfo, known: KnownServers) -> FoundTable:
    """A table that a server itself has told of. Raises BadSettings."""
    rules = info.rules
    games = rules.games[0].title if len(rules.games) == 1 else f"{rules.games[0].title} and {len(rules.games) - 1} more"
    hint = TableHint(info.table, rules.name, games, rules.seats, max(0, rules.seats - len(info.players)))
    there = known.fingerprint(str(address).lower())
    return FoundTable(address, fp, hint, True, program, there, known.address_of(fp) if fp and there != fp else "")


def describe(found: FoundTable) -> tuple[str, str]:
    """A table in two lines: what it is, and where it is."""
    table = found.table
    seats = f"{table.free} of {table.seats} seats free" if table.free else "no seat free"
    opens = [word for word, needed in (("password", table.password), ("invitation", table.invite)) if needed]
    buy_in = f"buy-in {table.buy_in}" if table.buy_in else ""
    what = [table.name, table.game, table.stakes, buy_in, seats, " or ".join(opens)]
    if not found.fits:
        what.append(f"another version ({found.program or 'unknown'})")
    return " · ".join(filter(None, what)), " · ".join([str(found.address), key_status(found)])


def key_status(found: FoundTable) -> str:
    """What is known of the key that the answer names."""
    if not found.fp:
        return "NOT the key that you know" if found.known else "not encrypted (--plain-tcp)"
    shown = f"key {found.fp[:LEAST_PIN]}"
    if found.known:
        return f"{shown}, known" if found.known == found.fp else f"{shown}, NOT the one that you know"
    return f"{shown}, known from {found.elsewhere}" if found.elsewhere else f"{shown}, new to you"


def as_json(found: FoundTable) -> dict[str, Any]:
    """A table as plain values."""
    table = found.table
    return {
        "address": str(found.address),
        "table": table.table,
        "name": table.name,
        "game": table.game,
        "stakes": table.stakes,
        "buy_in": table.buy_in,
        "seats": table.seats,
        "free": table.free,
        "password": table.password,
        "invite": table.invite,
        "fits": found.fits,
        "version": found.program,
        "fingerprint": found.fp,
        "known": bool(found.fp) and found.known == found.fp,
        "known_as": found.elsewhere,
    }


def left_out(servers: list[FoundServer]) -> list[str]:
    """A line for each server that has more tables than it could tell, or none that is open."""
    lines = []
    for address, answer in servers:
        if answer.more:
            lines.append(f"{address} has {answer.more} more table{'s' if answer.more > 1 else ''}: ryo join {address}")
        elif not answer.tables:
            lines.append(f"{address} has no table that is open.")
    return lines


def why_nothing(search: Search, *, container: bool) -> str:
    """Why no server was found, in a few sentences, and what helps. `container`: whether this machine is one."""
    places = [f"{name} ({address})" for name, address in search.asked.items()]
    told = ["No server answered."]
    if places:
        told.append(f"Probes went out on {', '.join(places)} and on loopback.")
    elif not search.refused:
        told.append("No network interface is up, so only this machine itself was asked.")
    told += [
        f"None could be sent on {name}: {why}." for name, why in search.refused.items() if name not in search.asked
    ]
    if container:
        told.append("This seems to be a container; it is in the network of the house only with --network host.")
    elif places and all(name.startswith(BRIDGES) for name in search.asked):
        told.append("That is a bridge to containers or virtual machines, not the network of the house.")
    elif places:
        told.append(
            f"A firewall has to let in UDP port {DISCOVERY_PORT} at the host and UDP port {ANSWER_PORT} here; some "
            "Wi-Fi networks keep their devices apart."
        )
    return " ".join([*told, "The join line that the host reads out works without a search."])


def in_container(environment: Mapping[str, str] = os.environ) -> bool:
    """Whether this machine seems to be a container, with a network of its own."""
    return "container" in environment or any(Path(file).exists() for file in CONTAINERS)
