"""Equity: how much of the pot a hand wins on average, judged by what one seat can see.

It is a Monte Carlo estimate. The unseen cards are dealt out a fixed number of times, to the end of the hand, and the
pot is divided each time. The generator of the shuffles is seeded with the visible cards, so the same situation always
gives the same equity. Opponents are given random hidden cards; `client.bots.betting` considers what their bets say.
A bot that reads hands brings deals of its own, which fit what the others did (`client.bots.read_equity`).
What a seat sees, the deals and the shares are those of `replays.chances`.
"""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from hashlib import blake2b
from itertools import islice
from typing import TypeAlias

from protocol.cards import Card, suit_of
from protocol.seat_view import SeatView
from protocol.view import TableView
from replays.chances.deals import KEPT, high_of, shuffled, without_own
from replays.chances.shares import share_of
from replays.chances.spot import SeenHand, spot_of
from replays.chances.terms import GameTerms
from server.engine.games.known_games import game_at
from server.engine.ranking.rankings import WEAKEST_TWO_PAIR
from server.engine.ranking.strength import eight_or_better

SAMPLES = 80
"""Deals for one estimate: about 6 % of standard error, about a millisecond at a full table."""

_SPADES = 3

Dealt: TypeAlias = tuple[list[tuple[Card, ...]], list[int]]
"""All hands with all their cards, and the strength of each hand's highest spade in the hole where the game pays it."""


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


ALONE = Equity(1.0, 1.0, 1.0, 1.0)
"""Of a hand without opponents."""


def equity_of(view: TableView, seat: int, terms: GameTerms) -> Equity:
    """The equity of the hand in `seat` against the other live hands; cards that this seat cannot see are not used."""
    own, others, dead = visible_hands(view, seat)
    return estimate(own, others, dead, view.wilds, terms)


def visible_hands(view: TableView, seat: int) -> tuple[VisibleHand, tuple[VisibleHand, ...], tuple[Card, ...]]:
    """What a seat sees: its own hand, the other live hands, and the dead cards, which no live hand has."""
    spot = spot_of(view, seat, game_at(view))
    if spot is None:
        return VisibleHand(held_cards(view.seat(seat)), 0), (), ()
    own, *others = [
        _visible(hand, spot.common, view.community)
        for hand in sorted(spot.hands, key=lambda hand: (hand.seat != seat, hand.seat))
    ]
    return own, tuple(others), spot.dead


def _visible(hand: SeenHand, common: int, community: tuple[Card, ...]) -> VisibleHand:
    if hand.rolled:
        # The rest of the five that were kept counts as random, not as the best that it can be.
        return VisibleHand((*hand.rolled, *community), KEPT - len(hand.rolled), hand.declared)
    return VisibleHand(hand.cards, hand.missing + common, hand.declared, hand.hole)


def held_cards(own: SeatView) -> tuple[Card, ...]:
    """All cards that the seat holds, as this seat sees them."""
    return tuple([card for card in (*own.up, *own.down) if card is not None])


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
        return ALONE
    hands = (own, *others)
    known = {card for hand in hands for card in hand.cards}.union(dead)
    deck = [card for card in range(52) if card not in known]
    need = min(sum(hand.missing for hand in hands), len(deck))
    seed = int.from_bytes(blake2b(repr((own, others, dead)).encode(), digest_size=8).digest(), "big")
    dealt = islice(shuffled(deck, need, seed), SAMPLES)
    full = (dealt_out(hands, cards, terms) for cards in dealt)
    return average(full, [hand.declared for hand in hands], wilds, terms)


def average(full: Iterable[Dealt], declared: Sequence[str], wilds: tuple[int, ...], terms: GameTerms) -> Equity:
    """The equity of the first of the hands; `full`: the deals, at least one; `declared`: the direction of each hand."""
    high_strength = high_of(terms.high, wilds)
    low_strength = terms.low.strength if terms.low is not None else None
    share = as_high = as_low = 0.0
    samples = 0
    for hands, spades in full:
        samples += 1
        highs = _strengths(hands, high_strength)
        lows = spades or _strengths(hands, low_strength)
        top, bottom = _declared(declared, hands, highs, lows) if terms.declares else (highs, lows)
        share += share_of(0, top, bottom)
        as_high += share_of(0, [highs[0], *top[1:]], [0, *bottom[1:]])
        as_low += share_of(0, [0, *top[1:]], [lows[0], *bottom[1:]])
    # A player who has to declare may still choose the better direction, but does not know which one it will be.
    best = (share + max(share, as_high, as_low)) / 2 if terms.declares and not declared[0] else share
    return Equity(best / samples, as_high / samples, as_low / samples, 1 / len(declared))


def dealt_out(hands: Sequence[VisibleHand], deck: Sequence[Card], terms: GameTerms) -> Dealt:
    """All hands with their missing cards from the deck, and the strength of each hand's highest spade in the hole.

    There are no spades if the game does not pay them.
    """
    at = 0
    full: list[tuple[Card, ...]] = []
    spades: list[int] = []
    for hand in hands:
        drawn = without_own(hand.cards, deck[at : at + hand.missing], reversed(deck))
        full.append((*hand.cards, *drawn))
        at += hand.missing
        if terms.spade:
            # Every card to come counts as one in the hole: precise enough for an estimate.
            hole = [card for card in (*hand.hole, *drawn) if suit_of(card) == _SPADES]
            spades.append(max(hole, default=-1) + 1)
    return full, spades


def _strengths(hands: list[tuple[Card, ...]], strength: Callable[[Sequence[Card]], int] | None) -> list[int]:
    """The strengths of the hands; 0 where the direction pays nothing or a hand is too short."""
    if strength is None:
        return [0] * len(hands)
    return [strength(cards) if len(cards) >= 5 else 0 for cards in hands]


def _declared(
    declared: Sequence[str], full: list[tuple[Card, ...]], highs: list[int], lows: list[int]
) -> tuple[list[int], list[int]]:
    """The strengths (high, low) that are left after the declarations.

    A hand whose declaration is not known declares low with an eight-low or better and less than two pair, else high.
    """
    top: list[int] = []
    bottom: list[int] = []
    for said, cards, up, down in zip(declared, full, highs, lows, strict=True):
        low = said == "low" if said else down > 0 and up < WEAKEST_TWO_PAIR and eight_or_better(cards) > 0
        top.append(0 if low else up)
        bottom.append(down if low else 0)
    return top, bottom
