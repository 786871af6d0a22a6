"""Which seat at which table a client wants, and the message that asks the server for it."""

from collections.abc import Callable
from dataclasses import dataclass, field

import trio

from client.connection.connection import Connection
from client.errors import ConnectionLost, JoinRefused
from protocol.events import Chips, Seat
from protocol.wire import messages as msg

LIST_SECONDS = 10.0
"""Seconds that a server may take to list its tables."""


@dataclass(frozen=True, slots=True)
class SeatRequest:
    """Which seat the client wants.

    Fields:
        name: the player's name, or that of a spectator; empty for a spectator without one.
        token: the 32-byte seat token for a table, by the table's id (`client.profile.seat_keys.seat_token`).
        table: id of the table; empty for the one where the name has a seat already, else the first with a free seat.
        chips: the buy-in, 0 for the usual one.
        seat: the number of the seat, 0 for any.
        bot: whether a program plays.
        watch: come as a spectator.
        wait: where every seat is taken, watch until one is free.
        invite, password: for a table that is not open to everybody.
        proofs: of other tokens, by connection and id of the table (`protocol.wire.token_proofs`).
    """

    name: str
    token: Callable[[str], bytes] = lambda table: b""
    table: str = ""
    chips: Chips = 0
    seat: Seat = 0
    bot: bool = False
    watch: bool = False
    wait: bool = False
    invite: str = field(default="", repr=False)
    password: str = field(default="", repr=False)
    proofs: Callable[[Connection, str], tuple[bytes, ...]] = lambda connection, table: ()

    def message(
        self, table: str, seen: int, session: str = "", receipt: bytes = b"", proofs: tuple[bytes, ...] = ()
    ) -> msg.Join | msg.Watch:
        """The message for that table, from a client that has the events of that session of the table up to `seen`.

        `receipt` is what the server gave with the last of them, `proofs` those for the connection.
        """
        if self.watch:
            return msg.Watch(table, seen, self.invite, self.password, session, receipt, self.name)
        return msg.Join(
            self.name, self.token(table), table, self.chips, self.seat, self.bot, seen, self.invite, self.password,
            session, receipt, self.wait, proofs,
        )  # fmt: skip


async def pick_table(connection: Connection, request: SeatRequest) -> str:
    """The table where the name has a seat already, else the first with a free seat, else the first.

    Raises JoinRefused and ConnectionLost.
    """
    return (await look_at_table(connection, request)).table


async def look_at_table(connection: Connection, request: SeatRequest) -> msg.TableInfo:
    """What the server tells everybody of the table that the request names, or else of the one from `pick_table`.

    Raises JoinRefused and ConnectionLost.
    """
    tables: tuple[msg.TableInfo, ...] | None = None
    with trio.move_on_after(LIST_SECONDS):
        tables = await _tables(connection)
    if tables is None:
        raise ConnectionLost("The server does not say which tables it has.")
    if not tables:
        raise JoinRefused("no_table", "There is no table on this server.")
    if request.table:
        for info in tables:
            if info.table == request.table:
                return info
        raise JoinRefused("no_table", "There is no table of that name here.")
    if not request.watch:
        for info in tables:
            if request.name in info.players:
                return info
        for info in tables:
            if len(info.players) < info.rules.seats:
                return info
    return tables[0]


async def _tables(connection: Connection) -> tuple[msg.TableInfo, ...]:
    await connection.send(msg.ListTables())
    while True:
        answer = await connection.receive()
        match answer:
            case msg.Tables():
                return answer.tables
            case msg.Rejected() | msg.Bye():
                raise JoinRefused(answer.code, answer.text)
            case _:
                continue
