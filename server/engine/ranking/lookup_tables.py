"""The lookup tables behind the rankings, read from the file that ships beside this module.

Seven cards have one of 49,205 handfuls of ranks, six one of 18,395, five one of 6,175. The tables hold the strength of
each handful; the problem is to find the place of a handful with a few additions.

*Keys.* Every card has a key, and the keys of a hand are added up. The sum holds two sums at once. Its low byte is the
sum of `SUIT_KEYS`, which tells whether five cards are of one suit, and of which. The bits above are the sum of
`RANK_KEYS`, which are chosen so that no two handfuls of the same size have the same sum.

*A two-level perfect hash.* The sums of ranks have large gaps. Their low bits choose a row and the bits above a column,
and the rows are pushed over each other so that each fills gaps of the others: the strength of a sum s stands at
``shifts[s % 2**bits] + (s >> bits)`` of one short table, and nothing else does.

*Below zero.* `KEY_START` moves all sums down so that they stay between -2**30 and 2**30: Python adds such integers at
twice the speed of longer ones.

*The file* is zlib over little-endian 16-bit words. For five, six and seven cards in turn: the length n of the table,
the 2**bits shifts, and three tables of n strengths (high, A-5, A-6). Then, for each of the 8192 sets of ranks of one
suit, the strength of its best flush. Then the strengths of all boards of one to four ranks, where the highest board
opens and where the lowest does. `build_tables` writes it.
"""

import pkgutil
import sys
import zlib
from array import array
from collections.abc import Iterable
from functools import cache
from itertools import combinations
from typing import NamedTuple, TypeAlias

Words: TypeAlias = "array[int]"

RANK_KEYS = (0, 1, 5, 22, 98, 453, 2031, 8698, 22854, 83661, 262349, 636345, 1479181)
SUIT_KEYS = (0, 1, 25, 32)
ROW_BITS = {5: 10, 6: 12, 7: 13}
"""How many low bits of the sum of ranks choose the row, by the number of cards."""

RANK_BIAS = 500 << 13
"""Taken off every sum of ranks; a multiple of every number of rows, so that the low bits stay as they are."""
KEY_START = -(RANK_BIAS << 8)
CARD_KEYS = tuple((RANK_KEYS[card >> 2] << 8) + SUIT_KEYS[card & 3] for card in range(52))

HIGH_CLASSES = 7462
A5_CLASSES = 6175
A6_CLASSES = 6165
PAIRED_CLASSES = 4888
"""Lows with a pair or worse are the weakest strengths of both A-5 and A-6."""

BOARD_SIZES = (1, 2, 3, 4)
BOARDS = 2379
"""Handfuls of one to four ranks: 13 + 91 + 455 + 1,820."""


class RankTable(NamedTuple):
    """Strengths by the sum of ranks, for one number of cards."""

    shifts: Words
    high: Words
    a5: Words
    a6: Words


class Shipped(NamedTuple):
    """The whole file: rank tables for 5, 6 and 7 cards, the best flush of each set of ranks, the boards."""

    by_size: dict[int, RankTable]
    flushes: Words
    high_boards: Words
    low_boards: Words


def read_file() -> bytes:
    """The shipped file as it is. Raises FileNotFoundError if the installation lost it."""
    packed = pkgutil.get_data("server.engine.ranking", "lookup_tables.bin")
    if packed is None:
        raise FileNotFoundError("server/engine/ranking/lookup_tables.bin")
    return packed


@cache
def shipped() -> Shipped:
    """The tables of the file as arrays of 16-bit words."""
    words = array("H", zlib.decompress(read_file()))
    if sys.byteorder == "big":
        words.byteswap()
    at = 0

    def take(count: int) -> Words:
        nonlocal at
        at += count
        return words[at - count : at]

    by_size: dict[int, RankTable] = {}
    for size, bits in ROW_BITS.items():
        length = take(1)[0]
        by_size[size] = RankTable(take(1 << bits), take(length), take(length), take(length))
    return Shipped(by_size, take(8192), take(BOARDS), take(BOARDS))


def flush_suits(size: int) -> list[int]:
    """For each low byte of a sum of keys: 0 without five cards of a suit, else that suit + 1."""
    suits = [0] * 256
    for suit, key in enumerate(SUIT_KEYS):
        rest = {0: 1}
        for _ in range(size - 5):
            rest = {total + other: 1 for total in rest for other in SUIT_KEYS}
        for total in rest:
            suits[5 * key + total] = suit + 1
    return suits


LOW_RANK_BITS = tuple(1 << ((card >> 2) + 1) % 13 for card in range(52))
"""A card's bit in a set of low ranks: bit 0 for an ace up to bit 12 for a king."""
_BROADWAY = 0b1111000000001


def _worst_first(sets: Iterable[tuple[int, ...]]) -> list[int]:
    # Of two sets of five ranks the worse low is the larger number: the highest rank that differs is higher.
    return sorted((sum(1 << rank for rank in ranks) for ranks in sets), reverse=True)


def a6_sets() -> list[int]:
    """The 1,277 sets of five low ranks that are no straight, from the worst A-6 low to the best."""
    fives = combinations(range(13), 5)
    return [s for s in _worst_first(fives) if s != _BROADWAY and s // (s & -s) != 0b11111]


def eight_table() -> list[int]:
    """Eight-or-better strength by the set of low ranks up to the eight; 0 for fewer than five."""
    table = [0] * 256
    for strength, five in enumerate(_worst_first(combinations(range(8), 5)), 1):
        table[five] = strength
    for ranks in range(256):
        if ranks.bit_count() > 5:
            table[ranks] = table[ranks ^ 1 << ranks.bit_length() - 1]
    return table
