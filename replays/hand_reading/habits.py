"""How a player usually bets: counts from the hands that a seat has seen, and what they do to the tables.

The bet of a player who bets half of the time says less than the bet of one who waits for a hand, and a player who
never folds late in a hand cannot be bluffed there. The tables are for an ordinary player, and early in a hand people
differ from it in other ways than late in it. So there are counts for each stage, and four ways to differ:

- Somebody who bets a bit more than an ordinary player bets more of the better hands, too: the odds of a wager change in
  proportion. Somebody who bets nearly always bets any cards. So with a chance that grows with the square of what they
  bet beyond an ordinary player they wager blindly. Where halves of the pot are declared, players who bet more stay for
  one half with anything: there the chance itself is what they bet beyond. Somebody who bets less bets the same hands
  more rarely.
- Somebody who folds less often calls blindly at times, in the same way. Somebody who folds more often gives up middling
  hands first, and good ones hardly ever: the odds of a fold change in proportion.

A few decisions prove nothing, so every player starts with the decisions of an ordinary one.
"""

from collections.abc import Iterable
from dataclasses import dataclass, field
from functools import lru_cache
from typing import NamedTuple

from protocol import events as ev
from protocol.actions import WAGERS
from protocol.events import AnyEvent, Seat
from replays.hand_reading.action_tables import ActionChances, Row, with_odds

FIRST, MIDDLE, LATE = STAGES = range(3)
"""Of a hand: its first betting round, the next three, and those from the fifth on, where few cards or none come.

They go by number, unlike the parts of the tables, so that a seat can count what it sees without knowing the game.
"""
USUAL_WAGERS = (0.11, 0.28, 0.33)
"""By stage, the share of decisions with a wager on offer in which an ordinary player wagers."""
USUAL_FOLDS = (0.38, 0.28, 0.20)
"""By stage, the share of decisions that cost chips in which an ordinary player folds."""
BLINDLY = 2.0
"""The power of `Tendency.loose` and `sticky` with which somebody acts blindly; 1 where halves are declared.

Of hands that were shown, 2 tells 0.13 bits more than 1 in razz and 0.04 in eight-or-better (six house bots, 60 hands),
and 0.24 bits less in Barney's (five, 25 hands). 3 tells as much as 2, but is wrong about those who raise anything.
"""
PRIOR = 15
"""Decisions of an ordinary player with which everybody starts in each stage."""
_STEPS = 20
"""Tendencies are rounded to so many parts, so that the tables of few of them are kept."""


def stage_of(rounds: int) -> int:
    """The stage of the betting round with that number, from 1."""
    return FIRST if rounds <= 1 else MIDDLE if rounds <= 4 else LATE


class Tendency(NamedTuple):
    """How a player differs from an ordinary one, each -1 to 1.

    Fields:
        loose: above 0 how often they wager blindly; below 0 by which part they wager less.
        sticky: above 0 how often they call blindly instead of folding; below 0 how far they are on the way from an
            ordinary player to one who folds always.
    """

    loose: float = 0.0
    sticky: float = 0.0


ORDINARY = Tendency()


@dataclass(slots=True)
class Counts:
    """What one player has done in one stage: `wagers` of `offers` of a wager, `folds` of `calls` asked for."""

    stage: int = FIRST
    offers: int = 0
    wagers: int = 0
    calls: int = 0
    folds: int = 0

    def tendency(self) -> Tendency:
        """How the player differs from an ordinary one in this stage."""
        usual = USUAL_WAGERS[self.stage]
        share = (self.wagers + PRIOR * usual) / (self.offers + PRIOR)
        loose = (share - usual) / (1 - usual) if share > usual else share / usual - 1
        usual = USUAL_FOLDS[self.stage]
        share = (self.folds + PRIOR * usual) / (self.calls + PRIOR)
        sticky = 1 - share / usual if share < usual else (usual - share) / (1 - usual)
        return Tendency(round(loose * _STEPS) / _STEPS, round(sticky * _STEPS) / _STEPS)

    def with_wagers_of(self, hand: "Counts") -> "Counts":
        """These counts and the wagers of a running hand. Not its folds: whoever is still in it has not folded."""
        return Counts(self.stage, self.offers + hand.offers, self.wagers + hand.wagers, self.calls, self.folds)


