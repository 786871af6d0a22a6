"""The chances of a spot, a slice of work at a time: exact where all deals can be counted, from a sample before."""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from importlib.util import find_spec
from itertools import islice
from typing import Protocol

from replays.chances.deals import Strengths, every_deal, number_of_deals, random_deals
from replays.chances.shares import Average, Deal, outcome_of
from replays.chances.spot import Spot

EXACT_DEALS = 500_000
"""With numpy, spots with so many deals or fewer are counted out: between two players from sixth street on."""
EXACT_DEALS_ALONE = 15_000
"""The same without numpy: between two players on seventh street."""
GOAL = 0.005
"""The standard error at which a sample is large enough."""
SAMPLES = 16_384
"""Deals of a sample with a fixed size; its standard error is 0.4 % at most."""
ROUGH_SAMPLES = 2_000
"""The same without numpy; its standard error is 1.2 % at most."""
_SLICE = 150
"""Deals at a time without numpy: a few milliseconds."""
_WILD_SLICE = 30
"""The same with wild cards, whose hands take longer to rank."""


@dataclass(frozen=True, slots=True)
class Chance:
    """A number from 0 to 1, and its standard error; 0 where it is exact."""

    value: float
    error: float = 0.0


@dataclass(frozen=True, slots=True)
class Numbers:
    """What a hand wins on average.

    Fields:
        share: of the chips it can win; None as long as it depends on what players will declare.
        high: of the high half; second: of the low half, or of that of the highest spade in the hole; None where the
            game has no such half, and for the way that a seat has not declared. Ties count as parts, and a deal in
            which nobody has a low counts as none.
        scoop: the chance to win every chip it can win; None with `share`.
        exact: whether every deal was counted; deals: how many were.
    """

    share: Chance | None
    high: Chance | None
    second: Chance | None
    scoop: Chance | None
    exact: bool
    deals: int

    @classmethod
    def told(
        cls, spot: Spot, share: Chance, high: Chance, second: Chance, scoop: Chance, *, deals: int, exact: bool = False
    ) -> "Numbers":
        """The numbers of a spot, without those that have no meaning in it."""
        terms = spot.terms
        own = spot.hands[0].declared if spot.declared else ""
        settled = spot.declared or not terms.declares
        return cls(
            share=share if settled else None,
            high=high if terms.high is not None and own != "low" else None,
            second=second if (terms.low is not None or terms.spade) and own != "high" else None,
            scoop=scoop if settled else None,
            exact=exact,
            deals=deals,
        )


class _Judge(Protocol):
    """Counts deals: `sample` one slice of random ones, `count_out` the next slice of all; false when there is none."""

    def sample(self, average: Average) -> None: ...
    def count_out(self, average: Average) -> bool: ...


class Estimate:
    """The chances of one spot, as precise as the work done so far.

    Args:
        numpy: whether to use it; None: where it is installed. Spots with wild cards do without.
    """

    def __init__(self, spot: Spot, *, numpy: bool | None = None) -> None:
        self.spot = spot
        self._fast = (has_numpy() if numpy is None else numpy) and _batches_can(spot)
        most = EXACT_DEALS if self._fast else EXACT_DEALS_ALONE
        self._few = not spot.wilds_move and number_of_deals(spot) <= most
        self._judge: _Judge | None = None
        self._sample = Average()
        self._all = Average()
        self.exact = False

    @property
    def samples(self) -> int:
        """The size of a sample that is worth its time here."""
        return SAMPLES if self._fast else ROUGH_SAMPLES

    @property
    def begun(self) -> bool:
        """Whether there are numbers."""
        return self.exact or self._sample.count > 0

    @property
    def done(self) -> bool:
        """Whether more work would make no difference that counts."""
        sample = self._sample
        if self._few:
            return self.exact
        return sample.count >= _WILD_SLICE and max(sample.error(place) for place in range(4)) <= GOAL

    def work(self) -> None:
        """One more slice, a few milliseconds; nothing when it is done. The first slice may have to load numpy."""
        if self.done:
            return
        if self._judge is None:
            self._judge = _Batches(self.spot) if self._fast else _OneByOne(self.spot)
        if not self._sample.count or not self._few:
            self._judge.sample(self._sample)
        else:
            self.exact = not self._judge.count_out(self._all)

    def finish(self) -> Numbers:
        """Count everything out, or take a sample of the fixed size `samples`: the same numbers every time."""
        while not self.exact and (self._few or self._sample.count < self.samples):
            if not self._few and self.done:
                break
            self.work()
        return self.numbers()

    def numbers(self) -> Numbers:
        """The chances so far. Raises ValueError before the first `work`."""
        average = self._all if self.exact else self._sample
        if not average.count:
            raise ValueError("nothing has been counted yet")
        share, high, second, scoop = [
            Chance(average.mean(place), 0.0 if self.exact else average.error(place)) for place in range(4)
        ]
        return Numbers.told(self.spot, share, high, second, scoop, deals=average.count, exact=self.exact)


@cache
def has_numpy() -> bool:
    """Whether numpy is installed; looking does not load it."""
    return find_spec("numpy") is not None


def _batches_can(spot: Spot) -> bool:
    """Whether batches can judge the spot: not with wild cards, nor with side pots after a declaration."""
    return not spot.wild and not (spot.declared and len(spot.pots) > 1)


class _OneByOne:
    """Deals in plain Python."""

    def __init__(self, spot: Spot) -> None:
        self._spot = spot
        self._slice = _WILD_SLICE if spot.wild else _SLICE
        self._strengths = Strengths(spot)
        self._random = random_deals(spot)
        self._every = every_deal(spot)

    def sample(self, average: Average) -> None:
        self._count(islice(self._random, self._slice), average)

    def count_out(self, average: Average) -> bool:
        before = average.count
        self._count(islice(self._every, self._slice), average)
        return average.count > before

    def _count(self, deals: Iterator[Deal], average: Average) -> None:
        for deal in deals:
            average.add(outcome_of(self._spot, self._strengths, deal))


class _Batches:
    """Deals with numpy."""

    def __init__(self, spot: Spot) -> None:
        from replays.chances import batches  # numpy takes a tenth of a second to load

        self._spot = spot
        self._batches = batches
        self._random = batches.RandomDeals(spot)
        self._every = batches.every_deal(spot)

    def sample(self, average: Average) -> None:
        self._batches.count(self._spot, self._random.next(), average)

    def count_out(self, average: Average) -> bool:
        block = next(self._every, None)
        if block is None:
            return False
        self._batches.count(self._spot, block, average)
        return True
