"""The four rankings once more, written as plainly as possible, to check the tables against.

Nothing here looks at the engine: five cards become a tuple that compares as the
rules say (larger is better, None is no hand), and any number of cards is the best of its fives.
"""

import random
from collections import Counter
from collections.abc import Callable, Sequence
from itertools import combinations

from protocol.cards import Card

Key = tuple[int, ...]
KeyOfFive = Callable[[Sequence[Card]], Key | None]

_CATEGORIES = {
    (1, 1, 1, 1, 1): 0,
    (2, 1, 1, 1): 1,
    (2, 2, 1): 2,
    (3, 1, 1): 3,
    (3, 2): 6,
    (4, 1): 7,
}


def _grouped(ranks: Sequence[int]) -> tuple[int, list[int]]:
    groups = sorted(((count, rank) for rank, count in Counter(ranks).items()), reverse=True)
    return _CATEGORIES[tuple(count for count, _ in groups)], [rank for _, rank in groups]


def _aces_high(cards: Sequence[Card]) -> list[int]:
    return [card // 4 + 2 for card in cards]


def _aces_low(cards: Sequence[Card]) -> list[int]:
    return [1 if rank == 14 else rank for rank in _aces_high(cards)]


def _straight(ranks: Sequence[int]) -> bool:
    return sorted(ranks) == list(range(min(ranks), min(ranks) + 5))


def _flush(cards: Sequence[Card]) -> bool:
    return len({card % 4 for card in cards}) == 1


def high_key(cards: Sequence[Card]) -> Key:
    """`rules.md` 2.1."""
    category, ranks = _grouped(_aces_high(cards))
    for reading in (_aces_high(cards), _aces_low(cards)):
        if _straight(reading):
            return (8 if _flush(cards) else 4, max(reading))
    return (5 if _flush(cards) else category, *ranks)


def ace_to_five_key(cards: Sequence[Card]) -> Key:
    """`rules.md` 2.2."""
    category, ranks = _grouped(_aces_low(cards))
    return tuple(-x for x in (category, *ranks))


def eight_or_better_key(cards: Sequence[Card]) -> Key | None:
    """`rules.md` 2.3."""
    ranks = _aces_low(cards)
    return ace_to_five_key(cards) if len(set(ranks)) == 5 and max(ranks) <= 8 else None


def ace_to_six_key(cards: Sequence[Card]) -> Key | None:
    """`rules.md` 2.4."""
    if _flush(cards) or _straight(_aces_high(cards)) or _straight(_aces_low(cards)):
        return None
    return ace_to_five_key(cards)


def best_key(cards: Sequence[Card], key: KeyOfFive) -> Key | None:
    """The best of all five-card sets that are a hand at all."""
    return max((k for k in map(key, combinations(cards, 5)) if k is not None), default=None)


def random_hand(rng: random.Random, size: int) -> list[Card]:
    """Any cards."""
    return rng.sample(range(52), size)


def suited_hand(rng: random.Random, size: int) -> list[Card]:
    """Cards of which at least five, up to all, are of one suit: rare in deals, most of the cases in code."""
    suit = rng.randrange(4)
    count = rng.randint(5, size)
    inside = [card for card in range(52) if card % 4 == suit]
    outside = [card for card in range(52) if card % 4 != suit]
    hand = rng.sample(inside, count) + rng.sample(outside, size - count)
    rng.shuffle(hand)
    return hand
