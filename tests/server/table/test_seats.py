"""Who may sit, come back and watch: a table by itself, guests without connections."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
import trio
from trio.testing import MockClock

from protocol.wire import messages as msg
from server.table.table import Table
from tests.support.memory_guest import MemoryGuest
from tests.support.single_table import SingleTable

Make = Callable[..., SingleTable]


@pytest.fixture
def single_table(tmp_path: Path) -> Make:
    """Makes a single table."""
    return lambda **settings: SingleTable(tmp_path, **settings)


def codes(guest: MemoryGuest) -> list[str]:
    """Why the guest was rejected, each time."""
    return [message.code for message in guest.inbox if isinstance(message, msg.Rejected)]


def named(name: str, place: Table, token: bytes) -> MemoryGuest:
    """A guest who says that name and shows that token."""
    guest = MemoryGuest(name)
    guest._place = place
    place.join(guest, msg.Join(name, token))
    return guest


@pytest.mark.parametrize(
    ("rules", "limit", "code"),
    [({"spectators": False}, 200, ["no_spectators"]), ({}, 1, ["too_many"]), ({}, 2, [])],
)
async def test_fault_47_whoever_may_not_watch_is_shown_nothing(
    single_table: Make, autojump_clock: MockClock, rules: dict[str, Any], limit: int, code: list[str]
) -> None:
    place = single_table(**rules, watchers=limit)
    MemoryGuest("Ann").sit(place.table)
    if rules.get("spectators", True):
        MemoryGuest("Dan").watch(place.table)
    eve = MemoryGuest("Eve").watch(place.table)
    MemoryGuest("Ben").sit(place.table)
    assert codes(eve) == code
    assert bool(eve.events()) == (not code)
    assert (eve in place.table.audience.spectators) == (not code)
    assert eve.table == ("main" if not code else None)


@pytest.mark.parametrize("killed", [False, True], ids=["gone", "after a restart"])
async def test_fault_24_the_name_of_an_absent_player_opens_nothing(
    single_table: Make, autojump_clock: MockClock, killed: bool
) -> None:
    place = single_table()
    ann = MemoryGuest("Ann").sit(place.table)
    MemoryGuest("Ben").sit(place.table)
    owner = place.table.state.tokens[1]
    if killed:
        place.restart()
    else:
        place.table.gone(ann)
    assert not place.table.state.view.seat(1).online
    thief = named("Ann", place.table, b"\7" * 32)
    assert codes(thief) == ["name_taken"]
    assert (thief.seat, thief.view.players()) == (None, [])
    assert place.table.state.tokens[1] == owner
    assert not place.table.state.view.seat(1).online
    # The token opens the seat, whatever name is said with it.
    again = named("Zoe", place.table, ann.token)
    assert (again.seat, codes(again)) == (1, [])
    assert place.table.state.view.seat(1).name == "Ann"


@pytest.mark.parametrize("killed", [False, True], ids=["running", "after a restart"])
async def test_fault_24_a_token_is_worth_nothing_after_standing_up(
    single_table: Make, autojump_clock: MockClock, killed: bool
) -> None:
    place = single_table(players=4)
    ann = MemoryGuest("Ann").sit(place.table)
    MemoryGuest("Ben").sit(place.table)
    place.table.ask(ann, msg.StandUp())
    assert not place.table.knows(msg.Join("Ann", ann.token))
    if killed:
        place.restart()
        assert not place.table.knows(msg.Join("Ann", ann.token))
    eve = MemoryGuest("Eve").sit(place.table)
    assert eve.seat == 1, "in the seat that was given back"
    back = named("Ann", place.table, ann.token)
    assert (back.seat, codes(back)) == (3, [])
    assert place.table.state.view.seat(1).name == "Eve"
    assert place.table.state.tokens[1] != place.table.state.tokens[3]
    assert [player.chips for player in place.table.state.view.players()] == [100, 100, 100]


@pytest.mark.parametrize(
    ("name", "free"),
    [("Ann", "Ann 2"), ("ann", "ann 2"), ("n" * 16, "n" * 14 + " 2"), ("m" * 13 + " mm", "m" * 13 + " 2")],
)
async def test_trap_A40_a_guest_whose_name_is_taken_is_offered_a_free_one(
    single_table: Make, autojump_clock: MockClock, name: str, free: str
) -> None:
    place = single_table(players=6)
    for other in ("Ann", "n" * 16, "m" * 13 + " mm"):
        MemoryGuest(other).sit(place.table)
    guest = named(name, place.table, b"\7" * 32)
    assert codes(guest) == ["name_taken"]
    (refusal,) = [message for message in guest.inbox if isinstance(message, msg.Rejected)]
    assert f" {free} is free." in refusal.text
    assert named(free, place.table, b"\7" * 32).seat == 4
    third = named(name, place.table, b"\6" * 32)
    (refusal,) = [message for message in third.inbox if isinstance(message, msg.Rejected)]
    assert f" {free[:-1]}3 is free." in refusal.text


def left_with(place: SingleTable, chips: int, name: str = "Ann") -> bytes:
    """Somebody sits down with the usual 100, buys up to that many chips, and leaves; their token."""
    guest = MemoryGuest(name).sit(place.table)
    if chips > 100:
        place.table.ask(guest, msg.TopUp(chips - 100))
    place.table.ask(guest, msg.StandUp())
    assert guest.seat is None
    return guest.token


def chips_after(place: SingleTable, token: bytes, chips: int) -> int | str:
    """The chips with which that player sits down who asks for so many (0: the usual ones); or why they may not."""
    guest = MemoryGuest("Ann")
    guest._place = place.table
    place.table.join(guest, msg.Join("Ann", token, chips=chips))
    return place.table.state.view.seat(guest.seat).chips if guest.seat else codes(guest)[0]


@pytest.mark.parametrize("killed", [False, True], ids=["running", "after a restart"])
@pytest.mark.parametrize(
    ("left", "brought", "sits"),
    [
        (278, 1, "buy_in"),
        (278, 100, "buy_in"),
        (278, 277, "buy_in"),
        (278, 278, 278),
        (278, 400, 400),
        (278, 0, 278),
        (278, 1001, "buy_in"),
        (100, 50, 50),
        (100, 0, 100),
    ],
)
async def test_trap_A40_whoever_leaves_with_much_does_not_come_back_with_little(
    single_table: Make, autojump_clock: MockClock, left: int, brought: int, sits: int | str, killed: bool
) -> None:
    place = single_table(players=4)
    MemoryGuest("Ben").sit(place.table)
    token = left_with(place, left)
    if killed:
        place.restart()
    assert chips_after(place, token, brought) == sits


async def test_trap_A40_the_rule_is_one_sentence_and_is_about_one_player(
    single_table: Make, autojump_clock: MockClock
) -> None:
    place = single_table(players=4)
    token = left_with(place, 278)
    cho = MemoryGuest("Cho")
    cho._place = place.table
    place.table.join(cho, msg.Join("Cho", cho.token, chips=50))
    assert cho.seat == 1, "another player"
    assert chips_after(place, token, 50) == "buy_in"
    guest = MemoryGuest("Ann")
    guest._place = place.table
    place.table.join(guest, msg.Join("Ann", token, chips=50))
    (refusal,) = [message for message in guest.inbox if isinstance(message, msg.Rejected)]
    assert refusal.text == "You have left this table with more today; sit down with at least 278 chips."


async def test_trap_A40_the_host_may_allow_a_short_return(single_table: Make, autojump_clock: MockClock) -> None:
    place = single_table(players=4, short_return=True)
    token = left_with(place, 278)
    assert chips_after(place, token, 50) == 50


@pytest.mark.parametrize("allowed", [True, False])
async def test_fault_89_who_stood_up_where_nobody_may_watch_is_not_caught_up(
    single_table: Make, autojump_clock: MockClock, allowed: bool
) -> None:
    place = single_table(players=4, spectators=allowed)
    ann = MemoryGuest("Ann").sit(place.table)
    MemoryGuest("Ben").sit(place.table)
    place.table.ask(ann, msg.StandUp())
    seen = len(ann.inbox)
    place.table.catch_up(ann)
    shown = [message for message in ann.inbox[seen:] if isinstance(message, msg.Snapshot)]
    assert bool(shown) == allowed
    assert (ann in place.table.audience.spectators) == allowed


async def test_the_host_reads_how_long_a_player_has_not_been_there(
    single_table: Make, autojump_clock: MockClock
) -> None:
    place = single_table(players=4)
    ann, _ = MemoryGuest("Ann").sit(place.table), MemoryGuest("Ben").sit(place.table)
    place.table.gone(ann)
    await trio.sleep(179)
    told = "".join(place.table.host_words.players())
    assert "not there for 2 min" in told
    assert told.count("not there") == 1
    assert [place.table._seats.minutes_absent(seat) for seat in (1, 2)] == [2, 0]


async def test_who_stood_up_and_watches_later_is_caught_up(single_table: Make, autojump_clock: MockClock) -> None:
    place = single_table(players=4, watchers=1)
    dan = MemoryGuest("Dan").watch(place.table)
    ann = MemoryGuest("Ann").sit(place.table)
    MemoryGuest("Ben").sit(place.table)
    place.table.ask(ann, msg.StandUp())
    assert codes(ann) == ["too_many"]
    place.table.gone(dan)
    ann.watch(place.table)
    seen = len(ann.inbox)
    place.table.catch_up(ann)
    assert any(isinstance(message, msg.Snapshot) for message in ann.inbox[seen:])
