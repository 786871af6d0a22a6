"""Keeps the hands that are played at somebody else's table, for `ryo replay` on the player's own machine.

When a hand is over, the keeper asks the server for its record, as far as this player may see it, and a thread writes
it to the disk: a slow or full disk never stops the game, and is reported once.
"""

import queue
import threading
from collections import deque
from collections.abc import Sequence
from pathlib import Path

from client.connection.session import ClientSession
from client.profile.hand_store import HandStore, NotKept
from protocol.events import AnyEvent
from protocol.wire.messages import HandRecord, Rejected

MOST_MISSED = 32
"""Hands that are asked for after a break of the connection; older ones are not kept."""
MOST_PARTS = 64
"""Parts of one hand's record."""
MOST_WAITING = 64
"""Hands that may wait for the disk."""
ASK_AGAIN_SECONDS = 5.0
"""Seconds after which a request without an answer is made again, and a busy server is asked again."""
LAST_WRITE_SECONDS = 2.0
"""Seconds that the disk has at the end for what is not written yet."""


class HandKeeper:
    """Listens to a session, asks for every hand that ends while it is there, and keeps it in a directory.

    Making one is enough; when the session is closed it ends by itself. `kept` is the file of the last hand that was
    written, None if there is none.
    """

    def __init__(self, session: ClientSession, folder: Path) -> None:
        self._session = session
        self.kept: Path | None = None
        self._store = HandStore(folder)
        self._latest: int | None = None
        self._wanted: deque[int] = deque(maxlen=MOST_MISSED)
        self._asked = 0
        self._again_at = 0.0
        self._parts: list[HandRecord] = []
        self._jobs: queue.SimpleQueue[list[HandRecord] | None] = queue.SimpleQueue()
        self._thread: threading.Thread | None = None
        self._trouble = ""
        self._told = False
        session.on_change.append(self._changed)
        session.on_record.append(self._answered)
        session.waits = lambda: bool(self._wanted)

    def _changed(self, events: Sequence[AnyEvent]) -> None:
        session = self._session
        view = session.view
        self._tell_trouble()
        if session.status != "online":
            self._asked = 0
            if session.status == "closed":
                self.close()
            return
        if not view.table:
            return  # connected, but the table has not come yet
        over = view.hand - view.playing
        if self._latest is None:
            self._latest = over  # hands before this visit are not asked for
        elif over < self._latest:
            self._wanted.clear()  # the table has begun a new session
            self._latest = 0
        self._wanted.extend(range(max(self._latest, over - MOST_MISSED) + 1, over + 1))
        self._latest = over
        if self._wanted and session.now() >= self._again_at:
            self._ask()

    def _ask(self, after: int = 0) -> None:
        """Asks for the first hand of the list: for all of it, or for the part after an event number."""
        if not after:
            self._parts = []
        if self._session.get_hand(self._wanted[0], after):
            self._asked = self._wanted[0]
            self._again_at = self._session.now() + ASK_AGAIN_SECONDS

    def _answered(self, answer: HandRecord | Rejected) -> None:
        if not self._asked or answer.hand != self._asked:
            return  # this was not asked for
        if isinstance(answer, Rejected):
            if answer.code == "busy":
                self._asked = 0  # asked again later
            else:
                self._next()
            return
        self._parts.append(answer)
        if not answer.more:
            self._write(self._parts)
        elif answer.steps and len(self._parts) < MOST_PARTS:
            last = answer.steps[-1]
            self._ask(last.seq + len(last.events) - 1)
            return
        self._next()

    def _next(self) -> None:
        if self._wanted and self._wanted[0] == self._asked:
            self._wanted.popleft()
        self._asked, self._parts, self._again_at = 0, [], 0.0
        if self._wanted:
            self._ask()

    def _tell_trouble(self) -> None:
        if self._trouble and not self._told:
            self._told = True
            for tell in self._session.on_notice:
                tell(self._trouble)

    # -------------------------------------------------------------- the thread

    def _write(self, parts: list[HandRecord]) -> None:
        if self._jobs.qsize() >= MOST_WAITING:
            self._trouble = self._trouble or "The disk is too slow; hands are not kept."
            return
        if self._thread is None:
            self._thread = threading.Thread(target=self._work, name="hands", daemon=True)
            self._thread.start()
        self._jobs.put(parts)

    def _work(self) -> None:
        while (parts := self._jobs.get()) is not None:
            try:
                self.kept = self._store.keep(parts) or self.kept
            except NotKept as reason:
                self._trouble = self._trouble or str(reason)
        self._store.close()

    def close(self) -> None:
        """Waits a moment for what is still to be written. May be called twice."""
        thread, self._thread = self._thread, None
        if thread is not None:
            self._jobs.put(None)
            thread.join(LAST_WRITE_SECONDS)
            self._tell_trouble()
