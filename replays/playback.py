"""Stepping through what happened, forwards and backwards, from any viewpoint.

A position is a number of events: 0 is before the first event, `len(playback)` after the last one. The table at a
position is the fold of that many events and of nothing else. So a replay cannot show the future, nor, for a seat or a
spectator, a card that was hidden from them at that moment. A copy of the table is kept every `STRIDE` events, so any
position is reached by folding at most that many events.

A host's file holds all cards, and can be read while its last hand is being played, perhaps by a host who plays along.
So until that hand is over, everybody sees of it what a spectator sees.
"""

from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Literal, TypeAlias

from protocol import events as ev
from protocol.events import AnyEvent, Seat
from protocol.journal.records import StepRecord
from protocol.view import TableView, hide
from protocol.visibility import project

Viewpoint: TypeAlias = Seat | Literal["all"] | None
"""Whose view is shown: that of a seat, of a spectator (None), or ``all``: every card that the recording holds."""

STRIDE = 128
"""Events between two copies of the table: about 0.2 ms of folding, about 1 kB of memory for each event."""

_SHOWDOWN = (ev.HandShown, ev.HandMucked, ev.PotAwarded)
_NEW_STREET = (ev.HandStarted, ev.BroughtBack)


def steps_as_seen(steps: Iterable[StepRecord], viewpoint: Viewpoint) -> Iterator[StepRecord]:
    """The steps of a recording with only those events and tables that this viewpoint shows, and without commands."""
    for step in steps:
        if viewpoint == "all":
            yield step
        else:
            view = hide(step.view, viewpoint) if step.view is not None else None
            yield StepRecord(step.seq, step.at, None, tuple([project(event, viewpoint) for event in step.events]), view)


@dataclass(frozen=True, slots=True)
class Moment:
    """One event of the recording.

    Fields:
        seq: its number, from 1; also the position right after it.
        at: UTC milliseconds.
        event: the event as it is seen from the viewpoint.
        thought: milliseconds from the request to this answer; None for other events and for answers by the clock.
    """

    seq: int
    at: int
    event: AnyEvent
    thought: int | None = None


