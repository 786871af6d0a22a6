"""The four rankings that a game can pay for: high, ace-to-five low, eight-or-better low and ace-to-six low.

A `Ranking` says how strong a hand is, which five cards make it, what players call it, and why there is none
(`rules.md` 2).
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from itertools import combinations
from typing import TypeAlias

from protocol.cards import Card
from server.engine.ranking.hand_names import (
    high_name,
    low_name,
    no_ace_to_six,
    no_eight_low,
    reading_order,
    unfinished_eight_name,
    unfinished_low_name,
)
from server.engine.ranking.strength import ace_to_five, ace_to_six, eight_or_better, high

Namer: TypeAlias = Callable[[Sequence[Card]], str]
"""Cards to words."""


def _never(_cards: Sequence[Card]) -> str:
    return ""


@dataclass(frozen=True, slots=True)
class Ranking:
    """One way to rank hands.

    Fields:
        key: the word in journals and messages: "high", "a5", "8low" or "a6".
        title: the words on the screen.
        strength: of five or more cards, as a number; larger is better, 0 is no hand (`server.engine.ranking.strength`).
        is_low: whether the lowest hand wins and aces are low.
    """

    key: str
    title: str
    strength: Callable[[Sequence[Card]], int]
    is_low: bool
    _name: Namer = field(repr=False)
    _unfinished: Namer = field(repr=False)
    _why_not: Namer = field(repr=False)

    def best(self, cards: Sequence[Card]) -> tuple[Card, ...]:
        """The five cards that play, in the order in which they are read out; empty if there is no hand."""
        strength = self.strength(cards)
        if strength == 0:
            return ()
        five = next(five for five in combinations(cards, 5) if self.strength(five) == strength)
        return reading_order(five, ace_low=self.is_low)

    def name(self, cards: Sequence[Card]) -> str:
        """What players call the hand, or why there is none: "seven-five low", "no low: a straight"."""
        best = self.best(cards)
        return self._name(best) if best else self._why_not(cards)

    def partial_name(self, cards: Sequence[Card]) -> str:
        """What any number of cards makes so far: "pair of kings", "eight-six so far"; empty for none."""
        if len(cards) >= 5:
            return self.name(cards)
        return self._unfinished(cards) if cards else ""


HIGH = Ranking("high", "high", high, False, high_name, high_name, _never)
ACE_TO_FIVE = Ranking("a5", "ace-to-five low", ace_to_five, True, low_name, unfinished_low_name, _never)
EIGHT_OR_BETTER = Ranking(
    "8low", "eight-or-better low", eight_or_better, True, low_name, unfinished_eight_name, no_eight_low
)
ACE_TO_SIX = Ranking("a6", "ace-to-six low", ace_to_six, True, low_name, unfinished_low_name, no_ace_to_six)

RANKINGS = {ranking.key: ranking for ranking in (HIGH, ACE_TO_FIVE, EIGHT_OR_BETTER, ACE_TO_SIX)}

WEAKEST_TWO_PAIR = high([0, 1, 4, 5, 8])
"""Strength of twos and threes with a four."""
