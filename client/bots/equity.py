"""How much of the pot a hand will win on average, from what one seat can see.

The unseen cards are dealt out a fixed number of times, to the end of the hand, and the pot is divided each time.
The shuffles come from a generator that the cards themselves seed, so the same sight always gives the same chances.
Opponents count as having random hidden cards; what their bets say is for `client.bots.betting`.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from hashlib import blake2b

from client.bots.game_terms import Terms
from protocol.cards import Card, suit_of
from protocol.view import SeatView, TableView
from server.engine.ranking.rankings import WEAKEST_TWO_PAIR, Ranking
from server.engine.ranking.strength import eight_or_better
from server.engine.ranking.wild_cards import high_with_wilds

SAMPLES = 80
"""Deals per judgement: about 6 % of standard error, about a millisecond at a full table."""

_MASK = (1 << 64) - 1


@dataclass(frozen=True, slots=True)
class Sight:
    """A live hand as the judging seat sees it.

    Fields:
        cards: those it can see, for the seat itself all of them.
        missing: how many more the hand will have in the end, hidden ones included.
        declared: the direction, once it is known.
        hole: those of the cards that are in the hole.
    """

    cards: tuple[Card, ...]
    missing: int
    declared: str = ""
    hole: tuple[Card, ...] = ()


@dataclass(frozen=True, slots=True)
class Chances:
    """Average shares of the pot, 0 to 1: playing as it comes, for high only, for low only; and the fair share."""

    share: float
    high: float
    low: float
    fair: float

    @property
    def edge(self) -> float:
        """Share in units of the fair share: 1 is an average hand."""
        return self.share / self.fair

    @property
    def direction(self) -> str:
        """The direction that pays more."""
        return "low" if self.low > self.high else "high"


def chances(view: TableView, seat: int, terms: Terms) -> Chances:
    """What the hand in `seat` may expect against the live hands, judged with that seat's eyes only."""
    own, others, gone = sights(view, seat, terms)
    return judge(own, others, gone, view.wilds, terms)


def sights(view: TableView, seat: int, terms: Terms) -> tuple[Sight, tuple[Sight, ...], tuple[Card, ...]]:
    """What a seat sees: its own hand, the other live hands, and the cards that folded hands had shown."""
    others = [_other(other, view, terms) for other in view.in_hand() if other.seat != seat]
    gone = [card for other in view.seats if other.hand == "folded" and other.seat != seat for card in other.up]
    return _own(view.seat(seat), view, terms), tuple(others), tuple(sorted(gone))


def own_cards(own: SeatView) -> tuple[Card, ...]:
    """All cards the seat holds, as it sees them."""
    return tuple([card for card in (*own.up, *own.down) if card is not None])


def _missing(seat: SeatView, view: TableView, terms: Terms) -> int:
    """Cards still to come to the seat; none once hands have been brought back."""
    held = len(seat.up) + len(seat.down) + len(view.community)
    return 0 if view.keep else max(0, terms.size - held)


def _own(own: SeatView, view: TableView, terms: Terms) -> Sight:
    hole = tuple([card for card in own.down if card is not None])
    return Sight((*own.up, *hole, *view.community), _missing(own, view, terms), own.declared, hole)


def _other(other: SeatView, view: TableView, terms: Terms) -> Sight:
    # A full hand that was brought back still holds what had been face up; five arranged cards need not.
    brought = other.before if len(other.down) > view.keep > 0 else ()
    known = (*other.up, *brought, *view.community)
    hidden = len(other.down) - len(brought)
    return Sight(known, hidden + _missing(other, view, terms), other.declared)


@lru_cache(maxsize=1024)
def judge(
    own: Sight, others: tuple[Sight, ...], gone: tuple[Card, ...], wilds: tuple[int, ...], terms: Terms
) -> Chances:
    """The chances of a hand against others; `gone` are cards known to be dead. Pure, and remembered."""
    if not others:
        return Chances(1.0, 1.0, 1.0, 1.0)
    hands = (own, *others)
    seen = {card for hand in hands for card in hand.cards}.union(gone)
    deck = [card for card in range(52) if card not in seen]
    need = min(sum(hand.missing for hand in hands), len(deck))
    high_of = _high_of(terms.high, wilds)
    low_of = terms.low.strength if terms.low is not None else None
    state = int.from_bytes(blake2b(repr((own, others, gone)).encode(), digest_size=8).digest(), "big")
    share = as_high = as_low = 0.0
    for _ in range(SAMPLES):
        for at in range(need):
            state = (state * 6364136223846793005 + 1442695040888963407) & _MASK
            other = at + (state >> 33) % (len(deck) - at)
            deck[at], deck[other] = deck[other], deck[at]
        at = 0
        full: list[tuple[Card, ...]] = []
        spades: list[int] = []
        for hand in hands:
            drawn = deck[at : at + hand.missing]
            full.append((*hand.cards, *drawn))
            at += hand.missing
            if terms.spade:
                # Which of the cards to come will be up is not told apart: near enough for a guess.
                spades.append(max([card for card in (*hand.hole, *drawn) if suit_of(card) == 3], default=-1) + 1)
        highs = _strengths(full, high_of)
        lows = spades or _strengths(full, low_of)
        top, bottom = _declared(hands, full, highs, lows) if terms.declares else (highs, lows)
        share += _share(top, bottom)
        as_high += _share([highs[0], *top[1:]], [0, *bottom[1:]])
        as_low += _share([0, *top[1:]], [lows[0], *bottom[1:]])
    # Whoever has to declare may yet take the better direction, but does not know which it will be.
    best = (share + max(share, as_high, as_low)) / 2 if terms.declares and not own.declared else share
    return Chances(best / SAMPLES, as_high / SAMPLES, as_low / SAMPLES, 1 / len(hands))


def _high_of(ranking: Ranking | None, wilds: tuple[int, ...]) -> Callable[[Sequence[Card]], int] | None:
    if ranking is None or not wilds:
        return ranking.strength if ranking is not None else None
    wild = frozenset([4 * rank + suit for rank in wilds for suit in range(4)])
    return lambda cards: high_with_wilds(cards, wild)


def _strengths(hands: list[tuple[Card, ...]], strength: Callable[[Sequence[Card]], int] | None) -> list[int]:
    """0 for everybody in a direction that pays nothing, and for hands too short to be one."""
    if strength is None:
        return [0] * len(hands)
    return [strength(cards) if len(cards) >= 5 else 0 for cards in hands]


def _declared(
    hands: tuple[Sight, ...], full: list[tuple[Card, ...]], highs: list[int], lows: list[int]
) -> tuple[list[int], list[int]]:
    """The strengths left when everybody has declared: as known, or low with an eight-low and less than two pair."""
    top: list[int] = []
    bottom: list[int] = []
    for hand, cards, up, down in zip(hands, full, highs, lows, strict=True):
        low = (
            hand.declared == "low"
            if hand.declared
            else down > 0 and up < WEAKEST_TWO_PAIR and eight_or_better(cards) > 0
        )
        top.append(0 if low else up)
        bottom.append(down if low else 0)
    return top, bottom


def _share(highs: list[int], lows: list[int]) -> float:
    """The first hand's part of one pot (`rules.md` 5): a direction without a hand leaves everything to the other."""
    high, low = max(highs), max(lows)
    up = 1 / highs.count(high) if high and highs[0] == high else 0.0
    down = 1 / lows.count(low) if low and lows[0] == low else 0.0
    return (up + down) / 2 if high and low else up + down
