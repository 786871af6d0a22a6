"""Builds the ranking tables that ship with the engine.

``python -m server.engine.ranking.build_tables server/engine/ranking/lookup_tables.bin`` writes the file; a test
compares the shipped file with a new build.

The rules stand in short functions that put five cards in order (`high_order`, `low_order`, `strict_low_order`,
`rules.md` 2.1-2.4) and up to four up cards (`board_order`, 2.5). All orders that occur are sorted, and the place of an
order is its strength. Six and seven cards are as strong as the best five of them.

Ranks are 0 for a two up to 12 for an ace, as in cards.
"""

import sys
import zlib
from array import array
from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import combinations, combinations_with_replacement
from typing import TypeAlias

from server.engine.ranking.lookup_tables import BOARD_SIZES, RANK_KEYS, ROW_BITS

Ranks: TypeAlias = tuple[int, ...]
Order: TypeAlias = tuple[int, ...]
"""A hand's place in its ranking as a tuple: category first, then ranks; larger is better."""

_CATEGORY = {(1, 1, 1, 1, 1): 0, (2, 1, 1, 1): 1, (2, 2, 1): 2, (3, 1, 1): 3, (3, 2): 6, (4, 1): 7}
STRAIGHT, FLUSH, STRAIGHT_FLUSH = 4, 5, 8
_WHEEL = (12, 3, 2, 1, 0)


def by_count(ranks: Iterable[int]) -> tuple[Ranks, Ranks]:
    """The different ranks, and how often each of them occurs: K4K4K makes (K, 4) and (3, 2).

    The most frequent rank comes first; of equally frequent ranks, the highest.
    """
    counts: dict[int, int] = {}
    for rank in ranks:
        counts[rank] = counts.get(rank, 0) + 1
    order = sorted(counts, key=lambda rank: (counts[rank], rank), reverse=True)
    return tuple(order), tuple(counts[rank] for rank in order)


def straight_top(order: Ranks) -> int | None:
    """The top rank of a straight among five different falling ranks; 3 (the five) for A-2-3-4-5."""
    if order == _WHEEL:
        return 3
    return order[0] if len(order) == 5 and order[0] - order[4] == 4 else None


def high_order(ranks: Sequence[int], suited: bool = False) -> Order:
    """Five cards in the high ranking (`rules.md` 2.1)."""
    order, counts = by_count(ranks)
    top = straight_top(order)
    if top is not None:
        return (STRAIGHT_FLUSH if suited else STRAIGHT, top)
    return (FLUSH if suited else _CATEGORY[counts], *order)


def low_order(ranks: Sequence[int]) -> Order:
    """Five cards as a low without straights and flushes, ace one (`rules.md` 2.2); larger is the better low."""
    order, counts = by_count((rank + 1) % 13 for rank in ranks)
    return tuple(-x for x in (_CATEGORY[counts], *order))


def strict_low_order(ranks: Sequence[int], suited: bool = False) -> Order | None:
    """Five cards as Barney's low: None for a straight or a flush (`rules.md` 2.4)."""
    if suited or straight_top(by_count(ranks)[0]) is not None:
        return None
    return low_order(ranks)


def fallback_low_order(ranks: Sequence[int], suited: bool = False) -> Order:
    """Five cards in the whole A-6 order, where straights and flushes are bad lows (`rules.md` 7.4).

    A straight is worse than three of a kind, a flush is worse than a straight, and a straight flush is the worst of
    all; A-2-3-4-5 is the lowest straight.
    """
    top = straight_top(by_count(ranks)[0])
    if top is not None:
        return (-(STRAIGHT_FLUSH if suited else STRAIGHT), -top)
    if suited:
        return (-FLUSH, *low_order(ranks)[1:])
    return low_order(ranks)


_BOARD_CATEGORY = {1: 0, 2: 1, 3: 3, 4: 4}


def board_order(ranks: Sequence[int], missing: int) -> Order:
    """One to four up cards (`rules.md` 2.5): no straights, no flushes; ``missing`` stands for absent cards."""
    order, counts = by_count(ranks)
    category = 2 if counts == (2, 2) else _BOARD_CATEGORY[counts[0]]
    return (category, *order, *(missing,) * (4 - len(ranks)))


def high_board_order(ranks: Sequence[int]) -> Order:
    """Where the highest board opens; a missing card is worse than a two."""
    return board_order(ranks, -1)


def low_board_order(ranks: Sequence[int]) -> Order:
    """Where the lowest board opens, aces one; a missing card is worse than a king."""
    return tuple(-x for x in board_order([(rank + 1) % 13 for rank in ranks], 13))


