"""The strengths of many hands at once, with numpy.

Every function takes hands in one of two shapes and gives (N,) uint16 strengths, the same numbers as `strength`:

* (N, 7) uint8: card integers, a hand a row; seven cards only;
* (N,) uint64: packed hands as `packed` makes them, 16 bits a suit (clubs lowest), in which bit r is the card of rank r.
  Somewhat faster, and half-dealt hands combine with ``|``. `size` says how many cards each holds: five, six or seven.

Cards are not checked: a hand must hold different cards, 0..51. numpy is an extra (`fast`) and takes longer to load than
the rest of the engine: nothing imports this module before it has batches to rank.
"""

from collections.abc import Callable
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from server.engine.ranking.lookup_tables import (
    CARD_KEYS,
    LOW_RANK_BITS,
    PAIRED_CLASSES,
    RANK_KEYS,
    ROW_BITS,
    a6_sets,
    eight_table,
    flush_suits,
    shipped,
)

Hands: TypeAlias = NDArray[np.uint8] | NDArray[np.uint64]
Strengths: TypeAlias = NDArray[np.uint16]

_BLOCK = 8192  # hands at a time, so that the arrays in between stay in the cache
_FLUSH_FLAG = 1 << 24  # above every rank sum, below the sign even four times


def _words(values: Any) -> NDArray[np.uint16]:
    return np.array(values, dtype=np.uint16)


_SHIFTS = {size: np.array(table.shifts, dtype=np.int32) for size, table in shipped().by_size.items()}
_HIGH = {size: _words(table.high) for size, table in shipped().by_size.items()}
_A5 = {size: _words(table.a5) for size, table in shipped().by_size.items()}
_A6 = {size: _words(table.a6) for size, table in shipped().by_size.items()}
_FLUSHES = _words(shipped().flushes)
_FLUSH_SUIT = np.array(flush_suits(7), dtype=np.uint8)
_EIGHT = _words(eight_table())

_CARD_KEYS = np.array(CARD_KEYS, dtype=np.int32)
_CARD_RANKS = np.array([RANK_KEYS[card >> 2] for card in range(52)], dtype=np.int32)
_CARD_EIGHTS = np.array([bit & 255 for bit in LOW_RANK_BITS], dtype=np.uint8)
_LANES = np.array([1 << 16 * (card & 3) + (card >> 2) for card in range(52)], dtype=np.uint64)

_SETS = np.arange(8192)
_SET_SIZES = np.array([ranks.bit_count() for ranks in range(8192)])
_LOW_SETS = (_SETS << 1 & 0x1FFF) | _SETS >> 12
"""By set of ranks with bit 0 the two: the same set with bit 0 the ace."""
_SET_SUMS = np.array(
    [sum(key for rank, key in enumerate(RANK_KEYS) if ranks >> rank & 1) for ranks in range(8192)], dtype=np.int32
)
_SET_SUMS[_SET_SIZES > 7] = 0
_LANE_SUMS = (_SET_SUMS + np.where(_SET_SIZES >= 5, _FLUSH_FLAG, 0)).astype(np.int32)
_SET_EIGHTS = _EIGHT[_LOW_SETS & 255]
_LOWEST = np.array([(ranks & -ranks).bit_length() - 1 for ranks in range(8192)])
_HIGHEST = np.array([ranks.bit_length() - 1 for ranks in range(8192)])


def _pairs(of_card: NDArray[Any], combine: Callable[[Any, Any], Any]) -> NDArray[Any]:
    """A value per two cards, addressed by the two bytes read as one little-endian word."""
    table = np.zeros((52, 256), dtype=of_card.dtype)
    table[:, :52] = combine(of_card[:, None], of_card[None, :])
    return table.reshape(-1)


_PAIR_KEYS = _pairs(_CARD_KEYS, np.add)
_PAIR_RANKS = _pairs(_CARD_RANKS, np.add)
_PAIR_EIGHTS = _pairs(_CARD_EIGHTS, np.bitwise_or)


