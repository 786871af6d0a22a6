"""The weight of hidden cards in one betting round, quickly.

What `Judge.bucket` says of one hand is asked here for hundreds of hands with the same up cards, the same boards against
them, and so the same table of chances. So everything that is the same is done once: the keys of the up cards are added
up, and where one direction alone counts, the table says the chance for each *value* of a hand. `Judge.bucket` is the
plain form of it; a test compares both. With wild cards and for the spade in the hole it is used as it is.
"""

from bisect import bisect_left, bisect_right
from collections.abc import Callable, Sequence
from typing import TypeAlias

from protocol.cards import Card
from replays.hand_reading.betting_history import Round
from replays.hand_reading.buckets import (
    CARD_KEYS,
    FLUSH_CHANCES,
    FLUSH_VALUE,
    FULL,
    LOW_BITS,
    SUIT_BITS,
    SUITED,
    TWO_WAY,
    Danger,
    Judge,
    better,
    halves,
    quality,
)
from replays.hand_reading.value_tables import MOST, value_tables
from server.engine.ranking.rankings import EIGHT_OR_BETTER

Coder: TypeAlias = Callable[[Sequence[Card]], int]
"""From hidden cards to the value of the hand, 0 to `MOST`; for eight or better to its set of ranks up to eight."""


class RoundWeights:
    """How likely the actions of one round were, for any hidden cards.

    Attributes:
        weight: of hidden cards; high, low: the codes of the hand that they make.
        by_codes: the weight of a hand with these codes; None where codes do not tell.
    """

    def __init__(self, judge: Judge, seen: Round) -> None:
        self._seen = seen
        terms = judge.terms
        fixed = () if seen.kept else (*seen.up, *seen.middle)
        final = seen.kept or seen.size >= terms.size
        danger = judge.danger(seen.boards)
        self._cuts = judge.cuts(seen.size, len(seen.up), kept=seen.kept)
        self.by_codes: Callable[[int, int], float] | None = None
        if judge.wilds or terms.spade:
            grade = judge.grade(danger, final=final, kept=seen.kept, way=seen.way)
            cuts, chances = self._cuts, seen.chances
            self.weight: Callable[[Sequence[Card]], float] = lambda hidden: chances[
                bisect_right(cuts, grade((*hidden, *fixed), hidden))
            ]
            return
        eight = terms.low is EIGHT_OR_BETTER
        high, low = _high_coder(judge, fixed, seen.size, final), _low_coder(judge, fixed, seen.size, final)
        if seen.way == "high" or terms.low is None:
            highs = self._by_value(danger.high)
            self.by_codes = lambda one, other: highs[one]
            self.weight = lambda hidden: highs[high(hidden)]
        elif (seen.way == "low" or terms.high is None) and not eight:
            lows = self._by_value(danger.low)
            self.by_codes = lambda one, other: lows[other]
            self.weight = lambda hidden: lows[low(hidden)]
        else:
            both = self._eight(judge, danger, final) if eight else self._both(judge, danger)
            self.by_codes = both
            self.weight = lambda hidden: both(high(hidden), low(hidden))

    def _by_value(self, row: Sequence[float]) -> list[float]:
        """The chance for each value of a hand; `row` gives the merit of each value, in rising order."""
        ends = [*[bisect_left(row, cut) for cut in self._cuts], MOST + 1]
        found: list[float] = []
        for chance, end in zip(self._seen.chances, ends, strict=True):
            found += [chance] * (end - len(found))
        return found

    def _both(self, judge: Judge, danger: Danger) -> Callable[[int, int], float]:
        """For high and low halves without a qualifier."""
        highs, lows, cuts, chances = danger.high, danger.low, self._cuts, self._seen.chances
        if not judge.terms.declares:
            return lambda one, other: chances[bisect_right(cuts, halves(highs[one], lows[other]))]
        add = 0.0 if self._seen.kept else TWO_WAY

        def declared(one: int, other: int) -> float:
            up, down = highs[one], lows[other]
            if up < down:
                up, down = down, up
            return chances[bisect_right(cuts, up + add * down * (1 - up))]

        return declared

    def _eight(self, judge: Judge, danger: Danger, final: bool) -> Callable[[int, int], float]:
        """For eight or better; what depends on the set of low ranks alone is kept by that set."""
        highs, cuts, chances = danger.high, self._cuts, self._seen.chances
        size = FULL if final or self._seen.size > FULL else self._seen.size
        wins, lows = value_tables().eight_wins[size], value_tables().eight_lows[size]
        other, declares, way, kept = danger.low_comes, judge.terms.declares, self._seen.way, self._seen.kept
        met: dict[int, tuple[float, float]] = {}

        def parts(ranks: int) -> tuple[float, float]:
            comes = lows[ranks] / MOST
            beats = danger.low[quality(wins[ranks], comes)]
            found = met[ranks] = 1 - (comes + other - comes * other) / 2, comes * (1 - other + other * beats)
            return found

        def merit(one: int, ranks: int) -> float:
            high_half, below = met.get(ranks) or parts(ranks)
            if way == "low":
                return below
            return better(highs[one], below, kept=kept) if declares else highs[one] * high_half + below / 2

        return lambda one, ranks: chances[bisect_right(cuts, merit(one, ranks))]


def _high_coder(judge: Judge, fixed: Sequence[Card], size: int, final: bool) -> Coder:
    """What gives the value of the high hand of hidden and `fixed` cards, `size` in all."""
    if final or size > FULL - 1 or judge.terms.high is None:
        return lambda hidden: judge.high_value((*hidden, *fixed), final=final)
    start = sum([CARD_KEYS[card] for card in fixed])
    values, flush = value_tables().handfuls[size], FLUSH_CHANCES[size]

    def code(hidden: Sequence[Card]) -> int:
        key = start
        for card in hidden:
            key += CARD_KEYS[card]
        value = values[key >> SUIT_BITS]
        suited = SUITED[key & 4095]
        if suited < 3 or value >= FLUSH_VALUE:
            return value
        if suited > 4:
            return judge.high_value((*hidden, *fixed))
        return int(value + flush[suited] * (FLUSH_VALUE - value))

    return code


def _low_coder(judge: Judge, fixed: Sequence[Card], size: int, final: bool) -> Coder:
    """The same for the low."""
    start = 0
    for card in fixed:
        start |= LOW_BITS[card]
    eight = judge.terms.low is EIGHT_OR_BETTER
    if not eight and (final or size >= FULL):
        return lambda hidden: judge.low_value((*hidden, *fixed), final=final)
    values = range(256) if eight else judge.low_sets[size]

    def code(hidden: Sequence[Card]) -> int:
        held = start
        for card in hidden:
            held |= LOW_BITS[card]
        return values[held & 255 if eight else held]

    return code


def high_code(judge: Judge, five: Sequence[Card]) -> int:
    """The code of a high hand to which no cards come any more."""
    return judge.high_value(five, final=True)


def low_code(judge: Judge, five: Sequence[Card]) -> int:
    """The same of a low."""
    return _low_coder(judge, (), len(five), True)(five)