def handfuls(size: int) -> Iterator[Ranks]:
    """Every handful of that many ranks, in rising order, at most four of one rank, in the order of the tables."""

    def grow(start: Ranks, lowest: int) -> Iterator[Ranks]:
        if len(start) == size:
            yield start
            return
        for rank in range(lowest, 13):
            if start[-4:] != (rank,) * 4:
                yield from grow((*start, rank), rank)

    return grow((), 0)


def key_sum(ranks: Iterable[int]) -> int:
    """The sum of ranks by which the tables are read."""
    return sum(RANK_KEYS[rank] for rank in ranks)


def _numbered(orders: Iterable[Order | None]) -> dict[Order | None, int]:
    """The strength of each order: 1 for the worst one that occurs; None, which is no hand at all, has 0."""
    strengths: dict[Order | None, int] = {None: 0}
    for strength, order in enumerate(sorted({order for order in orders if order is not None}), 1):
        strengths[order] = strength
    return strengths


def _best_of_fewer(size: int, fewer: dict[Ranks, int]) -> dict[Ranks, int]:
    return {ranks: max(fewer.get(ranks[:i] + ranks[i + 1 :], 0) for i in range(size)) for ranks in handfuls(size)}


class LookupTables:
    """The strengths of all handfuls of five, six and seven ranks, and of all flushes.

    Attributes:
        ranks: ``ranks[name][size]`` maps a handful to its strength if suits are ignored.
        flushes: the strength of the best flush, by the set of ranks of one suit as 13 bits.
    """

    def __init__(self) -> None:
        fives = list(handfuls(5))
        suited = list(combinations(range(13), 5))
        high = _numbered([high_order(r) for r in fives] + [high_order(r, True) for r in suited])
        orders: dict[str, tuple[Callable[[Ranks], Order | None], dict[Order | None, int]]] = {
            "high": (high_order, high),
            "a5": (low_order, _numbered(map(low_order, fives))),
            "a6": (strict_low_order, _numbered(map(strict_low_order, fives))),
        }
        self.ranks: dict[str, dict[int, dict[Ranks, int]]] = {}
        for name, (order, strengths) in orders.items():
            table = {ranks: strengths[order(ranks)] for ranks in fives}
            self.ranks[name] = {5: table}
            for size in (6, 7):
                table = _best_of_fewer(size, table)
                self.ranks[name][size] = table
        self.flushes = [0] * 8192
        for size in ROW_BITS:
            for ranks in combinations(range(13), size):
                mask = sum(1 << rank for rank in ranks)
                if size == 5:
                    self.flushes[mask] = high[high_order(ranks, True)]
                else:
                    self.flushes[mask] = max(self.flushes[mask ^ 1 << rank] for rank in ranks)


def spread(sums: Sequence[int], bits: int) -> tuple[list[int], list[int]]:
    """Give every sum a place of its own in one short table: a two-level perfect hash (`lookup_tables`).

    Returns the shifts and the places: sum s has place ``shifts[s % 2**bits] + (s >> bits)``. Sums with the same low
    bits are a row; row after row, the longest first, is pushed to where all its sums fall into free places.
    """
    rows: dict[int, list[int]] = {}
    for total in sums:
        rows.setdefault(total & (1 << bits) - 1, []).append(total >> bits)
    shifts = [0] * (1 << bits)
    free = (1 << (1 << 17)) - 1
    for row, columns in sorted(rows.items(), key=lambda item: (-len(item[1]), item[0])):
        fits = free
        for column in columns:
            fits &= free >> column
        shift = (fits & -fits).bit_length() - 1
        for column in columns:
            free ^= 1 << (column + shift)
        shifts[row] = shift
    return shifts, [shifts[total & (1 << bits) - 1] + (total >> bits) for total in sums]


def build() -> bytes:
    """The words of the shipped file before they are packed; `lookup_tables` describes their layout."""
    tables = LookupTables()
    words = array("H")
    for size, bits in ROW_BITS.items():
        shifts, places = spread([key_sum(ranks) for ranks in handfuls(size)], bits)
        length = max(places) + 1
        words.append(length)
        words.extend(shifts)
        for name in ("high", "a5", "a6"):
            column = [0] * length
            for place, strength in zip(places, tables.ranks[name][size].values(), strict=True):
                column[place] = strength
            words.extend(column)
    words.extend(tables.flushes)
    boards = [ranks for size in BOARD_SIZES for ranks in combinations_with_replacement(range(13), size)]
    for order in (high_board_order, low_board_order):
        strengths = _numbered(map(order, boards))
        words.extend(strengths[order(ranks)] for ranks in boards)
    if sys.byteorder == "big":
        words.byteswap()
    return words.tobytes()


def main() -> None:
    """Write the file named on the command line."""
    with open(sys.argv[1], "wb") as file:
        file.write(zlib.compress(build(), 9))


if __name__ == "__main__":
    main()
