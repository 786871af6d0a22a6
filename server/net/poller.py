"""Readiness of sockets: one epoll and one task for all connections.

PERF: without a task for each connection a message costs no task switch, waiting for the next one costs no call into the
kernel, and an idle connection costs no stack. Where there is no epoll, each connection has a task of its own.
"""

import select
from collections.abc import Callable

import trio

from server.net.burst import Burst

_epoll = getattr(select, "epoll", None)  # not an attribute of the module on every system
_READABLE = getattr(select, "EPOLLIN", 1)
MOST_AT_ONCE = 32
"""Connections served before what they send goes out and other tasks have their turn."""


class Poller:
    """Calls back for each socket that can be read, again and again until it is removed.

    Only on systems with epoll (`available`). The callbacks must not raise.

    Args:
        burst: collects what the callbacks send; it goes out when all of them have been called.
    """

    available = _epoll is not None

    def __init__(self, burst: Burst) -> None:
        assert _epoll is not None
        self._burst = burst
        self._epoll = _epoll()
        self._readers: dict[int, Callable[[], None]] = {}

    def add(self, descriptor: int, reader: Callable[[], None]) -> None:
        """Calls `reader` whenever the file descriptor can be read."""
        self._readers[descriptor] = reader
        self._epoll.register(descriptor, _READABLE)

    def remove(self, descriptor: int) -> None:
        """Ends the calls for this descriptor; must come before it is closed."""
        if self._readers.pop(descriptor, None) is not None:
            self._epoll.unregister(descriptor)

    async def run(self) -> None:
        """Works until it is cancelled."""
        readers, poll = self._readers, self._epoll.poll
        while True:
            await trio.lowlevel.wait_readable(self._epoll.fileno())
            with self._burst:
                for descriptor, _ in poll(0, MOST_AT_ONCE):
                    reader = readers.get(descriptor)
                    if reader is not None:  # a reader before this one may have removed it
                        reader()

    def close(self) -> None:
        """Frees the epoll; the sockets stay open."""
        self._epoll.close()
