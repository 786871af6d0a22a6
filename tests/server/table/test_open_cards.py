"""Spectators who see every card: late enough to help nobody, and never one of a running hand."""

from functools import partial
from pathlib import Path
from typing import Any

import pytest
import trio
import trio.testing

from protocol.events import AnyEvent, CardsDealt, HandEnded, HandStarted, PlayerSeated, Said
from protocol.table_rules import Clocks
from protocol.view import hide
from protocol.wire import messages as msg
from replays.verify import verify
from server.errors import WordRefused
from server.storage.system import System
from server.table.shuffler import Shuffler
from tests.support.memory_guest import MemoryGuest
from tests.support.single_table import SingleTable

Jump = trio.testing.MockClock
OPEN: dict[str, Any] = {"games": ("stud8",), "clocks": Clocks(bet=0, result=0), "spectators": "open"}


class Guest(MemoryGuest):
    """A guest with an address of their own."""

    def __init__(self, name: str) -> None:
        super().__init__(name)
        self.address = f"address of {name}"


class Spy(Guest):
    """A guest of whom every byte is kept that they were sent."""

    def __init__(self, name: str) -> None:
        super().__init__(name)
        self.bytes = b""
        fold = self.send

        def send(data: bytes) -> None:
            self.bytes += data
            fold(data)

        self.send = send


class StoppedClock(System):
    """A wall clock that stands, so that two tables say the same of when something was."""

    def wall_clock(self) -> int:
        return 1_000_000_000_000


class Decks(Shuffler):
    """The decks of one seed, and from some hand on those of another."""

    def __init__(self, other: str, first: int) -> None:
        super().__init__("all the same")
        self._other, self._first, self._hand = Shuffler(other), first, 0

    def deck(self) -> tuple[int, ...]:
        self._hand += 1
        return super().deck() if self._hand < self._first else self._other.deck()


def seated(place: SingleTable) -> list[MemoryGuest]:
    return [Guest(name).sit(place.table) for name in ("Ann", "Ben")]


def play_hand(place: SingleTable, guests: list[MemoryGuest]) -> None:
    """Plays the running hand to its end; the next one is dealt at once."""
    hand, number = place.table.state.view.hand, 0
    while place.table.state.view.hand == hand and place.table.state.hand is not None:
        (seat, *_) = place.table.state.pending
        number += 1
        next(guest for guest in guests if guest.seat == seat).answer(hand * 1000 + number)


async def passing(place: SingleTable, seconds: float) -> None:
    """Lets so much time pass, in which the table does what is due."""
    end = trio.current_time() + seconds
    while place.table.due <= end:
        await trio.sleep_until(place.table.due)
        place.table.tick()
    await trio.sleep_until(end)


def told_hands(guest: MemoryGuest) -> list[int]:
    """The hands whose end a guest has been told."""
    return [event.hand for event in guest.events() if isinstance(event, HandEnded)]


def down_cards(events: list[AnyEvent]) -> list[tuple[int | None, ...]]:
    return [down for event in events if isinstance(event, CardsDealt) for _, down, _ in event.cards if down]


async def test_a_hand_is_told_with_every_card_when_it_is_over_and_not_before(
    tmp_path: Path, autojump_clock: Jump
) -> None:
    place = SingleTable(tmp_path, **OPEN)
    guests = seated(place)
    eve = Guest("Eve").watch(place.table)
    assert eve.view.hand == 0, "the running hand is not told yet"
    play_hand(place, guests)
    assert place.table.state.view.hand == 2
    await passing(place, 60)
    assert told_hands(eve) == [1]
    for _ in range(2):
        play_hand(place, guests)
        await passing(place, 60)
    assert told_hands(eve) == [1, 2, 3]
    assert len(down_cards(eve.events())) >= 6
    assert all(None not in down for down in down_cards(eve.events()))
    assert eve.view.hand == 3
    assert place.table.state.view.hand == 4
    assert all(None not in seat.down for seat in eve.view.seats)


