"""Equity: how much of the pot a hand wins on average, judged by what one seat can see.

It is a Monte Carlo estimate. The unseen cards are dealt out a fixed number of times, to the end of the hand, and the
pot is divided each time. The generator of the shuffles is seeded with the visible cards, so the same situation always
gives the same equity. Opponents are given random hidden cards; `client.bots.betting` considers what their bets say.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from hashlib import blake2b

from client.bots.game_terms import GameTerms
from protocol.cards import Card, suit_of
from protocol.seat_view import SeatView
from protocol.view import TableView
from server.engine.ranking.rankings import WEAKEST_TWO_PAIR, Ranking
from server.engine.ranking.strength import eight_or_better
from server.engine.ranking.wild_cards import high_with_wilds

SAMPLES = 80
"""Deals for one estimate: about 6 % of standard error, about a millisecond at a full table."""

_SPADES = 3
_MASK = (1 << 64) - 1


@dataclass(frozen=True, slots=True)
class VisibleHand:
    """A live hand, as the judging seat sees it.

    Fields:
        cards: the cards that the judging seat can see; all cards if the hand is its own.
        missing: how many more the hand will have in the end, its hidden cards included.
        declared: the direction, once it is known.
        hole: the visible cards that are in the hole.
    """

    cards: tuple[Card, ...]
    missing: int
    declared: str = ""
    hole: tuple[Card, ...] = ()


@dataclass(frozen=True, slots=True)
class Equity:
    """Average shares of the pot, 0 to 1.

    Fields:
        share: when the hand plays as well as it can; high, low: when it plays for one direction only.
        fair: the share of an average hand: 1 divided by the number of hands.
    """

    share: float
    high: float
    low: float
    fair: float

    @property
    def edge(self) -> float:
        """The share divided by the fair share: 1 is an average hand."""
        return self.share / self.fair

    @property
    def direction(self) -> str:
        """The direction that pays more."""
        return "low" if self.low > self.high else "high"


def equity_of(view: TableView, seat: int, terms: GameTerms) -> Equity:
    """The equity of the hand in `seat` against the other live hands; cards that this seat cannot see are not used."""
    own, others, dead = visible_hands(view, seat, terms)
    return estimate(own, others, dead, view.wilds, terms)


def visible_hands(
    view: TableView, seat: int, terms: GameTerms
) -> tuple[VisibleHand, tuple[VisibleHand, ...], tuple[Card, ...]]:
    """What a seat sees: its own hand, the other live hands, and the dead cards (the upcards of folded hands)."""
    others = [_other(other, view, terms) for other in view.in_hand() if other.seat != seat]
    dead = [card for other in view.seats if other.hand == "folded" and other.seat != seat for card in other.up]
    return _own(view.seat(seat), view, terms), tuple(others), tuple(sorted(dead))


def held_cards(own: SeatView) -> tuple[Card, ...]:
    """All cards that the seat holds, as this seat sees them."""
    return tuple([card for card in (*own.up, *own.down) if card is not None])


def _missing(seat: SeatView, view: TableView, terms: GameTerms) -> int:
    """How many cards the seat will still get; none after bring 'em back."""
    held = len(seat.up) + len(seat.down) + len(view.community)
    return 0 if view.keep else max(0, terms.size - held)


def _own(own: SeatView, view: TableView, terms: GameTerms) -> VisibleHand:
    hole = tuple([card for card in own.down if card is not None])
    return VisibleHand((*own.up, *hole, *view.community), _missing(own, view, terms), own.declared, hole)


def _other(other: SeatView, view: TableView, terms: GameTerms) -> VisibleHand:
    # After bring 'em back a full hand still has all its former upcards; five cards that were kept may not.
    brought = other.before if len(other.down) > view.keep > 0 else ()
    known = (*other.up, *brought, *view.community)
    hidden = len(other.down) - len(brought)
    return VisibleHand(known, hidden + _missing(other, view, terms), other.declared)