def _a6_with() -> Strengths:
    """By ``rank * 8192 + set``: the best A-6 low of five different ranks of the set, that rank among them."""
    of_set = np.zeros(8192, dtype=np.uint16)
    for strength, low_ranks in enumerate(a6_sets(), PAIRED_CLASSES + 1):
        of_set[low_ranks] = strength
    table = np.zeros((13, 8192), dtype=np.uint16)
    for rank in range(13):
        with_rank = (_SETS >> rank & 1) > 0
        best = np.where(with_rank, of_set[_LOW_SETS], 0).astype(np.uint16)
        for size in (6, 7):
            grown = _SETS[with_rank & (size == _SET_SIZES)]
            for other in range(13):
                if other != rank:
                    having = grown[(grown >> other & 1) > 0]
                    best[having] = np.maximum(best[having], best[having ^ (1 << other)])
        table[rank] = best
    return table.reshape(-1)


_A6_WITH = _a6_with()


def packed(hands: NDArray[np.uint8]) -> NDArray[np.uint64]:
    """(N, k) uint8 card integers to (N,) uint64 packed hands."""
    lanes: NDArray[np.uint64] = np.bitwise_or.reduce(_LANES[hands], axis=1)
    return lanes


def high_batch(hands: Hands, size: int = 7) -> Strengths:
    """`strength.high` of each hand."""
    return _in_blocks(hands, size, _high_of_cards, _high_of_lanes)


def ace_to_five_batch(hands: Hands, size: int = 7) -> Strengths:
    """`strength.ace_to_five` of each hand."""
    return _in_blocks(hands, size, _a5_of_cards, _a5_of_lanes)


def eight_or_better_batch(hands: Hands, size: int = 7) -> Strengths:
    """`strength.eight_or_better` of each hand."""
    return _in_blocks(hands, size, _eight_of_cards, _eight_of_lanes)


def ace_to_six_batch(hands: Hands, size: int = 7) -> Strengths:
    """`strength.ace_to_six` of each hand."""
    return _in_blocks(hands, size, _a6_of_cards, _a6_of_lanes)


def _in_blocks(
    hands: Hands,
    size: int,
    of_cards: Callable[[NDArray[Any], Strengths], None],
    of_lanes: Callable[[NDArray[Any], Strengths, int], None],
) -> Strengths:
    """Run one of the two workers over blocks of hands. Raises ValueError for any other shape."""
    strengths = np.empty(len(hands), dtype=np.uint16)
    blocks = [slice(start, start + _BLOCK) for start in range(0, len(hands), _BLOCK)]
    if hands.dtype == np.uint8 and hands.ndim == 2 and hands.shape[1] == 7:
        cards = np.ascontiguousarray(hands)
        for block in blocks:
            of_cards(cards[block], strengths[block])
    elif hands.dtype == np.uint64 and hands.ndim == 1 and size in ROW_BITS:
        lanes = np.ascontiguousarray(hands, dtype="<u8").view("<u2").reshape(-1, 4)
        for block in blocks:
            of_lanes(lanes[block], strengths[block], size)
    else:
        raise ValueError(f"hands are (N, 7) uint8 or (N,) uint64 of 5 to 7, not {hands.shape} {hands.dtype} of {size}")
    return strengths


def _sum_cards(cards: NDArray[Any], pairs: NDArray[Any], singles: NDArray[Any]) -> NDArray[Any]:
    """The sum of a per-card value over seven cards: three two-card words and one byte a row."""
    words = cards[:, :6].view("<u2")
    total = pairs.take(words[:, 0])
    total += pairs.take(words[:, 1])
    total += pairs.take(words[:, 2])
    total += singles.take(cards[:, 6])
    return total


def _sum_lanes(lanes: NDArray[Any], sets: NDArray[Any]) -> NDArray[Any]:
    total = sets.take(lanes[:, 0])
    total += sets.take(lanes[:, 1])
    total += sets.take(lanes[:, 2])
    total += sets.take(lanes[:, 3])
    return total


def _look_up(sums: NDArray[Any], tables: dict[int, Strengths], out: Strengths, size: int = 7) -> None:
    """Strengths by rank sum, through the two-level hash; ``sums`` is used up."""
    bits = ROW_BITS[size]
    places = _SHIFTS[size].take(sums & (1 << bits) - 1)
    sums >>= bits
    places += sums
    tables[size].take(places, out=out, mode="clip")