async def test_no_byte_tells_what_is_hidden_whatever_the_cards_are(tmp_path: Path, autojump_clock: Jump) -> None:
    """Two tables differ in nothing but the cards of the third hand: until it is over, spectators are sent the same."""
    streams: list[list[bytes]] = []
    for other in ("one", "two"):
        place = SingleTable(tmp_path / other, system=StoppedClock(), decks=Decks(other, 3), **OPEN)
        guests = seated(place)
        spies = [Spy("Eve")]
        spies[0].watch(place.table)
        for _ in range(2):
            play_hand(place, guests)
            await passing(place, 60)
        before = place.table.state.view.copy()
        assert before.hand == 3
        spies.append(Spy("Fay"))
        spies[1].watch(place.table)
        await passing(place, 60)
        for number in range(6):  # well into the third hand
            (seat, *_) = place.table.state.pending
            next(guest for guest in guests if guest.seat == seat).answer(3000 + number)
        assert place.table.state.view.hand == 3
        assert place.table.state.hand is not None
        await passing(place, 3600)
        streams.append([spy.bytes for spy in spies])
        assert all(event.hand < 3 for spy in spies for event in spy.events() if isinstance(event, HandStarted))
        sent = {message.seq for spy in spies for message in spy.inbox if isinstance(message, msg.Events)}
        assert max(sent) <= before.seq
    assert streams[0] == streams[1]


async def test_no_digest_of_a_token_is_told(tmp_path: Path, autojump_clock: Jump) -> None:
    place = SingleTable(tmp_path, **OPEN)
    eve = Spy("Eve")
    eve.watch(place.table)
    guests = seated(place)
    for _ in range(2):
        play_hand(place, guests)
        await passing(place, 60)
    assert [event.token for event in eve.events() if isinstance(event, PlayerSeated)] == [None, None]
    for digest in place.table.state.tokens.values():
        assert digest not in eve.bytes


@pytest.mark.parametrize(("delay", "behind"), [("1 hand", 1), ("2 hands", 2), ("4 hands", 4)])
async def test_a_hand_can_be_told_later_still(delay: str, behind: int, tmp_path: Path, autojump_clock: Jump) -> None:
    place = SingleTable(tmp_path, open_delay=delay, **OPEN)
    eve = Guest("Eve").watch(place.table)
    guests = seated(place)
    for hand in range(1, 7):
        play_hand(place, guests)
        await passing(place, 100)
        assert told_hands(eve) == list(range(1, hand - behind + 2))


async def test_minutes_count_from_each_step_and_never_show_a_running_hand(tmp_path: Path, autojump_clock: Jump) -> None:
    place = SingleTable(tmp_path, open_delay="10 minutes", **OPEN)
    eve = Guest("Eve").watch(place.table)
    guests = seated(place)
    await passing(place, 3600)
    assert eve.view.hand == 0, "an hour in one hand shows nothing of it"
    play_hand(place, guests)
    await passing(place, 590)
    assert told_hands(eve) == []
    await passing(place, 60)
    assert told_hands(eve) == [1]
    assert all(None not in down for down in down_cards(eve.events()))


async def test_steps_are_told_in_the_rhythm_of_the_table(tmp_path: Path, autojump_clock: Jump) -> None:
    place = SingleTable(tmp_path, **OPEN)
    eve = Guest("Eve").watch(place.table)
    guests = seated(place)
    while place.table.state.view.hand == 1:
        (seat, *_) = place.table.state.pending
        next(guest for guest in guests if guest.seat == seat).answer(place.table.state.seq)
        await passing(place, 2)
    seen = []
    for _ in range(5):
        seen.append(eve.view.seq)
        await passing(place, 2)
    assert seen == sorted(set(seen)), "one step after the other"
    await passing(place, 300)
    assert told_hands(eve) == [1]


async def test_a_restart_tells_no_card_that_was_not_told(tmp_path: Path, autojump_clock: Jump) -> None:
    place = SingleTable(tmp_path, open_delay="2 hands", **OPEN)
    guests = seated(place)
    play_hand(place, guests)
    assert place.table.state.view.hand == 2
    place.restart()
    eve = Guest("Eve").watch(place.table)
    assert eve.view.hand == 2
    assert all(card is None for seat in eve.view.seats for card in seat.down)
    again = [Guest(guest.name).sit(place.table) for guest in guests]
    for _ in range(3):
        play_hand(place, again)
        await passing(place, 100)
    assert told_hands(eve) == [2, 3]
    events = eve.events()
    third = next(number for number, event in enumerate(events) if isinstance(event, HandStarted))
    assert all(None in down for down in down_cards(events[:third]))
    assert all(None not in down for down in down_cards(events[third:]))


