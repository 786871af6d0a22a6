"""The line mode: text in, text out, over a scripted server."""

import os
from collections.abc import AsyncIterator, Callable
from pathlib import Path

import pytest
import trio
from trio.testing import MockClock

from client.presenter.help_page import line_help
from client.terminal import stdin
from client.terminal.line_mode import LineMode, run_lines
from protocol import events as ev
from protocol.actions import Action, Option
from protocol.cards import cards
from protocol.events import AnyEvent
from protocol.wire import messages as msg
from tests.support.limits import LIMIT
from tests.support.local_table import LocalSession, LocalTable
from tests.support.scripted_server import (
    Peer,
    ScriptedServer,
    ScriptedTable,
    facing,
    session_at,
    table_of,
    third_street,
)

BOB_FOLDS = (
    ev.Acted(2, "fold", 0, 0),
    ev.PotsGathered(((2, (1,)),)),
    ev.PotAwarded(0, "whole", 2, ((1, 2),)),
    ev.HandEnded(1, ((1, 101), (2, 99))),
)


class LinePlayer:
    """Ann in line mode, and the server's end of it."""

    def __init__(
        self,
        server: ScriptedServer,
        *names: str,
        first_meeting: Callable[[str], bool] | None = None,
        worth: bool = False,
    ) -> None:
        self.written: list[str] = []
        self.session = session_at(server)
        self.mode = LineMode(self.session, self.written.append, first_meeting=first_meeting, worth=worth)
        self.table: ScriptedTable = table_of(*names, viewer=1)
        self.server = server
        self.peer: Peer

    async def sit(self, nursery: trio.Nursery) -> None:
        nursery.start_soon(self.session.run)
        self.peer = await self.server.accept()
        await self.peer.seat(self.table.view, 1)
        await trio.testing.wait_all_tasks_blocked()

    async def happens(self, *events: AnyEvent) -> list[str]:
        """The lines that these events bring."""
        before = len(self.written)
        await self.peer.send(self.table.do(*events))
        await trio.testing.wait_all_tasks_blocked()
        return self.written[before:]

    async def types(self, text: str) -> list[str]:
        """The lines that this typed line brings."""
        before = len(self.written)
        self.mode.enter(text)
        await trio.testing.wait_all_tasks_blocked()
        return self.written[before:]


async def test_arriving_says_where_one_is(autojump_clock: MockClock, server: ScriptedServer) -> None:
    async with trio.open_nursery() as nursery:
        ann = LinePlayer(server, "Ann", "Bob")
        await ann.sit(nursery)
        assert ann.written == [
            "Table Kitchen: Seven-card stud high-low, ante 1, limits 2/4; you are Ann in seat 1.",
            "Here: Ann 100, Bob 100.",
            "Type ? for help.",
        ]
        ann.session.close()


async def test_arriving_in_a_hand_says_its_state(autojump_clock: MockClock, server: ScriptedServer) -> None:
    async with trio.open_nursery() as nursery:
        ann = LinePlayer(server, "Ann", "Bob")
        ann.table.do(*third_street(ann.table), facing(1))
        await ann.sit(nursery)
        assert ann.written[2:5] == [
            "Hand 1 is being played.",
            "Third street, pot 2: Ann [7c 8d] 2c - Bob [?? ??] Kd. To act: Ann.",
            "You hold [7c 8d] 2c. High: eight-seven high; low: eight-seven so far, three low cards.",
        ]
        assert ann.written[-1] == "Your turn: c call 2, r raise to 4, f fold. 30 seconds."
        ann.session.close()


async def test_a_turn_is_told_answered_and_told_again_to_all(autojump_clock: MockClock, server: ScriptedServer) -> None:
    async with trio.open_nursery() as nursery:
        ann = LinePlayer(server, "Ann", "Bob")
        await ann.sit(nursery)
        told = await ann.happens(*third_street(ann.table), facing(1))
        assert told[-1] == "Your turn: c call 2, r raise to 4, f fold. 30 seconds."
        assert await ann.types("c") == []
        assert await ann.peer.receive() == msg.Act(1, ann.table.view.seq, Action("call"))
        assert await ann.happens(ev.Acted(1, "call", 2, 2), facing(2)) == ["Ann calls 2."]
        assert await ann.types("c") == ["It is not your turn; to act: Bob."]
        assert await ann.types("last") == ["On this street: Ann calls 2."]
        ann.session.close()


