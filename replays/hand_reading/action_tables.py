"""How often players with a hand of each bucket fold, stay or wager: written tables.

The theory (Billings, Papp, Schaeffer, Szafron: Opponent modeling in poker, AAAI 1998). Somebody who has acted has most
likely a hand with which one acts like that. So for each situation a table says how often a sensible player does what
with each strength of hand. Read from a hand to the action, it is a way to play; read from an action back to the hand,
the same numbers say how likely the hand is (Bayes).

A situation is described by what matters most in limit stud: the part of the hand, how many bets one faces, whether one
is in this round already with chips of one's own will, whether one has made the last bet of the street before, what
staying in costs against the pot, and against how many one plays. A call of two bets without chips in the round (cold)
needs a far better hand than one more bet after a call. Who has led before leads again, whatever came; so their check
says something. With the last card draws are over: weak hands bet now and then, because they can win only in that way,
and middling ones check.

The numbers are for ordinary players of home games and small limits: they call more than books tell them to. They are
the project's own; the tests compare what they say about hidden cards with the cards that were shown.
"""

from functools import lru_cache
from typing import Literal, NamedTuple, TypeAlias

from protocol.actions import WAGERS

Row: TypeAlias = tuple[float, ...]
"""One number for each bucket, from the weakest to the strongest hands."""

Part: TypeAlias = Literal["first", "middle", "last"]
"""The first round of a hand, a later one with cards to come, and every round after the last card."""

NOTHING, FORCED, ONE_BET, RAISED = range(4)
"""What one faces in a round: no bet, the forced bet alone, one bet, and a raise or more."""
MOST_WAGERS = 4
"""Wagers in a round after which nobody raises any more: where raises have no cap, two strong hands would raise until
all chips are in, and in play-outs such a deal would count more than all others.
"""


class Situation(NamedTuple):
    """What a player has to answer to.

    Fields:
        part: of the hand. facing: `NOTHING`, `FORCED`, `ONE_BET` or `RAISED`.
        inside: whether the player has put chips into this round without being forced to.
        led: whether they have made the last wager of the last round that had one.
        posts: whether they must post the forced bet or open for more.
        can_wager: whether a wager is among their options.
        price: chips to call, of the pot with these chips in it (0 to 1).
        opponents: live hands beside theirs.
    """

    part: Part
    facing: int
    inside: bool = False
    led: bool = False
    posts: bool = False
    can_wager: bool = True
    price: float = 0.0
    opponents: int = 2


class ActionChances(NamedTuple):
    """How often each bucket folds, stays in (checks, calls, posts the forced bet) or wagers; together 1."""

    fold: Row
    stay: Row
    wager: Row

    def row(self, kind: str) -> Row:
        """How often each bucket takes an action of that kind."""
        return self.wager if kind in WAGERS else self.fold if kind == "fold" else self.stay


# fmt: off
POSTS: Row = (.02, .02, .02, .03, .04, .06, .10, .20, .35, .45)
"""How often a player who must post the forced bet opens for a full one."""

OPEN: dict[Part, Row] = {
    "first":  (.05, .06, .08, .12, .18, .27, .38, .50, .62, .70),
    "middle": (.06, .07, .10, .15, .23, .34, .48, .62, .75, .83),
    "last":   (.10, .07, .06, .08, .13, .25, .45, .65, .80, .88),
}
"""How often one bets where nobody has."""

LEAD: dict[Part, Row] = {
    "first":  OPEN["first"],
    "middle": (.30, .32, .38, .45, .55, .65, .74, .82, .88, .92),
    "last":   (.22, .18, .20, .28, .40, .55, .70, .80, .88, .92),
}
"""The same of a player who has made the last wager before."""

Facing: TypeAlias = tuple[Part, int, bool]
"""(part, what one faces, whether one is inside)."""

