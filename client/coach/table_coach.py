"""The coach at a table against bots: at most one line after a hand, while its result stands.

It listens to the player's own session, so it knows what their seat has seen and nothing else. The counting is done in a
thread, which the table does not wait for; it ends when the next hand begins.
"""

import threading
from collections.abc import Callable

import trio

from client.coach.decisions import Decision, SeenHand, decisions
from client.coach.judge import Values, ValuesOf, Verdict, judge
from client.coach.words import coach_line
from client.connection.session_port import TableSession
from protocol.actions import Action
from protocol.events import AnyEvent, HandEnded, HandStarted, HandVoided
from protocol.view import TableView

ON = "The coach is on: after a hand it says in a line what gave chips up, and nothing where nothing did."
OFF = "The coach is off."
FORBIDDEN = "No coach at this table (house rule)."


class TableCoach:
    """Follows the hands of a session.

    Args:
        values_of: counts what the options of a decision are worth.
        on: whether it says something.

    Attributes:
        on_line: called with the line about the last hand.
    """

    def __init__(self, session: TableSession, values_of: ValuesOf, *, on: bool = False) -> None:
        self.on = on
        self.on_line: list[Callable[[str], None]] = []
        self._session = session
        self._values_of = values_of
        self._before: TableView | None = None
        self._view = session.view
        self._events: list[AnyEvent] = []
        self._over: SeenHand | None = None
        self._woken = trio.Event()
        self._stop = threading.Event()
        self._scope: trio.CancelScope | None = None
        session.on_event.append(self._event)

    def toggle(self) -> str:
        """Switches it on, for the hand that has just ended, too, or off. Returns a sentence that says so."""
        if not self._allowed():
            return FORBIDDEN
        self.on = not self.on
        if self.on:
            self._woken.set()
        else:
            self._cancel()
        return ON if self.on else OFF

    def _allowed(self) -> bool:
        rules = self._session.view.rules
        return rules is None or rules.coach

    def _event(self, event: AnyEvent) -> None:
        session = self._session
        if isinstance(event, HandStarted):
            self._cancel()
            self._over, self._view, self._events = None, session.view, []
            self._before = session.view.copy()
            self._before.seq -= 1  # the event is applied once more, and changes nothing then
        self._events.append(event)
        if isinstance(event, HandEnded | HandVoided):
            # After a snapshot in the middle of a hand its beginning is not known.
            whole = self._before is not None and session.view is self._view and bool(session.seat)
            if whole and isinstance(event, HandEnded) and self._before is not None:
                self._over = SeenHand(self._before, tuple(self._events), session.seat)
                self._woken.set()
            self._before = None

    def _cancel(self) -> None:
        self._stop.set()
        if self._scope is not None:
            self._scope.cancel()

    async def run(self) -> None:
        """Speaks until cancelled."""
        while True:
            await self._woken.wait()
            self._woken = trio.Event()
            hand = self._over
            if hand is None or not self.on or not self._allowed():
                continue
            self._over = None
            self._stop = stop = threading.Event()
            with trio.CancelScope() as self._scope:
                try:
                    line = await trio.to_thread.run_sync(
                        line_about, hand, self._values_of, stop.is_set, abandon_on_cancel=True
                    )
                finally:
                    stop.set()  # the thread may still be counting
                for tell in self.on_line if line else ():
                    tell(line)
            self._scope = None


def line_about(hand: SeenHand, values_of: ValuesOf, stopped: Callable[[], bool]) -> str:
    """What the coach says about a hand; empty where it is silent, and when `stopped`."""

    def count(decision: Decision, deals: int, seed: str, *options: Action) -> Values | None:
        return None if stopped() else values_of(decision, deals, seed, *options)

    verdict = dearest(hand, count)
    return "" if verdict is None or stopped() else coach_line(verdict)


def dearest(hand: SeenHand, values_of: ValuesOf) -> Verdict | None:
    """The verdict on the decision that gave up most; None where none gave up enough to speak of."""
    found: Verdict | None = None
    for decision in decisions(hand.before, hand.events, hand.seat):
        verdict = judge(decision, values_of)
        if verdict is not None and verdict.counts and (found is None or verdict.chips > found.chips):
            found = verdict
    return found
