"""How a player usually bets: counts from the hands that a seat has seen, and what they do to the tables.

The bet of a player who bets half of the time says less than the bet of one who waits for a hand. The tables are for an
ordinary player. Whatever somebody bets beyond that they bet with any cards: with the chance `loose` they wager
blindly, else they do what the tables say. In the same way somebody who folds less often than an ordinary player calls
blindly at times. A few decisions prove nothing, so every player starts with the decisions of an ordinary one.
"""

from collections.abc import Iterable
from dataclasses import dataclass, field

from protocol import events as ev
from protocol.actions import WAGERS
from protocol.events import AnyEvent, Seat
from replays.hand_reading.action_tables import ActionChances, Row

USUAL_WAGERS = 0.22
"""The share of decisions with a wager on offer in which an ordinary player wagers."""
USUAL_FOLDS = 0.35
"""The share of decisions that cost chips in which an ordinary player folds."""
PRIOR = 15
"""Decisions of an ordinary player with which everybody starts."""


@dataclass(slots=True)
class Counts:
    """What one player has done: `wagers` of `offers` of a wager, `folds` of `calls` asked for."""

    offers: int = 0
    wagers: int = 0
    calls: int = 0
    folds: int = 0

    @property
    def loose(self) -> float:
        """How often the player wagers blindly, 0 to 1."""
        share = (self.wagers + PRIOR * USUAL_WAGERS) / (self.offers + PRIOR)
        return max(0.0, (share - USUAL_WAGERS) / (1 - USUAL_WAGERS))

    @property
    def sticky(self) -> float:
        """How often the player calls blindly, 0 to 1."""
        share = (self.folds + PRIOR * USUAL_FOLDS) / (self.calls + PRIOR)
        return max(0.0, 1 - share / USUAL_FOLDS)

    def with_wagers_of(self, hand: "Counts") -> "Counts":
        """These counts and the wagers of a running hand. Not its folds: whoever is still in it has not folded."""
        return Counts(self.offers + hand.offers, self.wagers + hand.wagers, self.calls, self.folds)

    def row(self, chances: ActionChances, kind: str) -> Row:
        """How often each bucket of this player does an action of that kind, where the tables say `chances`."""
        loose, sticky = self.loose, self.sticky
        if not loose and not sticky:
            return chances.wager if kind in WAGERS else chances.fold if kind == "fold" else chances.stay
        if kind in WAGERS:
            return tuple([loose + (1 - loose) * chance for chance in chances.wager])
        calm = 1 - loose if any(chances.wager) else 1.0
        if kind == "fold":
            return tuple([calm * (1 - sticky) * chance for chance in chances.fold])
        return tuple([calm * (stay + sticky * fold) for stay, fold in zip(chances.stay, chances.fold, strict=True)])


@dataclass(slots=True)
class Habits:
    """The counts of the players of a table, as one seat has seen them.

    Give it every event of the table as that seat sees it (`see`), or those of whole hands; a seat that is taken by
    somebody else starts anew. `plain` and `from_plain` are for files.
    """

    seats: dict[Seat, Counts] = field(default_factory=dict)
    _asked: dict[Seat, ev.ActionRequested] = field(default_factory=dict, repr=False, compare=False)

    def of(self, seat: Seat) -> Counts:
        """The counts of that seat; none if it has not acted yet."""
        return self.seats.get(seat) or Counts()

    def see(self, event: AnyEvent) -> None:
        """Count one event."""
        match event:
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
        counts = self.seats.setdefault(event.seat, Counts())
        kinds = {option.kind for option in request.options}
        if kinds & WAGERS:
            counts.offers += 1
            counts.wagers += event.action in WAGERS
        if request.call and "fold" in kinds:
            counts.calls += 1
            counts.folds += event.action == "fold"

    def plain(self) -> dict[str, list[int]]:
        """The counts as plain data: by seat, [offers, wagers, calls, folds]."""
        return {str(seat): [one.offers, one.wagers, one.calls, one.folds] for seat, one in self.seats.items()}

    @classmethod
    def from_plain(cls, data: dict[str, list[int]]) -> "Habits":
        """The habits that `plain` made. Raises ValueError or TypeError for anything else."""
        return cls({int(seat): Counts(*row) for seat, row in data.items()})