def _high_of_cards(cards: NDArray[Any], out: Strengths) -> None:
    keys = _sum_cards(cards, _PAIR_KEYS, _CARD_KEYS)
    flushes = np.flatnonzero(_FLUSH_SUIT.take(keys & 255))
    keys >>= 8
    _look_up(keys, _HIGH, out)
    if len(flushes):
        _high_flushes(_lanes_of(cards[flushes]), flushes, out)


def _high_of_lanes(lanes: NDArray[Any], out: Strengths, size: int) -> None:
    sums = _sum_lanes(lanes, _LANE_SUMS)
    flushes = np.flatnonzero(sums & _FLUSH_FLAG)
    sums &= _FLUSH_FLAG - 1
    _look_up(sums, _HIGH, out, size)
    if len(flushes):
        _high_flushes(lanes[flushes], flushes, out)


def _a5_of_cards(cards: NDArray[Any], out: Strengths) -> None:
    _look_up(_sum_cards(cards, _PAIR_RANKS, _CARD_RANKS), _A5, out)


def _a5_of_lanes(lanes: NDArray[Any], out: Strengths, size: int) -> None:
    _look_up(_sum_lanes(lanes, _SET_SUMS), _A5, out, size)


def _eight_of_cards(cards: NDArray[Any], out: Strengths) -> None:
    words = cards[:, :6].view("<u2")
    ranks = _PAIR_EIGHTS.take(words[:, 0])
    ranks |= _PAIR_EIGHTS.take(words[:, 1])
    ranks |= _PAIR_EIGHTS.take(words[:, 2])
    ranks |= _CARD_EIGHTS.take(cards[:, 6])
    _EIGHT.take(ranks, out=out, mode="clip")


def _eight_of_lanes(lanes: NDArray[Any], out: Strengths, _size: int) -> None:
    ranks = lanes[:, 0] | lanes[:, 1]
    ranks |= lanes[:, 2]
    ranks |= lanes[:, 3]
    _SET_EIGHTS.take(ranks, out=out, mode="clip")


def _a6_of_cards(cards: NDArray[Any], out: Strengths) -> None:
    keys = _sum_cards(cards, _PAIR_KEYS, _CARD_KEYS)
    flushes = np.flatnonzero(_FLUSH_SUIT.take(keys & 255))
    keys >>= 8
    _look_up(keys, _A6, out)
    if len(flushes):
        _a6_flushes(_lanes_of(cards[flushes]), flushes, out)


def _a6_of_lanes(lanes: NDArray[Any], out: Strengths, size: int) -> None:
    sums = _sum_lanes(lanes, _LANE_SUMS)
    flushes = np.flatnonzero(sums & _FLUSH_FLAG)
    sums &= _FLUSH_FLAG - 1
    _look_up(sums, _A6, out, size)
    if len(flushes):
        _a6_flushes(lanes[flushes], flushes, out)


def _lanes_of(cards: NDArray[Any]) -> NDArray[Any]:
    return packed(cards).astype("<u8").view("<u2").reshape(-1, 4)


def _high_flushes(lanes: NDArray[Any], at: NDArray[Any], out: Strengths) -> None:
    out[at] = _FLUSHES[lanes].max(axis=1)


def _a6_flushes(lanes: NDArray[Any], at: NDArray[Any], out: Strengths) -> None:
    """Hands with five of a suit: a low of different ranks must use one of the at most two other cards."""
    in_suit = _SET_SIZES[lanes] >= 5
    others = np.bitwise_or.reduce(np.where(in_suit, 0, lanes), axis=1)
    ranks = np.bitwise_or.reduce(lanes, axis=1).astype(np.intp)
    best = np.maximum(_A6_WITH[_LOWEST[others] * 8192 + ranks], _A6_WITH[_HIGHEST[others] * 8192 + ranks])
    best[others == 0] = 0
    ignoring_suits = out[at]
    out[at] = np.where((ignoring_suits > PAIRED_CLASSES) | (others == 0), best, ignoring_suits)
