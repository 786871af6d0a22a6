"""What has happened in the running hand, for a player or a bot that comes in the middle of it.

A snapshot has no past. The server is asked for the record of the running hand, as far as this player may know it; one
that has none to give leaves the story as it is.
"""

from collections.abc import Callable, Iterator

from client.connection.event_check import plausible
from client.connection.session_port import TableSession
from protocol.events import AnyEvent, Seat
from protocol.view import TableView
from protocol.wire.messages import HandRecord, Rejected

MOST_PARTS = 64
"""Parts of a record."""


class CatchUp:
    """Asks for the beginning of a running hand. `tell` gets its events, each with the view directly behind it, and the
    seat of the reader in that hand (0 for none).
    """

    def __init__(
        self, session: TableSession, tell: Callable[[Iterator[tuple[AnyEvent, TableView]], Seat], None]
    ) -> None:
        self._session = session
        self._tell = tell
        self._hand = 0  # the one that was asked for
        self._seen = 0  # the number of the event from which on the story is known
        self._parts: list[HandRecord] = []
        session.on_record.append(self._answered)

    @property
    def waiting(self) -> bool:
        """Whether an answer of the server is still expected."""
        return bool(self._hand)

    def snapshot(self) -> None:
        """The view has come as a whole: ask for what happened before, if a hand is being played."""
        view = self._session.view
        self._parts = []
        self._hand, self._seen = (view.hand, view.seq) if view.playing else (0, 0)
        if self._hand and not self._session.get_hand(self._hand, running=True):
            self._hand = 0

    def _answered(self, answer: HandRecord | Rejected) -> None:
        if not self._hand or answer.hand != self._hand:
            return
        if isinstance(answer, Rejected):
            self._hand = 0
            return
        self._parts.append(answer)
        last = answer.steps[-1] if answer.steps else None
        if answer.more and last is not None and len(self._parts) < MOST_PARTS:
            after = last.seq + len(last.events) - 1
            if after < self._seen:
                self._session.get_hand(self._hand, after, running=True)
                return
        self._hand = 0
        if self._parts[0].view is not None:
            self._tell(self._events(self._parts[0].view.copy()), answer.viewer)
        self._parts = []

    def _events(self, view: TableView) -> Iterator[tuple[AnyEvent, TableView]]:
        """The events of the record up to those that the story has already. A record that makes no sense just ends."""
        for part in self._parts:
            for step in part.steps:
                for event in step.events:
                    if view.seq >= self._seen:
                        return
                    try:
                        if not plausible(event, len(view.seats)):
                            return
                        view.apply(event)
                    except (IndexError, ValueError, KeyError):
                        return
                    yield event, view
