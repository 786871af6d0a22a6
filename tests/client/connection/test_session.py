"""The session against a scripted server over memory streams, in virtual time. Every test has a limit."""

import pytest
import trio
from msgspec.structs import replace
from trio.testing import MockClock

from client.connection.connection import connect
from client.connection.reconnect import SILENCE
from client.connection.seat_request import SeatRequest
from client.connection.session import ClientSession
from client.connection.table_replica import TableReplica
from client.errors import CannotConnect, JoinRefused, VersionMismatch
from protocol import events as ev
from protocol.actions import Action
from protocol.events import AnyEvent
from protocol.seat_view import SeatView
from protocol.view import TableView
from protocol.wire import messages as msg
from tests.support.scripted_server import (
    RULES,
    Heard,
    Peer,
    ScriptedServer,
    ScriptedTable,
    facing,
    listen,
    session_at,
    table_of,
    third_street,
)


class Running:
    """A session in a nursery, and how it ended."""

    def __init__(self, session: ClientSession) -> None:
        self.session = session
        self.heard: Heard = listen(session)
        self.error: BaseException | None = None
        self.over = trio.Event()

    async def run(self) -> None:
        try:
            await self.session.run()
        except Exception as error:
            self.error = error
        self.over.set()


async def started(nursery: trio.Nursery, session: ClientSession) -> Running:
    running = Running(session)
    nursery.start_soon(running.run)
    return running


async def playing(nursery: trio.Nursery, server: ScriptedServer) -> tuple[Running, Peer, ScriptedTable]:
    """Ann in seat 1 with Bob; the request to Ann is open."""
    table = table_of("Ann", "Bob")
    running = await started(nursery, session_at(server))
    peer = await server.accept()
    await peer.seat(table.view, 1)
    await peer.send(table.do(*third_street(table), facing(1)))
    await trio.testing.wait_all_tasks_blocked()
    return running, peer, table


CALL = Action("call")


async def test_the_seat_is_taken_and_the_events_are_applied(autojump_clock: MockClock, server: ScriptedServer) -> None:
    async with trio.open_nursery() as nursery:
        running, _, table = await playing(nursery, server)
        session = running.session
        assert (session.status, session.seat, session.table) == ("online", 1, "kitchen")
        assert session.view.seq == table.view.seq
        assert session.view.pot() == 2
        assert [type(event) for event in running.heard.events][-1] is ev.ActionRequested
        assert session.pending is not None
        assert session.pending.seq == table.view.seq
        assert session.seconds_left(1) == pytest.approx(30, abs=1)
        session.close()


async def test_join_carries_name_token_table_and_what_was_seen(
    autojump_clock: MockClock, server: ScriptedServer
) -> None:
    async with trio.open_nursery() as nursery:
        session = ClientSession(
            server.dial, SeatRequest("Ann", lambda table: table.encode().ljust(32), "kitchen", 50, 3, True)
        )
        await started(nursery, session)
        peer = await server.accept()
        join = await peer.seat(table_of("Bob", "Cat", "Ann").view, 3)
        assert join == msg.Join("Ann", b"kitchen".ljust(32), "kitchen", 50, 3, True, 0)
        session.close()


@pytest.mark.parametrize(
    ("players", "chosen"),
    [
        ({"full": ("Bob",) * 4, "open": ("Bob",)}, "open"),
        ({"open": ("Bob",), "mine": ("Ann", "Bob", "Cat", "Dan")}, "mine"),
        ({"full": ("Bob",) * 4}, "full"),
    ],
)
async def test_without_a_table_the_own_seat_is_found_before_a_free_one(
    autojump_clock: MockClock, server: ScriptedServer, players: dict[str, tuple[str, ...]], chosen: str
) -> None:
    async with trio.open_nursery() as nursery:
        session = session_at(server, table="")
        await started(nursery, session)
        peer = await server.accept()
        await peer.welcome()
        assert isinstance(await peer.receive(), msg.ListTables)
        await peer.send(msg.Tables(tuple([msg.TableInfo(table, RULES, names) for table, names in players.items()])))
        join = await peer.receive()
        assert isinstance(join, msg.Join)
        assert join.table == chosen
        session.close()


