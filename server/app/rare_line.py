"""A kind of line that strangers could fill the operator's log with: at most one line a minute."""

import structlog
import trio

MINUTE = 60.0


class RareLine:
    """Lines of one kind: the first is written at once, the following ones are counted and told together.

    Args:
        event: the name of the line.
    """

    def __init__(self, log: structlog.typing.FilteringBoundLogger, event: str) -> None:
        self._log, self._event = log, event
        self._next = 0.0
        self._more = 0
        self._last = ("", "")

    def note(self, address: str, why: str) -> None:
        """It has happened once more."""
        self._more += 1
        self._last = address, why
        self.check(trio.current_time())

    def check(self, now: float) -> None:
        """Writes the line if it is due; to be called now and then."""
        if self._more and now >= self._next:
            address, why = self._last
            others = {"more": self._more - 1} if self._more > 1 else {}
            self._log.info(self._event, address=address, why=why, **others)
            self._next, self._more = now + MINUTE, 0
