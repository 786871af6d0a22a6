"""Bursts: what is sent while many connections are served goes out when all of them have been served.

PERF: after a call into the kernel our own code is slow for a while, probably because the kernel takes its place in the
caches of the processor. So a server with much to do serves all that have written something first, and then makes the
calls that send, one after the other. What that brings is in docs/performance.md.
"""

from collections import deque
from collections.abc import Callable


class Burst:
    """What is to be sent, in its order. Used with `with`: whatever is added inside is sent at the end.

    Attributes:
        collects: whether there is such a `with`; without it, whoever sends has to send at once.
    """

    __slots__ = ("_waiting", "collects")

    def __init__(self) -> None:
        self._waiting: deque[tuple[Callable[[bytes], None], bytes]] = deque()
        self.collects = False

    def add(self, send: Callable[[bytes], None], data: bytes) -> None:
        """Calls `send(data)` later; it must not raise."""
        self._waiting.append((send, data))

    def send_all(self) -> None:
        """Sends what was added so far, and what is added meanwhile."""
        waiting = self._waiting
        while waiting:
            send, data = waiting.popleft()
            send(data)

    def __enter__(self) -> None:
        self.collects = True

    def __exit__(self, *_: object) -> None:
        try:
            self.send_all()  # what is sent because of a failure here has to wait for its turn, too
        finally:
            self.collects = False