async def test_BPR78_an_empty_line_never_acts(autojump_clock: MockClock, server: ScriptedServer) -> None:
    async with trio.open_nursery() as nursery:
        ann = LinePlayer(server, "Ann", "Bob")
        await ann.sit(nursery)
        await ann.happens(*third_street(ann.table), facing(1))
        for text in ("", "   ", "\t"):
            assert await ann.types(text) == []
        assert ann.session.pending is not None
        ann.session.close()


async def test_chat_never_eats_an_action_and_an_action_never_eats_chat(
    autojump_clock: MockClock, server: ScriptedServer
) -> None:
    async with trio.open_nursery() as nursery:
        ann = LinePlayer(server, "Ann", "Bob")
        await ann.sit(nursery)
        await ann.happens(*third_street(ann.table), facing(1))
        assert await ann.types("/say f") == []
        assert await ann.peer.receive() == msg.Say("f")
        assert await ann.types("fine by me") == ["Not understood: fine by me. Type ? for help, or /say to talk."]
        assert ann.session.pending is not None
        ann.session.close()


@pytest.mark.parametrize(
    ("typed", "answer"),
    [
        ("2", "Card 2: 8d, hidden."),
        ("3", "Card 3: 2c, face up."),
        ("9", "You have three cards."),
        ("seat 2", "Seat 2: Bob, 99 chips, deals, shows Kd."),
        ("\x1bOQ", "Seat 2: Bob, 99 chips, deals, shows Kd."),
        ("s2", "Seat 2: Bob, 99 chips, deals, shows Kd."),
        ("seat 3", "Seat 3 is free."),
        ("seat 9", "There is no seat 9; the table has 4."),
        ("pot", "The pot is 2."),
        ("p", "The pot is 2."),
        ("to call", "Nothing to call."),
        ("last", "Nobody has acted on this street."),
        ("street", "Third street, pot 2: Ann [7c 8d] 2c - Bob [?? ??] Kd. To act: Ann."),
        ("u", "Up cards: Ann 2c - Bob Kd."),
        ("hand", "You hold [7c 8d] 2c. High: eight-seven high; low: eight-seven so far, three low cards."),
        ("/why", "Ann has the lowest up card, 2c."),
        ("what kicker", "kicker: The highest card beside a pair: it decides between equal pairs."),
        ("stacks", "Stacks: Ann 99, Bob 99."),
        ("time", "30 seconds left, then 60 seconds from your time bank."),
    ],
)
async def test_ux_5_3_questions_are_answered_in_a_line_and_change_nothing(
    autojump_clock: MockClock, server: ScriptedServer, typed: str, answer: str
) -> None:
    async with trio.open_nursery() as nursery:
        ann = LinePlayer(server, "Ann", "Bob")
        await ann.sit(nursery)
        await ann.happens(*third_street(ann.table), facing(1))
        assert await ann.types(typed) == [answer]
        assert ann.session.pending is not None
        ann.session.close()


async def test_a_game_that_is_met_for_the_first_time_is_explained_once(
    autojump_clock: MockClock, server: ScriptedServer
) -> None:
    met: list[str] = []

    def first_meeting(game: str) -> bool:
        met.append(game)
        return True

    async with trio.open_nursery() as nursery:
        ann = LinePlayer(server, "Ann", "Bob", first_meeting=first_meeting)
        await ann.sit(nursery)
        assert met == [], "no hand of it has begun"
        told = await ann.happens(*third_street(ann.table), facing(1))
        card = told.index("SEVEN-CARD STUD HIGH-LOW, EIGHT OR BETTER")
        assert card < told.index("Type rules for all of it, and what for the words of the last lines.")
        assert told[-1].startswith("Your turn: "), "the question comes last"
        await ann.happens(*third_street(ann.table), facing(1))
        assert met == ["stud8"]
        ann.session.close()


async def test_the_price_and_the_chance_are_told_before_a_bet_if_wanted(
    autojump_clock: MockClock, server: ScriptedServer
) -> None:
    async with trio.open_nursery() as nursery:
        ann = LinePlayer(server, "Ann", "Bob", worth=True)
        await ann.sit(nursery)
        told = await ann.happens(*third_street(ann.table), facing(1))
        chance = [line.startswith("Against hands of any kind yours wins about ") for line in told]
        assert chance.index(True) == len(told) - 2, "behind the hand, before the question"
        ann.session.close()


async def test_what_alone_explains_the_words_of_the_last_lines(
    autojump_clock: MockClock, server: ScriptedServer
) -> None:
    async with trio.open_nursery() as nursery:
        ann = LinePlayer(server, "Ann", "Bob")
        await ann.sit(nursery)
        await ann.happens(*third_street(ann.table), facing(1))
        told = await ann.types("what")
        assert told[0].startswith("fold: "), "the question came last"
        assert any(line.startswith("street: ") for line in told)
        assert not any(line.startswith("odd man: ") for line in told)
        ann.session.close()


