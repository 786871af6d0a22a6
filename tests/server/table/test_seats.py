"""Who may sit, come back and watch: a table by itself, guests without connections."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from trio.testing import MockClock

from protocol.wire import messages as msg
from server.table.table import Table
from tests.server.table.test_table import SingleTable
from tests.support.memory_guest import MemoryGuest

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
    assert not place.table.knows(ann.token)
    if killed:
        place.restart()
        assert not place.table.knows(ann.token)
    eve = MemoryGuest("Eve").sit(place.table)
    assert eve.seat == 1, "in the seat that was given back"
    back = named("Ann", place.table, ann.token)
    assert (back.seat, codes(back)) == (3, [])
    assert place.table.state.view.seat(1).name == "Eve"
    assert place.table.state.tokens[1] != place.table.state.tokens[3]
    assert [player.chips for player in place.table.state.view.players()] == [100, 100, 100]
