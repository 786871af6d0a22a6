"""Bad connections and bad clients at a server in memory, on virtual time; and what one of them may cost the others."""

import contextlib
from typing import Any

import pytest
import trio
from msgspec.structs import replace
from trio.testing import MockClock, memory_stream_pair

from client.bots.simple import passive
from client.connection.connection import Connection
from client.connection.seat_request import SeatRequest
from client.connection.session import ClientSession
from client.errors import ConnectionLost
from protocol import events as ev
from protocol.actions import Action
from protocol.events import ActionRequested
from protocol.table_rules import Clocks
from protocol.versions import PROTOCOL
from protocol.view import hide
from protocol.wire import messages as msg
from protocol.wire.frames import SERVER_CAP
from server.app.connection import Connection as ServerConnection
from server.app.server import STOP_WITHIN
from server.config.config import Config
from server.config.limits import Limits
from server.config.table_config import TableConfig
from server.config.web_mode import WebMode
from server.storage.journal_errors import WriteFailed
from server.table.table import Table
from tests.support.loopback_server import FAST, WireClient, calling
from tests.support.simulated_server import PATIENT, SimulatedServer, settings, simulated_server

RAZZ: dict[str, Any] = {"games": ("plainrazz",), "change": "never"}


@pytest.fixture(params=["off", "plain"], ids=["our own client", "browser"])
def web(request: pytest.FixtureRequest) -> WebMode:
    """Whether the clients come as programs of ours or, through HTTP and a WebSocket, as browsers."""
    found: WebMode = request.param
    return found


def asked(view: Any) -> bool:
    """Whether somebody is asked for a bet."""
    return any(seat.pending is not None for seat in view.seats)


async def in_turn(here: SimulatedServer, players: list[WireClient]) -> tuple[WireClient, int, ActionRequested]:
    """The player in turn, and their request."""
    await here.reach(players, asked)
    player = next(player for player in players if player.pending is not None)
    pending = player.pending
    assert pending is not None
    return player, *pending


def causes(here: SimulatedServer, player: WireClient) -> list[str]:
    """Who made the decisions that this client was told of."""
    frames = [message for message in player.inbox if isinstance(message, msg.Events)]
    return [event.cause for frame in frames for event in frame.events if isinstance(event, ev.Acted)]


async def test_fault_04_an_answer_counts_when_it_arrives(web: WebMode, autojump_clock: MockClock) -> None:
    """A slow connection costs its player the time under way, and the remaining time is what the server says."""
    async with simulated_server(
        settings(web=web, limits=PATIENT, clocks=Clocks(bet=10, bank=0, result=1), **RAZZ)
    ) as here:
        players = await here.seated("Ann", "Ben")
        player, number, request = await in_turn(here, players)
        wire = here.wires[players.index(player)]
        await trio.sleep(9)
        await player.act(calling(request), number)  # under way for 0.1 ms: in time
        await here.settle(players)
        player, number, request = await in_turn(here, players)
        wire = here.wires[players.index(player)]
        await trio.sleep(9)
        wire.up.stall(3)
        await player.act(calling(request), number)  # sent in time, and too late all the same
        refusal = await until_rejected(player)
        assert refusal.code in ("stale", "not_asked")
        await here.settle(players)
        assert causes(here, player)[:2] == ["player", "timeout"]


async def until_rejected(player: WireClient) -> msg.Rejected:
    while True:
        message = await player.next()
        if isinstance(message, msg.Rejected):
            return message


async def test_fault_04_the_servers_remaining_time_is_what_a_client_shows(
    web: WebMode, autojump_clock: MockClock
) -> None:
    async with simulated_server(settings(web=web, limits=PATIENT, clocks=Clocks(bet=20, bank=0), **RAZZ)) as here:
        players = await here.seated("Ann", "Ben")
        player, _, _ = await in_turn(here, players)
        await trio.sleep(8)
        again = await here.connect(player.name, player.token)
        await again.join()
        snapshot = await again.expect(msg.Snapshot)
        assert dict(snapshot.clocks) == {again.seat: 120}