class Playback:
    """The steps of a recording, and a position in it.

    Attributes:
        position: the number of events that have happened, 0 to `len(self)`; `goto` and the moves change it.
        streets: positions right after the first event of every street; the start of a hand and the showdown count too.
        hands: positions right after every `HandStarted`.
        of_a_player: the file holds only what one viewer has seen, so nothing in it must wait for the end of a hand.
    """

    def __init__(self, steps: Iterable[StepRecord] = (), *, of_a_player: bool = False) -> None:
        """Raises ValueError, which names the event, if an event does not fit the table."""
        self.of_a_player = of_a_player
        self.position = 0
        self.streets: list[int] = []
        self.hands: list[int] = []
        self._events: list[AnyEvent] = []
        self._times: list[int] = []
        self._thoughts: dict[int, int] = {}
        self._asked: dict[Seat, int] = {}
        self._jumps: list[int] = []
        self._decisions: list[tuple[int, Seat]] = []
        self._tables: dict[int, TableView] = {}
        self._copies: list[TableView] = [TableView()]
        self._latest = TableView()
        self._showing = False
        self._running = 0  # the start of the hand that is not over; 0 if there is none
        self._cached: tuple[int, TableView] = (0, TableView())
        self.extend(steps)

    def __len__(self) -> int:
        return len(self._events)

    def extend(self, steps: Iterable[StepRecord]) -> None:
        """Adds steps at the end; the position stays. Raises ValueError, which names an event that does not fit."""
        for step in steps:
            if step.view is not None:
                # A player's file: the next event continues from this table.
                self._jumps.append(len(self._events))
                self._tables[len(self._events)] = step.view
                self._latest = step.view.copy()
                self._asked.clear()
            for event in step.events:
                self._add(event, step.at)

    def _add(self, event: AnyEvent, at: int) -> None:
        view = self._latest
        street = view.street
        try:
            view.apply(event)
        except (IndexError, ValueError, AttributeError) as error:
            kind = type(event).__struct_config__.tag
            raise ValueError(f"event {len(self._events) + 1} ({kind}) does not fit the table: {error}") from None
        self._events.append(event)
        self._times.append(at)
        self._mark(event, at, street, view)
        if len(self._events) % STRIDE == 0:
            self._copies.append(view.copy())

    def _mark(self, event: AnyEvent, at: int, street: str, view: TableView) -> None:
        here = len(self._events)
        if isinstance(event, ev.HandStarted):
            self.hands.append(here)
            self._running = here
        elif isinstance(event, ev.HandEnded | ev.HandVoided):
            self._running = 0
        shows = isinstance(event, _SHOWDOWN)
        if isinstance(event, _NEW_STREET) or (view.street and view.street != street) or (shows and not self._showing):
            self.streets.append(here)
        self._showing = shows or (self._showing and not isinstance(event, ev.HandStarted))
        if isinstance(event, ev.ActionRequested):
            self._asked[event.seat] = at
            self._decisions.append((here, event.seat))
        elif isinstance(event, ev.Acted | ev.ChoiceMade | ev.GamePicked) and event.seat is not None:
            asked = self._asked.pop(event.seat, None)
            if asked is not None and getattr(event, "cause", "player") == "player":
                self._thoughts[here] = max(0, at - asked)

    # ---------------------------------------------------------------- moving

    def goto(self, position: int) -> int:
        """Goes to a position, or to the nearest one that there is. Returns the position."""
        self.position = min(max(position, 0), len(self._events))
        return self.position

    def forward(self) -> int:
        """To the next event."""
        return self.goto(self.position + 1)

    def back(self) -> int:
        """To the event before."""
        return self.goto(self.position - 1)

    def start(self) -> int:
        """To the first event."""
        return self.goto(1)

    def end(self) -> int:
        """To the last event."""
        return self.goto(len(self._events))

    def next_street(self) -> int:
        """To the start of the next street, or to the end."""
        return self._next(self.streets)

    def previous_street(self) -> int:
        """To the start of this street; from there to the start of the street before."""
        return self._previous(self.streets)

    def next_hand(self) -> int:
        """To the start of the next hand, or to the end."""
        return self._next(self.hands)

    def previous_hand(self) -> int:
        """To the start of this hand; from there to the start of the hand before."""
        return self._previous(self.hands)

    def _next(self, marks: Sequence[int]) -> int:
        at = bisect_right(marks, self.position)
        return self.goto(marks[at] if at < len(marks) else len(self._events))

    def _previous(self, marks: Sequence[int]) -> int:
        at = bisect_left(marks, self.position)
        return self.goto(marks[at - 1] if at else 1)

    def decision(self, seat: Seat | None, *, back: bool = False) -> int | None:
        """The position at which the seat (None: any seat) is asked next, or was asked before; None if there is none."""
        here = self.position
        if back:
            rows = reversed(self._decisions[: bisect_left(self._decisions, (here, 0))])
        else:
            rows = iter(self._decisions[bisect_left(self._decisions, (here + 1, 0)) :])
        return next((at for at, asked in rows if seat in (None, asked)), None)

    def hand_id(self, position: int | None = None) -> str:
        """The id of the hand of a position; empty before the first hand."""
        start = self.hand_start(position)
        event = self._events[start - 1] if start else None
        return event.id if isinstance(event, ev.HandStarted) else ""

    def hand_at(self, number: int) -> int | None:
        """The position at which the hand with that number starts, the last one of several; None if there is none."""
        for position in reversed(self.hands):
            event = self._events[position - 1]
            if isinstance(event, ev.HandStarted) and event.hand == number:
                return position
        return None

    def hand_start(self, position: int | None = None) -> int:
        """The position at which the hand of a position starts; 0 before the first hand."""
        at = bisect_right(self.hands, self.position if position is None else position)
        return self.hands[at - 1] if at else 0

    def hand_end(self, position: int | None = None) -> int:
        """The last position of the hand of a position: before the next hand starts."""
        at = bisect_right(self.hands, self.position if position is None else position)
        if at == len(self.hands):
            return len(self._events)
        last = self.hands[at] - 1
        # The game is picked in the step that deals the next hand.
        return last - 1 if last and isinstance(self._events[last - 1], ev.GamePicked) else last

    # --------------------------------------------------------------- looking

    def permitted(self, viewpoint: Viewpoint, position: int | None = None) -> Viewpoint:
        """The viewpoint that may be taken at a position (default: the current one).

        In a hand that is not over it is that of a spectator, unless the file is a player's own.
        """
        return None if self.is_running(position) and not self.of_a_player else viewpoint

    def is_running(self, position: int | None = None) -> bool:
        """Whether the hand of a position (default: the current one) is not over, as far as the recording goes."""
        at = self.position if position is None else position
        return bool(self._running) and at >= self._running

    def view(self, viewpoint: Viewpoint = None, position: int | None = None) -> TableView:
        """The table at a position (default: the current one) from the permitted viewpoint; an independent copy."""
        at = self.position if position is None else position
        full = self._full(at)
        viewpoint = self.permitted(viewpoint, at)
        return full.copy() if viewpoint == "all" else hide(full, viewpoint)

    def _full(self, position: int) -> TableView:
        if not 0 <= position <= len(self._events):
            raise IndexError(f"there is no position {position}; the recording has {len(self._events)} events")
        at, view = self._cached
        kept = position // STRIDE
        if not kept * STRIDE <= at <= position:
            at, view = kept * STRIDE, self._copies[kept].copy()
        jumps = self._jumps[bisect_left(self._jumps, at) : bisect_left(self._jumps, position)]
        if jumps:
            at = jumps[-1]
            view = self._tables[at].copy()
        view.apply_all(self._events[at:position])
        self._cached = (position, view)
        return view

    def restart(self, position: int, viewpoint: Viewpoint = None) -> TableView | None:
        """The table from which the next event continues, where a player's file has a gap at this position."""
        table = self._tables.get(position)
        viewpoint = self.permitted(viewpoint, position)
        return table if table is None else table.copy() if viewpoint == "all" else hide(table, viewpoint)

    def moment(self, seq: int, viewpoint: Viewpoint = None) -> Moment:
        """Event number `seq` (1 to `len(self)`) from the permitted viewpoint. Raises IndexError."""
        if not 1 <= seq <= len(self._events):
            raise IndexError(f"there is no event {seq}; the recording has {len(self._events)}")
        event = self._events[seq - 1]
        viewpoint = self.permitted(viewpoint, seq)
        seen = event if viewpoint == "all" else project(event, viewpoint)
        return Moment(seq, self._times[seq - 1], seen, self._thoughts.get(seq))

    def moments(self, after: int, upto: int, viewpoint: Viewpoint = None) -> list[Moment]:
        """The events between two positions; none if the second is not later."""
        return [self.moment(seq, viewpoint) for seq in range(max(after, 0) + 1, min(upto, len(self._events)) + 1)]

    def names(self, position: int | None = None) -> dict[Seat, str]:
        """The names of the players at a position, by seat."""
        full = self._full(self.position if position is None else position)
        return {seat.seat: seat.name for seat in full.players()}