@lru_cache(maxsize=16384)
def chances_of(chances: ActionChances, tendency: Tendency, stage: int, *, declares: bool) -> ActionChances:
    """How often each bucket of such a player does what in a situation, where the tables say `chances`.

    `declares`: whether the game has halves that are declared.
    """
    loose, sticky = tendency
    power = 1.0 if declares else BLINDLY
    fold, wager = chances.fold, chances.wager
    blind = loose**power if loose > 0 and any(wager) else 0.0
    usual = USUAL_FOLDS[stage]
    if sticky >= 0:
        calls = sticky**power
        rest = usual * (1 - sticky) / (1 - calls) if calls < 1 else 0.0
        fold = tuple([(1 - calls) * chance for chance in _with_share(fold, usual, rest)])
    else:
        share = usual - sticky * (1 - usual)
        fold = _with_share(fold, usual, share)
    usual = USUAL_WAGERS[stage]
    if loose < 0:
        wager = tuple([(1 + loose) * chance for chance in wager])
    elif blind < 1:
        rest = (usual + loose * (1 - usual) - blind) / (1 - blind)
        wager = _with_share(wager, usual, rest)
    fold = tuple([(1 - blind) * chance for chance in fold])
    wager = tuple([min(blind + (1 - blind) * bets, 1 - folds) for bets, folds in zip(wager, fold, strict=True)])
    stay = tuple([1 - folds - bets for bets, folds in zip(wager, fold, strict=True)])
    return ActionChances(fold, stay, wager)


def _with_share(row: Row, usual: float, share: float) -> Row:
    """The row of somebody who does this in such a share of their decisions, where the tables have the `usual` one."""
    factor = _odds(share) / _odds(usual)
    return tuple([with_odds(chance, factor) for chance in row])


def _odds(share: float) -> float:
    return share / max(1 - share, 1 / _STEPS)


@dataclass(slots=True)
class Habits:
    """The counts of the players of a table, as one seat has seen them.

    Give it every event of the table as that seat sees it (`see`), or those of whole hands; a seat that is taken by
    somebody else starts anew.
    """

    seats: dict[Seat, tuple[Counts, ...]] = field(default_factory=dict)
    _rounds: int = field(default=0, repr=False, compare=False)
    _asked: dict[Seat, ev.ActionRequested] = field(default_factory=dict, repr=False, compare=False)

    def of(self, seat: Seat, stage: int) -> Counts:
        """The counts of that seat in that stage; none if it has not acted yet."""
        found = self.seats.get(seat)
        return found[stage] if found else Counts(stage)

    def tendencies(self, seat: Seat) -> tuple[Tendency, ...]:
        """How that player differs from an ordinary one, by stage."""
        return tuple([self.of(seat, stage).tendency() for stage in STAGES])

    def see(self, event: AnyEvent) -> None:
        """Count one event."""
        match event:
            case ev.HandStarted():
                self._rounds = 0
            case ev.RoundOpened():
                self._rounds += 1
            case ev.ActionRequested() if event.decision == "bet":
                self._asked[event.seat] = event
            case ev.Acted():
                request = self._asked.pop(event.seat, None)
                if request is not None and event.cause == "player":
                    self._count(event, request)
            case ev.PlayerLeft():
                self.seats.pop(event.seat, None)
            case _:
                pass

    def see_all(self, events: Iterable[AnyEvent]) -> "Habits":
        """Count several events. Returns the habits themselves."""
        for event in events:
            self.see(event)
        return self

    def _count(self, event: ev.Acted, request: ev.ActionRequested) -> None:
        stages = self.seats.setdefault(event.seat, tuple([Counts(stage) for stage in STAGES]))
        counts = stages[stage_of(self._rounds)]
        kinds = {option.kind for option in request.options}
        if kinds & WAGERS:
            counts.offers += 1
            counts.wagers += event.action in WAGERS
        if request.call and "fold" in kinds:
            counts.calls += 1
            counts.folds += event.action == "fold"
