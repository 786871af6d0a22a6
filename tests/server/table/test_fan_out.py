"""Many spectators: players first, spectators a few at a time, each of them everything in order (P6, faults 7 and 9)."""

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
import trio
import trio.testing

from protocol.events import HandEnded, Said
from protocol.table_rules import Clocks
from protocol.view import hide
from protocol.wire import messages as msg
from server.app.operator_log import silent
from server.config.limits import Limits
from server.config.table_config import TableConfig
from server.storage.group_commit import GroupCommit
from server.storage.journal_errors import WriteFailed
from server.storage.recovery import begin
from server.table.fan_out import BACKLOG_BYTES, PATIENCE, SLICE, FanOut, Spectators
from server.table.shuffler import Shuffler
from server.table.table import Table
from server.table.table_setup import TableSetup
from tests.support.loopback_server import config, running
from tests.support.memory_guest import HeldGroupCommit, MemoryGuest

CROWDED = Limits(rate=1e6, burst=1e6, say_burst=1e6, per_address=1000)
MANY = 5 * SLICE + 3


class SliceByHand:
    """Serves spectators one slice at a time, when the test says so."""

    def __init__(self) -> None:
        self.calls: list[Spectators] = []
        self._serving: Iterator[None] | None = None

    def slice(self) -> bool:
        """One slice; False if there was nothing more to send."""
        serving = self._serving = self._serving or self.calls.pop(0).serve()
        if next(serving, "done") == "done":
            self._serving = None
        return self._serving is not None

    def rest(self) -> None:
        """All that is left."""
        while self.calls or self._serving:
            self.slice()


class CrowdedTable:
    """A table with two players and many spectators."""

    def __init__(self, folder: Path, disk: GroupCommit | None = None, **settings: Any) -> None:
        self.disk = disk or GroupCommit()
        self.round = SliceByHand()
        durability = "none" if disk is None else "action"
        config = TableConfig(**{"start": 0.0, "games": ("stud8",), "durability": durability, **settings})
        setup = TableSetup(
            settings=config,
            group_commit=self.disk,
            shuffler=Shuffler("spectators"),
            log=silent(),
            most_spectators=10_000,
            schedule=self.round.calls.append,
        )
        self.table = Table(begin(str(folder / "hands"), "main", config.rules(), 1_000_000_000_000), setup)
        self.players = [MemoryGuest(name).sit(self.table) for name in ("Ann", "Ben")]
        self.durable()
        self.crowd = [self.enter(f"Eve {number}") for number in range(MANY)]
        self.durable()

    def enter(self, name: str) -> MemoryGuest:
        """One more spectator."""
        return MemoryGuest(name).watch(self.table)

    def durable(self) -> None:
        """What was decided is on the disk."""
        if isinstance(self.disk, HeldGroupCommit):
            self.disk.work()

    def say(self, text: str) -> None:
        self.table.ask(self.players[0], msg.Say(text))

    def act(self) -> None:
        """The players who are asked answer."""
        for seat in list(self.table.state.pending):
            actor = next(player for player in self.players if player.seat == seat)
            actor.answer(self.table.state.seq)

    def heard(self) -> list[int]:
        """How many sayings each spectator has seen."""
        return [len(said(guest)) for guest in self.crowd]


def said(guest: MemoryGuest) -> list[str]:
    return [event.text for event in guest.events() if isinstance(event, Said)]


Make = Callable[..., CrowdedTable]


@pytest.fixture
def crowded_table(tmp_path: Path, autojump_clock: trio.testing.MockClock) -> Make:
    """Makes a crowded table."""

    def make(disk: GroupCommit | None = None, **settings: Any) -> CrowdedTable:
        return CrowdedTable(tmp_path, disk, **settings)

    return make


async def test_P6_players_see_a_step_before_any_of_many_spectators(crowded_table: Make) -> None:
    place = crowded_table()
    place.say("one")
    assert [said(player) for player in place.players] == [["one"], ["one"]]
    assert sum(place.heard()) == 0
    assert place.round.slice()
    assert sum(place.heard()) == SLICE
    place.round.rest()
    assert place.heard() == [1] * MANY


async def test_P6_a_few_spectators_are_not_kept_waiting(crowded_table: Make) -> None:
    place = crowded_table()
    for guest in place.crowd[SLICE:]:
        place.table.gone(guest)
    place.say("one")
    assert place.heard()[:SLICE] == [1] * SLICE
    assert not place.round.calls


async def test_P6_steps_in_the_middle_of_a_round_reach_everybody_once_and_in_order(crowded_table: Make) -> None:
    place = crowded_table()
    for number in range(30):
        place.say(str(number))
        place.act()
        place.round.slice()
    place.round.rest()
    for guest in place.crowd:  # `MemoryGuest` itself refuses gaps and repetitions
        assert said(guest) == [str(number) for number in range(30)]
        assert guest.view == hide(place.table.state.view, None)


