"""A stop that lets the running hands end: no more are dealt, everybody is told, and the next start goes on."""

import trio
from trio.testing import MockClock

from protocol.events import Said
from protocol.table_rules import Clocks
from protocol.wire import messages as msg
from server.app.shutdown import DRAIN_WITHIN
from tests.support.loopback_server import WireClient, calling
from tests.support.simulated_server import PATIENT, SimulatedServer, settings, simulated_server

NO_CLOCKS = Clocks(bet=0, choose=0, arrange=0, declare=0, bank=0, result=0)


def said(player: WireClient) -> list[str]:
    """What was said at the table."""
    heard = [event for message in player.inbox if isinstance(message, msg.Events) for event in message.events]
    return [event.text for event in heard if isinstance(event, Said)]


async def play_until_the_end(here: SimulatedServer, players: list[WireClient]) -> list[msg.FromServer]:
    """Everybody plays until the server says goodbye; the last messages."""
    last: list[msg.FromServer] = []

    async def play(player: WireClient) -> None:
        answered = 0
        try:
            while True:
                asked = player.pending
                if asked is not None and asked[0] > answered:
                    answered = asked[0]
                    await player.act(calling(asked[1]), answered)
                await player.next()
        except (trio.EndOfChannel, trio.BrokenResourceError):
            last.append(player.inbox[-1])

    async with trio.open_nursery() as nursery:
        for player in players:
            nursery.start_soon(play, player)
    return last


async def test_fault_78_the_running_hand_ends_no_other_begins_and_everybody_knows_when_to_come_back(
    autojump_clock: MockClock,
) -> None:
    async with simulated_server(settings(games=("stud8",), players=2)) as here:
        players = await here.seated("Ann", "Ben")
        await here.settle(players)
        here.server.shutdown.drain("in five minutes")
        last = await play_until_the_end(here, players)
        await here.server.stopped.wait()
        assert (here.table.state.view.hand, here.table.state.hand) == (1, None)
        assert said(players[0]) == [
            "No more hands are dealt: the server stops when the last ones are over. Everything stays as it is. "
            "It should be up again in five minutes."
        ]
        for bye in last:
            assert isinstance(bye, msg.Bye)
            assert (bye.code, bye.again) == ("stopping", True)
            assert bye.text.endswith("It should be up again in five minutes.")
        await here.start()
        again = await here.back(players)
        await here.reach(again, lambda view: view.hand == 2)


async def test_between_two_hands_it_stops_at_once(autojump_clock: MockClock) -> None:
    async with simulated_server(settings(players=3)) as here:
        await here.seated("Ann", "Ben")
        begun = trio.current_time()
        here.server.shutdown.drain()
        await here.server.shutdown.stopping.wait()
        assert trio.current_time() - begun < 1


async def test_a_hand_that_nobody_is_there_to_play_is_not_waited_for(autojump_clock: MockClock) -> None:
    async with simulated_server(settings(limits=PATIENT, clocks=NO_CLOCKS, players=2)) as here:
        players = await here.seated("Ann", "Ben")
        await here.settle(players)
        here.server.shutdown.drain()
        for player in players:
            await player.close()
        begun = trio.current_time()
        await here.server.shutdown.stopping.wait()
        assert trio.current_time() - begun < 1
        assert here.table.state.hand is not None


async def test_a_hand_that_does_not_end_is_continued_at_the_next_start(autojump_clock: MockClock) -> None:
    async with simulated_server(settings(limits=PATIENT, clocks=NO_CLOCKS, players=2)) as here:
        players = await here.seated("Ann", "Ben")
        await here.settle(players)
        asked = here.table.state.pending
        here.server.shutdown.drain()
        begun = trio.current_time()
        await here.server.shutdown.stopping.wait()
        assert DRAIN_WITHIN <= trio.current_time() - begun < DRAIN_WITHIN + 1
        await here.server.stopped.wait()
        await here.start()
        assert here.table.state.pending == asked
