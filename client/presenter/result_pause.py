"""How long a result stands: who has read it, and the seconds until the next hand."""

from collections.abc import Callable
from math import ceil

from protocol import events as ev
from protocol.events import AnyEvent
from protocol.seat_view import SeatView
from protocol.table_rules import Clocks
from protocol.view import TableView


class ResultPause:
    """Follows the end of every hand. The server does not send this clock; it is reckoned from the house rules.

    `now` gives seconds on any steady scale.
    """

    def __init__(self, now: Callable[[], float]) -> None:
        self._now = now
        self._ends: float | None = None

    def event(self, event: AnyEvent, view: TableView) -> None:
        """Call this with every event, `view` directly behind it."""
        if isinstance(event, ev.HandEnded | ev.HandVoided):
            clocks = view.rules.clocks if view.rules is not None else Clocks(wait_for_all=True)
            self._ends = None if clocks.wait_for_all else self._now() + clocks.result
        elif isinstance(event, ev.HandStarted):
            self._ends = None

    def words(self, view: TableView) -> list[str]:
        """``3 of 4 ready``, ``9 s``; empty while a hand is played, and where nobody and nothing is waited for."""
        if view.playing or not view.awards:
            return []
        persons = [seat for seat in view.players() if waited_for(seat)]
        ready = sum(seat.went_on for seat in persons)
        words = [f"{ready} of {len(persons)} ready"] if len(persons) > 1 else []
        if self._ends is not None and ready < len(persons):
            words.append(f"{max(0, ceil(self._ends - self._now()))} s")
        return words


def waited_for(seat: SeatView) -> bool:
    """Whether the next hand waits for this player: somebody at the table who has played the last one."""
    return not seat.bot and seat.online and not seat.away and seat.hand != "out"
