"""House rules that were changed while the server was down: nobody loses a hand or a chip."""

from pathlib import Path
from typing import Any

import pytest
import trio.testing

from protocol import commands as cmd
from protocol.events import Said
from protocol.journal.framing import scan
from protocol.journal.records import StepRecord, decode_record
from protocol.table_rules import Clocks
from protocol.view import hide
from protocol.wire import messages as msg
from replays.verify import verify
from server.config.table_config import TableConfig
from tests.support.memory_guest import MemoryGuest
from tests.support.single_table import SingleTable

Jump = trio.testing.MockClock

BEFORE: dict[str, Any] = {"start": 0.0, "durability": "none", "games": ("stud8",), "clocks": Clocks(result=0)}
CHANGES: list[tuple[dict[str, Any], str]] = [
    ({"name": "Garden"}, "the table is called Garden"),
    ({"clocks": Clocks(bet=45, result=0)}, "the clocks are set anew"),
    ({"misses": 3}, "sits out: 3"),
    ({"spectators": False}, "no spectators any more"),
    ({"stakes": {"stud8": {"ante": 2, "small": 4, "big": 8}}}, "other stakes in"),
    ({"seats": 3}, "there are 3 seats"),
    ({"games": ("razz", "stud8")}, "played here: Razz"),
    ({"games": ("razz",)}, "played here: Razz"),
    ({"change": "dealer"}, "the dealer chooses the game"),
    ({"buy_in": 200}, "usually 200"),
    ({"show": "all"}, "every hand that stays in is shown"),
]
NAMES = ("Ann", "Ben")


def seated(place: SingleTable) -> list[MemoryGuest]:
    return [MemoryGuest(name).sit(place.table) for name in NAMES]


def restart(place: SingleTable, guests: list[MemoryGuest], **changes: Any) -> list[MemoryGuest]:
    """The server stops, the host changes the settings, the server starts, and everybody comes back."""
    place.settings = TableConfig(**{**BEFORE, **changes})
    place.restart()
    again = [MemoryGuest(guest.name) for guest in guests]
    for old, new in zip(guests, again, strict=True):
        new.view, new.session, new.receipt = old.view, old.session, old.receipt
        new.sit(place.table)
    return again


def play_out(place: SingleTable, guests: list[MemoryGuest]) -> None:
    """Plays the running hand to its end."""
    hand = place.table.state.view.hand
    for number in range(1, 200):
        if place.table.state.view.hand != hand or place.table.state.hand is None:
            return
        (seat, *_) = place.table.state.pending
        next(guest for guest in guests if guest.seat == seat).answer(number)
    raise AssertionError("the hand does not end")


def told(guest: MemoryGuest) -> list[str]:
    """What the house has told a guest."""
    notices = [message.notice for message in guest.inbox if isinstance(message, msg.Snapshot) and message.notice]
    return notices + [event.text for event in guest.events() if isinstance(event, Said) and not event.name]


def commands(place: SingleTable) -> list[cmd.AnyCommand]:
    """The commands in the journal."""
    records = [decode_record(record) for record in scan(Path(place.table.journal_path).read_bytes()).records]
    return [step.command for step in records if isinstance(step, StepRecord) and step.command is not None]


def same_for_both(place: SingleTable, guests: list[MemoryGuest]) -> None:
    """Everybody sees the table as it is."""
    for guest in guests:
        assert guest.view == hide(place.table.state.view, guest.seat)


@pytest.mark.parametrize(("changes", "sentence"), CHANGES)
async def test_trap_A31_a_changed_setting_waits_for_the_end_of_the_hand_and_keeps_the_stacks(
    changes: dict[str, Any], sentence: str, tmp_path: Path, autojump_clock: Jump
) -> None:
    place = SingleTable(tmp_path, **BEFORE)
    guests = seated(place)
    rules, view = place.settings.rules(), place.table.state.view.copy()
    assert view.playing
    eve = MemoryGuest("Eve")
    guests = restart(place, guests, **changes)
    eve.watch(place.table)
    assert place.table.state.rules == rules
    assert place.table.state.view.hand_id == view.hand_id
    assert [told(guest) for guest in guests] == [[], []]
    play_out(place, guests)
    state = place.table.state
    assert state.rules == place.settings.rules()
    assert state.view.chips() == 200
    assert state.view.hand == 2 or state.wants_game() or state.pending, "the next hand begins by itself"
    for guest in [*guests, eve][: 2 if not state.rules.spectators else 3]:
        assert len(told(guest)) == 1
        assert sentence in told(guest)[0]
    same_for_both(place, guests)
    place.table.close()
    report = verify(place.table.journal_path)
    assert (report.ok, report.replayed) == (True, True), report.problem


@pytest.mark.parametrize(("changes", "sentence"), CHANGES)
async def test_trap_A31_between_hands_it_counts_at_once_and_the_old_settings_come_back(
    changes: dict[str, Any], sentence: str, tmp_path: Path, autojump_clock: Jump
) -> None:
    place = SingleTable(tmp_path, **{**BEFORE, "players": 3})
    path, rules = place.table.journal_path, place.settings.rules()
    guests = restart(place, seated(place), players=3, **changes)
    assert place.table.state.rules == place.settings.rules()
    assert place.table.journal_path == path
    for guest in guests:
        assert [sentence in text for text in told(guest)] == [True]
    same_for_both(place, guests)
    guests = restart(place, guests, players=3)
    assert place.table.state.rules == rules
    assert [len(told(guest)) for guest in guests] == [1, 1]
    assert [seat.chips for seat in place.table.state.view.players()] == [100, 100]
    same_for_both(place, guests)
    MemoryGuest("Cho").sit(place.table)
    assert place.table.state.view.hand == 1, "they play on"
    place.table.close()
    assert verify(path).ok
    assert sum(isinstance(command, cmd.OpenTable) for command in commands(place)) == 3


async def test_trap_A31_seats_are_taken_away_when_their_players_have_left(tmp_path: Path, autojump_clock: Jump) -> None:
    place = SingleTable(tmp_path, **{**BEFORE, "players": 4})
    guests = [MemoryGuest(name).sit(place.table) for name in ("Ann", "Ben", "Cho")]
    guests = restart(place, guests, seats=2)
    assert (place.table.state.rules.seats, place.table.state.view.chips()) == (3, 300)
    play_out(place, guests)
    place.table.ask(guests[2], msg.StandUp())
    if place.table.state.hand is not None:
        play_out(place, guests)
    assert (place.table.state.rules.seats, len(place.table.state.view.seats)) == (2, 2)
    same_for_both(place, guests[:2])
