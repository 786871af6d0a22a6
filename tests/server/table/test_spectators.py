"""Spectators can be seen, and may talk where the table allows it."""

from pathlib import Path
from typing import Any

import pytest
import trio
import trio.testing

from protocol.events import Said
from protocol.wire import messages as msg
from tests.support.memory_guest import MemoryGuest
from tests.support.single_table import SingleTable

Jump = trio.testing.MockClock
TABLE: dict[str, Any] = {"games": ("stud8",)}


def watch_as(place: SingleTable, name: str) -> MemoryGuest:
    guest = MemoryGuest(name or "nobody")
    guest._place = place.table
    place.table.watch(guest, msg.Watch(name=name))
    return guest


def names_told(guest: MemoryGuest) -> tuple[str, ...]:
    told = [message for message in guest.inbox if isinstance(message, msg.Snapshot | msg.TimeLeft)]
    return told[-1].spectators


def said(guest: MemoryGuest) -> list[tuple[str, str, int | None]]:
    return [(event.name, event.text, event.seat) for event in guest.events() if isinstance(event, Said)]


async def told_of_spectators(place: SingleTable) -> None:
    """Everybody is told of a crowd in one message."""
    await trio.sleep_until(place.table.due)
    place.table.tick()


async def test_everybody_is_told_who_watches(tmp_path: Path, autojump_clock: Jump) -> None:
    place = SingleTable(tmp_path, **TABLE)
    ann = MemoryGuest("Ann").sit(place.table)
    for name in ("Eve", "", "Fay"):
        watch_as(place, name)
    await told_of_spectators(place)
    assert names_told(ann) == ("Eve", "Fay")
    assert [message.watching for message in ann.inbox if isinstance(message, msg.TimeLeft)][-1] == 3


async def test_nobody_watches_under_the_name_of_somebody_else(tmp_path: Path, autojump_clock: Jump) -> None:
    place = SingleTable(tmp_path, **TABLE)
    ann = MemoryGuest("Ann").sit(place.table)
    for name in ("Ann", "Eve", "eve", "\x1b[31mred", "x" * 99):
        watch_as(place, name)
    await told_of_spectators(place)
    assert names_told(ann)[:3] == ("Ann 2", "Eve", "eve 2")
    assert len(names_told(ann)) <= 4
    assert not any("\x1b" in name for name in names_told(ann))


async def test_a_spectator_who_sits_down_or_goes_is_named_no_more(tmp_path: Path, autojump_clock: Jump) -> None:
    place = SingleTable(tmp_path, **TABLE)
    ann = MemoryGuest("Ann").sit(place.table)
    eve, fay = watch_as(place, "Eve"), watch_as(place, "Fay")
    eve.sit(place.table)
    place.table.gone(fay)
    await told_of_spectators(place) if place.table.due < trio.current_time() + 5 else None
    assert place.table.audience.names() == ()
    assert "Fay" not in names_told(ann)


async def test_a_crowd_is_counted_and_only_the_first_are_named(tmp_path: Path, autojump_clock: Jump) -> None:
    place = SingleTable(tmp_path, **TABLE)
    ann = MemoryGuest("Ann").sit(place.table)
    for number in range(40):
        watch_as(place, f"Guest {number}")
    await told_of_spectators(place)
    assert len(names_told(ann)) == 12


@pytest.mark.parametrize("allowed", [True, False])
async def test_spectators_talk_only_where_the_table_allows_it(
    allowed: bool, tmp_path: Path, autojump_clock: Jump
) -> None:
    place = SingleTable(tmp_path, **TABLE, spectator_chat=allowed)
    ann = MemoryGuest("Ann").sit(place.table)
    eve, nobody = watch_as(place, "Eve"), watch_as(place, "")
    for guest in (eve, nobody):
        place.table.spectator_says(guest, "hello")
    assert said(ann) == ([("Eve", "hello", None), ("Somebody", "hello", None)] if allowed else [])
    refused = [message.code for message in eve.inbox if isinstance(message, msg.Rejected)]
    assert refused == ([] if allowed else ["not_seated"])


async def test_somebody_who_is_no_spectator_here_says_nothing(tmp_path: Path, autojump_clock: Jump) -> None:
    place = SingleTable(tmp_path, **TABLE, spectator_chat=True)
    ann = MemoryGuest("Ann").sit(place.table)
    place.table.spectator_says(MemoryGuest("Eve"), "hello")
    place.table.spectator_says(ann, "hello")
    assert said(ann) == []
