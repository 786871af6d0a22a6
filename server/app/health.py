"""What a server tells the machine that runs it, over HTTP: `/livez`, `/readyz` and `/metrics`.

live: its event loop turns. ready: guests can come and play. Nothing that is told names a person, or their address.
"""

import os
import socket
from math import inf

import structlog
import trio

from server.app.metrics import CONTENT_TYPE, metrics_text
from server.app.server import Server
from server.config.config import Config
from server.errors import ServerError
from server.net.listen import listen
from server.storage.journal_file import has_room
from server.web.http_server import HttpServer, Request, Response

SLOW_DISK = 2.0
"""Seconds after which a disk that has not done what it was told to do makes a server not ready (fault 57)."""
LOOK_AT_DISK = 5.0
"""Seconds between looks at the disk."""
LOOK_AT_LOOP = 0.25
"""Seconds that a look at the event loop takes."""
_LOOKS = 60
"""Looks of which the longest delay is told: the last quarter of a minute."""


def health_listeners(config: Config) -> list[socket.socket]:
    """The sockets for it; none if the settings want none. Raises ConfigError."""
    place = config.health_address()
    return [] if place is None else listen(*place, "health")


class Health:
    """Answers how a server is doing.

    Attributes:
        loop_lag: the longest delay of the event loop in the last quarter of a minute, in seconds.
    """

    def __init__(self, server: Server, config: Config, log: structlog.typing.FilteringBoundLogger) -> None:
        self.loop_lag = 0.0
        self._server, self._folder = server, str(config.hands_dir)
        self._http = HttpServer(self.respond, log)
        self._asked_disk = inf
        self._disk = ""

    async def run(self, listeners: list[socket.socket]) -> None:
        """Serves on these sockets. Works until cancelled; without sockets it returns at once."""
        if listeners:
            async with trio.open_nursery() as nursery:
                nursery.start_soon(self._http.run, listeners)
                nursery.start_soon(self._watch_loop)
                nursery.start_soon(self._watch_disk)

    async def respond(self, request: Request) -> Response:
        """The answer to a request."""
        await trio.lowlevel.checkpoint()
        match request.path:
            case "/livez":
                return Response(200, b"live\n")
            case "/readyz":
                problems = self.problems()
                lines = problems or ["ready"]
                return Response(503 if problems else 200, "".join(f"{line}\n" for line in lines).encode())
            case "/metrics":
                return Response(200, metrics_text(self._server, self.loop_lag), CONTENT_TYPE)
        return Response(404, b"Here are /livez, /readyz and /metrics.\n")

    def problems(self) -> list[str]:
        """Why guests cannot come and play; nothing if they can."""
        server = self._server
        tables = server.lobby.tables.values()
        found = []
        if not server.addresses:
            found.append("The server does not listen yet.")
        elif all(table.halted is not None for table in tables):
            found.append("No table plays.")
        if server.shutdown.draining.is_set() or server.shutdown.stopping.is_set():
            found.append("The server is about to stop.")
        late = max(server.group_commit.behind(), trio.current_time() - self._asked_disk)
        if late > SLOW_DISK:
            found.append("The disk is slow, or stuck.")
        if self._disk:
            found.append(self._disk)
        return found

    async def _watch_loop(self) -> None:
        looks = [0.0] * _LOOKS
        while True:
            begun = trio.current_time()
            await trio.sleep(LOOK_AT_LOOP)
            looks = [*looks[1:], max(0.0, trio.current_time() - begun - LOOK_AT_LOOP)]
            self.loop_lag = max(looks)

    async def _watch_disk(self) -> None:
        while True:
            self._asked_disk = trio.current_time()
            self._disk = await trio.to_thread.run_sync(_problem_of_disk, self._folder, abandon_on_cancel=True)
            self._asked_disk = inf
            await trio.sleep(LOOK_AT_DISK)


def _problem_of_disk(folder: str) -> str:
    """Why hands cannot be written there; empty if they can."""
    if not os.path.isdir(folder):
        return ""  # the server makes it when it starts
    if not os.access(folder, os.W_OK | os.X_OK):
        return "The folder of the hands cannot be written."
    try:
        return "" if has_room(folder) else "The disk has no room for another hand."
    except ServerError:
        return "The disk does not tell how much room it has."