async def test_ux_4_1_the_rules_can_be_read_at_the_table(autojump_clock: MockClock, server: ScriptedServer) -> None:
    async with trio.open_nursery() as nursery:
        ann = LinePlayer(server, "Ann", "Bob")
        await ann.sit(nursery)
        told = await ann.types("/rules")
        assert len(told) > 5
        assert "Seven-card stud high-low" in told[0]
        assert await ann.types("?") == line_help()
        ann.session.close()


async def test_cards_are_chosen_arranged_and_declared(autojump_clock: MockClock, server: ScriptedServer) -> None:
    own = tuple(cards("7c 8d"))
    async with trio.open_nursery() as nursery:
        ann = LinePlayer(server, "Ann", "Bob")
        await ann.sit(nursery)
        await ann.happens(*third_street(ann.table))
        for request, typed, action in (
            (
                ev.ActionRequested(1, "choose", (Option("choose", cards=own, count=1),)),
                "2",
                Action("choose", cards=own[1:]),
            ),
            (
                ev.ActionRequested(1, "arrange", (Option("arrange", cards=own, count=2),)),
                "21",
                Action("arrange", cards=own[::-1]),
            ),
            (
                ev.ActionRequested(1, "declare", (Option("declare", directions=("high", "low")),)),
                "l",
                Action("declare", direction="low"),
            ),
        ):
            await ann.happens(request)
            assert await ann.types(typed) == []
            act = await ann.peer.receive()
            assert isinstance(act, msg.Act)
            assert act.action == action
            await ann.happens(ev.ChoiceMade(1, request.decision, action))
        assert ann.written[-2:] == ["Declare: h high, l low.", "Your choice: low."]
        ann.session.close()


async def test_trap_A27_no_escape_byte_is_ever_written(autojump_clock: MockClock, server: ScriptedServer) -> None:
    bad = "\x1b[2J\x1b]0;x\x07ev\ril\u202e"
    async with trio.open_nursery() as nursery:
        ann = LinePlayer(server, "Ann", bad)
        await ann.sit(nursery)
        await ann.happens(*third_street(ann.table), ev.Said(bad, bad, 2), ev.PlayerAway(2, bad), facing(1))
        await ann.peer.send(msg.Rejected("x", bad))
        await trio.testing.wait_all_tasks_blocked()
        await ann.types(f"{bad} what")
        await ann.types("seat 2")
        assert len(ann.written) > 10
        for line in ann.written:
            assert line.isprintable(), ascii(line)
        ann.session.close()


async def test_own_net_is_said_at_the_end(autojump_clock: MockClock, server: ScriptedServer) -> None:
    async with trio.open_nursery() as nursery:
        ann = LinePlayer(server, "Ann", "Bob")
        await ann.sit(nursery)
        told = await ann.happens(*third_street(ann.table), *BOB_FOLDS)
        assert told[-3:] == [
            "Ann wins 2.",
            "Hand 1 is over: Ann +1, Bob -1.",
            "You: +1, you have 101.",
        ]
        ann.session.close()


async def test_who_sits_out_is_told_how_to_come_back(autojump_clock: MockClock, server: ScriptedServer) -> None:
    async with trio.open_nursery() as nursery:
        ann = LinePlayer(server, "Ann", "Bob")
        await ann.sit(nursery)
        told = await ann.happens(ev.PlayerAway(1, "missed a clock"))
        assert told == ["Ann sits out (missed a clock).", "Type /back to be dealt in again."]
        assert await ann.happens(ev.PlayerAway(2)) == ["Bob sits out."]
        ann.session.close()


async def test_leaving_for_good_is_asked_for_twice(autojump_clock: MockClock, server: ScriptedServer) -> None:
    async with trio.open_nursery() as nursery:
        ann = LinePlayer(server, "Ann", "Bob")
        await ann.sit(nursery)
        assert "once more" in (await ann.types("/leave"))[0]
        await ann.types("pot")
        assert "once more" in (await ann.types("/leave"))[0]
        assert await ann.types("/leave") == ["Your seat is given back."]
        assert await ann.peer.receive() == msg.StandUp()
        ann.session.close()


