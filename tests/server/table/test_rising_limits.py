"""Antes and limits that rise: when, by how much, what is said about it, and that a restart changes nothing."""

from pathlib import Path
from typing import Any

import pytest
import trio
import trio.testing

from protocol import commands as cmd
from protocol.events import HandStarted, Said
from protocol.journal.framing import scan
from protocol.journal.records import Header, StepRecord, decode_record
from protocol.table_rules import Clocks
from protocol.view import hide
from protocol.wire import messages as msg
from replays.verify import verify
from server.config.table_config import TableConfig
from server.table.rising_limits import announcement, at_level
from tests.support.memory_guest import HeldGroupCommit, MemoryGuest
from tests.support.single_table import SingleTable

Jump = trio.testing.MockClock
TABLE: dict[str, Any] = {"games": ("stud8",), "clocks": Clocks(bet=0, result=0), "rise": "x2 every 2 hands"}


def seated(place: SingleTable) -> list[MemoryGuest]:
    return [MemoryGuest(name).sit(place.table) for name in ("Ann", "Ben")]


def back(place: SingleTable, guests: list[MemoryGuest]) -> list[MemoryGuest]:
    """The same players after a restart."""
    again = []
    for old in guests:
        new = MemoryGuest(old.name)
        new.view, new.session, new.receipt, new.inbox = old.view, old.session, old.receipt, old.inbox
        again.append(new.sit(place.table))
    return again


def play_hand(place: SingleTable, guests: list[MemoryGuest], number: int = 0) -> None:
    """Plays the running hand to its end; with no pause for the result the next one is dealt at once."""
    hand = place.table.state.view.hand
    while place.table.state.view.hand == hand and place.table.state.hand is not None:
        (seat, *_) = place.table.state.pending
        number += 1
        next(guest for guest in guests if guest.seat == seat).answer(hand * 1000 + number)
        settle(place)


def settle(place: SingleTable) -> None:
    """What is on its way to a disk that waits is written."""
    if isinstance(place.disk, HeldGroupCommit):
        place.disk.work()


def stakes_of_hands(guest: MemoryGuest) -> list[tuple[int, int, int, int]]:
    """(hand, ante, small bet, big bet) of every hand that a guest has seen begin."""
    started = [event for event in guest.events() if isinstance(event, HandStarted)]
    return [(one.hand, one.stakes.ante, one.stakes.small, one.stakes.big) for one in started]


def said(guest: MemoryGuest) -> list[str]:
    return [event.text for event in guest.events() if isinstance(event, Said)]


def checked(place: SingleTable) -> None:
    place.table.close()
    report = verify(place.table.journal_path)
    assert (report.ok, report.replayed) == (True, True), report.problem


async def test_the_limits_rise_every_so_many_hands_and_are_announced_a_hand_before(
    tmp_path: Path, autojump_clock: Jump
) -> None:
    place = SingleTable(tmp_path, **TABLE)
    guests = seated(place)
    for _ in range(5):
        play_hand(place, guests)
    hands = [(1, 1, 2, 4), (2, 1, 2, 4), (3, 2, 4, 8), (4, 2, 4, 8), (5, 4, 8, 16), (6, 4, 8, 16)]
    for guest in guests:
        assert stakes_of_hands(guest) == hands[-len(stakes_of_hands(guest)) :]
        assert said(guest) == [
            "The limits rise with the next hand: ante 2, limits 4/8.",
            "The limits have risen: ante 2, limits 4/8.",
            "The limits rise with the next hand: ante 4, limits 8/16.",
            "The limits have risen: ante 4, limits 8/16.",
            "The limits rise with the next hand: ante 8, limits 16/32.",
        ]
        assert guest.view == hide(place.table.state.view, guest.seat)
    events = [(event.hand if isinstance(event, HandStarted) else event.text[:15]) for event in guests[1].events()
              if isinstance(event, HandStarted | Said)]  # fmt: skip
    assert events[:6] == [1, 2, "The limits rise", "The limits have", 3, 4]
    checked(place)


@pytest.mark.parametrize("rotate_bytes", [1 << 20, 1])
async def test_a_restart_keeps_the_level_and_when_it_ends(
    rotate_bytes: int, tmp_path: Path, autojump_clock: Jump
) -> None:
    place = SingleTable(tmp_path, HeldGroupCommit(), **TABLE, rotate_bytes=rotate_bytes)
    guests = seated(place)
    settle(place)
    for _ in range(5):
        if place.table.state.view.hand == 4:
            assert said(guests[0])[-1].startswith("The limits rise")
        place.restart()
        guests = back(place, guests)
        settle(place)
        play_hand(place, guests)
    rise = place.table.state.rules.rise
    assert rise is not None
    assert (rise.level, rise.since) == (2, 4)
    assert place.table.state.view.stakes is not None
    assert place.table.state.view.stakes.big == 16
    assert len([text for text in said(guests[0]) if "have risen" in text]) == 2
    checked(place)