async def test_fault_05_a_player_who_vanishes_is_missed_after_thirty_seconds(
    web: WebMode, autojump_clock: MockClock
) -> None:
    async with simulated_server(settings(web=web, limits=Limits(), clocks=Clocks(bet=300), **RAZZ)) as here:
        _, ben = await here.seated("Ann", "Ben")
        here.wires[0].up.stall(1e6)  # the cable is out: not even an end arrives
        begun = trio.current_time()
        async with trio.open_nursery() as nursery:
            nursery.start_soon(ping, ben)
            await ben.until(lambda view: bool(view.seats) and not view.seats[0].online)
            nursery.cancel_scope.cancel()
        assert 29 < trio.current_time() - begun < 32
        assert here.table.state.view.seat(1).name == "Ann"


async def ping(player: WireClient) -> None:
    while True:
        await player.send(msg.Ping())
        await trio.sleep(10)


async def test_fault_06_a_half_closed_connection_is_over(web: WebMode, autojump_clock: MockClock) -> None:
    async with simulated_server(settings(web=web, **RAZZ)) as here:
        ann, ben = await here.seated("Ann", "Ben")
        here.wires[0].up.end()
        await ben.until(lambda view: bool(view.seats) and not view.seats[0].online)
        (ann,) = await here.back([ann])
        assert ann.view == hide(here.table.state.view, 1)


async def test_fault_08_a_frame_that_does_not_end(web: WebMode, autojump_clock: MockClock) -> None:
    async with simulated_server(settings(web=web, **RAZZ)) as here:
        ann, ben = await here.seated("Ann", "Ben")
        begun = trio.current_time()
        await ann.stream.send_all(b"\0\0\0\x30half of ")
        bye = await ann.to_the_end()
        assert isinstance(bye, msg.Bye)
        assert (bye.code, bye.again) == ("frame_slow", True)
        assert 5 <= trio.current_time() - begun < 6.1
        await ben.until(lambda view: bool(view.seats) and not view.seats[0].online)


async def test_fault_11_another_address_with_the_same_token_has_the_seat(
    web: WebMode, autojump_clock: MockClock
) -> None:
    async with simulated_server(settings(web=web, **RAZZ)) as here:
        ann, ben = await here.seated("Ann", "Ben")
        here.address = "198.51.100.7"
        again = (await here.back([ann]))[0]
        assert again.seat == 1
        bye = await ann.to_the_end()
        assert isinstance(bye, msg.Bye)
        assert bye.code == "replaced"
        await here.reach([again, ben], lambda view: view.hand == 2)


@pytest.mark.parametrize("code", ["out of turn", "stale", "old hand"])
async def test_fault_35_what_answers_no_open_question_changes_nothing(
    web: WebMode, autojump_clock: MockClock, code: str
) -> None:
    async with simulated_server(settings(web=web, **RAZZ)) as here:
        players = await here.seated("Ann", "Ben")
        if code == "old hand":
            _, old, _ = await in_turn(here, players)
            await here.reach(players, lambda view: view.hand == 2)
        player, number, request = await in_turn(here, players)
        seq = here.table.state.seq
        match code:
            case "out of turn":
                player = next(other for other in players if other is not player)
            case "stale":
                number -= 1
            case _:
                number = old
        await player.act(calling(request), number)
        refusal = await until_rejected(player)
        assert refusal.code == ("not_asked" if code == "out of turn" else "stale")
        assert refusal.text
        assert here.table.state.seq == seq


async def test_fault_36_37_the_first_of_two_with_one_number_stands(web: WebMode, autojump_clock: MockClock) -> None:
    async with simulated_server(settings(web=web, **RAZZ)) as here:
        players = await here.seated("Ann", "Ben")
        player, number, request = await in_turn(here, players)
        action = calling(request)
        for one in (action, action, Action("fold")):
            await player.send(msg.Act(7, number, one))
        done = [await player.expect(msg.Done) for _ in range(2)]
        assert [one.id for one in done] == [7, 7]
        await here.settle(players)
        acted = [
            event for frame in player.inbox if isinstance(frame, msg.Events)
            for event in frame.events if isinstance(event, ev.Acted)
        ]  # fmt: skip
        assert [event.action for event in acted] == [action.kind]