async def test_A17_a_doubled_key_press_acts_once(autojump_clock: MockClock, server: ScriptedServer) -> None:
    async with trio.open_nursery() as nursery:
        running, peer, table = await playing(nursery, server)
        session = running.session
        assert session.act(CALL) == ""
        assert session.pending is None
        assert session.act(CALL) == "your last action is on its way"
        act = await peer.receive()
        assert act == msg.Act(1, table.view.seq, CALL)
        await peer.send(table.do(ev.Acted(1, "call", 2, 2)), msg.Done(1))
        await trio.testing.wait_all_tasks_blocked()
        assert session.act(CALL) == "it is not your turn"
        session.close()


async def test_ids_grow_and_answers_name_the_request(autojump_clock: MockClock, server: ScriptedServer) -> None:
    async with trio.open_nursery() as nursery:
        running, peer, table = await playing(nursery, server)
        session = running.session
        for number in (1, 2, 3):
            assert session.act(CALL) == ""
            act = await peer.receive()
            assert isinstance(act, msg.Act)
            assert (act.id, act.answers) == (number, table.view.seq)
            await peer.send(table.do(ev.Acted(1, "call", 2, 2), facing(1)), msg.Done(number))
            await trio.testing.wait_all_tasks_blocked()
        session.close()


async def test_an_action_that_no_option_allows_is_not_sent(autojump_clock: MockClock, server: ScriptedServer) -> None:
    async with trio.open_nursery() as nursery:
        running, _, _ = await playing(nursery, server)
        assert running.session.act(Action("raise", to=5)) == "the raise must be to 4"
        assert "you cannot check now" in running.session.act(Action("check"))
        assert running.session.pending is not None
        running.session.close()


async def test_A18_a_refused_action_reopens_the_request_and_is_explained(
    autojump_clock: MockClock, server: ScriptedServer
) -> None:
    async with trio.open_nursery() as nursery:
        running, peer, _ = await playing(nursery, server)
        session = running.session
        session.act(CALL)
        await peer.receive()
        await peer.send(msg.Rejected("stale", "The price has changed.", 1))
        await trio.testing.wait_all_tasks_blocked()
        assert running.heard.notices == ["The price has changed."]
        assert session.pending is not None
        session.close()


async def test_fault_1_a_broken_connection_is_resumed_from_the_last_event_seen(
    autojump_clock: MockClock, server: ScriptedServer
) -> None:
    async with trio.open_nursery() as nursery:
        running, peer, table = await playing(nursery, server)
        session, seen = running.session, table.view.seq
        await peer.aclose()
        missed = table.do(ev.Acted(1, "call", 2, 2, cause="timeout"), ev.Said("Bob", "hello", 2))
        peer = await server.accept()
        assert session.trouble
        await peer.welcome()
        join = await peer.receive()
        assert isinstance(join, msg.Join)
        assert join.seen == seen
        await peer.send(msg.Joined("kitchen", 1), missed)
        await trio.testing.wait_all_tasks_blocked()
        assert (session.status, session.trouble) == ("online", "")
        assert session.view == table.view
        assert running.heard.notices[1:] == ["Connected again."]
        session.close()


async def test_fault_94_a_client_gives_its_last_receipt_back(autojump_clock: MockClock, server: ScriptedServer) -> None:
    """Each message with a receipt replaces the one before; what was already known does not."""
    async with trio.open_nursery() as nursery:
        running, peer, table = await playing(nursery, server)
        seen = table.view.seq
        step = table.do(ev.Said("Bob", "hello", 2))
        await peer.send(replace(step, receipt=b"new"), msg.Events(seen, 0, (ev.Said("Bob", "old", 2),), b"old"))
        await trio.testing.wait_all_tasks_blocked()
        await peer.aclose()
        peer = await server.accept()
        await peer.welcome()
        join = await peer.receive()
        assert isinstance(join, msg.Join)
        assert (join.seen, join.receipt) == (seen + 1, b"new")
        running.session.close()


