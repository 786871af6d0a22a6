"""Hosts who sit at a table: their words, the host key, and what lasts over a restart."""

from collections.abc import Awaitable, Callable
from pathlib import Path

import structlog
import trio
from msgspec.structs import replace
from trio.testing import MockClock

from protocol.events import Said
from protocol.table_rules import Clocks
from protocol.wire import messages as msg
from server.app.connection import Connection
from server.app.table_hosts import NO_KEY, NOT_HOST, TOO_MANY_TRIES, WRONG_KEY, TableHosts
from server.config.limits import Limits
from server.config.passwords import make_verifier
from tests.support.limits import LIMIT
from tests.support.loopback_server import WireClient, calling, config, running
from tests.support.simulated_server import PATIENT, SimulatedServer, settings, simulated_server

KEY = "correct horse"
TALKATIVE = Limits(rate=1e6, burst=1e6, say_burst=100)


async def hosted(here: SimulatedServer, *names: str) -> list[WireClient]:
    """Players of whom the first is a host, in the first hand."""
    players = await here.seated(*names)
    await here.settle(players)
    await here.table.obey(lambda: here.table.running_words.name_host("the operator", names[0]))
    await here.settle(players)
    return players


async def say(here: SimulatedServer, player: WireClient, text: str) -> str:
    """What a player is answered to a word."""
    await player.send(msg.HostWord(text))
    while True:
        message = await player.next()
        if isinstance(message, msg.HostAnswer):
            return message.text


def told(player: WireClient) -> list[str]:
    heard = [event for message in player.inbox if isinstance(message, msg.Events) for event in message.events]
    return [event.text for event in heard if isinstance(event, Said)]


def time_left(player: WireClient) -> msg.TimeLeft:
    return [message for message in player.inbox if isinstance(message, msg.TimeLeft)][-1]


async def test_only_a_host_is_obeyed(autojump_clock: MockClock) -> None:
    async with simulated_server(settings(games=("stud8",), players=2)) as here:
        ann, ben = await hosted(here, "Ann", "Ben")
        assert await say(here, ben, "pause") == NOT_HOST
        assert await say(here, ann, "frob") == "There is no word 'frob'. The words: help"
        assert await say(here, ann, "players") == "The word players is for the machine of the server."
        assert await say(here, ann, "pause dinner") == "main is paused; resume lets it go on."
        await here.settle([ann, ben])
        assert told(ben)[-1] == "Ann pauses the table: dinner."
        assert ben.view.stands_still
        watcher = await here.connect("Cai")
        await watcher.watch()
        await watcher.send(msg.HostWord("resume"))
        assert (await watcher.expect(msg.Rejected)).code == "not_seated"


async def test_a_host_who_has_gone_before_their_word_is_done_is_not_obeyed(autojump_clock: MockClock) -> None:
    async with simulated_server(settings(games=("stud8",), players=2)) as here:
        ann, ben = await hosted(here, "Ann", "Ben")
        jobs: list[Callable[[], Awaitable[object]]] = []
        hosts = TableHosts(here.server, settings(), structlog.get_logger(), jobs.append)
        client = here.table.audience.seated[ann.seat]
        assert isinstance(client, Connection)
        hosts.word(client, here.table, msg.HostWord("pause"))
        await ann.close()
        await ben.until(lambda view: not view.seat(ann.seat).online)
        with structlog.testing.capture_logs() as lines:
            await jobs[0]()
        assert lines == [], "it is no fault of the program"
        assert not here.table.state.view.stands_still


async def test_a_pause_stops_the_clocks_and_lasts_over_kill_9(autojump_clock: MockClock) -> None:
    rules = settings(games=("stud8",), players=2, clocks=Clocks(bet=10, bank=0, grace=5), limits=PATIENT)
    async with simulated_server(rules, seconds=1e6) as here:
        players = await hosted(here, "Ann", "Ben")
        asked = next(player for player in players if player.pending is not None)
        assert asked.pending is not None
        seq, request = asked.pending
        await say(here, players[0], "pause")
        await here.settle(players)
        await trio.sleep(500.0)
        await asked.act(calling(request), seq)
        assert (await asked.expect(msg.Rejected)).code == "paused"
        await here.restart(power=True)
        players = await here.back(players)
        await trio.sleep(500.0)
        view = here.table.state.view
        assert view.stands_still
        assert view.is_host(1)
        assert here.table.state.pending == {asked.seat: seq}
        assert await say(here, players[0], "resume") == "main goes on."
        await here.settle(players)
        again = players[asked.seat - 1]
        await again.act(calling(request), seq)
        await again.until(lambda view: view.seat(asked.seat).pending is None)


