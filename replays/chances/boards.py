"""What the hand behind a board can be at this moment, at best: counted, from what one seat can see."""

from dataclasses import dataclass
from functools import lru_cache
from itertools import combinations

from protocol.cards import Card
from protocol.events import Seat
from replays.chances.deals import KEPT
from replays.chances.spot import SeenHand, Spot
from replays.chances.terms import GameTerms
from server.engine.ranking.rankings import Ranking

NO_LOW = "no low"
_MOST_HIDDEN = 3
"""Hidden cards up to which all of them are tried; seven hidden cards can be anything."""


@dataclass(frozen=True, slots=True)
class BoardLimit:
    """The best that a hand can be now; with five cards or more, of which at most three are hidden.

    Fields:
        high, low: the name of the hand, ``four kings``; None where the game does not pay that way, or the seat has
        declared the other; the low may say that there is none.
    """

    seat: Seat
    high: str | None
    low: str | None


def board_limits(spot: Spot) -> tuple[BoardLimit, ...]:
    """The opponents of whose hands something can be said; nobody where cards are wild."""
    if spot.wild:
        return ()
    return tuple([_limit(hand, spot.unseen, spot.terms) for hand in spot.hands[1:] if _countable(hand)])


def _countable(hand: SeenHand) -> bool:
    return hand.now <= _MOST_HIDDEN and len(hand.cards) + hand.now >= 5


@lru_cache(maxsize=256)
def _limit(hand: SeenHand, unseen: tuple[Card, ...], terms: GameTerms) -> BoardLimit:
    """Kept, because most decisions of a betting round come from the same cards."""
    high, low = terms.high, terms.low
    possible = _possible(hand, unseen)
    return BoardLimit(
        hand.seat,
        _best(high, possible) if high is not None and hand.declared != "low" else None,
        _best(low, possible) if low is not None and hand.declared != "high" else None,
    )


def _best(ranking: Ranking, possible: list[tuple[Card, ...]]) -> str:
    best = max(possible, key=ranking.strength)
    return ranking.name(best) if ranking.strength(best) else NO_LOW


def _possible(hand: SeenHand, unseen: tuple[Card, ...]) -> list[tuple[Card, ...]]:
    """All hands that this one can be, one of those that are alike; of an arranged hand all fives with the rolled cards.

    Five thousand hands a moment, and there are many moments in an evening: most of them differ in suits alone.
    """
    alike = _alike(hand, unseen)
    if hand.rolled is None:
        return _filled([hand.cards], alike, hand.now)
    known = [card for card in hand.cards if card not in hand.rolled]
    need = KEPT - len(hand.rolled)
    fives: list[tuple[Card, ...]] = []
    for hidden_kept in range(max(0, need - len(known)), min(need, hand.now) + 1):
        begun = [(*hand.rolled, *others) for others in combinations(known, need - hidden_kept)]
        fives += _filled(begun, alike, hidden_kept)
    return fives


def _alike(hand: SeenHand, unseen: tuple[Card, ...]) -> list[list[Card]]:
    """The unseen cards in groups: cards of one rank are alike in this hand, except in suits that can make a flush."""
    suits = [card & 3 for card in hand.cards]
    flushes = [suits.count(suit) + hand.now >= 5 for suit in range(4)]
    groups: dict[tuple[int, int | None], list[Card]] = {}
    for card in unseen:
        suit = card & 3
        groups.setdefault((card >> 2, suit if flushes[suit] else None), []).append(card)
    return list(groups.values())


def _filled(begun: list[tuple[Card, ...]], groups: list[list[Card]], count: int) -> list[tuple[Card, ...]]:
    """These hands with every choice of so many cards more; what counts is how many cards of each group are chosen."""
    grown: list[list[tuple[Card, ...]]] = [begun, *[[] for _ in range(count)]]  # by the number of cards added
    for group in groups:
        for added in range(count, 0, -1):
            for taken in range(1, min(added, len(group)) + 1):
                grown[added] += [(*hand, *group[:taken]) for hand in grown[added - taken]]
    return grown[count]
