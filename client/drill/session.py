"""One sitting of the drill: exercise after exercise, each answered once."""

import datetime
from collections.abc import Callable, Sequence

from client.coach.counting import sensible
from client.coach.judge import Values, ValuesOf, is_told, judge
from client.coach.reasons import reason
from client.coach.words import chips, doing
from client.drill.exercises import Task
from client.profile.drill_file import Exercise
from protocol.actions import Action
from protocol.narration.phrases import sentence

DEALS = 200
"""Deals for the numbers behind an answer."""
UNCOUNTED = "This decision cannot be counted any more."


class Drill:
    """The exercises of a sitting.

    Args:
        tasks: the exercises, in order.
        values_of: counts a decision.
        keep: keeps an exercise that was answered.
        today: the day, from the clock of the caller.

    Attributes:
        at: the number of the current exercise, from 0; right: how many answers were right.
    """

    def __init__(
        self, tasks: Sequence[Task], values_of: ValuesOf, keep: Callable[[Exercise], None], today: datetime.date
    ) -> None:
        self._tasks = tasks
        self._values_of = values_of
        self._keep = keep
        self._today = today
        self.at = self.right = 0

    def __len__(self) -> int:
        return len(self._tasks)

    @property
    def task(self) -> Task | None:
        """The exercise that is asked; None behind the last one."""
        return self._tasks[self.at] if self.at < len(self._tasks) else None

    def go_on(self) -> None:
        """To the next exercise."""
        self.at += 1

    def answer(self, action: Action) -> list[str]:
        """What the answer is worth, in sentences; takes up to a second. The exercise is kept with its next day."""
        task = self._tasks[self.at]
        decision = task.decision
        verdict = judge(decision, self._values_of)
        if verdict is None:
            return [UNCOUNTED]
        best = verdict.best
        values = self._values_of(decision, DEALS, "drill", *dict.fromkeys([*sensible(decision), best, action]))
        if values is None:
            return [UNCOUNTED]
        gives_up, error = values.difference(best, action) if action != best else (0.0, 0.0)
        right = not is_told(decision, gives_up, error)
        kept = task.exercise.answered(self._today, right=right)
        self.right += right
        self._keep(kept)
        cost = decision.view.to_call(decision.seat)
        told = [_judged(action, best, gives_up, error, cost, right=right), _numbers(values, cost)]
        then = f"You chose {doing(decision.action, cost)} then, which gave up about {chips(verdict.chips)}"
        told.append(f"{then}; {reason(decision, best)}.")
        told.append(f"This exercise comes again on {kept.due.isoformat()}.")
        return told

    def summary(self) -> str:
        """``3 of 5 were right.``"""
        return f"{self.right} of {len(self)} {'was' if len(self) == 1 else 'were'} right."


def _judged(action: Action, best: Action, gives_up: float, error: float, cost: int, *, right: bool) -> str:
    if action == best:
        return f"Right: {doing(action, cost)} is best."
    if right:
        return sentence(f"right: {doing(action, cost)} is as good as {doing(best, cost)}, as far as can be counted")
    return sentence(f"{doing(action, cost)} gives up about {chips(gives_up)} against {doing(best, cost)}")


def _numbers(values: Values, cost: int) -> str:
    """``Chips from here on: folding: 0; calling 4: -2.9 ± 0.4.``, the best first."""
    ordered = sorted(values.options, key=values.chips, reverse=True)
    parts = [f"{doing(one, cost)}: {_value(values.chips(one), values.error(one))}" for one in ordered]
    return f"Chips from here on: {'; '.join(parts)}."


def _value(value: float, error: float) -> str:
    rounded = f"{value:+.1f}"
    return f"{'0' if rounded in ('+0.0', '-0.0') else rounded}{f' ± {error:.1f}' if error else ''}"