async def test_pauses_grow_to_five_seconds_and_begin_again_after_a_good_connection(
    autojump_clock: MockClock, server: ScriptedServer
) -> None:
    async with trio.open_nursery() as nursery:
        running, peer, table = await playing(nursery, server)
        moments = []
        for _ in range(8):
            await peer.aclose()
            began = trio.current_time()
            peer = await server.accept()
            moments.append(trio.current_time() - began)
        assert moments == pytest.approx([0.25, 0.5, 1.0, 2.0, 4.0, 5.0, 5.0, 5.0], abs=0.05)
        await peer.seat(table.view, 1)
        await trio.sleep(6)
        await peer.aclose()
        began = trio.current_time()
        await server.accept()
        assert trio.current_time() - began == pytest.approx(0.25, abs=0.05)
        running.session.close()


async def test_A21_an_action_lost_on_the_way_is_sent_again_with_the_same_id(
    autojump_clock: MockClock, server: ScriptedServer
) -> None:
    async with trio.open_nursery() as nursery:
        running, peer, table = await playing(nursery, server)
        session = running.session
        session.act(CALL)
        lost = await peer.receive()
        await peer.aclose()
        peer = await server.accept()
        await peer.welcome()
        await peer.receive()
        await peer.send(msg.Joined("kitchen", 1, last_id=0))
        assert await peer.receive() == lost
        await peer.send(table.do(ev.Acted(1, "call", 2, 2)), msg.Done(1))
        await trio.testing.wait_all_tasks_blocked()
        assert session.act(CALL) == "it is not your turn"
        session.close()


async def test_A21_an_action_that_was_done_is_not_sent_again(autojump_clock: MockClock, server: ScriptedServer) -> None:
    async with trio.open_nursery() as nursery:
        running, peer, table = await playing(nursery, server)
        session = running.session
        session.act(CALL)
        await peer.receive()
        await peer.aclose()
        missed = table.do(ev.Acted(1, "call", 2, 2), facing(1))
        peer = await server.accept()
        await peer.welcome()
        await peer.receive()
        await peer.send(msg.Joined("kitchen", 1, last_id=1), missed)
        await trio.testing.wait_all_tasks_blocked()
        assert session.pending is not None
        assert session.act(Action("fold")) == ""
        again = await peer.receive()
        assert again == msg.Act(2, table.view.seq, Action("fold"))
        session.close()


async def test_offline_nothing_is_kept_for_later(autojump_clock: MockClock, server: ScriptedServer) -> None:
    async with trio.open_nursery() as nursery:
        running, peer, _ = await playing(nursery, server)
        session = running.session
        await peer.aclose()
        await trio.testing.wait_all_tasks_blocked()
        assert session.act(CALL) == "not connected; wait until the connection is back"
        session.say("hello?")
        assert running.heard.notices[-1] == "Not connected; that was not sent."
        session.close()


async def test_a_gap_in_the_numbers_is_asked_for_again(autojump_clock: MockClock, server: ScriptedServer) -> None:
    async with trio.open_nursery() as nursery:
        running, peer, table = await playing(nursery, server)
        session, seen = running.session, table.view.seq
        table.do(ev.Said("Bob", "lost", 2))
        await peer.send(table.do(ev.Said("Bob", "late", 2)))
        peer = await server.accept()
        await peer.welcome()
        join = await peer.receive()
        assert isinstance(join, msg.Join)
        assert join.seen == seen
        assert session.view.seq == seen
        session.close()


async def test_events_that_overlap_are_applied_once(autojump_clock: MockClock, server: ScriptedServer) -> None:
    async with trio.open_nursery() as nursery:
        running, peer, table = await playing(nursery, server)
        session = running.session
        first = table.do(ev.Said("Bob", "one", 2))
        second = table.do(ev.Said("Bob", "two", 2))
        await peer.send(first, msg.Events(first.seq, 0, (*first.events, *second.events)), second)
        await trio.testing.wait_all_tasks_blocked()
        said = [event.text for event in running.heard.events if isinstance(event, ev.Said)]
        assert said == ["one", "two"]
        assert session.view.seq == table.view.seq
        session.close()


async def test_an_event_that_does_not_fit_is_answered_by_asking_for_the_whole_view(
    autojump_clock: MockClock, server: ScriptedServer
) -> None:
    async with trio.open_nursery() as nursery:
        running, peer, table = await playing(nursery, server)
        session = running.session
        await peer.send(msg.Events(table.view.seq + 1, 0, (ev.PlayerBack(77),)))
        peer = await server.accept()
        join = await peer.seat(table.view, 1)
        assert join.seen == 0
        await trio.testing.wait_all_tasks_blocked()
        assert session.view.seq == table.view.seq
        session.close()


