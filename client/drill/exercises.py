"""Which exercises come today: those that are due, then new ones, the costliest first."""

import datetime
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from client.coach.decisions import Decision
from client.profile.drill_file import Exercise
from client.review.kept_reviews import KeptReviews
from client.review.seen_hand import OpenFiles, can_see, seen_decisions
from replays.index import Filter
from replays.library import Library
from replays.recording import Unreadable


def all_exercises(known: Iterable[Exercise], kept: KeptReviews, player: str, today: datetime.date) -> list[Exercise]:
    """The exercises of a player: those they have answered before, and one for every decision that gave chips up."""
    found = {one.key: one for one in known if one.player.casefold() == player.casefold()}
    for hand, seat, review in kept.every():
        if review.player.casefold() == player.casefold():
            for price in review.prices:
                new = Exercise(review.player, hand, seat, price.number, price.chips, today)
                found.setdefault(new.key, new)
    return list(found.values())


def due_today(exercises: Iterable[Exercise], today: datetime.date, most: int) -> list[Exercise]:
    """At most so many: first those that come again, the longest due in front, then new ones, the costliest in front."""
    due = [one for one in exercises if one.due <= today]
    return sorted(due, key=lambda one: (not one.times, one.due, -one.chips, one.key))[:most]


def next_day(exercises: Iterable[Exercise]) -> datetime.date | None:
    """The next day on which an exercise is due; None if there is none."""
    return min([one.due for one in exercises], default=None)


@dataclass(frozen=True, slots=True)
class Task:
    """An exercise with its decision, as the player saw it then. `number`: of the hand in the list of all hands."""

    exercise: Exercise
    decision: Decision
    number: int


def tasks(exercises: Sequence[Exercise], library: Library) -> list[Task]:
    """The exercises whose recordings are there."""
    files = OpenFiles(library)
    found = []
    for exercise in exercises:
        rows = [row for row in library.hands(Filter(id=exercise.hand)) if row.hand.id == exercise.hand]
        if not rows:
            continue
        try:
            recording, playback = files.open(rows[0])
        except (Unreadable, OSError, ValueError):
            continue
        seen = seen_decisions(playback, exercise.seat) if can_see(recording, exercise.seat) else []
        decision = next((one for one in seen if one.number == exercise.number), None)
        if decision is not None:
            found.append(Task(exercise, decision, rows[0].number))
    return found
