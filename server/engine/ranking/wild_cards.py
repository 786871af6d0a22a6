"""The high ranking with wild cards.

A wild card stands for any card that the hand does not hold already, and five of a kind beats a straight flush. To try
every replacement would take long. So the categories are tried from the best to the worst: how many wild cards would
this one need? The first category that the wild cards reach is the hand.
"""

from collections.abc import Collection, Iterator, Sequence
from itertools import combinations

from protocol.cards import Card
from server.engine.ranking.hand_names import NUMBERS, PLURALS, high_name, reading_order
from server.engine.ranking.lookup_tables import HIGH_CLASSES
from server.engine.ranking.strength import high

_FALLING = range(12, -1, -1)
_STRAIGHTS = (*(tuple(range(top, top - 5, -1)) for top in range(12, 3, -1)), (3, 2, 1, 0, 12))


def high_with_wilds(cards: Sequence[Card], wild: Collection[Card]) -> int:
    """The strength of the best high hand of five or more cards, some of them wild.

    Compares with `high`; five of a kind is above its 7,462 classes, up to 7,475 for five aces. Raises ValueError for
    fewer than five cards.
    """
    jokers = sum(card in wild for card in cards)
    if not jokers or len(cards) < 5:
        return high(cards)
    naturals = [card for card in cards if card not in wild]
    counts = [0] * 13
    for card in naturals:
        counts[card >> 2] += 1
    for rank in _FALLING:
        if counts[rank] + jokers >= 5:
            return HIGH_CLASSES + 1 + rank
    return high(next(_candidates(naturals, counts, jokers)))


def name_with_wilds(cards: Sequence[Card], wild: Collection[Card]) -> str:
    """What players call the best high hand, with wild cards as the cards that they stand for: "five aces"."""
    strength = high_with_wilds(cards, wild)
    if strength > HIGH_CLASSES:
        return f"{NUMBERS[5]} {PLURALS[strength - HIGH_CLASSES - 1]}"
    naturals = [card for card in cards if card not in wild]
    jokers = len(cards) - len(naturals)
    if not jokers:
        return high_name(reading_order(_playing(cards), ace_low=False))
    counts = [0] * 13
    for card in naturals:
        counts[card >> 2] += 1
    return high_name(reading_order(next(_candidates(naturals, counts, jokers)), ace_low=False))


def _playing(cards: Sequence[Card]) -> tuple[Card, ...]:
    strength = high(cards)
    return next(five for five in combinations(cards, 5) if high(five) == strength)


def _candidates(naturals: Sequence[Card], counts: Sequence[int], jokers: int) -> Iterator[list[Card]]:
    """For each category that the wild cards reach, five cards that are the best hand of it; the best category first.

    With a wild card there is always at least a pair.
    """
    suits = [{card >> 2 for card in naturals if card & 3 == suit} for suit in range(4)]
    for run in _STRAIGHTS:
        for held in suits:
            if sum(rank in held for rank in run) + jokers >= 5:
                yield [4 * rank for rank in run]
    kickers = [rank for rank in _FALLING for _ in range(counts[rank])]
    for rank in _FALLING:
        if counts[rank] + jokers >= 4:
            yield _apart([rank] * 4 + [kicker for kicker in kickers if kicker != rank][:1])
    for three in _FALLING:
        left = jokers - max(0, 3 - counts[three])
        for two in _FALLING:
            if left >= 0 and two != three and counts[two] + left >= 2:
                yield _apart([three] * 3 + [two] * 2)
    flushes = [_filled(held, jokers) for held in suits if len(held) + jokers >= 5]
    if flushes:
        yield [4 * rank for rank in max(flushes)]
    for run in _STRAIGHTS:
        if sum(counts[rank] > 0 for rank in run) + jokers >= 5:
            yield _apart(run)
    for size in (3, 2):
        for rank in _FALLING:
            if counts[rank] + jokers >= size:
                yield _apart([rank] * size + [kicker for kicker in kickers if kicker != rank][: 5 - size])


def _filled(held: set[int], jokers: int) -> list[int]:
    """The best five ranks of one suit if wild cards fill the highest gaps."""
    ranks: list[int] = []
    for rank in _FALLING:
        if rank not in held:
            if not jokers:
                continue
            jokers -= 1
        ranks.append(rank)
    return ranks[:5]


def _apart(ranks: Sequence[int]) -> list[Card]:
    """Cards of those ranks that are no flush; equal ranks must stand together."""
    return [4 * rank + (place + (place == 4)) % 4 for place, rank in enumerate(ranks)]