@pytest.mark.parametrize(
    ("typed", "sent"),
    [
        ("/away", msg.SitOut()),
        ("/back", msg.SitIn()),
        ("/rebuy 50", msg.TopUp(50)),
        ("/next", msg.GoOn()),
        ("/show", msg.Show()),
        ("/show 2", msg.Show(tuple(cards("8d")))),
        ("/show 7C, 8d", msg.Show(tuple(cards("7c 8d")))),
        ("/ping", msg.Ping(1)),
        ("/say  hello  all ", msg.Say("hello  all")),
    ],
)
async def test_ux_5_1_commands_with_a_slash(
    autojump_clock: MockClock, server: ScriptedServer, typed: str, sent: msg.FromClient
) -> None:
    async with trio.open_nursery() as nursery:
        ann = LinePlayer(server, "Ann", "Bob")
        await ann.sit(nursery)
        await ann.happens(*third_street(ann.table), *BOB_FOLDS)
        assert await ann.types(typed) == []
        assert await ann.peer.receive() == sent
        ann.session.close()


async def test_an_older_server_is_not_asked_for_another_seat(autojump_clock: MockClock, server: ScriptedServer) -> None:
    async with trio.open_nursery() as nursery:
        ann = LinePlayer(server, "Ann", "Bob")
        await ann.sit(nursery)
        assert await ann.types("/move 2") == ["This server is of an older version; nobody changes seats there."]
        await ann.types("/ping")
        assert await ann.peer.receive() == msg.Ping(1)
        ann.session.close()


@pytest.mark.parametrize(
    "typed", ["/show 3", "/show As", "/show x", "/rebuy -5", "/rebuy x", "/rebuy 0", "/rebuy 99999999999", "/frob"]
)
async def test_commands_that_cannot_be_are_refused(
    autojump_clock: MockClock, server: ScriptedServer, typed: str
) -> None:
    async with trio.open_nursery() as nursery:
        ann = LinePlayer(server, "Ann", "Bob")
        await ann.sit(nursery)
        assert len(await ann.types(typed)) == 1
        ann.session.close()


async def test_the_end_of_the_input_waits_for_the_table_and_keeps_the_seat(
    autojump_clock: MockClock, server: ScriptedServer
) -> None:
    written: list[str] = []

    async def nothing() -> AsyncIterator[str]:
        for line in ("pot", ""):
            await trio.lowlevel.checkpoint()
            yield line

    async def serve_one() -> None:
        peer = await server.accept()
        await peer.seat(table_of("Ann").view, 1)

    async with trio.open_nursery() as nursery:
        nursery.start_soon(serve_one)
        await run_lines(session_at(server), nothing(), written.append)
    assert written[-2:] == [
        "The pot is 0.",
        "Goodbye. Your seat at Kitchen is kept, with 100 chips. To come back: ryo join",
    ]


async def test_lines_of_a_pipe_in_pieces_and_without_an_end() -> None:
    reading, writing = os.pipe()
    try:
        with trio.fail_after(LIMIT):
            async with trio.open_nursery() as nursery:
                got: list[str] = []

                async def read() -> None:
                    got.extend([line async for line in stdin.lines(reading)])

                nursery.start_soon(read)
                for piece in (b"on", b"e\r\ntwo\n\nG\xc3", b"\xbcn\xff", b"ther"):
                    os.write(writing, piece)
                    await trio.testing.wait_all_tasks_blocked()
                os.close(writing)
        assert got == ["one", "two", "", "G\u00fcn\ufffdther"]
    finally:
        os.close(reading)


async def test_lines_of_a_file_and_of_dev_null(tmp_path: Path) -> None:
    path = str(tmp_path / "typed")
    (tmp_path / "typed").write_text("c\nf\n")
    with trio.fail_after(LIMIT):
        for name, expected in ((path, ["c", "f"]), (os.devnull, [])):
            descriptor = os.open(name, os.O_RDONLY)
            try:
                assert [line async for line in stdin.lines(descriptor)] == expected
            finally:
                os.close(descriptor)


async def test_reading_is_cancelled_at_once() -> None:
    reading, writing = os.pipe()
    try:
        with trio.fail_after(LIMIT), trio.move_on_after(0.01) as limit:
            async for _ in stdin.lines(reading):
                pytest.fail("nothing was written")
        assert limit.cancelled_caught
    finally:
        os.close(reading)
        os.close(writing)


async def test_goodbye_says_what_became_of_seat_and_chips(autojump_clock: MockClock, server: ScriptedServer) -> None:
    async with trio.open_nursery() as nursery:
        ann = LinePlayer(server, "Ann", "Bob")
        await ann.sit(nursery)
        await ann.types("/leave")
        await ann.types("/leave")
        await ann.happens(ev.PlayerLeft(1, "Ann", 94))
        assert await ann.types("/quit") == ["Goodbye. You have left the table with 94 chips."]
        ann = LinePlayer(server, "Ann", "Bob")
        ann.mode = LineMode(ann.session, ann.written.append, kept=False)
        await ann.sit(nursery)
        assert await ann.types("/quit") == ["Goodbye. The game is over; you had 100 chips left."]


