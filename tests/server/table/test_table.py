"""A table by itself: guests without connections, a clock that jumps, a disk that waits until it is told."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
import trio
import trio.testing

from protocol.events import ConnectionChanged, HandEnded, HandStarted
from protocol.table_rules import Clocks
from protocol.view import hide
from protocol.wire import messages as msg
from server.storage.group_commit import GroupCommit
from server.storage.journal_errors import WriteFailed
from server.storage.recovery import reopen
from tests.support.loopback_server import calling
from tests.support.memory_guest import HeldGroupCommit, MemoryGuest
from tests.support.single_table import SingleTable

Make = Callable[..., SingleTable]
Jump = trio.testing.MockClock


@pytest.fixture
def single_table(tmp_path: Path) -> Make:
    """Makes a single table."""

    def make(disk: GroupCommit | None = None, **settings: Any) -> SingleTable:
        return SingleTable(tmp_path, disk, **settings)

    return make


async def test_nothing_is_shown_before_it_is_on_the_disk(single_table: Make, autojump_clock: Jump) -> None:
    disk = HeldGroupCommit()
    place = single_table(disk, durability="action")
    ann = MemoryGuest("Ann").sit(place.table)
    assert ann.inbox == []
    disk.work()
    assert [type(message) for message in ann.inbox] == [msg.Joined, msg.Snapshot]
    ben = MemoryGuest("Ben").sit(place.table)
    eve = MemoryGuest("Eve").watch(place.table)
    assert len(ann.inbox) == 2
    assert eve.inbox == [], "a snapshot waits, too: it would show what is not durable"
    disk.work()
    assert ann.view == hide(place.table.state.view, ann.seat)
    assert eve.view == hide(place.table.state.view, None)
    assert ben.view.playing


async def test_messages_during_a_sync_are_handled_in_order_after_it(single_table: Make, autojump_clock: Jump) -> None:
    disk = HeldGroupCommit()
    place = single_table(disk, durability="action", games=("stud8",))
    ann, ben = MemoryGuest("Ann").sit(place.table), MemoryGuest("Ben").sit(place.table)
    disk.work()
    (seat,) = place.table.state.pending
    actor = {ann.seat: ann, ben.seat: ben}[seat]
    before = place.table.state.seq
    for text in ("one", "two"):
        place.table.ask(ann, msg.Say(text))
    actor.answer()
    assert place.table.state.seq == before + 1, "the first is decided, the others wait"
    disk.work()
    assert place.table.state.seq > before + 3
    assert [event.text for event in ben.events() if hasattr(event, "text")] == ["one", "two"]
    assert ann.view == hide(place.table.state.view, ann.seat)


async def test_several_tasks_may_wait_until_a_table_is_at_rest_and_again_later(
    single_table: Make, autojump_clock: Jump, nursery: trio.Nursery
) -> None:
    disk = HeldGroupCommit()
    place = single_table(disk, durability="action")
    for name in ("Ann", "Ben"):
        MemoryGuest(name).sit(place.table)
        told: list[int] = []

        async def wait(number: int, told: list[int] = told) -> None:
            await place.table.settled()
            told.append(number)

        for number in (1, 2):
            nursery.start_soon(wait, number)
        await trio.testing.wait_all_tasks_blocked()
        assert told == []
        disk.work()
        await trio.testing.wait_all_tasks_blocked()
        assert sorted(told) == [1, 2]


async def test_fault_54_a_full_disk_takes_the_batch_back_and_the_table_goes_on_later(
    single_table: Make, autojump_clock: Jump
) -> None:
    disk = HeldGroupCommit()
    place = single_table(disk, durability="action")
    ann, ben = MemoryGuest("Ann").sit(place.table), MemoryGuest("Ben").sit(place.table)
    disk.work()
    shown, seat = ann.view.seq, ann.seat
    place.table.ask(ann, msg.Say("lost"))
    _, _, told = disk.batches.pop()
    told(WriteFailed("no room"))
    assert (ann.closed, ben.closed) == ("storage", "storage")
    assert ann.view.seq == shown
    late = MemoryGuest("Cho").sit(place.table)
    assert [message.code for message in late.inbox if isinstance(message, msg.Rejected)] == ["storage"]

    place.table.revive(reopen(place.table.journal_path))
    disk.work()
    assert place.table.state.hand is not None, "in the middle of the same hand"
    assert not any(player.online for player in place.table.state.view.players())
    again = MemoryGuest("Ann").sit(place.table)
    disk.work()
    assert again.seat == seat
    assert again.view.hand == 1


async def test_fault_72_an_exception_stops_this_table_and_tells_its_clients(
    single_table: Make, autojump_clock: Jump
) -> None:
    place = single_table()
    ann, ben = MemoryGuest("Ann").sit(place.table), MemoryGuest("Ben").sit(place.table)

    def mistake() -> None:
        raise ZeroDivisionError

    place.table.pipeline.do(mistake)
    assert place.table.halted == "breach"
    assert (ann.closed, ben.closed) == ("breach", "breach")
    place.table.ask(ann, msg.Say("still here?"))
    cho = MemoryGuest("Cho").sit(place.table)
    assert [message.code for message in cho.inbox if isinstance(message, msg.Rejected)] == ["breach"]
    assert place.table.due == float("inf")


async def test_rules_10_a_clock_that_runs_out_decides_and_its_player_sits_out(
    single_table: Make, autojump_clock: Jump
) -> None:
    place = single_table(games=("stud8",), clocks=Clocks(bet=30, bank=60, result=8), misses=1)
    async with trio.open_nursery() as nursery:
        nursery.start_soon(place.lobby.ticker)
        ann, ben = MemoryGuest("Ann").sit(place.table), MemoryGuest("Ben").sit(place.table)
        (seat,) = place.table.state.pending
        start = trio.current_time()
        with trio.fail_after(2000):
            while not any(isinstance(event, HandEnded) for event in ann.events()):
                await trio.sleep(1)
                others = [
                    guest for guest in (ann, ben) if guest.seat != seat and guest.seat in place.table.state.pending
                ]
                for guest in others:
                    guest.answer(int(trio.current_time() * 10))
        assert trio.current_time() - start >= 90, "thirty seconds, and sixty from the bank"
        assert place.table.state.view.seat(seat).away
        nursery.cancel_scope.cancel()


async def test_rules_10_everybody_sees_how_much_is_left_when_a_clock_goes_on_to_the_bank(
    single_table: Make, autojump_clock: Jump
) -> None:
    place = single_table(games=("stud8",), clocks=Clocks(bet=30, bank=60))
    async with trio.open_nursery() as nursery:
        nursery.start_soon(place.lobby.ticker)
        guests = [MemoryGuest("Ann").sit(place.table), MemoryGuest("Ben").sit(place.table)]
        (seat,) = place.table.state.pending
        await trio.sleep(29)
        assert not any(isinstance(message, msg.TimeLeft) for guest in guests for message in guest.inbox)
        await trio.sleep(40)
        for guest in guests:
            told = [message.clocks for message in guest.inbox if isinstance(message, msg.TimeLeft)]
            assert len(told) == 1
            ((whose, tenths),) = told[0]
            assert whose == seat
            assert 580 < tenths <= 600
            assert [message.banks for message in guest.inbox if isinstance(message, msg.TimeLeft)] == [()], "full"
        nursery.cancel_scope.cancel()


async def test_ux_4_2_a_table_holds_with_its_clocks_while_everybody_is_gone(
    single_table: Make, autojump_clock: Jump
) -> None:
    place = single_table(games=("stud8",), clocks=Clocks(bet=30, bank=0))
    async with trio.open_nursery() as nursery:
        nursery.start_soon(place.lobby.ticker)
        ann, ben = MemoryGuest("Ann").sit(place.table), MemoryGuest("Ben").sit(place.table)
        pending = dict(place.table.state.pending)
        await trio.sleep(10)
        place.table.gone(ann)
        place.table.gone(ben)
        await trio.sleep(3600)
        assert place.table.state.pending == pending, "no clock ran"
        ann = MemoryGuest("Ann").sit(place.table)
        snapshot = next(message for message in ann.inbox if isinstance(message, msg.Snapshot))
        assert snapshot.clocks == ((next(iter(pending)), 200),), "twenty seconds are left, as before"
        await trio.sleep(19)
        assert place.table.state.pending == pending
        await trio.sleep(2)
        assert place.table.state.pending != pending
        nursery.cancel_scope.cancel()


async def test_a_dropped_players_clock_runs_like_anybodys(single_table: Make, autojump_clock: Jump) -> None:
    place = single_table(games=("stud8",), clocks=Clocks(bet=30, bank=0))
    async with trio.open_nursery() as nursery:
        nursery.start_soon(place.lobby.ticker)
        guests = [MemoryGuest(name).sit(place.table) for name in ("Ann", "Ben", "Cho")]
        (seat,) = place.table.state.pending
        gone = next(guest for guest in guests if guest.seat == seat)
        here = next(guest for guest in guests if guest.seat != seat)
        place.table.gone(gone)
        assert ConnectionChanged(seat, online=False) in here.events()
        await trio.sleep(29)
        assert seat in place.table.state.pending
        await trio.sleep(2)
        assert seat not in place.table.state.pending
        nursery.cancel_scope.cancel()


async def test_rules_10_nobody_waits_for_an_absent_player_longer_than_one_clock(
    single_table: Make, autojump_clock: Jump
) -> None:
    place = single_table(games=("stud8",), clocks=Clocks(bet=30, bank=60))
    async with trio.open_nursery() as nursery:
        nursery.start_soon(place.lobby.ticker)
        guests = [MemoryGuest(name).sit(place.table) for name in ("Ann", "Ben", "Cho")]
        (seat,) = place.table.state.pending
        gone = next(guest for guest in guests if guest.seat == seat)
        here = next(guest for guest in guests if guest.seat != seat)
        await trio.sleep(10)
        place.table.gone(gone)
        told = [message for message in here.inbox if isinstance(message, msg.TimeLeft)]
        assert [(message.clocks, message.banks) for message in told] == [(((seat, 300),), ())]
        await trio.sleep(29)
        assert seat in place.table.state.pending
        await trio.sleep(2)
        assert seat not in place.table.state.pending
        nursery.cancel_scope.cancel()


async def test_ux_4_2_spectators_are_told_when_everything_stands_still_and_when_it_goes_on(
    single_table: Make, autojump_clock: Jump
) -> None:
    place = single_table(games=("stud8",), clocks=Clocks(bet=30, bank=0))
    async with trio.open_nursery() as nursery:
        nursery.start_soon(place.lobby.ticker)
        players = [MemoryGuest(name).sit(place.table) for name in ("Ann", "Ben")]
        watcher = MemoryGuest("Wim")
        place.table.watch(watcher, msg.Watch("main"))
        await trio.sleep(10)
        for guest in players:
            place.table.gone(guest)
        (seat,) = place.table.state.pending
        await trio.sleep(1000)
        told = [message for message in watcher.inbox if isinstance(message, msg.TimeLeft)][-1]
        assert (told.paused, told.clocks) == (True, ((seat, 200),))
        MemoryGuest("Ann").sit(place.table)
        told = [message for message in watcher.inbox if isinstance(message, msg.TimeLeft)][-1]
        assert not told.paused
        nursery.cancel_scope.cancel()


async def test_everybody_is_told_how_many_watch(single_table: Make, autojump_clock: Jump) -> None:
    place = single_table(games=("stud8",), clocks=Clocks(bet=0, bank=0))
    async with trio.open_nursery() as nursery:
        nursery.start_soon(place.lobby.ticker)
        players = [MemoryGuest(name).sit(place.table) for name in ("Ann", "Ben")]
        watching = [MemoryGuest(name) for name in ("Wim", "Xia", "Yul")]
        for guest in watching:
            place.table.watch(guest, msg.Watch("main"))
        await trio.sleep(2)
        for guest in [*players, *watching]:
            told = [message.watching for message in guest.inbox if isinstance(message, msg.TimeLeft)]
            assert told == [3], "a crowd is one message"
        snapshots = [
            message.watching for guest in watching for message in guest.inbox if isinstance(message, msg.Snapshot)
        ]
        assert snapshots == [1, 2, 3]
        place.table.gone(watching[0])
        await trio.sleep(2)
        assert [message.watching for message in players[0].inbox if isinstance(message, msg.TimeLeft)] == [3, 2]
        nursery.cancel_scope.cancel()


async def play_out(place: SingleTable, guests: list[MemoryGuest]) -> None:
    """Everybody answers until the hand is over."""
    number = int(place.table.state.view.hand) * 1000
    while place.table.state.hand is not None:
        number += 1
        seat = next(iter(place.table.state.pending))
        next(guest for guest in guests if guest.seat == seat).answer(number)
        await trio.lowlevel.checkpoint()


async def test_without_a_result_clock_a_result_stands_until_all_people_at_the_table_have_read_it(
    single_table: Make, autojump_clock: Jump
) -> None:
    place = single_table(games=("stud8",), players=4, clocks=Clocks(wait_for_all=True))
    async with trio.open_nursery() as nursery:
        nursery.start_soon(place.lobby.ticker)
        guests = [MemoryGuest(name, bot=name == "Bot").sit(place.table) for name in ("Ann", "Ben", "Cho", "Bot")]
        ann, ben, cho, _ = guests
        await play_out(place, guests)
        await trio.sleep(3600)
        assert place.table.state.hand is None, "nobody has read the result"
        place.table.ask(ann, msg.GoOn())
        place.table.ask(ben, msg.SitOut())
        await trio.sleep(60)
        assert place.table.state.hand is None, "one is still reading; who sits out is not waited for, nor are bots"
        place.table.gone(cho)
        await trio.sleep(1)
        assert place.table.state.hand is not None, "nobody waits for a player who has gone"
        nursery.cancel_scope.cancel()


async def test_ux_4_2_a_result_stands_for_its_time_or_until_all_people_have_read_it(
    single_table: Make, autojump_clock: Jump
) -> None:
    place = single_table(games=("stud8",), clocks=Clocks(bet=0, bank=0, result=8))
    async with trio.open_nursery() as nursery:
        nursery.start_soon(place.lobby.ticker)
        ann, ben = MemoryGuest("Ann").sit(place.table), MemoryGuest("Ben").sit(place.table)
        bot = MemoryGuest("Bot", bot=True).sit(place.table)
        await play_out(place, [ann, ben, bot])
        await trio.sleep(7)
        assert place.table.state.view.hand == 1
        await trio.sleep(2)
        assert place.table.state.view.hand == 2
        await play_out(place, [ann, ben, bot])
        place.table.ask(ann, msg.GoOn())
        await trio.sleep(1)
        assert place.table.state.view.hand == 2
        place.table.ask(ben, msg.GoOn())
        assert place.table.state.view.hand == 3, "bots are not waited for"
        nursery.cancel_scope.cancel()


async def test_bots_among_themselves_do_not_pause(single_table: Make, autojump_clock: Jump) -> None:
    place = single_table(games=("stud8",), clocks=Clocks(result=8))
    bots = [MemoryGuest(name, bot=True).sit(place.table) for name in ("A", "B")]
    number = 0
    with trio.fail_after(5):  # of a clock that jumps, and nothing here sleeps
        while place.table.state.view.hand < 2:
            number += 1
            seat = next(iter(place.table.state.pending))
            next(guest for guest in bots if guest.seat == seat).answer(number)
            await trio.lowlevel.checkpoint()


async def test_bots_wait_for_people_where_the_host_says_so(single_table: Make, autojump_clock: Jump) -> None:
    place = single_table(bots_alone=False)
    for name in ("A", "B"):
        MemoryGuest(name, bot=True).sit(place.table)
    assert place.table.state.hand is None
    MemoryGuest("Ann").sit(place.table)
    assert place.table.state.hand is not None


async def test_the_first_hand_waits_for_its_players_and_a_moment(single_table: Make, autojump_clock: Jump) -> None:
    place = single_table(players=3, start=3.0)
    async with trio.open_nursery() as nursery:
        nursery.start_soon(place.lobby.ticker)
        for name in ("Ann", "Ben"):
            MemoryGuest(name).sit(place.table)
        await trio.sleep(60)
        assert place.table.state.hand is None
        MemoryGuest("Cho").sit(place.table)
        await trio.sleep(2.9)
        assert place.table.state.hand is None
        await trio.sleep(0.2)
        assert place.table.state.hand is not None
        nursery.cancel_scope.cancel()


async def test_the_dealer_is_asked_for_the_game_and_the_ticker_rests_meanwhile(
    single_table: Make, autojump_clock: Jump
) -> None:
    place = single_table(games=("stud8", "razz"), change="dealer", clocks=Clocks(choose=20))
    ann, ben = MemoryGuest("Ann").sit(place.table), MemoryGuest("Ben").sit(place.table)
    (seat,) = place.table.state.pending
    assert place.table.due == trio.current_time() + 20
    {ann.seat: ann, ben.seat: ben}[seat].answer()
    assert place.table.state.view.game == "stud8"
    assert place.table.state.hand is not None


async def test_fault_36_a_repeated_action_is_done_once_and_answered(single_table: Make, autojump_clock: Jump) -> None:
    place = single_table(games=("stud8",))
    guests = [MemoryGuest(name).sit(place.table) for name in ("Ann", "Ben")]
    (seat,) = place.table.state.pending
    actor = next(guest for guest in guests if guest.seat == seat)
    pending = actor.view.seat(seat).pending
    assert pending is not None
    act = msg.Act(7, pending.seq, calling(pending.request))
    place.table.act(actor, act)
    seq = place.table.state.seq
    place.table.act(actor, act)
    assert actor.inbox[-1] == msg.Done(7)
    assert place.table.state.seq == seq


async def test_trap_A18_an_answer_to_an_older_question_is_refused_to_its_sender_alone(
    single_table: Make, autojump_clock: Jump
) -> None:
    place = single_table(games=("stud8",))
    guests = [MemoryGuest(name).sit(place.table) for name in ("Ann", "Ben")]
    (seat,) = place.table.state.pending
    actor, other = sorted(guests, key=lambda guest: guest.seat != seat)
    old = actor.view.seat(seat).pending
    assert old is not None
    actor.answer(1)
    messages = len(other.inbox)
    place.table.act(other, msg.Act(1, old.seq, calling(old.request)))
    assert isinstance(other.inbox[-1], msg.Rejected)
    assert (other.inbox[-1].code, other.inbox[-1].id) == ("stale", 1)
    assert len(other.inbox) == messages + 1
    assert not isinstance(actor.inbox[-1], msg.Rejected)


async def test_fault_67_a_killed_table_goes_on_at_the_very_decision(single_table: Make, autojump_clock: Jump) -> None:
    place = single_table(games=("barneys",), players=3, durability="hand", clocks=Clocks(choose=20, grace=45))
    guests = [MemoryGuest(name).sit(place.table) for name in ("Ann", "Ben", "Cho")]
    guests[0].answer()  # one player has chosen a card, the others have not
    before = place.table.state
    pending, view = dict(before.pending), before.view.copy()
    seats = [guest.seat for guest in guests]
    table = place.restart()
    assert table.state.pending == pending
    assert len(pending) == 2
    assert [seat.down for seat in table.state.view.seats] == [seat.down for seat in view.seats]
    assert not any(player.online for player in table.state.view.players())
    again = [MemoryGuest(name).sit(table) for name in ("Ann", "Ben", "Cho")]
    assert [guest.seat for guest in again] == seats
    assert table.due == trio.current_time() + 65, "the clock in full, and the grace"
    again[1].answer(2)
    again[2].answer(2)
    assert table.state.view.street != view.street or table.state.view.opener


async def test_ids_of_hands_go_on_after_a_restart_and_differ_between_sessions(
    single_table: Make, autojump_clock: Jump
) -> None:
    place = single_table(games=("stud8",), clocks=Clocks(bet=0, result=8))
    guests = [MemoryGuest(name).sit(place.table) for name in ("Ann", "Ben")]
    await play_out(place, guests)
    first = place.table.state.view.hand_id
    table = place.restart()
    again = [MemoryGuest(name).sit(table) for name in ("Ann", "Ben")]
    await play_out(place, again)
    ids = {event.id for guest in (*guests, *again) for event in guest.events() if isinstance(event, HandStarted)}
    assert first in ids
    assert len(ids) == table.state.view.hand == 2
    assert all(name.startswith("main-20010909014640-") for name in ids)