async def test_fault_5_a_silent_connection_counts_as_broken(autojump_clock: MockClock, server: ScriptedServer) -> None:
    async with trio.open_nursery() as nursery:
        running, _, _ = await playing(nursery, server)
        began = trio.current_time()
        await server.accept()
        assert SILENCE <= trio.current_time() - began < SILENCE + 1
        running.session.close()


async def test_pings_keep_a_quiet_connection_alive(autojump_clock: MockClock, server: ScriptedServer) -> None:
    async with trio.open_nursery() as nursery:
        running, peer, _ = await playing(nursery, server)
        for _ in range(6):
            assert isinstance(await peer.receive(), msg.Ping)
            await peer.send(msg.Pong())
        assert trio.current_time() >= 60
        assert running.session.status == "online"
        running.session.close()


@pytest.mark.parametrize("players", [("Ann", "Bob"), ("Ann", "Bob", "Cat")])
async def test_giving_the_seat_back_ends_the_session(
    autojump_clock: MockClock, server: ScriptedServer, players: tuple[str, ...]
) -> None:
    async with trio.open_nursery() as nursery:
        table = table_of(*players)
        running = await started(nursery, session_at(server))
        peer = await server.accept()
        await peer.seat(table.view, 1)
        await peer.send(table.do(ev.PlayerLeft(2, "Bob", 100)))
        await trio.testing.wait_all_tasks_blocked()
        running.session.stand_up()
        assert isinstance(await peer.receive(), msg.StandUp)
        await peer.send(table.do(ev.PlayerLeft(1, "Ann", 100)))
        await running.over.wait()
        assert running.error is None
        assert running.session.status == "closed"


async def test_a_replaced_connection_ends_the_session_for_good(
    autojump_clock: MockClock, server: ScriptedServer
) -> None:
    async with trio.open_nursery() as nursery:
        running, peer, _ = await playing(nursery, server)
        await peer.send(msg.Bye("replaced", "You are connected from elsewhere."))
        await running.over.wait()
        assert running.session.status == "closed"
        assert running.session.trouble == "You are connected from elsewhere."
        with trio.move_on_after(60) as limit:
            await server.accept()
        assert limit.cancelled_caught


async def test_trap_A27_a_text_of_the_server_controls_no_terminal(
    autojump_clock: MockClock, server: ScriptedServer
) -> None:
    evil = "\x1b[2J\x1b]0;x\x07clo\rsed\x9b2J\u202e\nnow"
    async with trio.open_nursery() as nursery:
        running, peer, _ = await playing(nursery, server)
        await peer.send(msg.Rejected("not_now", evil), msg.Bye("closed", evil))
        await running.over.wait()
        assert running.heard.notices == ["clo sed now", "clo sed now"]
        assert running.session.trouble == "clo sed now"


async def test_a_restarting_server_is_waited_for(autojump_clock: MockClock, server: ScriptedServer) -> None:
    async with trio.open_nursery() as nursery:
        running, peer, table = await playing(nursery, server)
        await peer.send(msg.Bye("restart", "The server restarts.", again=True))
        peer = await server.accept()
        await peer.seat(table.view, 1)
        await trio.testing.wait_all_tasks_blocked()
        assert running.session.status == "online"
        running.session.close()


async def test_a_refused_seat_is_told_with_its_code(autojump_clock: MockClock, server: ScriptedServer) -> None:
    async with trio.open_nursery() as nursery:
        running = await started(nursery, session_at(server))
        peer = await server.accept()
        await peer.welcome()
        await peer.receive()
        await peer.send(msg.Rejected("name_taken", "Somebody here is called Ann already."))
        await running.over.wait()
        assert isinstance(running.error, JoinRefused)
        assert running.error.code == "name_taken"
        assert str(running.error) == "Somebody here is called Ann already."