async def test_who_has_chosen_hears_whom_the_table_waits_for_and_the_card_only_when_it_is_turned(
    autojump_clock: MockClock, server: ScriptedServer
) -> None:
    async with trio.open_nursery() as nursery:
        ann = LinePlayer(server, "Ann", "Bob")
        await ann.sit(nursery)
        await ann.happens(*third_street(ann.table))
        ask = Option("choose", cards=tuple(cards("7c 8d")), count=1)
        await ann.happens(ev.ActionRequested(2, "choose", (ask,)), ev.ActionRequested(1, "choose", (ask,)))
        assert await ann.types("c") == [
            "That is no answer to this question.",
            "Choose a card to turn up: 1 7c, 2 8d.",
        ]
        assert await ann.types("2") == ["Chosen; waiting for Bob."]
        ann.session.close()


async def test_q_asks_before_it_leaves(autojump_clock: MockClock, server: ScriptedServer) -> None:
    async with trio.open_nursery() as nursery:
        ann = LinePlayer(server, "Ann", "Bob")
        await ann.sit(nursery)
        assert await ann.types("q") == ["Leave? Your seat is kept. Type y to leave, n to stay."]
        assert await ann.types("n") == ["You stay."]
        await ann.types("quit")
        assert (await ann.types("pot"))[0].startswith("The pot is"), "any other line is what it always is"
        assert await ann.types("y") == ["It is not your turn."]
        assert not ann.mode.done
        await ann.types("exit")
        assert "Goodbye. Your seat at Kitchen is kept" in (await ann.types("y"))[0]
        assert ann.mode.done


async def test_a_missed_clock_and_a_hand_without_oneself_are_told(
    autojump_clock: MockClock, server: ScriptedServer
) -> None:
    async with trio.open_nursery() as nursery:
        ann = LinePlayer(server, "Ann", "Bob", "Cat")
        await ann.sit(nursery)
        told = await ann.happens(*third_street(ann.table), facing(1), ev.Acted(1, "fold", 0, 0, cause="timeout"))
        assert told[-2:] == ["Ann folds (time).", "Your clock ran out, so the table decided for you."]
        told = await ann.happens(ev.PlayerAway(1), ev.HandVoided(1, ((1, 100), (2, 100), (3, 100)), ""))
        stacks, stakes = ((2, 100), (3, 100)), ann.table.view.stakes
        assert stakes is not None
        told = await ann.happens(ev.HandStarted(2, "kitchen-2", "stud8", "Stud", 2, stacks, stakes))
        assert told[-1] == "You are not dealt in, because you sit out. Type /back to be dealt in again."
        ann.session.close()


async def test_a_clock_that_goes_on_to_the_time_bank_is_told_once_and_a_late_arrival_hears_what_is_left(
    autojump_clock: MockClock, server: ScriptedServer
) -> None:
    async with trio.open_nursery() as nursery:
        ann = LinePlayer(server, "Ann", "Bob")
        await ann.sit(nursery)
        await ann.happens(*third_street(ann.table), facing(1))
        before = len(ann.written)
        for _ in range(2):
            await ann.peer.send(msg.TimeLeft(((1, 420),), ((1, 420),)))
            await trio.testing.wait_all_tasks_blocked()
        assert ann.written[before:] == ["Your clock has run out; 42 seconds left in your time bank."]
        await ann.peer.send(msg.Snapshot(ann.table.view, 1, ((1, 720),)))
        await trio.testing.wait_all_tasks_blocked()
        assert ann.written[-1] == "Your turn: c call 2, r raise to 4, f fold. 12 seconds."
        ann.session.close()


def test_the_host_key_is_typed_where_the_terminal_does_not_show_it() -> None:
    session = LocalSession(LocalTable(), 1)
    shown: list[bool] = []
    written: list[str] = []
    mode = LineMode(session, written.append, show_typing=shown.append)
    mode.enter("/claim")
    assert shown == [False]
    assert "does not show it" in written[-1]
    mode.enter("correct horse")
    assert shown == [False, True]
    assert session.host_words == ["claim correct horse"]
    mode.enter("/claim")
    mode.enter("")
    assert shown == [False, True] * 2
    mode.enter("/say hello")
    assert session.said == ["hello"], "the line behind it is a line again"
    assert session.host_words == ["claim correct horse"]
    assert not any("horse" in line for line in written)
