"""The coach at a table: one line after a hand, nothing about a running one, nothing where the table forbids it."""

import threading
from collections.abc import Callable

import pytest
import trio
import trio.testing
from msgspec.structs import replace

from client.coach.judge import ValuesOf
from client.coach.table_coach import FORBIDDEN, OFF, ON, TableCoach
from protocol.actions import Action
from protocol.view import TableView, hide
from tests.support.fixed_values import Counted, folding_is_better_by
from tests.support.limits import LIMIT
from tests.support.local_table import LocalSession, LocalTable, careful


def seated(values_of: ValuesOf, *, on: bool = True) -> tuple[LocalTable, LocalSession, TableCoach, list[str]]:
    table = LocalTable("stud8", 3)
    session = table.session(1)
    coach = TableCoach(session, values_of, on=on)
    told: list[str] = []
    coach.on_line.append(told.append)
    return table, session, coach, told


def play_hand(table: LocalTable, session: LocalSession) -> None:
    """A hand to its end; nobody folds."""
    table.deal()
    while table.state.view.playing:
        table.settle()
        if session.pending is not None:
            session.act(careful(session.pending.request))


async def said(coach: TableCoach, begin: Callable[[], object]) -> None:
    """Does something, and waits until the coach has said a line."""
    event = trio.Event()
    coach.on_line.append(lambda line: event.set())
    begin()
    with trio.fail_after(LIMIT):
        await event.wait()


async def test_after_a_hand_it_says_one_line(nursery: trio.Nursery) -> None:
    table, session, coach, told = seated(folding_is_better_by(3.0))
    nursery.start_soon(coach.run)
    await said(coach, lambda: play_hand(table, session))
    assert len(told) == 1
    assert told[0].startswith("Coach: ")
    assert "gave up about 3 chips (3.0 ± 0.1) against folding; " in told[0]


async def test_it_is_silent_where_nothing_was_given_up(nursery: trio.Nursery) -> None:
    quiet = folding_is_better_by(0.9)
    table, session, coach, told = seated(quiet)
    nursery.start_soon(coach.run)
    play_hand(table, session)
    await trio.testing.wait_all_tasks_blocked(0.1)
    assert told == []


async def test_it_says_nothing_about_a_running_hand(nursery: trio.Nursery) -> None:
    counts = folding_is_better_by(3.0)
    table, session, coach, told = seated(counts)
    nursery.start_soon(coach.run)
    table.deal()
    for _ in range(4):
        table.settle()
        assert session.pending is not None
        session.act(careful(session.pending.request))
        await trio.testing.wait_all_tasks_blocked(0.01)
    assert table.state.view.playing
    assert (told, counts.asked) == ([], [])


async def test_the_next_hand_ends_the_counting(nursery: trio.Nursery) -> None:
    waits, begun = threading.Event(), threading.Event()

    def worth(decision: object, seed: str) -> dict[Action, float]:
        begun.set()
        assert waits.wait(LIMIT)
        return {Action("fold"): 5.0}

    table, session, coach, told = seated(Counted(worth))
    nursery.start_soon(coach.run)
    play_hand(table, session)
    assert await trio.to_thread.run_sync(begun.wait, LIMIT)
    table.deal()
    waits.set()
    await trio.testing.wait_all_tasks_blocked(0.05)
    assert told == []


async def test_switched_on_it_speaks_of_the_hand_that_has_just_ended(nursery: trio.Nursery) -> None:
    table, session, coach, told = seated(folding_is_better_by(3.0), on=False)
    nursery.start_soon(coach.run)
    play_hand(table, session)
    await trio.testing.wait_all_tasks_blocked(0.01)
    assert told == []
    await said(coach, coach.toggle)
    assert len(told) == 1
    assert coach.toggle() == OFF
    assert coach.toggle() == ON


async def test_a_table_may_forbid_it(nursery: trio.Nursery) -> None:
    table, session, coach, told = seated(folding_is_better_by(3.0))
    table.rules = replace(table.rules, coach=False)
    session.view.rules = table.rules
    nursery.start_soon(coach.run)
    assert coach.toggle() == FORBIDDEN
    play_hand(table, session)
    await trio.testing.wait_all_tasks_blocked(0.05)
    assert told == []


@pytest.mark.parametrize("whole", [True, False])
async def test_a_hand_whose_beginning_was_not_seen_is_left_out(nursery: trio.Nursery, whole: bool) -> None:
    counts = folding_is_better_by(3.0)
    table, session, coach, _ = seated(counts)
    nursery.start_soon(coach.run)
    table.deal()
    table.settle()
    if not whole:
        snapshot: TableView = hide(table.state.view, 1)
        session.view = snapshot

    def rest() -> None:
        while table.state.view.playing:
            if session.pending is not None:
                session.act(careful(session.pending.request))
            table.settle()

    if whole:
        await said(coach, rest)
    else:
        rest()
        await trio.testing.wait_all_tasks_blocked(0.05)
        assert counts.asked == []
