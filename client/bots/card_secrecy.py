"""Which cards make a hand and which reveal little: what to show, what to give away, in what order to roll."""

from collections.abc import Sequence
from dataclasses import dataclass

from client.bots.equity import Equity
from protocol.cards import Card, rank_of, suit_of
from replays.chances.terms import GameTerms
from server.engine.ranking.card_order import EIGHT, low_rank

WILD_WEIGHT = 10.0
"""The weight of a wild card: more than any other card can have."""


@dataclass(frozen=True, slots=True)
class Holding:
    """A hand, and what it is worth in each direction.

    Fields:
        cards: all cards of the hand, up and down.
        terms: what the game pays.
        equity: of the hand, to weigh the two directions.
        wilds: ranks that are wild.
    """

    cards: tuple[Card, ...]
    terms: GameTerms
    equity: Equity
    wilds: tuple[int, ...] = ()

    def weight(self, card: Card) -> float:
        """How much the card helps the hand, and so how much it reveals; comparable within one hand."""
        if rank_of(card) in self.wilds:
            return WILD_WEIGHT
        up, down = max(self.equity.high, 0.01), max(self.equity.low, 0.01)
        total = 0.0
        if self.terms.high is not None:
            total += self._for_high(card) * up / (up + down)
        if self.terms.low is not None:
            total += self._for_low(card) * down / (up + down)
        return total

    def _for_high(self, card: Card) -> float:
        paired = sum(rank_of(other) == rank_of(card) for other in self.cards) - 1
        suited = sum(suit_of(other) == suit_of(card) for other in self.cards)
        near = len({rank_of(other) for other in self.cards if abs(rank_of(other) - rank_of(card)) <= 4})
        return 3 * paired + 0.6 * max(0, suited - 2) + 0.3 * max(0, near - 2) + rank_of(card) / 12

    def _for_low(self, card: Card) -> float:
        if low_rank(card) > EIGHT:
            return 0.0
        same_rank = sum(rank_of(other) == rank_of(card) for other in self.cards)
        return (1 + (EIGHT - low_rank(card)) / 4) / same_rank

    def least_revealing(self, cards: Sequence[Card]) -> list[Card]:
        """Some cards of the hand, the least revealing first; between equal cards the newest first."""
        newest_first = list(reversed(cards))
        return sorted(newest_first, key=self.weight)

    def best_five(self, direction: str) -> tuple[Card, ...]:
        """The five cards to keep for that direction; none if they make no hand there."""
        ranking = self.terms.low if direction == "low" else self.terms.high
        return ranking.best(self.cards) if ranking is not None and len(self.cards) >= 5 else ()


def cards_to_show(holding: Holding, offered: Sequence[Card], upcards: Sequence[Card], count: int) -> tuple[Card, ...]:
    """The least revealing cards to turn up, beside the hand's `upcards`."""
    if holding.terms.high is None and holding.terms.brings_in and not upcards:
        # Where only low wins, the highest first card pays the forced bet: show the largest that is still a low card.
        in_order = sorted(offered, key=low_rank)
        good = [card for card in in_order if low_rank(card) <= EIGHT]
        return tuple((good[::-1] + in_order[len(good) :])[:count])
    return tuple(holding.least_revealing(offered)[:count])


def cards_to_pass(holding: Holding, offered: Sequence[Card], count: int) -> tuple[Card, ...]:
    """Exactly `count` cards to pass to another player: first the cards that are not among the best five."""
    kept = set(holding.best_five(holding.equity.direction))
    order = holding.least_revealing(offered)
    return tuple(sorted(order, key=kept.__contains__)[:count])


def cards_to_discard(holding: Holding, offered: Sequence[Card], count: int) -> tuple[Card, ...]:
    """Up to `count` cards that the hand can do without."""
    order = holding.least_revealing(offered)
    if len(holding.cards) > 5:
        kept = set(holding.best_five(holding.equity.direction))
        return tuple([card for card in order if card not in kept][:count])
    return tuple([card for card in order if holding.weight(card) < 1][:count])


def rolling_order(kept: Sequence[Card], holding: Holding, seen: Sequence[Card]) -> tuple[Card, ...]:
    """The kept cards in the order in which to roll them: first the cards that others have `seen`, then by weight."""
    known = set(seen)
    order = Holding(tuple(kept), holding.terms, holding.equity, holding.wilds).least_revealing(kept)
    return tuple(sorted(order, key=lambda card: card not in known))
