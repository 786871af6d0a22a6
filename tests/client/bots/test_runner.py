"""The bot at a session: what it does when it is asked, refused, out of chips or away."""

import pytest
import trio
from trio.testing import MockClock

from client.bots.pace import Pace
from client.bots.runner import BotRunner, run_bot
from client.connection.session import ClientSession
from protocol import events as ev
from protocol.actions import Action
from protocol.events import ActionRequested, AnyEvent
from protocol.view import TableView, hide
from protocol.visibility import project
from protocol.wire import messages as msg
from tests.support.scripted_server import (
    Peer,
    ScriptedServer,
    ScriptedTable,
    facing,
    session_at,
    table_of,
    third_street,
)


def raises(view: TableView, seat: int, request: ActionRequested) -> Action:
    """A mind that always raises."""
    option = next(option for option in request.options if option.kind == "raise")
    return Action("raise", to=option.most)


def wrong(view: TableView, seat: int, request: ActionRequested) -> Action:
    """A mind with a bug in it."""
    return Action("check")


class Historian:
    """A mind that notes what it is told, and how much of it when it decides."""

    def __init__(self) -> None:
        self.seen: list[AnyEvent] = []
        self.known: list[int] = []

    def see(self, event: AnyEvent) -> None:
        self.seen.append(event)

    def __call__(self, view: TableView, seat: int, request: ActionRequested) -> Action:
        self.known.append(len(self.seen))
        return raises(view, seat, request)


class Bot:
    """A bot in seat 1, and the server's end."""

    def __init__(self, server: ScriptedServer) -> None:
        self.session: ClientSession = session_at(server)
        self.table: ScriptedTable = table_of("Ann", "Bob", viewer=1)
        self.server = server
        self.peer: Peer

    async def sit(self, nursery: trio.Nursery, runner: BotRunner) -> None:
        nursery.start_soon(self.session.run)
        nursery.start_soon(runner.run)
        self.peer = await self.server.accept()
        await self.peer.seat(self.table.view, 1)

    async def happens(self, *events: AnyEvent) -> None:
        await self.peer.send(self.table.do(*events))


async def test_it_answers_once(autojump_clock: MockClock, server: ScriptedServer) -> None:
    async with trio.open_nursery() as nursery:
        bot = Bot(server)
        await bot.sit(nursery, BotRunner(bot.session, raises))
        await bot.happens(*third_street(bot.table), facing(1))
        assert await bot.peer.receive() == msg.Act(1, bot.table.view.seq, Action("raise", to=4))
        with trio.move_on_after(5) as limit:
            await bot.peer.receive()
        assert limit.cancelled_caught
        nursery.cancel_scope.cancel()


async def test_it_takes_its_time_and_thinks_again_when_the_request_is_gone(
    autojump_clock: MockClock, server: ScriptedServer
) -> None:
    async with trio.open_nursery() as nursery:
        bot = Bot(server)
        await bot.sit(nursery, BotRunner(bot.session, raises, pace=Pace(3.0)))
        await bot.happens(*third_street(bot.table), facing(1))
        await trio.sleep(2)
        await bot.happens(ev.Acted(1, "call", 2, 2, cause="timeout"), facing(1, call=4))
        act = await bot.peer.receive()
        assert act == msg.Act(1, bot.table.view.seq, Action("raise", to=6))
        assert trio.current_time() >= 3
        nursery.cancel_scope.cancel()


async def test_a_refused_action_is_followed_by_a_passive_one_and_then_by_nothing(
    autojump_clock: MockClock, server: ScriptedServer
) -> None:
    async with trio.open_nursery() as nursery:
        bot = Bot(server)
        await bot.sit(nursery, BotRunner(bot.session, raises))
        await bot.happens(*third_street(bot.table), facing(1))
        seen = []
        with trio.move_on_after(9):
            while True:
                act = await bot.peer.receive()
                assert isinstance(act, msg.Act)
                seen.append(act.action.kind)
                await bot.peer.send(msg.Rejected("illegal", "No.", act.id))
        assert seen == ["raise", "call"]
        nursery.cancel_scope.cancel()


