"""Deals of the unseen cards in plain Python: at random, or every one there is."""

from collections.abc import Callable, Collection, Iterator, Sequence
from itertools import combinations

from protocol.cards import Card
from replays.chances.spot import SeenHand, Spot
from server.engine.ranking.rankings import Ranking
from server.engine.ranking.wild_cards import high_with_wilds

_MASK = (1 << 64) - 1
KEPT = 5
"""Cards that a player keeps at bring 'em back."""


def shuffled(deck: list[Card], need: int, seed: int) -> Iterator[list[Card]]:
    """The deck, over and over, each time with other random cards on its first `need` places; changed in place.

    The generator is a 64-bit linear congruential one (Knuth's MMIX): the same seed gives the same deals everywhere.
    """
    state, size = seed, len(deck)
    while True:
        for at in range(need):
            state = (state * 6364136223846793005 + 1442695040888963407) & _MASK
            other = at + (state >> 33) % (size - at)
            deck[at], deck[other] = deck[other], deck[at]
        yield deck


def without_own(held: Collection[Card], drawn: Sequence[Card], spare: Iterator[Card]) -> Sequence[Card]:
    """The drawn cards of a hand, with a spare one for each that lies in the hand already.

    A deck has no such card. Where a bot forgets cards that lie face up, they come again, but not to their owner.
    """
    if not any(card in held for card in drawn):
        return drawn
    return [next((one for one in spare if one not in held), card) if card in held else card for card in drawn]


def number_of_deals(spot: Spot) -> int:
    """How many deals of the missing cards there are; the order of a hand's own cards does not count."""
    left, deals = len(spot.unseen), 1
    for size in _sizes(spot):
        for taken in range(size):
            deals = deals * (left - taken) // (taken + 1)
        left -= size
    return deals


def _sizes(spot: Spot) -> list[int]:
    return [spot.common, *[part for hand in spot.hands for part in (hand.hidden, hand.open)]]


def every_deal(spot: Spot) -> Iterator[tuple[tuple[Card, ...], ...]]:
    """Every deal: the cards in the middle, then for each hand its hidden and its open cards."""
    sizes = _sizes(spot)

    def parts(place: int, left: Sequence[Card]) -> Iterator[tuple[tuple[Card, ...], ...]]:
        if place == len(sizes):
            yield ()
            return
        for part in combinations(left, sizes[place]):
            rest = [card for card in left if card not in part] if part else left
            for others in parts(place + 1, rest):
                yield (part, *others)

    return parts(0, spot.unseen)


def random_deals(spot: Spot) -> Iterator[tuple[tuple[Card, ...], ...]]:
    """Random deals without end, in the form of `every_deal`."""
    bounds = []
    at = 0
    for size in _sizes(spot):
        bounds.append((at, at + size))
        at += size
    for deck in shuffled(list(spot.unseen), at, spot.seed):
        yield tuple([tuple(deck[first:last]) for first, last in bounds])


class Strengths:
    """How strong the hands of a spot are when the missing cards are dealt. The strengths met are kept."""

    def __init__(self, spot: Spot) -> None:
        self._spot = spot
        self._high = spot.terms.high
        self._low = spot.terms.low
        self._met: dict[tuple[object, ...], tuple[int, int]] = {}

    def of(self, deal: tuple[tuple[Card, ...], ...]) -> tuple[list[int], list[int]]:
        """(high, second) by place; second is the low, or the highest spade in the hole; 0 is no hand."""
        spot = self._spot
        wilds = _wilds_after(spot, deal) if spot.wilds_move else spot.wilds
        highs: list[int] = []
        seconds: list[int] = []
        for place, hand in enumerate(spot.hands):
            hidden, face_up = deal[2 * place + 1], deal[2 * place + 2]
            key = (place, deal[0], hidden, face_up, wilds)
            found = self._met.get(key)
            if found is None:
                found = self._strength(hand, deal[0], hidden, face_up, wilds)
                if hand.missing <= 3:  # more of them hardly come twice
                    self._met[key] = found
            highs.append(found[0])
            seconds.append(found[1])
        return highs, seconds

    def _strength(
        self,
        hand: SeenHand,
        common: tuple[Card, ...],
        hidden: tuple[Card, ...],
        face_up: tuple[Card, ...],
        wilds: tuple[int, ...],
    ) -> tuple[int, int]:
        fives = possible_hands(hand, (*common, *hidden, *face_up))
        strength_of = high_of(self._high, wilds)
        high = max(map(strength_of, fives)) if strength_of is not None else 0
        if self._spot.terms.spade:
            spades = [card + 1 for card in (*hand.hole, *hidden) if card & 3 == 3]
            return high, max(spades, default=0)
        return high, max(map(self._low.strength, fives)) if self._low is not None else 0


def possible_hands(hand: SeenHand, dealt: Sequence[Card]) -> list[tuple[Card, ...]]:
    """The hands from which the player's strength is taken: one, or all that can be the five cards they kept."""
    full = (*hand.cards, *dealt)
    if not hand.rolled:
        return [full]
    rest = [card for card in full if card not in hand.rolled]
    return [(*hand.rolled, *others) for others in combinations(rest, KEPT - len(hand.rolled))]


def high_of(ranking: Ranking | None, wilds: tuple[int, ...]) -> Callable[[Sequence[Card]], int] | None:
    """The strength of a high hand where these ranks are wild."""
    if ranking is None or not wilds:
        return ranking.strength if ranking is not None else None
    wild = frozenset([4 * rank + suit for rank in wilds for suit in range(4)])
    return lambda cards: high_with_wilds(cards, wild)


def _wilds_after(spot: Spot, deal: tuple[tuple[Card, ...], ...]) -> tuple[int, ...]:
    """The wild ranks when the open cards have been dealt street by street (`rules.md` 20)."""
    wilds, follows = spot.wilds, spot.next_is_wild
    for street in range(spot.hands[0].open):
        for place in spot.turns:
            rank = deal[2 * place + 2][street] >> 2
            if rank == spot.leader:
                wilds, follows = spot.always, True
            elif follows:
                wilds, follows = (*spot.always, rank), False
    return wilds
