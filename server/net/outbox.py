"""What a client is sent: at once while its line takes it, else from a bounded buffer. Nobody ever waits for it.

PERF: the non-blocking try costs a third of a queue with a writer task, and is the common case.
"""

from collections import deque
from collections.abc import Awaitable, Callable
from typing import Literal

import trio

from server.config.limits import Limits
from server.net.transport import Transport, TransportBroken

SendFailure = Literal["slow", "broken"]
CatchUp = Callable[[], None]
StartTask = Callable[[Callable[[], Awaitable[object]]], None]
"""Starts a task that does the job: a nursery's `start_soon`."""

AT_ONCE = 64 * 1024
"""Bytes given to a line in one call."""


class Outbox:
    """The sending half of a connection.

    Args:
        line: where the bytes go.
        limits: `out_frames` and `out_bytes` bound what waits; `write` is for whoever asks `stuck`.
        start: starts a task, for the flusher.
        trouble: called once, when the client does not read (`slow`) or the line has ended (`broken`); after that
            everything sent is thrown away.
        afresh: asked before a client is given up as slow: what to do instead, once it has read what is begun. Until
            then everything sent is thrown away; that call has to send something to go on from. None: nothing.
    """

    __slots__ = (
        "_afresh", "_bytes", "_catch_up", "_flushing", "_limits", "_line", "_moved", "_shut", "_start", "_trouble",
        "_waiting",
    )  # fmt: skip

    def __init__(
        self,
        line: Transport,
        limits: Limits,
        start: StartTask,
        trouble: Callable[[SendFailure], None],
        afresh: Callable[[], CatchUp | None] = lambda: None,
    ) -> None:
        self._line, self._limits, self._start, self._trouble, self._afresh = line, limits, start, trouble, afresh
        self._waiting: deque[bytes] | None = None
        self._bytes = 0
        self._moved = 0.0
        self._flushing = False
        self._shut = False
        self._catch_up: CatchUp | None = None

    @property
    def waiting(self) -> int:
        """Bytes that the line has not taken yet."""
        return self._bytes

    def send(self, data: bytes) -> None:
        """Sends one or more whole frames. Never waits, never raises."""
        if self._bytes or self._shut:
            self._queue(data)
            return
        try:
            sent = self._line.send_now(data)
        except TransportBroken:
            self._fail("broken")
            return
        if sent != len(data):
            self._queue(data[sent:])

    def finish(self) -> None:
        """Takes nothing more; the line is half-closed when the rest is out."""
        if not self._shut:
            self._shut = True
            if not self._bytes:
                self._line.finish()

    def stuck(self, now: float) -> bool:
        """Whether something has waited too long without the line taking a byte."""
        return bool(self._bytes) and now - self._moved > self._limits.write

    def _queue(self, data: bytes) -> None:
        if self._shut or self._catch_up is not None:
            return
        waiting = self._waiting
        if waiting is None:
            waiting = self._waiting = deque()
        if len(waiting) >= self._limits.out_frames or self._bytes + len(data) > self._limits.out_bytes:
            self._catch_up = self._afresh() if waiting else None
            if self._catch_up is None:
                self._fail("slow")
            else:
                # Of the first piece a part may be out already; it ends with a frame, so something else may follow it.
                while len(waiting) > 1:
                    self._bytes -= len(waiting.pop())
            return
        if not self._bytes:
            self._moved = trio.current_time()
        waiting.append(data)
        self._bytes += len(data)
        if not self._flushing:
            self._flushing = True
            self._start(self._flush)

    def _fail(self, trouble: SendFailure) -> None:
        if not self._shut or self._bytes:
            self._shut = True
            self._waiting, self._bytes = None, 0
            self._trouble(trouble)

    async def _flush(self) -> None:
        line = self._line
        try:
            while self._bytes:
                await line.wait_writable()
                waiting = self._waiting
                if not waiting:
                    break
                data = _front(waiting)
                sent = line.send_now(data)
                if sent:
                    self._moved = trio.current_time()
                    self._bytes -= sent
                if sent < len(data):
                    waiting.appendleft(data[sent:])
                elif not waiting and self._catch_up is not None:
                    catch_up, self._catch_up = self._catch_up, None
                    catch_up()
            self._waiting = None
            if self._shut:
                line.finish()
        except TransportBroken:
            self._fail("broken")
        finally:
            self._flushing = False


def _front(waiting: deque[bytes]) -> bytes:
    """The first pieces, joined, taken away: enough for one call, not so much that little would be left to drop."""
    if len(waiting) == 1 or len(waiting[0]) >= AT_ONCE:
        return waiting.popleft()
    pieces, size = [], 0
    while waiting and size < AT_ONCE:
        pieces.append(waiting.popleft())
        size += len(pieces[-1])
    return b"".join(pieces)
