"""Which connections have something to read: one epoll and one task for all of them.

PERF: without a task for each connection a message costs no task switch and no call into the kernel to wait for the next
one, and an idle connection no stack. Where there is no epoll, a connection has a task of its own (`Connection.run` in
`server.app.connection`).
"""

import select
from collections.abc import Callable

import trio

MOST_AT_ONCE = 256
"""Connections served before other tasks have their turn."""


class Poller:
    """Calls back for each socket that can be read, again and again until it is removed.

    Only on systems with epoll (`available`). The callbacks must not raise.
    """

    available = hasattr(select, "epoll")

    def __init__(self) -> None:
        self._epoll = select.epoll()
        self._readers: dict[int, Callable[[], None]] = {}

    def add(self, number: int, reader: Callable[[], None]) -> None:
        """Calls `reader` whenever file descriptor `number` can be read."""
        self._readers[number] = reader
        self._epoll.register(number, select.EPOLLIN)

    def remove(self, number: int) -> None:
        """No more calls for this one; must come before the descriptor is closed."""
        if self._readers.pop(number, None) is not None:
            self._epoll.unregister(number)

    async def run(self) -> None:
        """Works until cancelled."""
        readers, poll = self._readers, self._epoll.poll
        while True:
            await trio.lowlevel.wait_readable(self._epoll.fileno())
            for number, _ in poll(0, MOST_AT_ONCE):
                reader = readers.get(number)
                if reader is not None:  # else it was removed by one of those before it
                    reader()

    def close(self) -> None:
        """Frees the epoll; the sockets stay open."""
        self._epoll.close()
