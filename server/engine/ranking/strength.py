"""How strong a hand is, as one number: larger is better in every ranking, 0 is no hand.

Suits matter for flushes only. So the strength of a hand without a flush follows from its ranks alone, and there are few
enough handfuls of ranks to keep the strength of each in a table. The keys of the cards are added up; the low byte of
the sum tells whether five cards are of one suit, the rest finds the handful in the table (`lookup_tables` explains
how). A hand with a flush takes another way: for the high ranking the ranks of that suit decide, and for the ace-to-six
low at least one card must come from outside the suit.

Hands are sequences of different cards. Five, six and seven cards are looked up, more are tried seven at a time, fewer
than five raise ValueError. Strengths of different rankings do not compare: `high` runs to 7462 (five of a kind with
wild cards is above that), `ace_to_five` to 6175, `eight_or_better` to 56 and `ace_to_six` to 6165.
"""

from array import array
from collections.abc import Callable, Sequence
from itertools import combinations

from protocol.cards import Card
from server.engine.ranking.build_tables import fallback_low_order
from server.engine.ranking.lookup_tables import (
    CARD_KEYS,
    HIGH_CLASSES,
    KEY_START,
    LOW_RANK_BITS,
    PAIRED_CLASSES,
    RANK_BIAS,
    RANK_KEYS,
    ROW_BITS,
    Words,
    a6_sets,
    eight_table,
    flush_suits,
    shipped,
)

_CARD_KEY = list(CARD_KEYS)
_RANK_KEY = [RANK_KEYS[card >> 2] for card in range(52)]
# PERF: the keys of two cards in one look-up; a hand of seven takes four look-ups instead of eight.
_TWO_KEYS = [[one + other for other in _CARD_KEY] for one in _CARD_KEY]
_FIRST_TWO_KEYS = [[KEY_START + keys for keys in row] for row in _TWO_KEYS]
_RANK_ROWS = [[one + other for other in _RANK_KEY] for one in RANK_KEYS]
_TWO_RANKS = [_RANK_ROWS[card >> 2] for card in range(52)]  # a row for all cards of a rank fits into the cache
_EIGHT_BIT = [bit & 255 for bit in LOW_RANK_BITS]

_A6_SETS = a6_sets()
_A6_OF_SET = {low_ranks: PAIRED_CLASSES + place for place, low_ranks in enumerate(_A6_SETS, 1)}
_A6_RANKS = [0x1FFF] * (PAIRED_CLASSES + 1) + _A6_SETS
"""By A-6 strength: the set of low ranks that makes it; all ranks where the hand has a pair."""

_EIGHT = eight_table()
_INTS = list(range(HIGH_CLASSES + 1))  # one object for each strength keeps the tables small in the cache
_FLUSHES = shipped().flushes
_FLUSH_SUIT = {size: flush_suits(size) for size in ROW_BITS}
_HIGH = {size: table.high for size, table in shipped().by_size.items()}
_A5 = {size: table.a5 for size, table in shipped().by_size.items()}
_A6 = {size: table.a6 for size, table in shipped().by_size.items()}
_SHIFTS = {
    # Words, since a list would lead to 8,192 objects all over the memory; the strengths above are few, and shared.
    size: array("H", [shift + (RANK_BIAS >> bits) for shift in shipped().by_size[size].shifts])
    for size, bits in ROW_BITS.items()
}
_RANK_SHIFTS7 = shipped().by_size[7].shifts
_FLUSH_SUIT7, _SHIFTS7 = _FLUSH_SUIT[7], _SHIFTS[7]
# Only seven cards are ranked so often that lists, which are read faster than arrays, are worth the time to make them.
_HIGH7, _A57, _A67 = (list(map(_INTS.__getitem__, tables[7])) for tables in (_HIGH, _A5, _A6))


def high(cards: Sequence[Card]) -> int:
    """The best five-card high hand (`rules.md` 2.1)."""
    try:
        a, b, c, d, e, f, g = cards
    except ValueError:
        return _other_size(cards, _HIGH, high, _flush_high)
    key = _FIRST_TWO_KEYS[a][b] + _TWO_KEYS[c][d] + _TWO_KEYS[e][f] + _CARD_KEY[g]
    if suit := _FLUSH_SUIT7[key & 255]:
        return _flush_high(cards, suit, 0)
    return _HIGH7[_SHIFTS7[key >> 8 & 8191] + (key >> 21)]


def ace_to_five(cards: Sequence[Card]) -> int:
    """The best low where straights and flushes do not exist (`rules.md` 2.2); every hand has one."""
    try:
        a, b, c, d, e, f, g = cards
    except ValueError:
        return _other_size(cards, _A5, ace_to_five, _flush_nothing)
    ranks = _TWO_RANKS[a][b] + _TWO_RANKS[c][d] + _TWO_RANKS[e][f] + _RANK_KEY[g]
    return _A57[_RANK_SHIFTS7[ranks & 8191] + (ranks >> 13)]


