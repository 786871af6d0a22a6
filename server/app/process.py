"""The process of a headless server: it ends in order when the system asks for it by a signal."""

import os
import signal
import sys
from collections.abc import AsyncIterator, Awaitable, Callable
from functools import partial

import structlog
import trio

from server.app import admin_socket, operator_terminal
from server.app.operator import Operator
from server.app.server import Server
from server.app.service_manager import ServiceManager
from server.config.config import Config
from server.errors import errors_within
from server.net.inherited_sockets import inherited_sockets

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

    If the settings say so (`drain`), the first one lets the running hands end, the second one stops it in order.

    Args:
        tell: is given the server when it listens.
        show: shows the host the answer to a word that came on standard input.

    Raises:
        ConfigError, JournalError: as `Server.run`.
        KeyboardInterrupt: for the last signal.
    """
    leave_no_core_file()
    leave_no_zombies()
    with trio.open_signal_receiver(*STOP_SIGNALS) as signals:
        server = Server(config, log)
        health = _health(server, config, log)
        try:
            async with trio.open_nursery() as nursery:
                nursery.start_soon(health)
                nursery.start_soon(_obey, signals, server, config.drain)
                await nursery.start(partial(server.run, listeners=inherited_sockets(os.environ)))
                operator = Operator(server, config, log)
                async with admin_socket.listening(operator, config.base_dir, log):
                    nursery.start_soon(ServiceManager(os.environ).follow, server)
                    if tell is not None:
                        tell(server)
                    if operator_terminal.can_be_read():
                        nursery.start_soon(operator_terminal.obey_lines, operator, show)
                    await server.stopped.wait()
                nursery.cancel_scope.cancel()
        except BaseExceptionGroup as group:
            raise next(errors_within(group)) from None


def _health(
    server: Server, config: Config, log: structlog.typing.FilteringBoundLogger
) -> Callable[[], Awaitable[None]]:
    """The task that tells the machine how the server is doing, if the settings want it. Raises ConfigError."""
    if not config.health:
        return trio.lowlevel.checkpoint
    from server.app.health import Health, health_listeners  # what it imports costs time at every start

    return partial(Health(server, config, log).run, health_listeners(config))


def leave_no_core_file() -> None:
    """A process that crashes must not write its memory to the disk: the key and the cards are in it."""
    if sys.platform != "win32":
        resource.setrlimit(resource.RLIMIT_CORE, (0, resource.getrlimit(resource.RLIMIT_CORE)[1]))


def leave_no_zombies() -> None:
    """Process 1 of a container is the parent of every process whose own parent has gone; the system buries them."""
    if sys.platform != "win32" and os.getpid() == 1:
        signal.signal(signal.SIGCHLD, signal.SIG_IGN)


async def _obey(signals: AsyncIterator[int], server: Server, drain: bool) -> None:
    """Each signal ends the server faster than the one before."""
    for end in [server.shutdown.drain, server.shutdown.stop] if drain else [server.shutdown.stop]:
        await anext(signals)
        end()
    await anext(signals)
    raise KeyboardInterrupt
