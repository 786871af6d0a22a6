"""Words about who may not come in: `ban`, `unban`, `bans`."""

import ipaddress
from collections.abc import Callable
from datetime import datetime
from functools import partial

from protocol.near_matches import did_you_mean
from server.admission.ban import Ban, duration
from server.admission.player_names import BadName, clean_name, name_key
from server.app.words.details import BY_ADDRESS, details
from server.app.words.hosted_server import OPERATOR, HostedServer
from server.app.words.word import Said, Word
from server.errors import ConfigError, WordRefused
from server.net.networks import network_of
from server.table.removals import Known


async def _ban(host: HostedServer, name: str, *words: str) -> str:
    said = details(host, words)
    found = [known for table in host.tables(said.table) for known in table.removals.find(name)]
    bans = host.server.lobby.bans
    now = bans.now()
    ban = Ban(
        name=_name_to_ban(name, found, by_address=said.by_address),
        token=tuple(sorted({known.token.hex() for known in found if known.token})),
        address=_address(host, name, found) if said.by_address else "",
        reason=said.reason,
        by=OPERATOR,
        since=now.replace(microsecond=0),
        until=None if said.lasts is None else (now + said.lasts).replace(microsecond=0),
    )
    await _change(host, lambda old: [*[one for one in old if not _same(one, ban)], ban])
    lasts = f" for {duration(said.lasts.total_seconds())}" if said.lasts is not None else ""
    why = f": {said.reason}" if said.reason else ""
    announced = f"{OPERATOR.capitalize()} bans {ban.name or 'a spectator'}{lasts}{why}."
    done = [f"{ban.who()} is banned{lasts or ' for good'}{why}."]
    for table in host.tables():
        try:
            done.append((await table.obey(partial(table.removals.enforce, ban, bans.told(ban), announced))).strip())
        except WordRefused as refused:
            done.append(f"Not told at {table.id}: {refused}")
    if not found:
        known = [known.name for table in host.tables() for known in table.removals.everybody() if known.name]
        done.append(f"Nobody of that name is here.{did_you_mean(name, known)}")
    return " ".join(filter(None, done))


def _name_to_ban(name: str, found: list[Known], *, by_address: bool) -> str:
    """The name for the list; empty for a spectator who has none. Raises WordRefused."""
    if not name.startswith("#"):
        try:
            return found[0].name if found else clean_name(name, right_to_left=True)
        except BadName as error:
            raise WordRefused(str(error)) from None
    if not found:
        raise WordRefused(f"There is no spectator {name}; the word players lists them.")
    if not (found[0].name or by_address):
        raise WordRefused(f"That spectator has no name; ban the address with {BY_ADDRESS}, or kick them.")
    return found[0].name


def _address(host: HostedServer, name: str, found: list[Known]) -> str:
    """The network from which somebody has come. Raises WordRefused if it is not theirs alone."""
    networks = {network_of(known.guest.address) for known in found if known.guest is not None}
    if len(networks) != 1:
        how = "is not connected" if not networks else f"comes from {' and '.join(sorted(networks))}"
        raise WordRefused(f"{name} {how}: which address is meant? Ban the name, or write it into the file of bans.")
    network = networks.pop()
    if _is_this_machine(network):
        raise WordRefused(f"{name} comes from this machine itself; its address is not banned.")
    others = {
        known.name or "a spectator"
        for table in host.tables()
        for known in table.removals.everybody()
        if known.guest is not None and known not in found and network_of(known.guest.address) == network
    }
    if others:
        raise WordRefused(
            f"From {network} also come: {', '.join(sorted(others))}. They would be banned, too; ban the name alone, or "
            "kick them first."
        )
    return network


def _is_this_machine(network: str) -> bool:
    try:
        return ipaddress.ip_network(network).is_loopback
    except ValueError:
        return False


def _same(one: Ban, other: Ban) -> bool:
    """Whether the second ban takes the place of the first one."""
    return name_key(one.name) == name_key(other.name) and (bool(one.name) or one.address == other.address)


async def _unban(host: HostedServer, whom: str) -> str:
    lifted: list[Ban] = []

    def without(old: list[Ban]) -> list[Ban]:
        key = name_key(whom)
        for number, ban in enumerate(old, 1):
            if whom == str(number) or (ban.name and name_key(ban.name) == key) or ban.address == whom:
                lifted.append(ban)
        if not lifted:
            names = [ban.name for ban in old if ban.name]
            raise WordRefused(f"There is no ban of {whom}.{did_you_mean(whom, names)} The word bans lists them.")
        return [ban for ban in old if ban not in lifted]

    await _change(host, without)
    who = ", ".join(ban.who() for ban in lifted)
    for table in host.tables():
        if table.halted is None:
            await table.obey(partial(table.host_words.say, f"{OPERATOR.capitalize()} lifts the ban of {who}."))
    return f"{who} may come back."


async def _change(host: HostedServer, change: Callable[[list[Ban]], list[Ban]]) -> None:
    """Changes the list of bans. Raises WordRefused."""
    try:
        await host.server.lobby.bans.change(change)
    except ConfigError as error:
        raise WordRefused(f"Nothing is changed. {error}") from None


async def _bans(host: HostedServer) -> Said:
    bans = host.server.lobby.bans
    try:
        await bans.load()
    except ConfigError as error:
        raise WordRefused(f"{error} Until then the list counts that was read before.") from None
    listed = bans.bans()
    lines = [f"{number} {_line(ban, bans.now())}" for number, ban in enumerate(listed, 1)]
    data = [
        {
            "number": number,
            "name": ban.name,
            "address": ban.address,
            "reason": ban.reason,
            "by": ban.by,
            "until": None if ban.until is None else ban.until.isoformat(),
        }
        for number, ban in enumerate(listed, 1)
    ]
    return Said("\n".join(lines) or "Nobody is banned.", {"bans": data})


def _line(ban: Ban, now: datetime) -> str:
    reason = f": {ban.reason}" if ban.reason else ""
    return f"{ban.who()}, {ban.ends(now)}{reason}{f' (by {ban.by})' if ban.by else ''}"


WORDS: dict[str, Word] = {
    "ban": Word(
        "NAME [for 2 h] [REASON]", "Send somebody away, and let them come back after that time, or never.", _ban
    ),
    "unban": Word(
        "NAME", "Let somebody come back who is banned: by name, or by the number in the list of bans.", _unban
    ),
    "bans": Word("", "Who is banned, until when and why.", _bans),
}