FOLD: dict[Facing, Row] = {
    ("first", FORCED, False):   (.70, .60, .45, .30, .20, .12, .06, .03, .02, .01),
    ("first", ONE_BET, False):  (.85, .78, .68, .50, .33, .20, .10, .05, .02, .01),
    ("first", ONE_BET, True):   (.60, .50, .38, .25, .15, .08, .04, .02, .01, .01),
    ("first", RAISED, False):   (.93, .90, .85, .75, .60, .42, .28, .15, .07, .03),
    ("first", RAISED, True):    (.50, .40, .30, .20, .12, .07, .04, .02, .01, .01),
    ("middle", ONE_BET, False): (.75, .65, .50, .33, .20, .12, .06, .03, .01, .01),
    ("middle", RAISED, False):  (.90, .85, .75, .60, .45, .30, .18, .10, .04, .02),
    ("middle", RAISED, True):   (.55, .45, .32, .20, .12, .07, .04, .02, .01, .01),
    ("last", ONE_BET, False):   (.80, .70, .55, .36, .20, .10, .05, .02, .01, .01),
    ("last", RAISED, False):    (.92, .88, .80, .65, .48, .30, .17, .08, .03, .01),
    ("last", RAISED, True):     (.70, .60, .45, .28, .15, .08, .04, .02, .01, .01),
}
"""How often one gives up at an ordinary price (`ORDINARY_PRICE`)."""

WAGER: dict[Facing, Row] = {
    ("first", FORCED, False):   (.02, .03, .05, .08, .13, .20, .30, .45, .60, .70),
    ("first", ONE_BET, False):  (.01, .01, .02, .03, .05, .08, .15, .28, .42, .55),
    ("first", ONE_BET, True):   (.01, .01, .02, .03, .05, .08, .15, .28, .42, .55),
    ("first", RAISED, False):   (.01, .01, .01, .02, .03, .05, .08, .15, .30, .45),
    ("first", RAISED, True):    (.02, .02, .02, .03, .05, .08, .13, .22, .38, .50),
    ("middle", ONE_BET, False): (.01, .01, .02, .03, .06, .10, .18, .32, .50, .65),
    ("middle", RAISED, False):  (.01, .01, .01, .02, .03, .05, .10, .18, .35, .55),
    ("middle", RAISED, True):   (.01, .01, .02, .02, .04, .07, .12, .22, .40, .60),
    ("last", ONE_BET, False):   (.03, .02, .01, .02, .03, .06, .13, .30, .55, .75),
    ("last", RAISED, False):    (.01, .01, .01, .01, .02, .03, .06, .15, .38, .60),
    ("last", RAISED, True):     (.02, .01, .01, .01, .02, .03, .06, .15, .40, .65),
}
"""How often one raises, or completes."""

ORDINARY_PRICE = {FORCED: 0.10, ONE_BET: 0.17, RAISED: 0.25}
"""The price for which the tables are written. At another one the odds of a fold change in proportion."""

CROWD = (0.7, 0.7, 1.0, 1.0, 1.2)
"""What the odds of a fold are multiplied with, by the number of opponents; the last for more of them."""
# fmt: on

_PRICES = 40
"""Prices are rounded to so many parts, so that the tables of few prices are kept."""


def action_chances(situation: Situation) -> ActionChances:
    """How often each bucket does what in this situation."""
    price = max(1, round(situation.price * _PRICES)) / _PRICES
    most = min(situation.opponents, len(CROWD) - 1)
    return _chances(situation._replace(price=price if situation.facing else 0.0, opponents=most))


@lru_cache(maxsize=4096)
def _chances(situation: Situation) -> ActionChances:
    part, facing = situation.part, situation.facing
    none = (0.0,) * len(POSTS)
    if situation.posts:
        fold, wager = none, POSTS
    elif facing == NOTHING:
        fold, wager = none, (LEAD if situation.led else OPEN)[part]
    else:
        facing = ONE_BET if facing == FORCED and part != "first" else facing
        key = (part, facing, situation.inside)
        key = key if key in FOLD else (part, facing, False)
        factor = situation.price / ORDINARY_PRICE[facing] * CROWD[situation.opponents]
        fold, wager = tuple([with_odds(chance, factor) for chance in FOLD[key]]), WAGER[key]
    if not situation.can_wager:
        wager = none
    wager = tuple([min(bets, 1 - folds) for bets, folds in zip(wager, fold, strict=True)])
    stay = tuple([max(0.0, 1 - folds - bets) for bets, folds in zip(wager, fold, strict=True)])
    return ActionChances(fold, stay, wager)


def with_odds(chance: float, factor: float) -> float:
    """The chance whose odds are `factor` times as large."""
    return chance * factor / (1 - chance + chance * factor)