@pytest.mark.parametrize("code", ["storage", "closed", "busy"])
async def test_fault_a_table_that_waits_for_its_disk_is_waited_for(
    autojump_clock: MockClock, server: ScriptedServer, code: str
) -> None:
    async with trio.open_nursery() as nursery:
        running, peer, table = await playing(nursery, server)
        await peer.send(msg.Bye(code, "The disk is full.", again=True))
        for _ in range(3):
            peer = await server.accept()
            await peer.welcome()
            await peer.receive()
            await peer.send(msg.Rejected(code, "The disk is full."))
        peer = await server.accept()
        await peer.seat(table.view, 1)
        await trio.testing.wait_all_tasks_blocked()
        assert running.session.status == "online"
        assert running.heard.notices == ["The disk is full. Trying to come back ...", "Connected again."]
        running.session.close()


async def test_fault_a_server_that_lost_events_is_told_of_and_the_game_goes_on(
    autojump_clock: MockClock, server: ScriptedServer
) -> None:
    async with trio.open_nursery() as nursery:
        running, peer, _ = await playing(nursery, server)
        await peer.aclose()
        peer = await server.accept()
        await peer.welcome()
        await peer.receive()
        older = table_of("Ann", "Bob")
        await peer.send(msg.Rejected("log_behind", "The journal has lost something."))
        await peer.send(msg.Joined("kitchen", 1), msg.Snapshot(older.view, 1))
        await trio.testing.wait_all_tasks_blocked()
        assert running.session.status == "online"
        assert running.session.view.seq == older.view.seq
        assert "The journal has lost something." in running.heard.notices
        running.session.close()


async def test_a_server_that_does_not_list_its_tables_is_given_up(
    autojump_clock: MockClock, server: ScriptedServer
) -> None:
    async with trio.open_nursery() as nursery:
        running = await started(nursery, session_at(server, table=""))
        peer = await server.accept()
        await peer.welcome()
        assert isinstance(await peer.receive(), msg.ListTables)
        await running.over.wait()
        assert isinstance(running.error, CannotConnect)


async def test_a_version_that_does_not_fit_is_told_in_the_servers_words(
    autojump_clock: MockClock, server: ScriptedServer
) -> None:
    async with trio.open_nursery() as nursery:
        running = await started(nursery, session_at(server))
        peer = await server.accept()
        await peer.receive()
        await peer.send(msg.Refused("version", "This server speaks protocol 9.", (9, 9)))
        await running.over.wait()
        assert isinstance(running.error, VersionMismatch)
        assert str(running.error) == "This server speaks protocol 9."
        assert running.error.exit_code == 4


@pytest.mark.parametrize(
    "answer",
    [b"HTTP/1.1 400 Bad Request\r\n\r\n", b"\x00\x00\x00\x00", b"\x00\x00\x00\x01\xc0", b"\x00\x00\x00\x09abc", b""],
)
async def test_a_server_that_is_not_a_card_room_is_told_in_one_sentence(
    autojump_clock: MockClock, server: ScriptedServer, answer: bytes
) -> None:
    async with trio.open_nursery() as nursery:
        running = await started(nursery, session_at(server))
        peer = await server.accept()
        await peer.receive()
        await peer.stream.send_all(answer)
        await peer.aclose()
        await running.over.wait()
        assert isinstance(running.error, CannotConnect)
        assert "\n" not in str(running.error)


async def test_a_server_that_never_greets_is_given_up(autojump_clock: MockClock, server: ScriptedServer) -> None:
    async def give_up() -> None:
        with pytest.raises(CannotConnect, match="greeting"):
            await connect(server.dial)

    async with trio.open_nursery() as nursery:
        nursery.start_soon(give_up)
        peer = await server.accept()
        assert isinstance(await peer.receive(), msg.Hello)