async def test_a_broken_connection_uses_up_none_of_its_tries(autojump_clock: MockClock, server: ScriptedServer) -> None:
    async with trio.open_nursery() as nursery:
        bot = Bot(server)
        await bot.sit(nursery, BotRunner(bot.session, raises, pace=Pace(1.0)))
        await bot.happens(*third_street(bot.table), facing(1))
        await trio.testing.wait_all_tasks_blocked()
        await bot.peer.aclose()  # while it is thinking
        for text in ("one", "two", "three"):
            peer = await server.accept()
            await peer.welcome()
            await peer.receive()
            await peer.send(msg.Bye("restart", text, again=True))
            await trio.sleep(5)
        peer = await server.accept()
        await peer.seat(bot.table.view, 1)
        act = await peer.receive()
        assert isinstance(act, msg.Act)
        assert act.action == Action("raise", to=4)
        nursery.cancel_scope.cancel()


async def test_a_mind_with_a_bug_plays_passively(autojump_clock: MockClock, server: ScriptedServer) -> None:
    async with trio.open_nursery() as nursery:
        bot = Bot(server)
        await bot.sit(nursery, BotRunner(bot.session, wrong))
        await bot.happens(*third_street(bot.table), facing(1))
        act = await bot.peer.receive()
        assert isinstance(act, msg.Act)
        assert act.action == Action("call")
        nursery.cancel_scope.cancel()


async def test_it_comes_back_when_it_was_too_slow(autojump_clock: MockClock, server: ScriptedServer) -> None:
    async with trio.open_nursery() as nursery:
        bot = Bot(server)
        await bot.sit(nursery, BotRunner(bot.session, raises))
        await bot.happens(ev.PlayerAway(2, "missed a clock"), ev.PlayerAway(1, "missed a clock"))
        assert await bot.peer.receive() == msg.SitIn()
        nursery.cancel_scope.cancel()


async def test_it_goes_on_and_buys_chips_when_broke(autojump_clock: MockClock, server: ScriptedServer) -> None:
    async with trio.open_nursery() as nursery:
        bot = Bot(server)
        await bot.sit(nursery, BotRunner(bot.session, raises))
        await bot.happens(*third_street(bot.table))
        await bot.happens(ev.Acted(1, "call", 99, 99, True), ev.PotsGathered(((101, (1, 2)),)))
        await bot.happens(
            ev.PotAwarded(0, "whole", 101, ((2, 101),)),
            ev.HandEnded(1, ((1, 0), (2, 200))),
            ev.PlayerAway(1, "out of chips"),
        )
        assert [await bot.peer.receive() for _ in range(2)] == [msg.TopUp(100), msg.GoOn()]
        with trio.move_on_after(5) as limit:
            await bot.peer.receive()
        assert limit.cancelled_caught
        nursery.cancel_scope.cancel()


async def test_after_its_last_hand_it_leaves_without_being_dealt_into_another(
    autojump_clock: MockClock, server: ScriptedServer
) -> None:
    told: list[str] = []
    async with trio.open_nursery() as nursery:
        bot = Bot(server)
        nursery.start_soon(run_bot, bot.session, raises, 1, 0.0, told.append)
        bot.peer = await server.accept()
        await bot.peer.seat(bot.table.view, 1)
        await bot.happens(*third_street(bot.table))
        assert await bot.peer.receive() == msg.SitOut()
        await bot.happens(ev.PlayerAway(1), ev.HandEnded(1, ((1, 99), (2, 99))))
        assert await bot.peer.receive() == msg.StandUp()
        await bot.happens(ev.PlayerLeft(1, "Ann", 99))
    assert told == ["Hand 1 is over: Ann -1, Bob -1.", "Ann leaves with 99."]


