"""The events of the running hand, from its first one on, for a listener that has to know its history.

Events come as they happen. After a snapshot in the middle of a hand the server is asked for the beginning of the hand,
and what happens meanwhile is held back, so that the listener gets everything in order.
"""

from collections.abc import Callable, Iterator, Sequence

import trio

from client.connection.catch_up import CatchUp
from client.connection.session_port import TableSession
from protocol.events import AnyEvent, HandEnded, HandStarted, HandVoided, Seat
from protocol.view import TableView

BEGINNING_SECONDS = 2.0
"""Seconds that `beginning_known` waits for the server's answer."""


class HandFeed:
    """Calls `see` with every event of a hand as the session's seat sees it, from `HandStarted` to the end of the hand.

    A hand whose beginning the server does not tell is left out from there on: the next thing that `see` hears of is the
    next hand.
    """

    def __init__(self, session: TableSession, see: Callable[[AnyEvent], None]) -> None:
        self._session = session
        self._see = see
        self._view = session.view
        self._known = False  # whether all of the running hand has been told
        self._held: list[AnyEvent] = []  # what has happened since the snapshot
        self._answered = trio.Event()
        self._catch_up = CatchUp(session, self._retell)
        session.on_event.append(self._event)
        session.on_change.append(self._changed)
        session.on_record.append(lambda answer: self._stop_waiting())  # after the catch-up has looked at it

    async def beginning_known(self) -> None:
        """Waits until the beginning of the hand has come, or will not come."""
        if self._catch_up.waiting:
            with trio.move_on_after(BEGINNING_SECONDS):
                await self._answered.wait()

    def _event(self, event: AnyEvent) -> None:
        if isinstance(event, HandStarted):
            self._known, self._held = True, []
        if self._known:
            self._see(event)
        elif self._catch_up.waiting:
            self._held.append(event)
        if isinstance(event, HandEnded | HandVoided):
            self._known = False

    def _changed(self, events: Sequence[AnyEvent]) -> None:
        if self._session.view is self._view:
            return
        self._view = self._session.view  # a snapshot
        self._known, self._held = False, []
        self._answered = trio.Event()
        self._catch_up.snapshot()

    def _retell(self, events: Iterator[tuple[AnyEvent, TableView]], seat: Seat) -> None:
        if self._known:
            return  # it comes too late: the next hand has begun
        self._known = True
        for event, _ in events:
            self._see(event)
        held, self._held = self._held, []
        for event in held:
            self._event(event)

    def _stop_waiting(self) -> None:
        if not self._catch_up.waiting:
            self._answered.set()