@pytest.mark.parametrize(
    "nonsense",
    [
        msg.Joined("kitchen", 9),
        msg.Snapshot(table_of("Ann").view, 7),
        msg.Snapshot(table_of("Ann").view, -1),
        msg.Snapshot(TableView(seats=[SeatView(2)]), 1),
        msg.Events(99, 0, (ev.PlayerBack(1),)),
        msg.Events(4, 0, (ev.PlayerSeated(99, "x", 1),)),
        msg.Events(4, 0, (ev.HandShown(44, ()),)),
        msg.Events(4, 0, (ev.CardsTurned(((1, 3),)),)),
    ],
)
async def test_a_table_that_is_not_possible_is_asked_for_again(
    autojump_clock: MockClock, server: ScriptedServer, nonsense: msg.FromServer
) -> None:
    async with trio.open_nursery() as nursery:
        table = table_of("Ann", "Bob")
        running = await started(nursery, session_at(server))
        peer = await server.accept()
        await peer.seat(table.view, 1)
        await peer.send(nonsense)
        peer = await server.accept()
        assert not running.over.is_set()
        await peer.seat(table.view, 1)
        await trio.testing.wait_all_tasks_blocked()
        assert running.session.view == table.view
        running.session.close()


async def test_a_spectator_takes_no_seat(autojump_clock: MockClock, server: ScriptedServer) -> None:
    table = table_of("Ann", "Bob")
    async with trio.open_nursery() as nursery:
        session = ClientSession(server.dial, SeatRequest("", table="kitchen", watch=True))
        await started(nursery, session)
        peer = await server.accept()
        await peer.welcome()
        assert await peer.receive() == msg.Watch("kitchen", 0)
        await peer.send(msg.Snapshot(table.view, 0))
        await peer.send(table.do(*third_street(table), facing(1), ev.PlayerLeft(2, "Bob", 99)))
        await trio.testing.wait_all_tasks_blocked()
        assert session.seat == 0
        assert session.pending is None
        assert session.act(CALL) == "it is not your turn"
        assert session.status == "online"
        session.close()


async def test_fault_3_one_byte_at_a_time_is_the_same(autojump_clock: MockClock, server: ScriptedServer) -> None:
    from protocol.wire.frames import encode_frame

    async with trio.open_nursery() as nursery:
        running, peer, table = await playing(nursery, server)
        events: list[AnyEvent] = [ev.Acted(1, "call", 2, 2), facing(2)]
        for byte in encode_frame(table.do(*events)):
            await peer.stream.send_all(bytes([byte]))
            await trio.testing.wait_all_tasks_blocked()
        assert running.session.view.seq == table.view.seq
        assert running.session.pending is None
        assert running.session.clocks.keys() == {2}
        running.session.close()


async def test_clock_and_time_bank_are_two_numbers(autojump_clock: MockClock, server: ScriptedServer) -> None:
    async with trio.open_nursery() as nursery:
        running, peer, table = await playing(nursery, server)
        session = running.session
        assert session.seconds_left(1) == pytest.approx(30, abs=1)
        assert session.bank_left(1) == 60, "a full one: nothing else was told"
        await peer.send(msg.TimeLeft(((1, 340),), ((1, 180),), 2))  # 16 seconds, then 18 from the bank
        await trio.testing.wait_all_tasks_blocked()
        assert session.seconds_left(1) == pytest.approx(16, abs=1)
        assert session.bank_left(1) == 18
        assert session.watching == 2
        await peer.send(msg.TimeLeft(((1, 90),), ((1, 90),)))  # the bank runs
        await trio.testing.wait_all_tasks_blocked()
        assert session.seconds_left(1) == 0
        assert session.bank_left(1) == pytest.approx(9, abs=1)
        await peer.send(table.do(ev.Acted(1, "call", 2, 2), ev.ConnectionChanged(2, online=False), facing(2)))
        await trio.testing.wait_all_tasks_blocked()
        assert session.seconds_left(2) == pytest.approx(30, abs=1)
        assert session.bank_left(2) == 0, "not for a player who is not there"
        session.close()


def test_clocks_that_stand_still_do_so_on_the_screen() -> None:
    time = [100.0]
    replica = TableReplica("kitchen", lambda: time[0])
    table = table_of("Ann", "Bob", viewer=None)
    table.do(*third_street(table), facing(1))
    replica.load(msg.Snapshot(table.view, 0, ((1, 900),), paused=True))
    time[0] += 1000
    assert (replica.seconds_left(1), replica.bank_left(1)) == (30, 60)
    replica.set_time_left(msg.TimeLeft(((1, 900),)))
    time[0] += 12
    assert (replica.seconds_left(1), replica.bank_left(1)) == (18, 60)