async def test_the_host_key_makes_a_host_and_wrong_keys_are_few(tmp_path: Path) -> None:
    """On a real clock: the key is checked in a thread."""
    rules = replace(config(tmp_path, games=("stud8",), players=3, limits=TALKATIVE), host_key=make_verifier(KEY))
    with trio.fail_after(LIMIT):
        async with running(rules) as here:
            ann, ben = await here.seated("Ann", "Ben")
            await ben.send(msg.ClaimHost(KEY))
            await ben.until(lambda view: view.is_host(2))
            answers = []
            for number in range(7):
                await ann.send(msg.ClaimHost(f"wrong {number}"))
                answers.append((await ann.expect(msg.HostAnswer)).text)
            assert answers[0] == WRONG_KEY
            assert answers[-1] == TOO_MANY_TRIES
            assert not ann.view.is_host(1)


async def test_without_a_key_there_is_nothing_to_claim(autojump_clock: MockClock) -> None:
    async with simulated_server(settings(games=("stud8",), players=3)) as here:
        (ann,) = await here.seated("Ann")
        await ann.send(msg.ClaimHost(""))
        assert (await ann.expect(msg.HostAnswer)).text == NO_KEY


async def test_a_host_hands_the_role_over_and_the_first_may_be_it_by_itself(autojump_clock: MockClock) -> None:
    async with simulated_server(settings(games=("stud8",), players=3, first_is_host=True)) as here:
        ann, ben = players = await here.seated("Ann", "Ben")
        await here.settle(players)
        assert here.table.state.view.hosts == (1,)
        assert await say(here, ann, "host Ben") == "Ben is a host of main now."
        await here.settle(players)
        assert ben.view.hosts == (2,)
        assert await say(here, ann, "void") == NOT_HOST


async def test_chips_are_corrected_between_hands_and_a_void_hand_gives_them_back(autojump_clock: MockClock) -> None:
    rules = settings(games=("stud8",), players=2, clocks=Clocks(wait_for_all=True), limits=TALKATIVE)
    async with simulated_server(rules) as here:
        ann, ben = players = await hosted(here, "Ann", "Ben")
        assert "between two hands" in await say(here, ann, "stack Ben +20 forgotten rebuy")
        assert await say(here, ann, "void exposed card") == "Hand 1 does not count; everybody has the chips back."
        await here.settle(players)
        assert [seat.chips for seat in ben.view.players()] == [100, 100]
        assert await say(here, ann, "void") == "No hand is running."
        assert await say(here, ann, "stack Ben +20 forgotten rebuy") == "Ben has 120 chips now."
        assert (
            await say(here, ann, "stack Ben 20 x")
            == "Say it like this: stack NAME +20 REASON, or stack NAME -20 REASON"
        )
        assert await say(here, ann, "stack Ben -121 x") == "Ben has 120 chips."
        assert await say(here, ann, "stack Bem -1 x") == "There is no Bem at main. Did you mean Ben?"


async def test_a_break_begins_after_the_hand_and_ends_by_itself_even_over_a_restart(autojump_clock: MockClock) -> None:
    rules = settings(games=("stud8",), players=2, clocks=Clocks(bet=0, choose=0, result=1), limits=PATIENT)
    async with simulated_server(rules, seconds=1e6) as here:
        players = await hosted(here, "Ann", "Ben")
        assert (
            await say(here, players[0], "break 10 min dinner") == "The break of 10 min begins when this hand is over."
        )
        view = await here.reach(players, lambda view: not view.playing)
        await here.settle(players)
        assert told(players[1])[-2:] == [
            "After this hand there is a break of 10 minutes: dinner.", "A break of 10 minutes begins: dinner.",
        ]  # fmt: skip
        await trio.sleep(300.0)
        await here.restart(power=True)
        players = await here.back(players)
        assert here.table.state.view.hand == view.hand
        start = trio.current_time()
        await players[0].until(lambda view: view.hand == 2)
        assert 290 < trio.current_time() - start < 310
        assert "The break is over." in told(players[0])


async def test_breaks_by_the_clock_are_told_ahead(autojump_clock: MockClock) -> None:
    clocks = Clocks(bet=60, choose=60, bank=0, result=20)
    rules = settings(
        games=("stud8",), players=2, clocks=clocks, limits=PATIENT, breaks="every 30 min for 5 min", misses=9
    )
    async with simulated_server(rules, seconds=1e6) as here:
        players = await hosted(here, "Ann", "Ben")
        began = trio.current_time()
        await players[0].until(lambda view: bool(view.next_break))
        planned = trio.current_time()
        await here.settle(players)
        assert 1790 <= time_left(players[0]).break_in <= 1800
        await players[0].until(lambda view: bool(view.pause) and view.stands_still)
        assert trio.current_time() - planned >= 1799
        assert 1700 < trio.current_time() - began < 2200
        assert "After 30 minutes there is a break of 5 minutes." in told(players[0])
        await players[0].until(lambda view: not view.pause)
        begun = [message for message in players[0].inbox if isinstance(message, msg.TimeLeft) and message.break_left]
        assert begun[0].break_in == -1
        assert 2000 < trio.current_time() - began < 2500
