"""Hidden cards that an opponent may have, each with how well it fits what the opponent has done.

A holding is drawn at random from the cards that the seat has not seen, and then weighed. Where players turn up cards by
choice it is not known which cards were there at which street. But any order is as likely as any other, so the way of
the cards is gone back: what was turned up comes back into the hand, and of the hand a random card is the one that was
dealt last. A hand of five that was kept is the best five of the seven in the better direction, with the cards that have
been rolled among them; seven cards from which nobody would have kept those are hardly likely.
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from math import exp
from typing import TypeAlias

from protocol.cards import Card
from replays.chances.deals import KEPT
from replays.chances.spot import SeenHand
from replays.chances.terms import GameTerms
from replays.hand_reading.betting_history import Dealt, Move, Round, TakenBack, Turned
from replays.hand_reading.buckets import judge_of
from replays.hand_reading.round_weights import RoundWeights, high_code, low_code
from replays.hand_reading.value_tables import MOST
from server.engine.ranking.card_order import EIGHT, low_rank

UNLIKELY = 0.1
"""The weight of seven cards from which somebody would have kept other five."""
EXCHANGED = (0.25, 0.45, 0.65, 0.85, 1.1, 1.4, 1.7, 2.0, 2.3, 2.6)
"""By bucket, how much likelier a hand becomes when its player has given away the cards that help least."""
SURE = 8.0
"""How sharply players choose between high and low: by the difference of the two values, 0 to 1."""
MOST_EARLIER = 3
"""Rounds before bring 'em back that are weighed when a hand of five has been kept."""
USELESS = 20.0
"""In a low game, how much rather a card above an eight is turned up than one of no pips. Smaller cards are turned up
the rather the larger they are, up to three times. House bots always turn larger cards first: on fifth street they hide
0.11 of them, and are read to hide 0.31 with 10 and 0.22 with 20; with 40 the cards of single hands are told worse.
"""
PAIRED = 2.0
"""How much rather the second card of a rank is turned up."""
BRINGS_IN = 0.2
"""`USELESS` for the first card where the highest one of all pays the forced bet."""

Dice: TypeAlias = Iterator[int]
"""Random whole numbers."""


@dataclass(frozen=True, slots=True)
class Holding:
    """What an opponent may hold.

    Fields:
        drawn: the cards that the seat has not seen of them, those that they may have put aside included.
        down: the cards that they have face down. weight: how well all that fits.
    """

    drawn: tuple[Card, ...]
    down: tuple[Card, ...]
    weight: float


_Step: TypeAlias = RoundWeights | Turned | int
"""One step back: weigh a round, take a card back into the hand, or give up so many random cards."""