@pytest.mark.parametrize("to", [-1, 0, 1, 49, 1 << 31, (1 << 63) - 1, -(1 << 63)])
async def test_fault_33_no_amount_but_those_offered(web: WebMode, autojump_clock: MockClock, to: int) -> None:
    async with simulated_server(settings(web=web, **RAZZ)) as here:
        players = await here.seated("Ann", "Ben")
        player, number, _ = await in_turn(here, players)
        before = here.table.state.view.copy()
        await player.act(Action("raise", to=to), number)
        assert (await until_rejected(player)).code == "illegal"
        assert here.table.state.view == before


@pytest.mark.slow
async def test_fault_46_spectators_are_bounded_for_a_table_and_for_an_address(
    web: WebMode, autojump_clock: MockClock
) -> None:
    async with simulated_server(settings(web=web, limits=Limits(rate=1e6, burst=1e6), **RAZZ)) as here:
        players = await here.seated("Ann", "Ben")
        inside = refused = 0
        for number in range(500):
            here.address = f"198.51.{number // 20}.1"
            spectator = await here.raw(f"W{number}")
            answer = await hello(spectator)
            if isinstance(answer, msg.Welcome):
                await spectator.send(msg.Watch())
                answer = await spectator.next()
            if isinstance(answer, msg.Snapshot):
                inside += 1
                assert spectator.view == hide(here.table.state.view, None)
            else:
                assert isinstance(answer, msg.Rejected | msg.Refused)
                assert answer.code in ("too_many", "full")
                refused += 1
        assert inside == Limits().watchers
        assert refused == 300
        await here.reach(players, lambda view: view.hand >= 1 and len(view.seats[0].up) >= 2)
        here.address = "203.0.113.9"
        crowd = [await here.raw(f"X{number}") for number in range(30)]
        codes = []
        for one in crowd:
            answer = await hello(one)
            codes.append(answer.code if isinstance(answer, msg.Refused) else "in")
        assert codes.count("full") >= 6


async def hello(player: WireClient) -> msg.FromServer:
    """The answer to a greeting; who had to make room was told so before it came."""
    with contextlib.suppress(trio.BrokenResourceError):
        await player.send(msg.Hello(PROTOCOL))
    return await player.next()


async def test_fault_49_a_server_that_sends_too_much_is_left() -> None:
    ours, theirs = memory_stream_pair()
    connection = Connection(ours)
    await theirs.send_all((SERVER_CAP + 1).to_bytes(4, "big") + b"x" * 100)
    with pytest.raises(ConnectionLost, match="not a card room"):
        await connection.receive()


@pytest.mark.parametrize("junk", [b"\xc1", b"\x90", b"\x81\xa4type\xa5wrong", b"\x82\xa4type\xa6events\xa3seq\xa1x"])
async def test_fault_49_a_server_that_speaks_nonsense_is_left(junk: bytes) -> None:
    ours, theirs = memory_stream_pair()
    connection = Connection(ours)
    await theirs.send_all(len(junk).to_bytes(4, "big") + junk)
    with pytest.raises(ConnectionLost, match="not this protocol"):
        await connection.receive()


def two_tables() -> Config:
    """A server with the tables main and other."""
    tables = [TableConfig(id=name, start=0.0, **RAZZ) for name in ("main", "other")]
    return Config(plain_tcp=True, data_dir="/data", seed="two", limits=FAST, table=tuple(tables))


async def test_fault_72_a_mistake_at_one_table_stops_that_table_only(autojump_clock: MockClock) -> None:
    async with simulated_server(two_tables()) as here:
        first = await here.seated("Ann", "Ben")
        second = [await here.connect(name) for name in ("Cho", "Dov")]
        for player in second:
            await player.join("other")

        def mistake() -> None:
            raise ZeroDivisionError

        here.table.pipeline.do(mistake)
        bye = await first[0].to_the_end()
        assert isinstance(bye, msg.Bye)
        assert bye.code == "breach"
        late = await here.connect("Eve")
        await late.send(msg.Join("Eve", late.token, "main"))
        assert (await until_rejected(late)).code == "breach"
        other: Table = here.server.lobby.tables["other"]
        while other.state.view.hand < 2:
            for player in second:
                if player.pending is not None:
                    await player.act(calling(player.pending[1]), player.pending[0])
                await player.until(lambda view: view.seq >= other.state.seq)
            await trio.sleep(0.01)
        await here.restart()  # what was played is in the journal: the table is there again
        assert here.table.halted is None
        await here.back(first)


