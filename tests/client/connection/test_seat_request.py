"""Which table a client takes where it names none."""

import pytest
import trio
from msgspec.structs import replace
from trio.testing import MockClock

from client.connection.connection import Connection
from client.connection.seat_request import LIST_SECONDS, SeatRequest, pick_table
from client.errors import ConnectionLost, JoinRefused
from protocol.wire import messages as msg
from tests.support.scripted_server import RULES, Peer, ScriptedServer

SMALL = replace(RULES, seats=2)
FULL, FREE, OTHER = (
    msg.TableInfo("full", SMALL, ("Ann", "Bob")),
    msg.TableInfo("free", SMALL, ("Cat",)),
    msg.TableInfo("other", SMALL, ()),
)


async def asked(server: ScriptedServer, request: SeatRequest, *answers: msg.FromServer) -> str:
    """The table that is picked when the server answers so."""
    connection = Connection(await server.dial())
    peer: Peer = await server.accept()
    try:
        await peer.send(*answers)
        return await pick_table(connection, request)
    finally:
        assert await peer.receive() == msg.ListTables()


@pytest.mark.parametrize(
    ("request_", "tables", "picked"),
    [
        (SeatRequest("Bob"), (OTHER, FULL), "full"),
        (SeatRequest("Dan"), (FULL, FREE, OTHER), "free"),
        (SeatRequest("Dan"), (FULL,), "full"),
        (SeatRequest("", watch=True), (FULL, FREE), "full"),
    ],
    ids=["where the name has a seat", "with a free seat", "the first when all are full", "a spectator takes the first"],
)
async def test_the_table_that_is_picked(
    server: ScriptedServer, request_: SeatRequest, tables: tuple[msg.TableInfo, ...], picked: str
) -> None:
    assert await asked(server, request_, msg.Pong(1), msg.Tables(tables)) == picked


@pytest.mark.parametrize(
    ("answer", "code"),
    [
        (msg.Tables(()), "no_table"),
        (msg.Rejected("too_fast", "Not so fast."), "too_fast"),
        (msg.Bye("stopping", "Good bye."), "stopping"),
    ],
)
async def test_no_table_is_a_refusal(server: ScriptedServer, answer: msg.FromServer, code: str) -> None:
    with pytest.raises(JoinRefused) as refused:
        await asked(server, SeatRequest("Ann"), answer)
    assert refused.value.code == code


async def test_a_server_that_says_nothing_of_its_tables_is_a_lost_connection(
    autojump_clock: MockClock, server: ScriptedServer
) -> None:
    with pytest.raises(ConnectionLost, match="does not say which tables it has"):
        await asked(server, SeatRequest("Ann"))
    assert trio.current_time() == pytest.approx(LIST_SECONDS)
