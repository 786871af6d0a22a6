"""Which cards make a hand and which say nothing: what to show, what to give away, in what order to roll."""

from collections.abc import Sequence
from dataclasses import dataclass

from client.bots.equity import Chances
from client.bots.game_terms import Terms
from protocol.cards import Card, rank_of, suit_of

EIGHT = 8
"""The largest low card in pips that belongs in a good low."""


def pips(card: Card) -> int:
    """1 for an ace, 2 for a two, 13 for a king."""
    return (rank_of(card) + 1) % 13 + 1


@dataclass(frozen=True, slots=True)
class Holding:
    """A hand and what it is worth in each direction.

    Fields:
        cards: all cards of the hand, up and down.
        terms: what the game pays.
        chances: of the hand, to weigh the two directions.
        wilds: ranks that are wild.
    """

    cards: tuple[Card, ...]
    terms: Terms
    chances: Chances
    wilds: tuple[int, ...] = ()

    def weight(self, card: Card) -> float:
        """How much the card helps the hand, and so how much it tells; comparable within a hand."""
        if rank_of(card) in self.wilds:
            return 10.0
        up, down = max(self.chances.high, 0.01), max(self.chances.low, 0.01)
        total = 0.0
        if self.terms.high is not None:
            total += self._for_high(card) * up / (up + down)
        if self.terms.low is not None:
            total += self._for_low(card) * down / (up + down)
        return total

    def _for_high(self, card: Card) -> float:
        mates = sum(rank_of(other) == rank_of(card) for other in self.cards) - 1
        suited = sum(suit_of(other) == suit_of(card) for other in self.cards)
        near = len({rank_of(other) for other in self.cards if abs(rank_of(other) - rank_of(card)) <= 4})
        return 3 * mates + 0.6 * max(0, suited - 2) + 0.3 * max(0, near - 2) + rank_of(card) / 12

    def _for_low(self, card: Card) -> float:
        if pips(card) > EIGHT:
            return 0.0
        twins = sum(rank_of(other) == rank_of(card) for other in self.cards)
        return (1 + (EIGHT - pips(card)) / 4) / twins

    def least_telling(self, cards: Sequence[Card]) -> list[Card]:
        """Some of its cards, the least telling first; between equals the newest first."""
        newest_first = list(reversed(cards))
        return sorted(newest_first, key=self.weight)

    def best_five(self, direction: str) -> tuple[Card, ...]:
        """The five cards to keep for that direction; none if they make no hand there."""
        ranking = self.terms.low if direction == "low" else self.terms.high
        return ranking.best(self.cards) if ranking is not None and len(self.cards) >= 5 else ()


def to_show(holding: Holding, offered: Sequence[Card], shown: Sequence[Card], count: int) -> tuple[Card, ...]:
    """Turns up what says least; `shown` is what already lies face up."""
    if holding.terms.high is None and holding.terms.brings_in and not shown:
        # Where only low wins the highest first card pays the forced bet: show the largest that is still a low card.
        in_order = sorted(offered, key=pips)
        good = [card for card in in_order if pips(card) <= EIGHT]
        return tuple((good[::-1] + in_order[len(good) :])[:count])
    return tuple(holding.least_telling(offered)[:count])


def to_give(holding: Holding, offered: Sequence[Card], count: int) -> tuple[Card, ...]:
    """Exactly `count` cards to pass on: first those that the better five do without."""
    kept = set(holding.best_five(holding.chances.direction))
    order = holding.least_telling(offered)
    return tuple(sorted(order, key=kept.__contains__)[:count])


def to_throw(holding: Holding, offered: Sequence[Card], count: int) -> tuple[Card, ...]:
    """Up to `count` cards to throw away: none that the hand would miss."""
    order = holding.least_telling(offered)
    if len(holding.cards) > 5:
        kept = set(holding.best_five(holding.chances.direction))
        return tuple([card for card in order if card not in kept][:count])
    return tuple([card for card in order if holding.weight(card) < 1][:count])


def rolling_order(kept: Sequence[Card], holding: Holding, seen: Sequence[Card]) -> tuple[Card, ...]:
    """The kept cards in the order in which to roll them: what the others have seen before, then the least telling."""
    known = set(seen)
    order = Holding(tuple(kept), holding.terms, holding.chances, holding.wilds).least_telling(kept)
    return tuple(sorted(order, key=lambda card: card not in known))
