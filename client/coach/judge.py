"""What a decision gave up: the option taken against the best one, in chips, with the error of the count.

There are two counts. The first one, a small look, only finds the option that seems best; whatever seems best in a
sample seems better there than it is. So if it seems worth its chips, a second count on fresh deals says by how much
these two options differ: nothing is chosen in it, and its mean is true. It is made in parts, each larger than the one
before, and ends as soon as it is clear whether there is something to tell.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from math import sqrt
from typing import Protocol

from client.coach.decisions import Decision, small_bet
from protocol.actions import Action

LOOK = 10
"""Deals of the look."""
PARTS = (30, 50, 100)
"""Deals of the parts of the second count."""
ERRORS = 3.0
"""Standard errors from which a difference is told."""
SHARE = 0.5
"""The part of a small bet from which a difference is told."""


class Values(Protocol):
    """What the options of a request are worth (`replays.playout`): chips from here to the end of the hand."""

    @property
    def options(self) -> Sequence[Action]: ...
    @property
    def best(self) -> Action: ...
    def chips(self, option: Action) -> float: ...
    def error(self, option: Action) -> float: ...

    def difference(self, one: Action, other: Action) -> tuple[float, float]:
        """By how many chips one action is better than the other, with the standard error, on the same deals."""


class ValuesOf(Protocol):
    """Counts a decision."""

    def __call__(self, decision: Decision, deals: int, seed: str, *options: Action) -> Values | None:
        """The values on so many deals that follow from the seed, always the same ones; None where it cannot be counted.

        The player's own action is always among the options. The others are those that are named, or all that make
        sense.
        """


@dataclass(frozen=True, slots=True)
class Verdict:
    """What became of a decision.

    Fields:
        best: the option that is best; the player's own where none is better.
        chips: by how much it is better than what the player did, on average; error: the standard error.
    """

    decision: Decision
    best: Action
    chips: float = 0.0
    error: float = 0.0

    @property
    def counts(self) -> bool:
        """Whether the difference is large enough, and sure enough, to speak of."""
        return is_told(self.decision, self.chips, self.error)


def is_told(decision: Decision, chips: float, error: float) -> bool:
    """Whether a difference of so many chips, with this standard error, is told."""
    return chips >= least_told(decision) and chips >= ERRORS * error


def least_told(decision: Decision) -> float:
    """The least difference that is told, in chips."""
    return SHARE * small_bet(decision.view.stakes)


def judge(decision: Decision, values_of: ValuesOf) -> Verdict | None:
    """The verdict on a decision, always the same one; None where it cannot be counted."""
    taken = decision.action
    look = values_of(decision, LOOK, "look")
    if look is None:
        return None
    best = look.best
    if best == taken:
        return Verdict(decision, taken)
    chips, _ = look.difference(best, taken)
    if chips < least_told(decision):
        return Verdict(decision, taken)
    chips, error = compare(decision, best, taken, values_of)
    return Verdict(decision, best, chips, error)


def compare(decision: Decision, one: Action, other: Action, values_of: ValuesOf) -> tuple[float, float]:
    """By how many chips one action is better than another one, and the standard error, always the same numbers."""
    deals, total, square = 0, 0.0, 0.0
    for number, part in enumerate(PARTS, 1):
        values = values_of(decision, part, f"count {number}", one, other)
        if values is None:
            break
        chips, error = values.difference(one, other)
        deals, total, square = deals + part, total + part * chips, square + (part * error) ** 2
        mean, spread = total / deals, sqrt(square) / deals
        if is_told(decision, mean, spread) or _is_hopeless(decision, mean, spread, deals):
            break
    return (total / deals, sqrt(square) / deals) if deals else (0.0, 0.0)


def _is_hopeless(decision: Decision, chips: float, error: float, deals: int) -> bool:
    """Whether more deals will hardly make something of it that is told: all of them make the error so much smaller."""
    at_the_end = error * sqrt(deals / sum(PARTS))
    hoped = chips + error / 2
    return hoped < least_told(decision) or hoped < ERRORS * at_the_end
