"""What a player can do when asked, and the options that are offered.

A request lists every legal option with its bounds, and an action is legal exactly
when one of the options admits it. So a client needs no rules: it picks an option,
fills in what the option leaves open, and sends that back.
"""

from collections.abc import Sequence
from typing import Literal, TypeAlias

import msgspec

from protocol.cards import Card, MaybeCard

Kind: TypeAlias = Literal[
    "fold", "check", "call", "bring_in", "bet", "complete", "raise",
    "choose", "arrange", "declare", "pass", "discard", "buy", "decline", "game",
]  # fmt: skip
Direction: TypeAlias = Literal["high", "low"]
Decision: TypeAlias = Literal["bet", "choose", "arrange", "declare", "pass", "discard", "buy", "game"]
"""What a request asks for."""

WAGERS: frozenset[str] = frozenset({"bet", "complete", "raise"})


class Action(msgspec.Struct, frozen=True, omit_defaults=True, gc=False):
    """One answer to a request.

    Fields:
        kind: the option that is taken.
        to: for bet, complete and raise: the chips in front of the player afterwards in this round.
        cards: for choose, pass and discard: the cards, in any order; for arrange: the kept
            cards in the order in which they will be rolled.
        direction: for declare.
        game: for game: the id of the next game.
    """

    kind: Kind
    to: int | None = None
    cards: tuple[Card, ...] | None = None
    direction: Direction | None = None
    game: str | None = None


class Option(msgspec.Struct, frozen=True, omit_defaults=True, gc=False):
    """One thing a player may do now.

    Fields:
        kind: the kind of the action.
        least, most: bounds of `Action.to` in chips, both included; equal where the size is fixed.
        amount: the chips that a call, a bring-in or a purchase takes from the stack.
        all_in: true where the option (at `most`) puts the whole stack in.
        cards: the cards to choose from, hidden from everybody else.
        count: how many of them must be named; for discard, at most how many.
        directions: for declare.
        games: for game: the ids to choose from.
    """

    kind: Kind
    least: int = 0
    most: int = 0
    amount: int = 0
    all_in: bool = False
    cards: tuple[MaybeCard, ...] = ()
    count: int = 0
    directions: tuple[Direction, ...] = ()
    games: tuple[str, ...] = ()

    def refusal(self, action: Action) -> str:
        """Why this option does not admit an action of its own kind; empty when it does."""
        kind = self.kind
        if kind in WAGERS:
            if action.to is None:
                return f"a {kind} needs its amount"
            if not self.least <= action.to <= self.most:
                return must_be_to(kind, [self])
        elif kind in _CARD_KINDS:
            named = action.cards
            if named is None:
                return "no cards were named"
            if len(named) > self.count or (len(named) < self.count and kind != "discard"):
                most = "at most " if kind == "discard" else ""
                return f"{most}{self.count} card{'s' * (self.count != 1)} must be named, not {len(named)}"
            if len(set(named)) != len(named):
                return "a card was named twice"
            if not set(named) <= set(self.cards):
                return "a card was named that is not among the cards to choose from"
        elif kind == "declare":
            if action.direction not in self.directions:
                return "declare one of: " + ", ".join(self.directions)
        elif kind == "game" and action.game not in self.games:
            return "choose one of: " + ", ".join(self.games)
        return ""


_CARD_KINDS = frozenset({"choose", "arrange", "pass", "discard"})
_PLAIN_KINDS = frozenset({"fold", "check", "call", "bring_in", "buy", "decline"})
"""Kinds whose options leave nothing open."""


def must_be_to(kind: Kind, options: Sequence[Option]) -> str:
    """``the raise must be to between 4 and 7``, ``the bet must be 2 or 4``"""
    amounts = [str(one.least) if one.least == one.most else f"between {one.least} and {one.most}" for one in options]
    return f"the {kind} must be{'' if kind == 'bet' else ' to'} {' or '.join(amounts)}"


def refusal(options: tuple[Option, ...], action: Action) -> str:
    """Why none of the options admits the action, in a sentence; empty when one does."""
    reason = ""
    kind = action.kind
    for option in options:
        if option.kind == kind:
            if kind in _PLAIN_KINDS:
                return ""
            reason = option.refusal(action)
            if not reason:
                return ""
    if reason:
        ranges = [option for option in options if option.kind == kind]
        if kind in WAGERS and action.to is not None and len(ranges) > 1:
            return must_be_to(kind, ranges)
        return reason
    offered = list(dict.fromkeys(option.kind.replace("_", " ") for option in options))
    may = " or ".join([*[", ".join(offered[:-1])] * (len(offered) > 1), offered[-1]]) if offered else "do nothing"
    return f"you cannot {action.kind.replace('_', ' ')} now; you may {may}"