async def test_spectators_are_told_no_clock_of_the_table_as_it_is_now(tmp_path: Path, autojump_clock: Jump) -> None:
    place = SingleTable(tmp_path, **{**OPEN, "clocks": Clocks(bet=60, result=0)})
    eve = Guest("Eve").watch(place.table)
    seated(place)
    await passing(place, 70)
    told = [message for message in eve.inbox if isinstance(message, msg.TimeLeft | msg.Snapshot)]
    assert told
    assert all(message.clocks == () and message.banks == () for message in told)


async def test_ux_4_9_everybody_reads_that_a_player_may_watch_too(tmp_path: Path, autojump_clock: Jump) -> None:
    place = SingleTable(tmp_path, **OPEN)
    guests = seated(place)
    friend, twin = Guest("Eve"), Guest("Fay")
    twin.address = guests[1].address
    friend.watch(place.table)
    assert not [event for event in guests[0].events() if isinstance(event, Said)]
    twin.watch(place.table)
    (said,) = [event for event in guests[0].events() if isinstance(event, Said)]
    assert said.text == "Somebody watches, with every card of the hands that are over, from the address of Ben."


async def test_the_host_opens_and_closes_the_cards_to_spectators_between_hands(
    tmp_path: Path, autojump_clock: Jump
) -> None:
    place = SingleTable(tmp_path, **{**OPEN, "spectators": "table"})
    guests = seated(place)
    eve = Guest("Eve").watch(place.table)
    words = place.table.house_rules
    with pytest.raises(WordRefused):
        words.open_spectators(opened=False)
    assert await place.table.obey(lambda: words.open_spectators(opened=True)) == (
        "From the next hand on spectators see every card of a hand when it is over."
    )
    assert place.table.state.rules.open_cards is None
    play_hand(place, guests)
    assert place.table.state.rules.open_cards is not None
    assert "spectators see every card" in [event.text for event in guests[0].events() if isinstance(event, Said)][-1]
    place.restart()
    guests = [Guest(guest.name).sit(place.table) for guest in guests]
    eve = Guest("Eve").watch(place.table)
    for _ in range(3):
        play_hand(place, guests)
    await passing(place, 100)
    assert all(None not in seat.down for seat in eve.view.seats)
    await place.table.obey(lambda: place.table.house_rules.open_spectators(opened=False))
    play_hand(place, guests)
    assert place.table.state.rules.open_cards is None
    assert eve.view == hide(place.table.state.view, None)
    place.table.close()
    report = verify(place.table.journal_path)
    assert (report.ok, report.replayed) == (True, True), report.problem


async def test_what_the_host_has_closed_stays_closed_over_a_restart(tmp_path: Path, autojump_clock: Jump) -> None:
    place = SingleTable(tmp_path, **OPEN)
    guests = seated(place)
    assert place.table.state.rules.open_cards is not None
    for opened in (False, True):
        await place.table.obey(partial(place.table.house_rules.open_spectators, opened=opened))
        play_hand(place, guests)
        assert (place.table.state.rules.open_cards is not None) == opened
        place.restart()
        guests = [Guest(guest.name).sit(place.table) for guest in guests]
        play_hand(place, guests)
        assert (place.table.state.rules.open_cards is not None) == opened, "as the host has said, not the settings"
    place.table.close()
    report = verify(place.table.journal_path)
    assert (report.ok, report.replayed) == (True, True), report.problem


async def test_a_player_who_stands_up_sees_the_table_as_spectators_do(tmp_path: Path, autojump_clock: Jump) -> None:
    place = SingleTable(tmp_path, **OPEN)
    guests = [*seated(place), Guest("Cat").sit(place.table)]
    play_hand(place, guests)
    seq = guests[2].view.seq
    assert place.table.state.hand is not None
    place.table.ask(guests[2], msg.StandUp())
    play_hand(place, guests)
    assert guests[2].seat is None
    await passing(place, 100)
    assert guests[2].view.seq >= seq
    assert guests[2].view.hand == 2
    assert place.table.state.view.hand == 3