async def test_what_it_said_between_two_hands_is_said_again_after_a_break(
    autojump_clock: MockClock, server: ScriptedServer
) -> None:
    """The server was killed before it had read that the bot buys chips, comes back, or leaves."""
    for broke, away, hands, said in (
        (True, True, None, [msg.TopUp(100), msg.GoOn()]),
        (False, True, None, [msg.SitIn()]),
        (False, False, 1, [msg.StandUp()]),
        (False, False, None, []),
    ):
        async with trio.open_nursery() as nursery:
            bot = Bot(server)
            await bot.sit(nursery, BotRunner(bot.session, raises, hands=hands, leave=hands is not None))
            await bot.happens(*third_street(bot.table))
            chips = 0 if broke else 80
            ended: list[AnyEvent] = [
                ev.Acted(1, "call", 99 - chips, 99 - chips, broke), ev.PotsGathered(((101 - chips, (1, 2)),)),
                ev.PotAwarded(0, "whole", 101 - chips, ((2, 101 - chips),)),
                ev.HandEnded(1, ((1, chips), (2, 200 - chips))),
            ]  # fmt: skip
            bot.table.do(*ended, *([ev.PlayerAway(1, "out of chips")] if away else []))
            await bot.peer.send(msg.Snapshot(bot.table.view, 1))
            stakes = bot.table.view.stakes
            if hands is not None and stakes is not None:
                await bot.happens(ev.HandStarted(2, "h2", "stud8", "", 1, ((1, chips),), stakes))
                await bot.happens(ev.HandEnded(2, ((1, chips),)))
            await trio.testing.wait_all_tasks_blocked()
            await bot.peer.aclose()
            peer = await server.accept()
            await peer.seat(bot.table.view, 1)
            heard = []
            with trio.move_on_after(3):
                while True:
                    heard.append(await peer.receive())
            assert heard == said, (broke, away, hands)
            nursery.cancel_scope.cancel()


async def test_a_mind_that_wants_to_know_is_told_its_hand_as_its_seat_sees_it(
    autojump_clock: MockClock, server: ScriptedServer
) -> None:
    mind = Historian()
    async with trio.open_nursery() as nursery:
        bot = Bot(server)
        await bot.sit(nursery, BotRunner(bot.session, mind))
        hand = [*third_street(bot.table), facing(1)]
        await bot.happens(ev.Said("Bob", "hello", 2), *hand)
        assert isinstance(await bot.peer.receive(), msg.Act)
        end: list[AnyEvent] = [ev.Acted(1, "fold", 0, 0), ev.HandEnded(1, ((1, 99), (2, 101)))]
        await bot.happens(*end, ev.Said("Bob", "well", 2))
        await trio.testing.wait_all_tasks_blocked()
        nursery.cancel_scope.cancel()
    assert mind.seen == [project(event, 1) for event in (*hand, *end)]
    assert mind.known == [len(hand)]


@pytest.mark.parametrize("told", [True, False])
async def test_after_a_snapshot_in_mid_hand_it_hears_of_the_beginning_before_it_decides(
    told: bool, autojump_clock: MockClock, server: ScriptedServer
) -> None:
    """What happens meanwhile comes after it; where the server has no beginning to tell, it knows the next hand."""
    mind = Historian()
    async with trio.open_nursery() as nursery:
        bot = Bot(server)
        before, beginning, rest = bot.table.view.copy(), third_street(bot.table), [facing(1)]
        first = bot.table.do(*beginning)
        await bot.sit(nursery, BotRunner(bot.session, mind))
        asked = await bot.peer.receive()
        assert asked == msg.GetHand(1, running=True)
        await bot.happens(*rest)
        steps = (msg.PlayedStep(first.seq, 0, first.events),)
        record = msg.HandRecord(b"", "kitchen", 0, 2, 1, 1, steps, hide(before, 1))
        await bot.peer.send(record if told else msg.Rejected("unknown", "No.", hand=1))
        assert isinstance(await bot.peer.receive(), msg.Act)
        assert mind.known == [len(beginning) + len(rest) if told else 0]
        assert mind.seen == ([project(event, 1) for event in (*beginning, *rest)] if told else [])
        stakes = bot.table.view.stakes
        assert stakes is not None
        next_hand = ev.HandStarted(2, "h2", "stud8", "", 1, ((1, 99), (2, 101)), stakes)
        await bot.happens(ev.HandVoided(1, ((1, 100), (2, 100)), ""), next_hand)
        await trio.testing.wait_all_tasks_blocked()
        assert mind.seen[-1] == next_hand
        nursery.cancel_scope.cancel()
