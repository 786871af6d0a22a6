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
from server.app.operator_log import OperatorLog
from server.app.operator_terminal import ControllingTerminal
from server.app.reload import Reloader
from server.app.server import Server
from server.app.service_manager import ServiceManager
from server.config.config import Config
from server.errors import errors_within
from server.net.inherited_sockets import inherited_sockets

if sys.platform != "win32":
    import resource

HANGUP = None if sys.platform == "win32" else signal.SIGHUP
SIGNALS = [signal.SIGINT, signal.SIGTERM, *([] if HANGUP is None else [HANGUP])]
"""What asks a server to stop in order, or to read its settings."""


async def until_signal(
    config: Config,
    load: Callable[[], Config],
    operator_log: OperatorLog,
    tell: Callable[[Server], None] | None,
    show: Callable[[str], None],
) -> None:
    """Serves until SIGINT, SIGTERM or the end of its terminal; a second one ends it at once.

    If the settings say so (`drain`), the first one lets the running hands end, the second one stops it in order.

    SIGHUP comes when the terminal is closed. From anybody else it means that the settings are to be read again.

    Args:
        load: reads the settings as at the start.
        tell: is given the server when it listens.
        show: shows the host the answer to a word that came on standard input.

    Raises:
        ConfigError, JournalError: as `Server.run`.
        KeyboardInterrupt: for the last signal.
    """
    leave_no_core_file()
    leave_no_zombies()
    terminal = ControllingTerminal()
    with trio.open_signal_receiver(*SIGNALS) as signals:
        log = operator_log.logger
        server = Server(config, log)
        operator = Operator(server, config, log, Reloader(server, config, load, operator_log))
        health = _health(server, config, log)
        try:
            async with trio.open_nursery() as nursery:
                nursery.start_soon(health)
                ends: list[Callable[[], None]] = [server.shutdown.stop]
                if config.drain:
                    ends.insert(0, server.shutdown.drain)
                reload: Callable[[], None] = partial(nursery.start_soon, operator.obey, ["reload"])
                nursery.start_soon(_obey, signals, ends, reload, terminal)
                await nursery.start(partial(server.run, listeners=inherited_sockets(os.environ)))
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


async def _obey(
    signals: AsyncIterator[int],
    ends: list[Callable[[], None]],
    reload: Callable[[], None],
    terminal: ControllingTerminal,
) -> None:
    """Each signal ends the server faster than the one before. SIGHUP without a closed terminal reads the settings."""
    async for number in signals:
        if number == HANGUP and not terminal.closed:
            reload()
        elif ends:
            ends.pop(0)()
        else:
            raise KeyboardInterrupt
