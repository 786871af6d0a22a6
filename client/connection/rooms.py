"""The tables at an address that somebody names: asked over the connection by which a player would come.

Behind one address there may be several rooms, each a server of its own. The one that answers says which other tables
there are, and each of those is asked under its own name, by which a proxy on the way finds its room.
"""

from collections.abc import Callable
from dataclasses import dataclass, field
from functools import partial

import trio

from client.connection.connection import Dial, connect
from client.errors import ClientError
from protocol.wire import messages as msg

SECONDS = 10.0
"""How long all answers together may take."""
AT_ONCE = 8
"""Rooms that are asked at the same time; a server allows one address about two dozen connections."""
MOST = 500
"""Rooms that are asked at all, whatever a server says."""

DialTo = Callable[[str], Dial]
"""What opens a connection to the room of a table, by its id; empty for whichever room answers."""


@dataclass
class Rooms:
    """What there is at an address.

    Fields:
        tables: in the order in which they were named. silent: ids of tables whose room has not answered.
        program: name and version of the program that has answered first.
    """

    tables: list[msg.TableInfo] = field(default_factory=list)
    silent: list[str] = field(default_factory=list)
    program: str = ""


async def rooms_at(dial_to: DialTo, seconds: float = SECONDS) -> Rooms:
    """Asks every room at an address. Raises a ClientError if none answers."""
    found = Rooms()
    first, found.program = await _ask(dial_to(""))
    found.tables += first.tables
    others = [table for table in first.rooms[:MOST] if table not in {info.table for info in first.tables}]
    answers: dict[str, msg.TableInfo] = {}
    places = trio.CapacityLimiter(AT_ONCE)
    with trio.move_on_after(seconds):
        async with trio.open_nursery() as nursery:
            for table in others:
                nursery.start_soon(partial(_look, dial_to(table), table, places, answers))
    for table in others:
        if table in answers:
            found.tables.append(answers[table])
        else:
            found.silent.append(table)
    return found


async def _look(dial: Dial, table: str, places: trio.CapacityLimiter, answers: dict[str, msg.TableInfo]) -> None:
    async with places:
        try:
            told, _ = await _ask(dial)
        except ClientError:
            return
    for info in told.tables:
        if info.table == table:
            answers[table] = info


async def _ask(dial: Dial) -> tuple[msg.Tables, str]:
    """The tables of one server, and its program. Raises ClientError."""
    connection = await connect(dial)
    try:
        await connection.send(msg.ListTables())
        while not isinstance(answer := await connection.receive(), msg.Tables):
            pass
        return answer, connection.server
    finally:
        await connection.aclose()