@pytest.mark.parametrize("rotate_bytes", [1 << 20, 1])
async def test_minutes_are_minutes_of_play_and_a_restart_keeps_them(
    rotate_bytes: int, tmp_path: Path, autojump_clock: Jump
) -> None:
    settings = {**TABLE, "rise": "x2 every 10 minutes", "rotate_bytes": rotate_bytes}
    place = SingleTable(tmp_path, HeldGroupCommit(), **settings)
    guests = seated(place)
    settle(place)
    for _ in range(3):  # four minutes a hand: 4, 8, 12 at the deals of hands 2 to 4
        await trio.sleep(240)
        play_hand(place, guests)
    told = next(message for message in reversed(guests[0].inbox) if isinstance(message, msg.TimeLeft))
    assert told.rises_in == 0, "hand 4 is the last one before the limits rise"
    assert said(guests[0]) == ["The limits rise with the next hand: ante 2, limits 4/8."]
    await trio.sleep(80_000)
    place.restart()  # a night: neither the time without a server counts, nor that of the hand in which it stopped
    guests = back(place, guests)
    settle(place)
    play_hand(place, guests)
    assert place.table.state.view.stakes is not None
    assert place.table.state.view.stakes.big == 8
    rise = place.table.state.rules.rise
    assert rise is not None
    assert (rise.level, rise.since) == (1, place.table.state.played)
    assert rise.since == 721
    checked(place)


async def test_one_hand_counts_no_more_than_a_quarter_of_an_hour(tmp_path: Path, autojump_clock: Jump) -> None:
    place = SingleTable(tmp_path, **{**TABLE, "rise": "x2 every 90 minutes"})
    guests = seated(place)
    await trio.sleep(80_000)
    play_hand(place, guests)
    assert place.table.state.played <= 901


def records_of(place: SingleTable) -> list[bytes]:
    return list(scan(Path(place.table.journal_path).read_bytes()).records)


async def test_without_minutes_no_command_says_how_long_was_played(tmp_path: Path, autojump_clock: Jump) -> None:
    place = SingleTable(tmp_path, **TABLE)
    guests = seated(place)
    await trio.sleep(300)
    play_hand(place, guests)
    place.table.close()
    records = [decode_record(record) for record in records_of(place)]
    deals = [
        step.command for step in records if isinstance(step, StepRecord) and isinstance(step.command, cmd.StartHand)
    ]
    assert [deal.played for deal in deals] == [0] * len(deals)
    assert not any(b"played" in record for record in records_of(place))
    assert isinstance(records[0], Header)


async def test_a_new_plan_begins_when_the_host_makes_it(tmp_path: Path, autojump_clock: Jump) -> None:
    place = SingleTable(tmp_path, **{**TABLE, "rise": ""})
    guests = seated(place)
    for _ in range(5):
        play_hand(place, guests)
    place.settings = TableConfig(**{"start": 0.0, "durability": "none", **TABLE})
    place.restart()
    guests = back(place, guests)
    assert place.table.state.rules.rise is None
    play_hand(place, guests)
    rise = place.table.state.rules.rise
    assert rise is not None
    assert (rise.level, rise.since) == (0, 6)
    assert "the limits rise: x2 every 2 hands" in said(guests[0])[-1]
    for _ in range(2):
        play_hand(place, guests)
    assert stakes_of_hands(guests[0])[-1] == (9, 2, 4, 8)


async def test_the_limits_rise_no_further_than_the_host_says_or_than_a_buy_in_lasts(
    tmp_path: Path, autojump_clock: Jump
) -> None:
    for folder, settings, most in (
        ("most", {"rise": "x2 every 1 hand, at most x4"}, 16),
        ("buy-in", {"rise": "x2 every 1 hand", "buy_in_most": 300}, 256),
    ):
        place = SingleTable(tmp_path / folder, **{**TABLE, **settings})
        rules = place.settings.rules()
        level = 0
        while not (rules.rise and rules.rise.last):
            level += 1
            rules = at_level(place.settings.rules(), level, 0)
        assert rules.games[0].stakes.big == most


def test_all_games_rise_together_in_whole_chips() -> None:
    first = TableConfig(games=("barneys", "stud8", "razz"), rise="x1.5 every 2 hands").rules()
    rules = at_level(first, 1, 0)
    assert [(one.stakes.ante, one.stakes.small, one.stakes.big, one.stakes.most) for one in rules.games] == [
        (2, 3, 6, 8)
    ] * 3
    assert all(not one.stakes.problem() for level in range(9) for one in at_level(first, level, 0).games)
    assert announcement(rules, now=True) == (
        "The limits have risen: Barney's Poker: ante 2, bets 2 to 8; "
        "Seven-card stud high-low, Razz roll your own: ante 2, limits 3/6."
    )


async def test_with_dealers_choice_the_dealer_chooses_among_the_risen_games(
    tmp_path: Path, autojump_clock: Jump
) -> None:
    settings = {"games": ("stud8", "razz"), "change": "dealer", "rise": "x2 every 1 hand"}
    place = SingleTable(tmp_path, **{**TABLE, **settings})
    guests = seated(place)
    for hand in range(1, 4):
        (seat,) = place.table.state.pending
        next(guest for guest in guests if guest.seat == seat).answer(hand * 1000)
        play_hand(place, guests)
    assert [stakes[3] for stakes in stakes_of_hands(guests[1])] == [4, 8, 16]
    checked(place)
