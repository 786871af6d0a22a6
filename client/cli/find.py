"""``ryo find``: the servers on the local network; and the question of ``ryo join`` without an address."""

import json
import os
from pathlib import Path
from typing import TYPE_CHECKING

import click

from client.cli.failures import exit_on_errors
from client.cli.options import data_dir_option
from client.profile.last_visit import LastVisit, load_last_visit
from replays.cli.failures import fail
from replays.cli.output import echo
from server.errors import EXIT_FAILED
from server.storage.folders import data_folder
from server.terminal import ask, put

if TYPE_CHECKING:  # at run time `ryo find --help` would pay for the import of trio
    from client.cli.found import FoundTable
    from client.cli.session_factory import Destination

JOIN_SECONDS = 0.6
"""How long ``ryo join`` looks for servers before it asks."""


@click.command()
@click.argument("server", metavar="[HOST[:PORT]]", default="")
@click.option(
    "--seconds", type=click.FloatRange(0.1, 60), default=1.0, show_default=True, help="How long to wait for answers."
)
@click.option("--format", "form", type=click.Choice(["table", "json"]), default="table", show_default=True)
@data_dir_option
def find(server: str, seconds: float, form: str, data_dir: Path | None) -> None:
    """Find servers on the local network and on this machine; or, at HOST, the tables of all its rooms.

    What a server says of itself can be forged; its key cannot. Compare the key with the host's join line when you come
    for the first time. `ryo join` without an address asks which of them you want.
    """
    import trio

    from client.cli.found import as_json, describe, in_container, left_out, tables_of, why_nothing
    from client.connection.search import search
    from client.profile.known_servers import KnownServers

    with exit_on_errors():
        if server:
            _list_rooms(server, form, data_folder(data_dir))
            return
        result = trio.run(search, seconds)
        tables = tables_of(result.servers, KnownServers(data_folder(data_dir)))
        if form == "json":
            put(json.dumps([as_json(table) for table in tables], ensure_ascii=False))
        else:
            for what, where in map(describe, tables):
                echo(what)
                put(f"  {where}")
            for line in left_out(result.servers):
                echo(line)
        if not result.servers:
            fail(why_nothing(result, container=in_container()), EXIT_FAILED)


def _list_rooms(server: str, form: str, folder: Path) -> None:
    """Shows the tables at an address. Raises a ClientError, click.UsageError."""
    import trio

    from client.cli.found import as_json, at_address, describe
    from client.connection.address import parse_address
    from client.connection.rooms import rooms_at
    from client.connection.tls import TlsDial
    from client.profile.known_servers import KnownServers, OnlyLooking

    try:
        address = parse_address(server)
    except ValueError as error:
        raise click.UsageError(f"{error}.") from None
    dials: list[TlsDial] = []

    def dial_to(table: str) -> TlsDial:
        dials.append(TlsDial(address, OnlyLooking(folder), table=table))
        return dials[-1]

    rooms = trio.run(rooms_at, dial_to)
    tables = [
        at_address(address, dials[0].fingerprint, rooms.program, info, KnownServers(folder)) for info in rooms.tables
    ]
    if form == "json":
        put(json.dumps([as_json(table) for table in tables], ensure_ascii=False))
        return
    for table in tables:
        what, where = describe(table)
        echo(what)
        put(f"  ryo join {address} --table {table.table.table} · {where.partition(' · ')[2]}")
    for silent in rooms.silent:
        echo(f"{silent} does not answer at the moment.")


def choose_destination(folder: Path, *, plain_tcp: bool) -> "Destination | None":
    """Where a person at the terminal wants to go; None for the server of the last visit, as if there was no search.

    They are asked where other servers were found than that one.

    Args:
        plain_tcp: whether they want a server without encryption. Nobody is offered one who has not said so: a forged
            answer could lead them there.

    Raises click.UsageError if there is nothing to choose from, BadSettings.
    """
    if os.environ.get("RYO_LAN", "").lower() in ("0", "false"):
        return None
    import trio

    from client.cli.found import in_container, tables_of, why_nothing
    from client.connection.search import search
    from client.profile.known_servers import KnownServers

    last = load_last_visit(folder)
    result = trio.run(search, JOIN_SECONDS)
    tables = tables_of(result.servers, KnownServers(folder))
    offered = [one for one in tables if bool(one.fp) != plain_tcp]
    if any(str(one.address) != last.address for one in offered):
        return _ask_which(offered, last)
    if last.address:
        return None
    if tables:
        wanted = "There is none without encryption" if plain_tcp else "There are only servers without encryption"
        raise click.UsageError(f"{wanted} (ryo find). Name the server: HOST, HOST:PORT or a join link.")
    raise click.UsageError(f"Where to? {why_nothing(result, container=in_container())}")


def _ask_which(offered: "list[FoundTable]", last: LastVisit) -> "Destination | None":
    from client.cli.found import describe
    from client.cli.session_factory import Destination

    usual = place_of(last, offered)
    echo("These tables answer on your network:", err=True)
    for number, one in enumerate(offered, 1):
        what, where = describe(one)
        echo(f"{number:2} {what}", err=True)
        put(f"   {where}{', where you were last' if number == usual else ''}", err=True)
    count = len(offered)
    if last.address and usual == 0:
        usual = count = len(offered) + 1
        echo(f"{usual:2} {last.address}, where you were last; it has not answered", err=True)
    while True:
        answer = ask("Which one", default=str(usual or 1) if usual or count == 1 else None).strip()
        if answer.isascii() and answer.isdecimal() and 0 < int(answer) <= count:
            break
        echo(f"A number from 1 to {count}.", err=True)
    if int(answer) > len(offered):
        return None
    chosen = offered[int(answer) - 1]
    return Destination(chosen.address, chosen.table.table, chosen.fp, found=True)


def place_of(last: LastVisit, offered: "list[FoundTable]") -> int:
    """The number of the table of the last visit, also where its server has moved; 0 if it is not there."""
    for moved in (False, True):
        for number, one in enumerate(offered, 1):
            address = one.elsewhere if moved else str(one.address)
            if last.address and address == last.address.lower() and last.table in ("", one.table.table):
                return number
    return 0