async def test_fault_73_a_table_that_cannot_be_closed_in_order_keeps_no_other_open(autojump_clock: MockClock) -> None:
    room = two_tables()
    room = replace(room, table=tuple([replace(table, durability="none") for table in room.table]))
    with pytest.raises(BaseExceptionGroup) as failed:  # noqa: PT012 (the whole life of a server)
        async with simulated_server(room) as here:
            await here.seated("Ann")
            await (await here.connect("Ben")).join("other")
            here.disk.room = 0  # what waits to be written cannot be
            here.server.stop()
            await trio.sleep_forever()
    assert failed.group_contains(WriteFailed)
    for table in here.server.lobby.tables.values():
        assert table.halted == "closed"
        here.disk.close(here.disk.lock(table.journal_path + ".lock"))  # it is free
    assert here.server.stopped.is_set()


async def test_fault_72_a_mistake_in_a_connection_ends_that_connection_only(autojump_clock: MockClock) -> None:
    async with simulated_server(settings(**RAZZ)) as here:
        ann, ben = await here.seated("Ann", "Ben")
        await here.settle([ann, ben])
        connection = here.table.audience.seated[1]
        assert isinstance(connection, ServerConnection)
        connection._limits = None  # type: ignore[assignment]  # the mistake: the first chat will meet it
        await ann.send(msg.Say("hello"))
        await ben.until(lambda view: not view.seats[0].online)
        again = (await here.back([ann]))[0]
        await here.reach([again, ben], lambda view: view.hand == 2)


@pytest.mark.parametrize(("hangs_up", "seconds"), [(True, 0.1), (False, STOP_WITHIN)])
async def test_fault_73_an_orderly_stop_is_quick(autojump_clock: MockClock, hangs_up: bool, seconds: float) -> None:
    """It waits for nobody who has hung up, and for the others not long."""
    async with simulated_server(settings(**RAZZ)) as here:
        players = await here.seated("Ann", "Ben")
        await here.settle(players)
        begun = trio.current_time()
        here.server.stop()
        for player in players:
            bye = await player.to_the_end() if hangs_up else await player.expect(msg.Bye)
            assert isinstance(bye, msg.Bye)
            if hangs_up:
                await player.close()
        await here.server.stopped.wait()
        assert trio.current_time() - begun <= seconds


async def test_fault_74_time_in_which_the_process_stood_still_is_nobodys(autojump_clock: MockClock) -> None:
    async with simulated_server(settings(limits=PATIENT, clocks=Clocks(bet=10, bank=0), **RAZZ)) as here:
        players = await here.seated("Ann", "Ben")
        player, number, request = await in_turn(here, players)
        await trio.sleep(4)
        autojump_clock.jump(60)  # the machine was suspended
        await trio.sleep(3)
        assert here.table.state.pending == {player.seat: number}
        await player.act(calling(request), number)
        await here.reach(players, lambda view: view.hand == 2)
        assert "timeout" not in causes(here, player)


async def test_fault_81_a_client_may_have_any_clock(autojump_clock: MockClock) -> None:
    async with simulated_server(settings(clocks=Clocks(bet=10, result=1), **RAZZ)) as here:
        ben = (await here.seated("Ben"))[0]
        moments = iter(range(10**9, 0, -977))
        session = ClientSession(
            here.dial, SeatRequest("Ann", lambda table: b"a" * 32), now=lambda: float(next(moments))
        )

        def answer(events: object) -> None:
            if session.pending is not None:
                session.act(passive(session.pending.request))

        session.on_change.append(answer)
        async with trio.open_nursery() as nursery:
            nursery.start_soon(session.run)
            await here.reach([ben], lambda view: view.hand == 2)
            session.close()
        assert "timeout" not in causes(here, ben)
