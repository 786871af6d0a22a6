"""What each option of a decision is worth: its average chips from here to the end of the hand."""

from collections.abc import Sequence
from dataclasses import dataclass
from math import sqrt

from protocol.actions import Action


@dataclass(frozen=True, slots=True)
class OptionValues:
    """The options of a decision, all played out on the same deals.

    All values are chips from this decision to the end of the hand: what comes back out of the pot, less what is still
    put in. Folding is 0, because what is in the pot already is lost either way.

    Fields:
        options: the actions that were played out.
        results: for each option its chips in each deal.
    """

    options: tuple[Action, ...]
    results: tuple[tuple[float, ...], ...]

    @property
    def deals(self) -> int:
        """How many deals each option was played on."""
        return len(self.results[0])

    @property
    def best(self) -> Action:
        """The option with the highest average; between equal ones the first."""
        return max(self.options, key=self.chips)

    def chips(self, option: Action) -> float:
        """The average of an option. Raises ValueError for one that was not played out."""
        return _mean(self._row(option))

    def error(self, option: Action) -> float:
        """The standard error of that average."""
        return _error(self._row(option))

    def difference(self, one: Action, other: Action) -> tuple[float, float]:
        """By how many chips the first option is better than the other one, and the standard error of that.

        The error is that of the differences deal by deal, and so smaller than those of the two averages suggest.
        """
        row = [mine - theirs for mine, theirs in zip(self._row(one), self._row(other), strict=True)]
        return _mean(row), _error(row)

    def better_than(self, base: Action, errors: float) -> Action:
        """The best option if it beats `base` by so many standard errors, else `base`.

        A choice among noisy averages picks the luckiest one. So a mind that has a fair policy already hands in what
        that would do, and changes its mind only where the play-outs are clear about it.
        """
        if base not in self.options:
            return self.best
        found = self.best
        chips, error = self.difference(found, base)
        return found if found != base and chips > errors * error else base

    def _row(self, option: Action) -> Sequence[float]:
        return self.results[self.options.index(option)]


def _mean(row: Sequence[float]) -> float:
    return sum(row) / len(row)


def _error(row: Sequence[float]) -> float:
    count = len(row)
    if count < 2:
        return 0.0
    mean = sum(row) / count
    return sqrt(sum([(value - mean) ** 2 for value in row]) / (count - 1) / count)
