"""What a server tells systemd about itself: `sd_notify(3)`, a datagram of lines to a Unix socket.

Started by anything else, it tells nobody.
"""

import contextlib
import os
import socket
import sys
from collections.abc import Mapping

import trio

from server.app.lobby import Lobby
from server.app.server import STOP_WITHIN, Server
from server.app.shutdown import DRAIN_WITHIN

MICRO = 1_000_000
"""systemd counts time in microseconds."""


class ServiceManager:
    """The one that has started this process, if it wants to be told.

    Args:
        environment: of the process.

    Attributes:
        patience: seconds after which it ends a process that has not said that it works; None if it does not.
    """

    def __init__(self, environment: Mapping[str, str]) -> None:
        self._address = environment.get("NOTIFY_SOCKET", "")
        self.patience: float | None = None
        waits = environment.get("WATCHDOG_USEC", "")
        if waits.isdecimal() and environment.get("WATCHDOG_PID", "") in ("", str(os.getpid())):
            self.patience = int(waits) / MICRO

    def tell(self, *lines: str) -> None:
        """Tells it something; what cannot be told costs nobody their table."""
        if sys.platform == "win32" or not self._address:
            return
        # A name that begins with @ is none of the file system.
        address = "\0" + self._address[1:] if self._address.startswith("@") else self._address
        with contextlib.suppress(OSError), socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as sock:
            sock.setblocking(False)
            sock.sendto("\n".join(lines).encode(), address)

    async def follow(self, server: Server) -> None:
        """Tells how a server that listens is doing, until it stops."""
        async with trio.open_nursery() as nursery:
            if self.patience is not None:
                nursery.start_soon(self.feed, server.lobby, self.patience)
            nursery.start_soon(self._tell_draining, server)
            self.tell("READY=1", f"STATUS=Guests come in by port {server.port}.")
            await server.shutdown.stopping.wait()
            self.tell("STOPPING=1", "STATUS=Saying goodbye.", _more_time(STOP_WITHIN))
            nursery.cancel_scope.cancel()

    async def _tell_draining(self, server: Server) -> None:
        await server.shutdown.draining.wait()
        self.tell("STATUS=The last hands are played.", _more_time(DRAIN_WITHIN + STOP_WITHIN))

    async def feed(self, lobby: Lobby, patience: float) -> None:
        """Says in time that the process works: its loop runs, and every table has done what it was asked to (fault 77).

        A table whose disk hangs has not; a new process may find it well again. A table that has halted has nothing to
        do: a new start would not help it, and the others play.
        """
        while True:
            for table in list(lobby.tables.values()):
                await table.settled()
            self.tell("WATCHDOG=1")
            await trio.sleep(patience / 3)


def _more_time(seconds: float) -> str:
    """Asks for so much time from now before the manager ends the process, and a few seconds for the rest."""
    return f"EXTEND_TIMEOUT_USEC={int((seconds + 5) * MICRO)}"
