"""Builds the table of values that ships with the package.

``python -m replays.hand_reading.build_values replays/hand_reading/values.bin`` writes the file; a test compares the
shipped file with a new build.

The value of cards is how often they beat a random hand of seven when both have got all their cards; half of a tie
counts. For seven cards it follows from the number of hands below. For fewer it is the average over the next card, which
may be any card of the deck. Suits do not matter for the lows, and only a flush needs them for high; so the tables know
the ranks alone, and whoever reads them adds what a flush draw is worth. For a low only the *set* of ranks counts, since
a second card of a rank is no help: the tables have a value for each of the 8,192 sets, aces being the lowest.
"""

import sys
import zlib
from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import combinations, combinations_with_replacement
from math import comb, prod

from replays.hand_reading.value_tables import LOW_SETS, MOST, SIZES
from server.engine.ranking.card_order import low_rank
from server.engine.ranking.lookup_tables import A5_CLASSES, A6_CLASSES, HIGH_CLASSES
from server.engine.ranking.strength import ace_to_five, ace_to_six, eight_or_better, high

Ranks = tuple[int, ...]

_FLUSHES = {7: 844, 6: 204, 5: 36}
"""How many of the ways to give suits to seven cards make a flush, by the number of different ranks."""
_FLUSHES_WITH_TRIPS = 12


def _hands(ranks: Ranks) -> int:
    """How many hands have these ranks."""
    return prod([comb(4, ranks.count(rank)) for rank in set(ranks)])


def _plain_hands(ranks: Ranks) -> int:
    """How many hands of seven have these ranks and no flush."""
    counts = [ranks.count(rank) for rank in set(ranks)]
    if len(counts) == 5 and 3 in counts:
        return _hands(ranks) - _FLUSHES_WITH_TRIPS
    return _hands(ranks) - _FLUSHES.get(len(counts), 0)


def _cards(ranks: Ranks) -> list[int]:
    """Cards of these ranks that are no flush; equal ranks stand together."""
    return [4 * rank + place % 4 for place, rank in enumerate(ranks)]


def _shares(hands: Iterable[tuple[int, int]], classes: int) -> list[float]:
    """For each strength the share of hands below it and half of those like it; hands are (strength, how many)."""
    like = [0] * (classes + 1)
    for strength, count in hands:
        like[strength] += count
    total, below = sum(like), 0
    shares = []
    for count in like:
        shares.append((below + count / 2) / total)
        below += count
    return shares


def sevens() -> list[tuple[Ranks, int]]:
    """Every handful of seven ranks, and how many hands without a flush have it."""
    return [(ranks, _plain_hands(ranks)) for ranks in handfuls(7)]


def flush_hands() -> Iterator[tuple[int, int]]:
    """(strength, how many) of the hands of seven with a flush."""
    for size, others in ((5, comb(39, 2)), (6, 39), (7, 1)):
        for ranks in combinations(range(13), size):
            yield high([4 * rank for rank in ranks]), 4 * others


def _high(sevens: Sequence[tuple[Ranks, int]]) -> tuple[list[float], list[list[float]]]:
    """The values by strength; and for one to six cards the value of each handful of ranks if there is no flush."""
    plain = {ranks: (high(_cards(ranks)), count) for ranks, count in sevens}
    final = _shares([*plain.values(), *flush_hands()], HIGH_CLASSES)
    above = {ranks: final[strength] for ranks, (strength, _) in plain.items()}
    rows = []
    for size in reversed(SIZES):
        row: dict[Ranks, float] = {}
        for ranks in handfuls(size):
            total = 0.0
            for rank in range(13):
                if left := 4 - ranks.count(rank):
                    total += left * above[tuple(sorted((*ranks, rank)))]
            row[ranks] = total / (52 - size)
        rows.append([row.get(ranks, 0.0) for ranks in combinations_with_replacement(range(13), size)])
        above = row
    return final, rows[::-1]


def handfuls(size: int) -> Iterator[Ranks]:
    """All handfuls of so many ranks that a deck has, each in rising order."""
    for ranks in combinations_with_replacement(range(13), size):
        if not any(ranks[place] == ranks[place + 4] for place in range(size - 4)):
            yield ranks


def _low_set(ranks: Ranks) -> int:
    return sum({1 << low_rank(4 * rank) for rank in ranks})


def _low(
    sevens: Sequence[tuple[Ranks, int]], strength_of: Callable[[Sequence[int]], int], classes: int
) -> tuple[list[float], list[list[float]]]:
    """The values by strength; and for six cards down to one the value of each set of low ranks."""
    hands = [(_low_set(ranks), strength_of(_cards(ranks)), _hands(ranks)) for ranks, _ in sevens]
    final = _shares([(strength, count) for _, strength, count in hands], classes)
    total, count_of = [0.0] * LOW_SETS, [0] * LOW_SETS
    for ranks, strength, count in hands:
        total[ranks] += final[strength] * count
        count_of[ranks] += count
    at_end = [value / count if count else 0.0 for value, count in zip(total, count_of, strict=True)]
    return final, _steps_back(at_end, 13, 52)


def _steps_back(at_end: list[float], ranks: int, deck: int) -> list[list[float]]:
    """For six cards down to one the average over the next card; `at_end` is for seven.

    `ranks`: how many ranks the sets are made of; the other cards of the deck do not change a set.
    """
    rows = []
    above = at_end
    bits = [1 << rank for rank in range(ranks)]
    for size in reversed(SIZES):
        row = []
        for held in range(1 << ranks):
            new = [above[held | bit] for bit in bits if not held & bit]
            left = deck - size
            same = left - 4 * len(new)
            row.append((4 * sum(new) + same * above[held]) / left if same >= 0 else 0.0)
        rows.append(row)
        above = row
    return rows


def _eights(sevens: Sequence[tuple[Ranks, int]]) -> list[list[float]]:
    """For seven cards down to one, by the set of ranks up to eight: the chance to win the low half, and to have a low.

    A shared half counts as half of it.
    """
    hands = [(_low_set(ranks) & 255, eight_or_better(_cards(ranks)), _hands(ranks)) for ranks, _ in sevens]
    shares = _shares([(strength, count) for _, strength, count in hands], 56)
    wins, lows = [0.0] * 256, [0.0] * 256
    for ranks, strength, _ in hands:
        if strength:
            wins[ranks], lows[ranks] = shares[strength], 1.0
    return [wins, *_steps_back(wins, 8, 52), lows, *_steps_back(lows, 8, 52)]


def build() -> bytes:
    """The contents of the file."""
    hands = sevens()
    final, rows = _high(hands)
    five, fives = _low(hands, ace_to_five, A5_CLASSES)
    six, sixes = _low(hands, ace_to_six, A6_CLASSES)
    parts = [final, *rows, five, *fives, six, *sixes, *_eights(hands)]
    return zlib.compress(bytes([round(MOST * value) for part in parts for value in part]), 9)


if __name__ == "__main__":
    with open(sys.argv[1], "wb") as file:
        file.write(build())