async def test_P6_several_steps_are_one_sending(crowded_table: Make) -> None:
    place = crowded_table()
    sendings: list[bytes] = []
    place.crowd[-1].send = sendings.append
    for text in "abc":
        place.say(text)
    place.round.rest()
    assert len(sendings) == 1
    assert [sendings[0].count(text) for text in (b"said", b"\xa1a", b"\xa1b", b"\xa1c")] == [3, 1, 1, 1]


async def test_P6_a_spectator_who_comes_in_the_middle_of_a_round_has_a_snapshot_and_what_follows(
    crowded_table: Make,
) -> None:
    place = crowded_table()
    place.say("before")
    place.round.slice()
    late = place.enter("Late")
    assert [type(message) for message in late.inbox] == [msg.Snapshot]
    place.say("after")
    place.round.rest()
    assert said(late) == ["after"]
    assert late.view == hide(place.table.state.view, None)
    assert place.heard() == [2] * MANY


async def test_P6_a_spectator_who_comes_before_a_step_is_durable_does_not_see_it_twice(crowded_table: Make) -> None:
    place = crowded_table(HeldGroupCommit())
    place.say("one")
    late = place.enter("Late")
    place.say("two")
    assert late.inbox == []
    place.durable()
    place.round.rest()
    assert said(late) in ([], ["two"])
    assert late.view == hide(place.table.state.view, None)
    assert place.heard() == [2] * MANY


async def test_P6_no_spectator_sees_what_is_not_durable_even_while_others_are_served(crowded_table: Make) -> None:
    disk = HeldGroupCommit()
    place = crowded_table(disk)
    place.say("one")
    place.durable()
    place.round.slice()
    place.say("two")
    place.round.rest()
    assert [said(guest) for guest in place.crowd] == [["one"]] * MANY
    place.durable()
    place.round.rest()
    assert [said(guest) for guest in place.crowd] == [["one", "two"]] * MANY


async def test_fault_54_what_the_disk_refused_is_never_shown_and_what_was_shown_arrives(crowded_table: Make) -> None:
    disk = HeldGroupCommit()
    place = crowded_table(disk)
    place.say("kept")
    place.durable()
    place.round.slice()
    place.say("lost")
    _, _, told = disk.batches.pop()
    told(WriteFailed("no room"))
    place.round.rest()
    assert {guest.closed for guest in place.crowd} == {"storage"}
    assert [said(guest) for guest in place.crowd] == [["kept"]] * MANY


async def test_P6_an_answer_comes_after_what_happened_before_it(crowded_table: Make) -> None:
    place = crowded_table(clocks=Clocks(result=8))
    while not any(isinstance(event, HandEnded) for event in place.players[0].events()):
        place.act()
    last = place.crowd[-1]
    assert last.view.seq < place.table.state.seq
    place.table.get_hand(last, msg.GetHand(), lambda *args: None)
    assert last.view == hide(place.table.state.view, None), "the spectator has seen the hand that the record is of"
    assert not isinstance(last.inbox[-1], msg.Events)
    place.round.rest()
    assert last.view == hide(place.table.state.view, None)


async def test_P6_a_spectator_who_sits_down_in_the_middle_of_a_round_is_a_player_at_once(crowded_table: Make) -> None:
    place = crowded_table()
    place.say("one")
    guest = place.crowd[-1].sit(place.table)
    assert guest.seat
    assert guest.view == hide(place.table.state.view, guest.seat)
    place.say("two")
    assert said(guest) == ["two"], "the snapshot told the first"
    place.round.rest()
    assert said(guest) == ["two"]


async def test_P6_a_player_who_stands_up_goes_on_as_a_spectator_without_a_gap(crowded_table: Make) -> None:
    place = crowded_table()
    cho = MemoryGuest("Cho").sit(place.table)
    place.say("one")
    place.table.ask(cho, msg.StandUp())
    assert cho in place.table.audience.spectators
    place.say("two")
    place.round.rest()
    assert said(cho) == ["one", "two"]
    assert cho.view == hide(place.table.state.view, None)


async def test_P6_a_spectator_who_goes_in_the_middle_of_a_round_is_sent_nothing_more(crowded_table: Make) -> None:
    place = crowded_table()
    place.say("one")
    place.round.slice()
    gone = [guest for guest in place.crowd if not said(guest)]
    for guest in gone:
        place.table.gone(guest)
    place.round.rest()
    assert not any(said(guest) for guest in gone)
    assert place.heard().count(1) == MANY - len(gone)