@lru_cache(maxsize=1024)
def estimate(
    own: VisibleHand,
    others: tuple[VisibleHand, ...],
    dead: tuple[Card, ...],
    wilds: tuple[int, ...],
    terms: GameTerms,
) -> Equity:
    """The equity of a hand against others; `dead` cards cannot come any more, `wilds` are ranks. Pure, and cached."""
    if not others:
        return Equity(1.0, 1.0, 1.0, 1.0)
    hands = (own, *others)
    known = {card for hand in hands for card in hand.cards}.union(dead)
    deck = [card for card in range(52) if card not in known]
    need = min(sum(hand.missing for hand in hands), len(deck))
    high_of = _high_of(terms.high, wilds)
    low_of = terms.low.strength if terms.low is not None else None
    state = int.from_bytes(blake2b(repr((own, others, dead)).encode(), digest_size=8).digest(), "big")
    share = as_high = as_low = 0.0
    for _ in range(SAMPLES):
        for at in range(need):
            state = (state * 6364136223846793005 + 1442695040888963407) & _MASK
            other = at + (state >> 33) % (len(deck) - at)
            deck[at], deck[other] = deck[other], deck[at]
        full, spades = _dealt(hands, deck, terms)
        highs = _strengths(full, high_of)
        lows = spades or _strengths(full, low_of)
        top, bottom = _declared(hands, full, highs, lows) if terms.declares else (highs, lows)
        share += _share(top, bottom)
        as_high += _share([highs[0], *top[1:]], [0, *bottom[1:]])
        as_low += _share([0, *top[1:]], [lows[0], *bottom[1:]])
    # A player who has to declare may still choose the better direction, but does not know which one it will be.
    best = (share + max(share, as_high, as_low)) / 2 if terms.declares and not own.declared else share
    return Equity(best / SAMPLES, as_high / SAMPLES, as_low / SAMPLES, 1 / len(hands))


def _dealt(
    hands: tuple[VisibleHand, ...], deck: list[Card], terms: GameTerms
) -> tuple[list[tuple[Card, ...]], list[int]]:
    """All hands with their missing cards from the deck, and the strength of each hand's highest spade in the hole.

    There are no spades if the game does not pay them.
    """
    at = 0
    full: list[tuple[Card, ...]] = []
    spades: list[int] = []
    for hand in hands:
        drawn = deck[at : at + hand.missing]
        full.append((*hand.cards, *drawn))
        at += hand.missing
        if terms.spade:
            # Every card to come counts as one in the hole: precise enough for an estimate.
            hole = [card for card in (*hand.hole, *drawn) if suit_of(card) == _SPADES]
            spades.append(max(hole, default=-1) + 1)
    return full, spades


def _high_of(ranking: Ranking | None, wilds: tuple[int, ...]) -> Callable[[Sequence[Card]], int] | None:
    if ranking is None or not wilds:
        return ranking.strength if ranking is not None else None
    wild = frozenset([4 * rank + suit for rank in wilds for suit in range(4)])
    return lambda cards: high_with_wilds(cards, wild)


def _strengths(hands: list[tuple[Card, ...]], strength: Callable[[Sequence[Card]], int] | None) -> list[int]:
    """The strengths of the hands; 0 where the direction pays nothing or a hand is too short."""
    if strength is None:
        return [0] * len(hands)
    return [strength(cards) if len(cards) >= 5 else 0 for cards in hands]


def _declared(
    hands: tuple[VisibleHand, ...], full: list[tuple[Card, ...]], highs: list[int], lows: list[int]
) -> tuple[list[int], list[int]]:
    """The strengths (high, low) that are left after the declarations.

    A hand whose declaration is not known declares low with an eight-low or better and less than two pair, else high.
    """
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
    """The first hand's share of one pot (`rules.md` 5): a direction without a hand leaves everything to the other."""
    high, low = max(highs), max(lows)
    up = 1 / highs.count(high) if high and highs[0] == high else 0.0
    down = 1 / lows.count(low) if low and lows[0] == low else 0.0
    return (up + down) / 2 if high and low else up + down
