"""Stepping through what happened, forwards and backwards, from any viewpoint.

A position is a number of events: 0 is before the first event, `len(playback)` after the last one. The table at a
position is the fold of that many events and of nothing else. So a replay cannot show the future, nor, for a seat or a
spectator, a card that was hidden from them at that moment. A copy of the table is kept every `STRIDE` events, so any
position is reached by folding at most that many events.

A host's file holds all cards, and can be read while its last hand is being played, perhaps by a host who plays along.
So until that hand is over, everybody sees of it what a spectator sees.

A playback can begin with a part of a long recording (`Part`). Positions are those of the whole recording, and what is
asked for outside the part is read then.
"""

from bisect import bisect_left, bisect_right
from collections.abc import Callable, Iterable, Iterator, Sequence
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


@dataclass(frozen=True, slots=True)
class Part:
    """Whole hands of a recording, with which a playback begins.

    Fields:
        position: events before them; table: before their first event.
        events, hands: how many the whole recording holds.
        rest: gives all steps of the recording.
    """

    position: int
    table: TableView
    events: int
    hands: int
    rest: Callable[[], Iterable[StepRecord]]


class Playback:
    """The steps of a recording, and a position in it.

    Attributes:
        position: the number of events that have happened, 0 to `len(self)`; `goto` and the moves change it.
        of_a_player: the file holds only what one viewer has seen, so nothing in it must wait for the end of a hand.
    """

    def __init__(
        self, steps: Iterable[StepRecord] = (), *, of_a_player: bool = False, part: Part | None = None
    ) -> None:
        """Raises ValueError, which names the event, if an event does not fit the table."""
        self.of_a_player = of_a_player
        self._begin(part)
        self.extend(steps)

    def _begin(self, part: Part | None) -> None:
        self._part = part
        self._base, table = (0, TableView()) if part is None else (part.position, part.table)
        self.position = self._base
        self._streets: list[int] = []
        self._hands: list[int] = []
        self._events: list[AnyEvent] = []
        self._times: list[int] = []
        self._thoughts: dict[int, int] = {}
        self._asked: dict[Seat, int] = {}
        self._jumps: list[int] = []
        self._decisions: list[tuple[int, Seat]] = []
        self._tables: dict[int, TableView] = {}
        self._copies: list[TableView] = [table]
        self._latest = table.copy()
        self._showing = False
        self._running = 0  # the start of the hand that is not over; 0 if there is none
        self._cached: tuple[int, TableView] = (self._base, table.copy())

    def __len__(self) -> int:
        return self._end if self._part is None else max(self._end, self._part.events)

    @property
    def _end(self) -> int:
        """The last position that has been read."""
        return self._base + len(self._events)

    def _is_read(self, position: int) -> bool:
        """Whether the table at a position can be told from what has been read."""
        return self._part is None or self._base <= position <= self._end

    def _read_all(self) -> bool:
        """Reads the whole recording; the position stays. Returns whether there was something left to read."""
        if self._part is None:
            return False
        position, steps = self.position, self._part.rest()
        self._begin(None)
        self.extend(steps)
        self.position = min(position, len(self))
        return True

    @property
    def hands(self) -> list[int]:
        """Positions right after every `HandStarted`."""
        self._read_all()
        return self._hands

    @property
    def hand_count(self) -> int:
        """The number of hands."""
        return len(self._hands) if self._part is None else max(self._part.hands, len(self._hands))

    @property
    def streets(self) -> list[int]:
        """Positions right after the first event of every street; the start of a hand and the showdown count too."""
        self._read_all()
        return self._streets

    def extend(self, steps: Iterable[StepRecord]) -> None:
        """Adds steps at the end; the position stays. Raises ValueError, which names an event that does not fit."""
        for step in steps:
            if step.view is not None:
                # A player's file: the next event continues from this table.
                self._jumps.append(self._end)
                self._tables[self._end] = step.view
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
            raise ValueError(f"event {self._end + 1} ({kind}) does not fit the table: {error}") from None
        self._events.append(event)
        self._times.append(at)
        self._mark(event, at, street, view)
        if len(self._events) % STRIDE == 0:
            self._copies.append(view.copy())

    def _mark(self, event: AnyEvent, at: int, street: str, view: TableView) -> None:
        here = self._end
        if isinstance(event, ev.HandStarted):
            self._hands.append(here)
            self._running = here
        elif isinstance(event, ev.HandEnded | ev.HandVoided):
            self._running = 0
        shows = isinstance(event, _SHOWDOWN)
        if isinstance(event, _NEW_STREET) or (view.street and view.street != street) or (shows and not self._showing):
            self._streets.append(here)
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
        if not self._base < position <= self._end:
            self._read_all()
        self.position = min(max(position, 0), len(self))
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
        return self.goto(len(self))

    def next_street(self) -> int:
        """To the start of the next street, or to the end."""
        return self._next(lambda: self._streets)

    def previous_street(self) -> int:
        """To the start of this street; from there to the start of the street before."""
        return self._previous(lambda: self._streets)

    def next_hand(self) -> int:
        """To the start of the next hand, or to the end."""
        return self._next(lambda: self._hands)

    def previous_hand(self) -> int:
        """To the start of this hand; from there to the start of the hand before."""
        return self._previous(lambda: self._hands)

    def _next(self, marks: Callable[[], Sequence[int]]) -> int:
        at = bisect_right(marks(), self.position)
        if at == len(marks()) and self._read_all():
            at = bisect_right(marks(), self.position)
        return self.goto(marks()[at] if at < len(marks()) else len(self))

    def _previous(self, marks: Callable[[], Sequence[int]]) -> int:
        at = bisect_left(marks(), self.position)
        if not at and self._read_all():
            at = bisect_left(marks(), self.position)
        return self.goto(marks()[at - 1] if at else 1)

    def decision(self, seat: Seat | None, *, back: bool = False) -> int | None:
        """The position at which the seat (None: any seat) is asked next, or was asked before; None if there is none."""
        here = self.position
        if back:
            rows = reversed(self._decisions[: bisect_left(self._decisions, (here, 0))])
        else:
            rows = iter(self._decisions[bisect_left(self._decisions, (here + 1, 0)) :])
        found = next((at for at, asked in rows if seat in (None, asked)), None)
        return self.decision(seat, back=back) if found is None and self._read_all() else found

    def hand_id(self, position: int | None = None) -> str:
        """The id of the hand of a position; empty before the first hand."""
        start = self.hand_start(position)
        event = self._event(start) if start else None
        return event.id if isinstance(event, ev.HandStarted) else ""

    def hand_at(self, number: int) -> int | None:
        """The position at which the hand with that number starts, the last one of several; None if there is none."""
        for position in reversed(self._hands):
            event = self._event(position)
            if isinstance(event, ev.HandStarted) and event.hand == number:
                return position
        return self.hand_at(number) if self._read_all() else None

    def _event(self, seq: int) -> AnyEvent:
        """The event with that number, which has been read."""
        return self._events[seq - 1 - self._base]

    def hand_start(self, position: int | None = None) -> int:
        """The position at which the hand of a position starts; 0 before the first hand."""
        here = self.position if position is None else position
        at = bisect_right(self._hands, here)
        if not (at and self._is_read(here)) and self._read_all():
            return self.hand_start(here)
        return self._hands[at - 1] if at else 0

    def hand_end(self, position: int | None = None) -> int:
        """The last position of the hand of a position: before the next hand starts."""
        here = self.position if position is None else position
        if not self._is_read(here):
            self._read_all()
        at = bisect_right(self._hands, here)
        if at == len(self._hands):
            return self._end
        last = self._hands[at] - 1
        # The game is picked in the step that deals the next hand.
        return last - 1 if last > self._base and isinstance(self._event(last), ev.GamePicked) else last

    # --------------------------------------------------------------- looking

    def permitted(self, viewpoint: Viewpoint, position: int | None = None) -> Viewpoint:
        """The viewpoint that may be taken at a position (default: the current one).

        In a hand that is not over it is that of a spectator, unless the file is a player's own.
        """
        return None if self.is_running(position) and not self.of_a_player else viewpoint

    def is_running(self, position: int | None = None) -> bool:
        """Whether the hand of a position (default: the current one) is not over, as far as the recording goes."""
        at = self.position if position is None else position
        if not self._is_read(at):
            self._read_all()
        return bool(self._running) and at >= self._running

    def view(self, viewpoint: Viewpoint = None, position: int | None = None) -> TableView:
        """The table at a position (default: the current one) from the permitted viewpoint; an independent copy."""
        at = self.position if position is None else position
        full = self._full(at)
        viewpoint = self.permitted(viewpoint, at)
        return full.copy() if viewpoint == "all" else hide(full, viewpoint)

    def _full(self, position: int) -> TableView:
        if not 0 <= position <= len(self):
            raise IndexError(f"there is no position {position}; the recording has {len(self)} events")
        if not self._is_read(position):
            self._read_all()
        at, view = self._cached
        kept = (position - self._base) // STRIDE
        start = self._base + kept * STRIDE
        if not start <= at <= position:
            at, view = start, self._copies[kept].copy()
        jumps = self._jumps[bisect_left(self._jumps, at) : bisect_left(self._jumps, position)]
        if jumps:
            at = jumps[-1]
            view = self._tables[at].copy()
        view.apply_all(self._events[at - self._base : position - self._base])
        self._cached = (position, view)
        return view

    def restart(self, position: int, viewpoint: Viewpoint = None) -> TableView | None:
        """The table from which the next event continues, where a player's file has a gap at this position."""
        if not self._is_read(position):
            self._read_all()
        table = self._tables.get(position)
        viewpoint = self.permitted(viewpoint, position)
        return table if table is None else table.copy() if viewpoint == "all" else hide(table, viewpoint)

    def moment(self, seq: int, viewpoint: Viewpoint = None) -> Moment:
        """Event number `seq` (1 to `len(self)`) from the permitted viewpoint. Raises IndexError."""
        if not 1 <= seq <= len(self):
            raise IndexError(f"there is no event {seq}; the recording has {len(self)}")
        if not self._base < seq <= self._end:
            self._read_all()
        event = self._event(seq)
        viewpoint = self.permitted(viewpoint, seq)
        seen = event if viewpoint == "all" else project(event, viewpoint)
        return Moment(seq, self._times[seq - 1 - self._base], seen, self._thoughts.get(seq))

    def moments(self, after: int, upto: int, viewpoint: Viewpoint = None) -> list[Moment]:
        """The events between two positions; none if the second is not later."""
        return [self.moment(seq, viewpoint) for seq in range(max(after, 0) + 1, min(upto, len(self)) + 1)]

    def names(self, position: int | None = None) -> dict[Seat, str]:
        """The names of the players at a position, by seat."""
        full = self._full(self.position if position is None else position)
        return {seat.seat: seat.name for seat in full.players()}