def eight_or_better(cards: Sequence[Card]) -> int:
    """The best low of five different ranks of eight or under (`rules.md` 2.3); 0 without one."""
    try:
        a, b, c, d, e, f, g = cards
    except ValueError:
        return _eight_of_some(cards)
    return _EIGHT[
        _EIGHT_BIT[a] | _EIGHT_BIT[b] | _EIGHT_BIT[c] | _EIGHT_BIT[d] | _EIGHT_BIT[e] | _EIGHT_BIT[f] | _EIGHT_BIT[g]
    ]


def ace_to_six(cards: Sequence[Card]) -> int:
    """The best low that is no straight and no flush (`rules.md` 2.4); 0 if every five cards are one."""
    try:
        a, b, c, d, e, f, g = cards
    except ValueError:
        return _other_size(cards, _A6, ace_to_six, _flush_a6)
    key = _FIRST_TWO_KEYS[a][b] + _TWO_KEYS[c][d] + _TWO_KEYS[e][f] + _CARD_KEY[g]
    strength = _A67[_SHIFTS7[key >> 8 & 8191] + (key >> 21)]
    if suit := _FLUSH_SUIT7[key & 255]:
        return _flush_a6(cards, suit, strength)
    return strength


def ace_to_six_fallback(cards: Sequence[Card]) -> int:
    """The best low in the whole A-6 order, in which straights and flushes are bad lows (`rules.md` 7.4).

    For hands in which everybody has declared low and nobody has a low. These strengths compare with each other only,
    and are never 0. Raises ValueError for fewer than five cards.
    """
    if len(cards) < 5:
        raise ValueError(f"a hand takes five cards or more, not {len(cards)}")
    return max(map(_fallback_of_five, combinations(cards, 5)))


def _fallback_of_five(cards: Sequence[Card]) -> int:
    order = fallback_low_order([card >> 2 for card in cards], len({card & 3 for card in cards}) == 1)
    strength = 0
    for place in range(6):
        strength = strength * 14 + 13 + (order[place] if place < len(order) else 0)
    return strength


def _other_size(
    cards: Sequence[Card],
    tables: dict[int, Words],
    of_seven: Callable[[Sequence[Card]], int],
    flush: Callable[[Sequence[Card], int, int], int],
) -> int:
    size = len(cards)
    if size > 7:
        return max(map(of_seven, combinations(cards, 7)))
    if size < 5:
        raise ValueError(f"a hand takes five cards or more, not {size}")
    key = sum([_CARD_KEY[card] for card in cards], KEY_START)
    suit = _FLUSH_SUIT[size][key & 255]
    key >>= 8
    bits = ROW_BITS[size]
    strength = tables[size][_SHIFTS[size][key & (1 << bits) - 1] + (key >> bits)]
    return flush(cards, suit, strength) if suit else strength


def _eight_of_some(cards: Sequence[Card]) -> int:
    if len(cards) < 5:
        raise ValueError(f"a hand takes five cards or more, not {len(cards)}")
    low_ranks = 0
    for card in cards:
        low_ranks |= _EIGHT_BIT[card]
    return _EIGHT[low_ranks]


def _flush_nothing(_cards: Sequence[Card], _suit: int, strength: int) -> int:
    return strength


def _flush_high(cards: Sequence[Card], suit: int, _strength: int) -> int:
    """The best flush: with five cards of a suit among seven there is no room for a full house or four of a kind."""
    ranks = 0
    for card in cards:
        if card & 3 == suit - 1:
            ranks |= 1 << (card >> 2)
    return _FLUSHES[ranks]


def _flush_a6(cards: Sequence[Card], suit: int, strength: int) -> int:
    """The best A-6 low with a card from outside the suit; `strength` is the best low if suits are ignored."""
    ranks = others = 0
    for card in cards:
        if card & 3 == suit - 1:
            ranks |= LOW_RANK_BITS[card]
        else:
            others |= LOW_RANK_BITS[card]
    if others & _A6_RANKS[strength]:
        return strength  # the hand has one of its ranks in another suit
    ranks |= others
    best = 0
    while others:
        other = others & -others
        others ^= other
        best = max(best, _best_a6_with(other, ranks ^ other))
    return best


def _best_a6_with(other: int, ranks: int) -> int:
    """The best A-6 low of one given low rank and four others; the five lowest of the others are enough to try."""
    five = 0
    for _ in range(5):
        five |= ranks & -ranks
        ranks &= ranks - 1
    best = 0
    left_out = five
    while left_out:
        best = max(best, _A6_OF_SET.get(other | five ^ (left_out & -left_out), 0))
        left_out &= left_out - 1
    return best