async def test_fault_9_a_backlog_that_grows_too_long_becomes_one_snapshot(crowded_table: Make) -> None:
    place = crowded_table()
    text = "x" * 150
    for _ in range(BACKLOG_BYTES // 150 + 10):
        place.say(text)
    place.round.rest()
    for guest in place.crowd:
        assert [type(message) for message in guest.inbox[1:]].count(msg.Snapshot) == 1
        assert len(said(guest)) < BACKLOG_BYTES // 150
        assert guest.view == hide(place.table.state.view, None)
    place.say("and on")
    place.round.rest()
    assert [said(guest)[-1] for guest in place.crowd] == ["and on"] * MANY


async def test_P6_a_spectator_who_has_everything_is_not_sent_that_snapshot(crowded_table: Make) -> None:
    place = crowded_table()
    place.say("one")
    place.round.slice()
    late = place.enter("Late")
    crowd = place.table.audience.spectators
    crowd.start_over(b"snapshot")
    assert crowd.take_waiting(late) == []
    assert crowd.take_waiting(place.crowd[0]) == []
    assert crowd.take_waiting(place.crowd[-1]) == [b"snapshot"]


async def test_P6_nothing_is_kept_once_everybody_has_it_or_nobody_watches(crowded_table: Make) -> None:
    place = crowded_table()
    crowd = place.table.audience.spectators
    place.say("one")
    assert crowd._bytes > 0
    place.round.rest()
    assert (crowd._bytes, len(crowd._frames)) == (0, 0)
    place.say("two")
    for guest in place.crowd:
        place.table.gone(guest)
    place.round.rest()
    place.say("three")
    assert (crowd._bytes, len(crowd._frames)) == (0, 0)


class WaitingGroupCommit(GroupCommit):
    """Something is always on its way to the disk, until it is `let`."""

    def __init__(self) -> None:
        super().__init__()
        self._let = trio.Event()

    @property
    def working(self) -> bool:
        return not self._let.is_set()

    async def at_rest(self) -> None:
        await self._let.wait()

    def let(self) -> None:
        self._let.set()


def crowd_of(count: int, fan_out: FanOut) -> tuple[Spectators, list[bytes]]:
    """Spectators without a table, and what they were sent."""
    sent: list[bytes] = []
    spectators = Spectators(fan_out.schedule)
    for number in range(count):
        guest = MemoryGuest(str(number))
        guest.send = sent.append
        spectators.add(guest)
    return spectators, sent


async def test_P6_spectators_stand_back_behind_the_disk(nursery: trio.Nursery) -> None:
    disk = WaitingGroupCommit()
    fan_out = FanOut(disk)
    nursery.start_soon(fan_out.run)
    spectators, sent = crowd_of(MANY, fan_out)
    spectators.append(b"step")
    spectators.show()
    await trio.testing.wait_all_tasks_blocked()
    assert not sent
    disk.let()
    await trio.testing.wait_all_tasks_blocked()
    assert sent == [b"step"] * MANY


async def test_P6_spectators_do_not_stand_back_for_ever(
    nursery: trio.Nursery, autojump_clock: trio.testing.MockClock
) -> None:
    fan_out = FanOut(WaitingGroupCommit())
    nursery.start_soon(fan_out.run)
    spectators, sent = crowd_of(MANY, fan_out)
    for number in (1, 2):
        spectators.append(b"step")
        spectators.show()
        await trio.sleep(PATIENCE * 0.9)
        assert len(sent) == (number - 1) * MANY
        await trio.sleep(PATIENCE * 0.2)
        assert len(sent) == number * MANY


async def test_P6_two_tables_are_served_in_turn(nursery: trio.Nursery, autojump_clock: trio.testing.MockClock) -> None:
    fan_out = FanOut(GroupCommit())
    both = [crowd_of(MANY, fan_out) for _ in range(2)]
    for spectators, _ in both:
        spectators.append(b"step")
        spectators.show()
    nursery.start_soon(fan_out.run)
    while any(len(sent) < MANY for _, sent in both):
        counts = [len(sent) for _, sent in both]
        assert abs(counts[0] - counts[1]) <= 2 * SLICE
        await trio.lowlevel.checkpoint()


async def test_P6_many_spectators_of_a_real_server_fold_to_what_the_players_see(tmp_path: Path) -> None:
    async with running(config(tmp_path, limits=CROWDED, games=("stud8",), durability="action")) as house:
        players = await house.seated("Ann", "Ben")
        crowd = [await house.connect(f"Eve {number}") for number in range(3 * SLICE)]
        for guest in crowd:
            await guest.watch()
        await house.play(players, 2)
        await house.settle(crowd)
        for guest in crowd:  # `WireClient` itself refuses gaps
            assert guest.view == hide(house.table.state.view, None)


async def test_P6_an_orderly_stop_still_shows_what_was_decided(tmp_path: Path) -> None:
    async with running(config(tmp_path, limits=CROWDED)) as house:
        (ann,) = await house.seated("Ann")
        crowd = [await house.connect(f"Eve {number}") for number in range(3 * SLICE)]
        for guest in crowd:
            await guest.watch()
        spoken = [f"word {number}" for number in range(3)]
        for text in spoken:
            await ann.send(msg.Say(text))
        await ann.until(lambda view: view.seq >= house.table.state.seq)
        while len([m for m in ann.inbox if isinstance(m, msg.Events) and isinstance(m.events[0], Said)]) < 3:
            await ann.next()
        house.server.stop()
        for guest in crowd:
            assert isinstance(await guest.to_the_end(), msg.Bye)
            texts = [e.text for m in guest.inbox if isinstance(m, msg.Events) for e in m.events if isinstance(e, Said)]
            assert texts == spoken
