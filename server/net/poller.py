"""Readiness of sockets: one epoll and one task for all connections.

PERF: without a task for each connection a message costs no task switch, waiting for the next one costs no call into the
kernel, and an idle connection costs no stack. Where there is no epoll, each connection has a task of its own.
"""

import select
from collections.abc import Callable

import trio

_epoll = getattr(select, "epoll", None)  # not an attribute of the module on every system
_READABLE = getattr(select, "EPOLLIN", 1)
MOST_AT_ONCE = 256
"""Connections served before other tasks have their turn."""


class Poller:
    """Calls back for each socket that can be read, again and again until it is removed.

    Only on systems with epoll (`available`). The callbacks must not raise.
    """

    available = _epoll is not None

    def __init__(self) -> None:
        assert _epoll is not None
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
            for descriptor, _ in poll(0, MOST_AT_ONCE):
                reader = readers.get(descriptor)
                if reader is not None:  # a reader before this one may have removed it
                    reader()

    def close(self) -> None:
        """Frees the epoll; the sockets stay open."""
        self._epoll.close()
