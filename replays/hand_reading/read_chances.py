"""The chances of a spot if the hidden cards of the others are as likely as their actions say.

The same numbers as those of `replays.chances.estimate`, from the deals of a reading. They come in batches, each
from holdings of its own, and the standard error is that of the mean of the batches; for the deals of one batch share
their holdings.
"""

from math import sqrt

from replays.chances.deals import Strengths
from replays.chances.estimate import Chance, Numbers
from replays.chances.shares import Outcome, outcome_of
from replays.chances.spot import SeenHand, Spot
from replays.hand_reading.holdings import Holding
from replays.hand_reading.reading import Reading

BATCH = 40
"""Deals of a batch: some milliseconds."""
GOAL = 0.01
"""The standard error at which it is enough."""
MOST_BATCHES = 60
FEW = 4
"""Batches from which their spread says something."""


class ReadEstimate:
    """The chances of one spot by a reading of it, as precise as the work done so far."""

    def __init__(self, spot: Spot, reading: Reading) -> None:
        self.spot = spot
        self._reading = reading
        self._strengths = Strengths(spot)
        self._means: list[tuple[float, ...]] = []

    @property
    def begun(self) -> bool:
        """Whether there are numbers."""
        return bool(self._means)

    @property
    def done(self) -> bool:
        """Whether more work would make no difference that counts."""
        batches = len(self._means)
        return batches >= MOST_BATCHES or (
            batches >= 2 * FEW and max(self._error(place) for place in range(len(Outcome.__slots__))) <= GOAL
        )

    def work(self) -> None:
        """One more batch."""
        if not self.done:
            self._means.append(self._batch(len(self._means)))

    def finish(self) -> Numbers:
        """Work until it is done: the same numbers every time."""
        while not self.done:
            self.work()
        return self.numbers()

    def numbers(self) -> Numbers:
        """The chances so far. Raises ValueError before the first `work`."""
        if not self._means:
            raise ValueError("nothing has been counted yet")
        share, high, second, scoop = [
            Chance(sum([row[place] for row in self._means]) / len(self._means), self._error(place))
            for place in range(len(Outcome.__slots__))
        ]
        return Numbers.told(self.spot, share, high, second, scoop, deals=BATCH * len(self._means))

    def _error(self, place: int) -> float:
        """The standard error of one number; before there are some batches, that of as many random deals."""
        values = [row[place] for row in self._means]
        mean = sum(values) / len(values)
        if len(values) < FEW:
            spread, count = max(mean * (1 - mean), 1 / BATCH), BATCH * len(values)
        else:
            spread, count = sum([(value - mean) ** 2 for value in values]) / (len(values) - 1), len(values)
        return max(sqrt(spread / count), 1 / (BATCH * len(values)))

    def _batch(self, number: int) -> tuple[float, ...]:
        """The means of one batch, in the order of the fields of `Outcome`."""
        sums = [0.0] * len(Outcome.__slots__)
        reading = self._reading.again(number) if number else self._reading
        for held, rest in reading.draws(BATCH):
            outcome = outcome_of(self.spot, self._strengths, self._deal(held, rest))
            for place, value in enumerate((outcome.share, outcome.high, outcome.second, outcome.scoop)):
                sums[place] += value
        return tuple([total / BATCH for total in sums])

    def _deal(self, held: dict[int, Holding], rest: list[int]) -> tuple[tuple[int, ...], ...]:
        """The deal in the form of `replays.chances.deals.every_deal`."""
        at = 0

        def take(count: int) -> tuple[int, ...]:
            nonlocal at
            at += count
            return tuple(rest[at - count : at])

        parts = [take(self.spot.common)]
        for hand in self.spot.hands:
            parts += [self._hidden(hand, held) + take(hand.hidden - hand.now), take(hand.open)]
        return tuple(parts)

    @staticmethod
    def _hidden(hand: SeenHand, held: dict[int, Holding]) -> tuple[int, ...]:
        return held[hand.seat].drawn if hand.seat in held else ()
