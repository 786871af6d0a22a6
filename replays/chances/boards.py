"""What the hand behind a board can be at this moment, at best: counted, from what one seat can see."""

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import combinations

from protocol.cards import Card
from protocol.events import Seat
from replays.chances.deals import KEPT
from replays.chances.spot import SeenHand, Spot
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
    return tuple([_limit(hand, spot) for hand in spot.hands[1:] if _countable(hand)])


def _countable(hand: SeenHand) -> bool:
    return hand.now <= _MOST_HIDDEN and len(hand.cards) + hand.now >= 5


def _limit(hand: SeenHand, spot: Spot) -> BoardLimit:
    high, low = spot.terms.high, spot.terms.low
    return BoardLimit(
        hand.seat,
        _best(high, hand, spot.unseen) if high is not None and hand.declared != "low" else None,
        _best(low, hand, spot.unseen) if low is not None and hand.declared != "high" else None,
    )


def _best(ranking: Ranking, hand: SeenHand, unseen: tuple[Card, ...]) -> str:
    best = max(_possible(hand, unseen), key=ranking.strength)
    return ranking.name(best) if ranking.strength(best) else NO_LOW


def _possible(hand: SeenHand, unseen: tuple[Card, ...]) -> Iterator[tuple[Card, ...]]:
    """All hands that this one can be; of a hand that was arranged all fives with the rolled cards."""
    if hand.rolled is None:
        for hidden in combinations(unseen, hand.now):
            yield (*hand.cards, *hidden)
        return
    known = [card for card in hand.cards if card not in hand.rolled]
    need = KEPT - len(hand.rolled)
    for hidden_kept in range(max(0, need - len(known)), min(need, hand.now) + 1):
        for hidden in combinations(unseen, hidden_kept):
            for others in combinations(known, need - hidden_kept):
                yield (*hand.rolled, *others, *hidden)
