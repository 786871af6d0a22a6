"""The luck of the cards that are dealt in the course of a hand.

The theory. Nobody knows the next cards, so on average over all of them a deal makes no seat richer. What a deal is
worth to a seat is the pot times its share of it, on average over all cards to come, after the deal less before. These
worths add up to nothing in the long run, whatever the minds do; without them the average of what a mind wins stays the
same, and most of the spread is gone (Burch and others: AIVAT, AAAI 2018, as far as it is about chance). So a difference
shows in fewer deals: a quarter to a third of them between two players of eight-or-better or razz, a seventh at a table
of six. In Barney's, where most is bet after the last card, it changes nothing.

The share is that of somebody who sees all cards and knows that everybody stays to the end. It need not be right: any
number does that is fixed before the cards are seen, but the nearer it is, the smaller the spread.
"""

from collections.abc import Iterable, Mapping, Sequence
from functools import lru_cache
from hashlib import blake2b
from itertools import islice

from protocol.cards import DECK, Card, MaybeCard
from protocol.events import AnyEvent, CardsDealt, Seat
from protocol.view import TableView
from replays.chances.deals import high_of, shuffled
from replays.chances.shares import share_of
from replays.chances.terms import GameTerms, terms_from
from server.engine.games.game import Game
from server.engine.steps.vocabulary import Deal, Draw, Wilds

SAMPLES = 100
"""Ways to deal the cards to come; what these are missing is chance as well, and so only adds to the spread."""
LATER_BETS = 0.25
"""Chips that will be bet on top of each chip in the pot, for each card that a player still gets, and once more after
the last one: so it counts as 1.25 at the last card, as 2 at the fourth. In matches of eight-or-better and razz 1.2 to
1.3 at the last card left the least spread, and 1.3 to 1.5, 1.6 to 1.9 and 1.6 to 2.2 before."""


class Luck:
    """Knows what deals are worth in a game; it tells nothing of games with wild cards, draws, or a spade that pays."""

    def __init__(self, game: Game) -> None:
        self._terms = terms_from(game)
        follows = any(isinstance(step, Deal) and step.wild_after is not None for step in game.steps)
        other = any(isinstance(step, Wilds | Draw) for step in game.steps)
        self._told = not (follows or other or self._terms.spade)

    def of(self, events: Iterable[AnyEvent], view: TableView) -> dict[Seat, float]:
        """The chips that the cards which these events deal are worth, to each live seat.

        They are none at the first deal of a hand, which all minds get in turn, where the deck may not last, and once
        cards have been put aside, which the view does not show.

        Args:
            view: the table after these events, all-seeing.
        """
        dealt: set[MaybeCard] = set()
        for event in events:
            if isinstance(event, CardsDealt):
                dealt.update(*[(*down, *up) for _, down, up in event.cards])
        live = [one.seat for one in view.in_hand()]
        if not self._told or not dealt or len(live) < 2 or view.community or view.keep:
            return {}
        after = {
            one.seat: tuple([card for card in (*one.up, *one.down) if card is not None])
            for one in view.players()  # those who have folded, too: their cards can't come again
        }
        before = {seat: tuple([card for card in row if card not in dealt]) for seat, row in after.items()}
        if not all(before[seat] for seat in live):
            return {}
        was, now = [self._shares(cards, live) for cards in (before, after)]
        if not was or not now:
            return {}
        pot = (1 + LATER_BETS * (1 + self._terms.size - len(after[live[0]]))) * view.pot()
        return {seat: pot * (new - old) for seat, new, old in zip(live, now, was, strict=True)}

    def _shares(self, cards: Mapping[Seat, tuple[Card, ...]], live: Sequence[Seat]) -> tuple[float, ...]:
        out = {card for row in cards.values() for card in row}
        deck = tuple([card for card in DECK if card not in out])
        return _shares(tuple([cards[seat] for seat in live]), deck, self._terms)


@lru_cache(maxsize=16)
def _shares(hands: tuple[tuple[Card, ...], ...], deck: tuple[Card, ...], terms: GameTerms) -> tuple[float, ...]:
    """The share of the pot of each hand when the rest is dealt from the deck; empty if no deal from it fits."""
    needs = [terms.size - len(hand) for hand in hands]
    need = sum(needs)
    if need > len(deck) or min(needs) < 0:
        return ()
    seed = int.from_bytes(blake2b(repr((hands, deck)).encode(), digest_size=8).digest(), "big")
    high, low = high_of(terms.high, ()), terms.low
    sums = [0.0] * len(hands)
    samples = SAMPLES if need else 1
    for dealt in islice(shuffled(list(deck), need, seed), samples):
        at, full = 0, []
        for hand, missing in zip(hands, needs, strict=True):
            full.append((*hand, *dealt[at : at + missing]))
            at += missing
        highs = [high(row) if high is not None else 0 for row in full]
        lows = [low.strength(row) if low is not None else 0 for row in full]
        for place in range(len(sums)):
            sums[place] += share_of(place, highs, lows)
    return tuple([total / samples for total in sums])
