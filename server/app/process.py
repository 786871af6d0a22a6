"""The process of a headless server: it ends in order when the system asks for it by a signal."""

import signal
import sys
from collections.abc import AsyncIterator, Callable

import structlog
import trio

from server.app import admin_socket, operator_terminal
from server.app.operator import Operator
from server.app.server import Server
from server.config.config import Config
from server.errors import errors_within

if sys.platform != "win32":
    import resource

STOP_SIGNALS = [signal.SIGINT, signal.SIGTERM, *([signal.SIGHUP] if sys.platform != "win32" else [])]
"""What asks a server to stop in order."""


async def until_signal(
    config: Config,
    log: structlog.typing.FilteringBoundLogger,
    tell: Callable[[Server], None] | None,
    show: Callable[[str], None],
) -> None:
    """Serves until SIGINT, SIGTERM or SIGHUP (a terminal that was closed); a second one ends it at once.

    Args:
        tell: is given the server when it listens.
        show: shows the host the answer to a word that was typed into the terminal.

    Raises:
        ConfigError, JournalError: as `Server.run`.
        KeyboardInterrupt: for the second signal.
    """
    leave_no_core_file()
    with trio.open_signal_receiver(*STOP_SIGNALS) as signals:
        server = Server(config, log)
        try:
            async with trio.open_nursery() as nursery:
                nursery.start_soon(_obey, signals, server)
                await nursery.start(server.run)
                operator = Operator(server, config, log)
                async with admin_socket.listening(operator, config.base_dir, log):
                    if tell is not None:
                        tell(server)
                    if operator_terminal.is_terminal():
                        nursery.start_soon(operator_terminal.obey_lines, operator, show)
                    await server.stopped.wait()
                nursery.cancel_scope.cancel()
        except BaseExceptionGroup as group:
            raise next(errors_within(group)) from None


def leave_no_core_file() -> None:
    """A process that crashes must not write its memory to the disk: the key and the cards are in it."""
    if sys.platform != "win32":
        resource.setrlimit(resource.RLIMIT_CORE, (0, resource.getrlimit(resource.RLIMIT_CORE)[1]))


async def _obey(signals: AsyncIterator[int], server: Server) -> None:
    count = 0
    async for _ in signals:
        count += 1
        if count > 1:
            raise KeyboardInterrupt
        server.stop()
