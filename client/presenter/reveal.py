"""The reveal of a showdown: hand after hand at the table's pace, on this screen only.

The server sends a whole showdown at once. The events are kept here and applied to a view of their own, one after the
other, so that the seats, the panel and the story show what has been revealed so far.
"""

from collections import deque
from collections.abc import Callable

from protocol import events as ev
from protocol.events import AnyEvent
from protocol.view import TableView

QUICK = 0.4
"""For a hand that is mucked, and from one paid share to the next, this part of the time of a shown hand."""
LONGEST = 6.0
"""Seconds that a whole showdown may take where the result has no clock; else half of that clock."""


class Reveal:
    """Holds back the events of a showdown until their time has come.

    Args:
        pace: seconds from one shown hand to the next, and from the last one to the pots; 0: nothing is held back.
        now: seconds on any steady scale.
        tell: gets every event that was held back, when `view` stands directly behind it.

    Attributes:
        view: the table as it has been revealed so far; None while nothing is held back.
    """

    def __init__(self, pace: float, now: Callable[[], float], tell: Callable[[AnyEvent, TableView], None]) -> None:
        self.view: TableView | None = None
        self._pace = pace
        self._now = now
        self._tell = tell
        self._held: deque[tuple[float, AnyEvent]] = deque()  # with seconds from the first one, before they are limited
        self._before: TableView | None = None
        self._start = self._length = 0.0

    def holds(self, event: AnyEvent, view: TableView) -> bool:
        """Whether the event will be told later. Call it with every event, `view` directly behind it."""
        if not self._pace:
            return False
        if self.view is None:
            begins = isinstance(event, ev.HandShown | ev.HandMucked) and view.playing and self._before is not None
            if not begins:
                self._before = view.copy() if view.playing else None
                return False
            self.view, self._before = self._before, None
            self._start, self._length = self._now(), 0.0
        elif isinstance(event, ev.HandStarted | ev.ActionRequested | ev.TableOpened):
            self.finish()
            return False
        elif isinstance(event, ev.Said):
            self.view.apply(event)  # for its number; chat changes nothing at the table
            return False
        else:
            self._length += self._gap(event)
        self._held.append((self._length, event))
        return True

    def _gap(self, event: AnyEvent) -> float:
        """Seconds from the event before to this one."""
        before = self._held[-1][1] if self._held else None
        match event:
            case ev.HandShown():
                return self._pace
            case ev.HandMucked():
                return self._pace * QUICK
            case ev.PotAwarded():
                return self._pace * (QUICK if isinstance(before, ev.PotAwarded) else 1)
            case _:
                return 0.0

    def go_on(self) -> bool:
        """Reveal what is due now; whether that was anything."""
        view = self.view
        if view is None:
            return False
        clocks = view.rules.clocks if view.rules is not None else None
        longest = LONGEST if clocks is None or clocks.wait_for_all else clocks.result / 2
        scale = min(1.0, longest / self._length) if self._length else 1.0
        passed = self._now() - self._start
        revealed = False
        while self._held and self._held[0][0] * scale <= passed:
            self._next(view)
            revealed = True
        if not self._held:
            self.view = None
        return revealed

    def finish(self) -> None:
        """Reveal everything now."""
        view = self.view
        while view is not None and self._held:
            self._next(view)
        self.view = None

    def _next(self, view: TableView) -> None:
        _, event = self._held.popleft()
        view.apply(event)
        self._tell(event, view)
