"""How often some cards beat a random hand in the end, from the file that ships beside this module.

*The file* is zlib over bytes, each a value from 0 to 255 for 0 to 1. First the values of all strengths of the high
ranking, then for one to six cards those of each handful of ranks, in the order of `combinations_with_replacement` (five
cards of a rank are among them and mean nothing). Then for A-5 and for A-6:
the values of all strengths, and for six cards down to one those of the 8,192 sets of low ranks. Last for eight or
better, by the 256 sets of ranks up to eight and for seven cards down to one: the chance to win the low half, and then
the same for the chance to have a low at all. `build_values` writes it and says how the values follow from the rules.
"""

import pkgutil
import zlib
from functools import cache
from itertools import combinations_with_replacement
from typing import NamedTuple

from server.engine.ranking.lookup_tables import A5_CLASSES, A6_CLASSES, HIGH_CLASSES

MOST = 255
"""The byte for a value of 1."""
SIZES = range(1, 7)
"""Numbers of cards with more cards to come."""
LOW_SETS = 8192
EIGHT_SETS = 256

HANDFUL_KEYS = tuple(5**rank for rank in range(13))
"""A handful of ranks is known by the sum of these; five of a rank look like no other handful of the same size."""


class ValueTables(NamedTuple):
    """Values from 0 to 255 (`MOST`).

    Fields:
        high: of the strengths of high hands; five, six: of A-5 and A-6 lows.
        handfuls: by the number of cards (index; 1 to 6), the values by the sum of `HANDFUL_KEYS`.
        five_sets, six_sets: by the number of cards (index; 1 to 6), the values of the sets of low ranks.
        eight_wins, eight_lows: by the number of cards (index; 1 to 7), the chances of the sets of ranks up to eight.
    """

    high: bytes
    handfuls: list[dict[int, int]]
    five: bytes
    five_sets: list[bytes]
    six: bytes
    six_sets: list[bytes]
    eight_wins: list[bytes]
    eight_lows: list[bytes]


@cache
def value_tables() -> ValueTables:
    """The tables of the file. Takes some milliseconds the first time. Raises FileNotFoundError."""
    packed = pkgutil.get_data(__package__, "values.bin")
    if packed is None:
        raise FileNotFoundError("replays/hand_reading/values.bin")
    content, at = zlib.decompress(packed), 0

    def take(count: int) -> bytes:
        nonlocal at
        at += count
        return content[at - count : at]

    def falling(rows: int, count: int) -> list[bytes]:
        return [b"", *[take(count) for _ in range(rows)][::-1]]

    high = take(HIGH_CLASSES + 1)
    by_size: list[dict[int, int]] = [{}]
    for size in SIZES:
        keys = list(map(sum, combinations_with_replacement(HANDFUL_KEYS, size)))
        by_size.append(dict(zip(keys, take(len(keys)), strict=True)))
    five, fives = take(A5_CLASSES + 1), falling(len(SIZES), LOW_SETS)
    six, sixes = take(A6_CLASSES + 1), falling(len(SIZES), LOW_SETS)
    wins, lows = falling(len(SIZES) + 1, EIGHT_SETS), falling(len(SIZES) + 1, EIGHT_SETS)
    return ValueTables(high, by_size, five, fives, six, sixes, wins, lows)
