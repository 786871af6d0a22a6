"""Outgoing bytes of one connection: sent at once if the transport takes them, else from a bounded buffer.

At once means at the end of a burst, while there is one.

Nobody ever waits for a client.

PERF: a queue with a writer task would cost three times as much as the non-blocking try, which is the common case.
"""

from collections import deque
from collections.abc import Awaitable, Callable
from typing import Literal

import trio

from server.config.limits import Limits
from server.net.burst import Burst
from server.net.transport import Transport, TransportBroken

SendFailure = Literal["slow", "broken"]
"""`slow`: the client does not read. `broken`: the connection has ended."""
CatchUp = Callable[[], None]
"""Sends something from which the client can go on although it has missed frames."""
StartTask = Callable[[Callable[[], Awaitable[object]]], None]
"""Starts a task that does the job: a nursery's `start_soon`."""

AT_ONCE = 64 * 1024
"""Bytes given to a transport in one call."""
_ALONE = Burst()
"""For an outbox that always sends at once."""


class Outbox:
    """The sending half of a connection.

    Args:
        transport: where the bytes go.
        limits: `out_frames` and `out_bytes` bound what waits; `write` is the time for `stuck`.
        start_task: starts a task in the background, for the flusher.
        on_failure: called once, when the connection cannot be sent anything any more; everything sent after that is
            thrown away.
        on_overflow: asked when more waits than the limits allow. It may return a way to catch up, which is called once
            the client has read the frames that were begun; what is sent until then is thrown away. None: give the
            client up as slow.
        burst: while it collects, what is sent waits for its end.
    """

    __slots__ = (
        "_burst", "_bytes", "_catch_up", "_flushing", "_limits", "_moved", "_on_failure", "_on_overflow", "_shut",
        "_start_task", "_transport", "_waiting",
    )  # fmt: skip

    def __init__(
        self,
        transport: Transport,
        limits: Limits,
        start_task: StartTask,
        on_failure: Callable[[SendFailure], None],
        on_overflow: Callable[[], CatchUp | None] = lambda: None,
        burst: Burst = _ALONE,
    ) -> None:
        self._transport, self._limits, self._start_task = transport, limits, start_task
        self._on_failure, self._on_overflow = on_failure, on_overflow
        self._burst = burst
        self._waiting: deque[bytes] | None = None
        self._bytes = 0
        self._moved = 0.0
        self._flushing = False
        self._shut = False
        self._catch_up: CatchUp | None = None

    @property
    def waiting(self) -> int:
        """Bytes that the transport has not taken yet."""
        return self._bytes

    def send(self, data: bytes) -> None:
        """Sends one or more whole frames. Never waits, never raises."""
        if self._burst.collects:
            self._burst.add(self._send, data)
        else:
            self._send(data)

    def _send(self, data: bytes) -> None:
        if self._bytes or self._shut:
            self._queue(data)
            return
        try:
            sent = self._transport.send_now(data)
        except TransportBroken:
            self._fail("broken")
            return
        if sent != len(data):
            self._queue(data[sent:])

    def finish(self) -> None:
        """Takes nothing more; our half of the stream ends when the rest is sent."""
        self._burst.send_all()
        if not self._shut:
            self._shut = True
            if not self._bytes:
                self._transport.finish()

    def stuck(self, now: float) -> bool:
        """Whether something has waited longer than `limits.write` while the transport took no byte."""
        return bool(self._bytes) and now - self._moved > self._limits.write

    def _queue(self, data: bytes) -> None:
        if self._shut or self._catch_up is not None:
            return
        waiting = self._waiting
        if waiting is None:
            waiting = self._waiting = deque()
        if len(waiting) >= self._limits.out_frames or self._bytes + len(data) > self._limits.out_bytes:
            self._catch_up = self._on_overflow() if waiting else None
            if self._catch_up is None:
                self._fail("slow")
            else:
                # A part of the first piece may be sent already. It ends with a whole frame, so anything may follow it.
                while len(waiting) > 1:
                    self._bytes -= len(waiting.pop())
            return
        if not self._bytes:
            self._moved = trio.current_time()
        waiting.append(data)
        self._bytes += len(data)
        if not self._flushing:
            self._flushing = True
            self._start_task(self._flush)

    def _fail(self, failure: SendFailure) -> None:
        if not self._shut or self._bytes:
            self._shut = True
            self._waiting, self._bytes = None, 0
            self._on_failure(failure)

    async def _flush(self) -> None:
        transport = self._transport
        try:
            while self._bytes:
                await transport.wait_writable()
                waiting = self._waiting
                if not waiting:
                    break
                data = _take_front(waiting)
                sent = transport.send_now(data)
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
                transport.finish()
        except TransportBroken:
            self._fail("broken")
        finally:
            self._flushing = False


def _take_front(waiting: deque[bytes]) -> bytes:
    """Takes the first pieces away and joins them: enough for one call, and no more, so that the rest can be dropped."""
    if len(waiting) == 1 or len(waiting[0]) >= AT_ONCE:
        return waiting.popleft()
    pieces, size = [], 0
    while waiting and size < AT_ONCE:
        pieces.append(waiting.popleft())
        size += len(pieces[-1])
    return b"".join(pieces)