class Opponent:
    """What is known of one opponent, and the weights of what they may hold.

    Args:
        hand: as the seat sees it; up: what the opponent shows now; held: how many cards are face down.
        moves: what has happened with the cards (`History.moves`).
        terms: of the game; wilds: the ranks that are wild now.
        exchanges: how often cards have changed hands.
        turned: whether the cards that were turned up by choice say something.
    """

    def __init__(
        self,
        hand: SeenHand,
        up: tuple[Card, ...],
        held: int,
        moves: Sequence[Move],
        terms: GameTerms,
        wilds: tuple[int, ...],
        exchanges: int,
        *,
        turned: bool = True,
    ) -> None:
        self.hand = hand
        self.up = up
        self._terms = terms
        self._exchanges = exchanges
        self._judge = judge_of(terms, wilds)
        self._choices = turned and terms.high is None
        back = next((place for place, move in enumerate(moves) if isinstance(move, TakenBack)), None)
        self.kept = back is not None
        self._arranged = held <= KEPT
        self._taken: tuple[Card, ...] = ()
        self._kept_rounds: list[RoundWeights] = []
        if back is not None:
            taken = moves[back]
            self._taken = taken.up if isinstance(taken, TakenBack) else ()
            self._kept_rounds = [self._prepared(move) for move in moves[back:] if isinstance(move, Round) and move.told]
        self._back = self._steps_back(moves[:back], MOST_EARLIER if self.kept else len(moves))
        self._turned = sum(isinstance(move, Turned) for move in moves[:back])

    def _steps_back(self, moves: Sequence[Move], most: int) -> list[_Step]:
        """The moves from the last one to the first that says something, with at most so many rounds."""
        steps: list[_Step] = []
        telling = rounds = 0
        for move in reversed(moves):
            match move:
                case Round():
                    if move.told and rounds < most:
                        steps.append(self._prepared(move))
                        telling, rounds = len(steps), rounds + 1
                case Turned():
                    steps.append(move)
                    telling = len(steps) if self._choices else telling
                case Dealt(count):
                    steps.append(count)
                case TakenBack():
                    pass
        return steps[:telling]

    def _prepared(self, seen: Round) -> RoundWeights:
        return RoundWeights(judge_of(self._terms, seen.wilds), seen)

    def holding(self, drawn: tuple[Card, ...], dice: Dice) -> Holding:
        """What the opponent holds if these are the cards of theirs that the seat has not seen, and its weight."""
        if self.kept:
            return self._kept_holding(drawn, dice)
        down = (*self.hand.hole, *drawn)
        return Holding(drawn, down, self._weigh(down, dice))

    def strength(self, holding: Holding) -> int:
        """How strong the opponent is with that holding, as far as the order of holdings goes; larger is better."""
        judge, terms, cards = self._judge, self._terms, (*self.hand.cards, *holding.drawn)
        final = len(cards) >= terms.size
        high = judge.high_value(cards, final=final) if terms.high is not None else 0
        return high + (judge.low_value(cards, final=final) if terms.low is not None else 0)

    def _weigh(self, down: tuple[Card, ...], dice: Dice) -> float:
        """The weight of what the opponent did with these hidden cards, the last action first."""
        weight = self._improved(down) if self._exchanges else 1.0
        hidden, turned = list(down), self._turned
        for step in self._back:
            if isinstance(step, RoundWeights):
                weight *= step.weight(hidden)
            elif isinstance(step, Turned):
                hidden.append(step.card)
                turned -= 1
                if self._choices:
                    brings_in = not turned and self._terms.brings_in
                    weight *= chance_to_turn(step.card, hidden, self.up[:turned], brings_in=brings_in)
            else:
                for _ in range(min(step, len(hidden) - 1)):
                    hidden.pop(next(dice) % len(hidden))
        return weight

    def _improved(self, down: tuple[Card, ...]) -> float:
        up = () if self.kept else self.up
        return EXCHANGED[self._judge.bucket(down, up, self._judge.danger([(), ()]))]

    def _kept_holding(self, drawn: tuple[Card, ...], dice: Dice) -> Holding:
        """The five that somebody with these cards would have kept, as far as they have not been rolled yet."""
        seven = (*self.hand.cards, *drawn)
        judge, terms = self._judge, self._terms
        high = judge.high_value(seven, final=True) if terms.high is not None else 0
        low = judge.low_value(seven, final=True) if terms.low is not None else 0
        goes_low = 1 / (1 + exp(SURE * (high - low) / MOST))
        weight = 1.0
        if self.hand.declared:
            low_way = self.hand.declared == "low"
            weight = goes_low if low_way else 1 - goes_low
        else:
            low_way = next(dice) % 1000 < 1000 * goes_low
        strength_of = terms.low.strength if low_way and terms.low is not None else judge.strength
        hidden, best = self._kept_of(seven, strength_of)
        if not best:
            weight *= UNLIKELY
        weight *= self._kept_weight((*self.up, *hidden), low_way=low_way)
        weight *= self._weigh(tuple([card for card in seven if card not in self._taken]), dice)
        if not self._arranged:
            return Holding(drawn, seven, weight)
        turn = next(dice) % len(hidden) if hidden else 0
        return Holding(drawn, (*hidden[turn:], *hidden[:turn]), weight)

    def _kept_of(
        self, seven: tuple[Card, ...], strength_of: Callable[[Sequence[Card]], int]
    ) -> tuple[tuple[Card, ...], bool]:
        """The cards beside the rolled ones of the five that are kept, and whether these are the best five.

        One card after the other is put aside, each time the one that is missed least.
        """
        rest, best = [card for card in seven if card not in self.up], strength_of(seven)
        keeps = best
        while len(rest) + len(self.up) > KEPT:
            least, keeps = rest[-1], -1
            for card in rest:
                strength = strength_of([*self.up, *[other for other in rest if other != card]])
                if strength > keeps:
                    least, keeps = card, strength
                    if strength == best:
                        break
            rest.remove(least)
        return tuple(rest), keeps == best

    def _kept_weight(self, five: tuple[Card, ...], *, low_way: bool) -> float:
        """The weight of what the opponent did with the five that they kept for that direction."""
        weight = 1.0
        high = low = 0
        if self._kept_rounds and low_way:
            low = low_code(self._judge, five)
        elif self._kept_rounds:
            high = high_code(self._judge, five)
        for seen in self._kept_rounds:
            weight *= seen.by_codes(high, low) if seen.by_codes is not None else seen.weight(five)
        return weight


def chance_to_turn(card: Card, hidden: Sequence[Card], up: Sequence[Card], *, brings_in: bool) -> float:
    """How likely this card is turned up of the hidden ones (it among them) where the lowest hand wins.

    `up`: the cards that lie face up already. `brings_in`: whether the highest of the cards that are turned now pays.
    """
    ranks = [other >> 2 for other in (*hidden, *up)]
    likings = {other: _liking(other, ranks, brings_in=brings_in) for other in hidden}
    return likings[card] / sum(likings.values())


def _liking(card: Card, ranks: Sequence[int], *, brings_in: bool) -> float:
    rank = low_rank(card)
    if rank > EIGHT:
        return BRINGS_IN if brings_in else USELESS
    useful = 1 + (rank + 1) / 4
    return PAIRED * useful if ranks.count(card >> 2) > 1 and not brings_in else useful
