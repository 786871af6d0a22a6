"""Who gets what when a deal is played out (`rules.md` 5 and 7.4), and the averages over many deals."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from math import sqrt

from replays.chances.deals import Strengths, possible_hands
from replays.chances.spot import Spot
from server.engine.ranking.strength import ace_to_six_fallback

Deal = tuple[tuple[int, ...], ...]
VALID = 1 << 28
"""Added to a valid low that was declared, so that it beats every invalid one."""


@dataclass(frozen=True, slots=True)
class Outcome:
    """What one deal gives the judging seat, each from 0 to 1.

    Fields:
        share: of the chips it can win; high, second: of that half, all live hands against each other; scoop: 1 if it
        wins every chip it can win.
    """

    share: float
    high: float
    second: float
    scoop: float


@dataclass(slots=True)
class Average:
    """The average of many outcomes: sums and sums of squares, in the order of the fields of `Outcome`."""

    count: int = 0
    sums: list[float] = field(default_factory=lambda: [0.0] * 4)
    squares: list[float] = field(default_factory=lambda: [0.0] * 4)

    def add(self, outcome: Outcome) -> None:
        """Count one deal."""
        self.count += 1
        for place, value in enumerate((outcome.share, outcome.high, outcome.second, outcome.scoop)):
            self.sums[place] += value
            self.squares[place] += value * value

    def mean(self, place: int) -> float:
        """The average, 0 to 1."""
        return self.sums[place] / self.count

    def error(self, place: int) -> float:
        """The standard error of that average if the deals are a random sample.

        A sample in which everything came out alike says no more than that the rest is rare: it counts as if one deal
        had come out otherwise.
        """
        mean = self.mean(place)
        spread = max(self.squares[place] / self.count - mean * mean, 1 / self.count)
        return sqrt(spread / self.count)


def share_of(place: int, highs: Sequence[int], seconds: Sequence[int]) -> float:
    """The share of one pot; where nobody has anything for one half, the other half takes all."""
    high, second = max(highs), max(seconds)
    up = 1 / highs.count(high) if high and highs[place] == high else 0.0
    down = 1 / seconds.count(second) if second and seconds[place] == second else 0.0
    return (up + down) / 2 if high and second else up + down


def part_of(strengths: Sequence[int]) -> float:
    """The part of one half that the first hand wins."""
    best = max(strengths)
    return 1 / strengths.count(best) if best and strengths[0] == best else 0.0


def outcome_of(spot: Spot, strengths: Strengths, deal: Deal) -> Outcome:
    """What the deal gives the first hand of the spot."""
    highs, seconds = strengths.of(deal)
    if spot.declared:
        highs, seconds = _declared(spot, highs, seconds, deal)
    if len(spot.pots) == 1:
        share = share_of(0, highs, seconds)
        return Outcome(share, part_of(highs), part_of(seconds), float(share == 1))
    won = total = 0.0
    scoop = True
    for pot in spot.pots:
        share = share_of(0, [highs[place] for place in pot.places], [seconds[place] for place in pot.places])
        won, total = won + share * pot.chips, total + pot.chips
        scoop = scoop and share == 1
    return Outcome(won / total, part_of(highs), part_of(seconds), float(scoop))


def _declared(spot: Spot, highs: list[int], seconds: list[int], deal: Deal) -> tuple[list[int], list[int]]:
    """The strengths that count after the declarations: each hand plays one way (`rules.md` 7.4)."""
    lows = [hand.declared == "low" for hand in spot.hands]
    # Where all went low and nobody has one, the worst lows are compared with each other as well.
    compared = spot.ranks_last or all(lows)
    top = [0 if low else high for low, high in zip(lows, highs, strict=True)]
    bottom = [0] * len(lows)
    for place, low in enumerate(lows):
        if low and seconds[place]:
            bottom[place] = seconds[place] + VALID
        elif low and compared:
            fives = possible_hands(spot.hands[place], (*deal[0], *deal[2 * place + 1], *deal[2 * place + 2]))
            bottom[place] = max(map(ace_to_six_fallback, fives))
    return top, bottom
