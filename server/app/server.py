"""A running server: start, serve, orderly stop. `serve` is the same for a headless host and inside `ryo play`."""

import contextlib
import socket
from collections.abc import Awaitable, Callable
from dataclasses import replace
from functools import partial

import structlog
import trio

from server.admission.ban_list import BanList
from server.admission.look_alikes import looks
from server.admission.server_key import ServerKey, invitation, load_or_create
from server.app.acceptor import Acceptor
from server.app.beacon import Beacon
from server.app.join_commands import commands
from server.app.lobby import Lobby
from server.app.operator_log import silent
from server.app.plain_hello import PlainHello
from server.app.room_list import RoomList
from server.app.shutdown import Shutdown
from server.app.table_hosts import TableHosts
from server.app.table_opening import TableOpener
from server.app.web_page import links, port_settings
from server.config.config import Config
from server.errors import errors_within
from server.net.listen import listen, reachable_addresses
from server.net.proxy_header import TrustedProxies
from server.net.transport import Transport
from server.storage.group_commit import GroupCommit
from server.storage.journal_errors import SyncFailed
from server.storage.system import System
from server.table.counts import Counts
from server.table.fan_out import FanOut

STOP_WITHIN = 4.0
"""Seconds that an orderly stop may take."""


class Server:
    """A server: its tables, and the connections to them.

    Attributes:
        lobby: its tables.
        beacon: answers searches on the network; None if it does not.
        port: where it listens; 0 before that.
        addresses: HOST:PORT of each way in, as guests may type it.
        group_commit: its way to the disk.
        shutdown: its end, for which the host or the system asks.
        stopped: set when it runs no more.
    """

    def __init__(
        self, config: Config, log: structlog.typing.FilteringBoundLogger, system: System | None = None
    ) -> None:
        self._system = system = system or System()
        bans = BanList(str(config.base_dir), config.contact, system)
        self.lobby = Lobby(config.limits, system, bans, RoomList(config.rooms, log).tables)
        self.port = 0
        self.addresses: list[str] = []
        self.shutdown = Shutdown(self.lobby, log)
        self.stopped = trio.Event()
        self._config, self._log = config, log
        self._secret: ServerKey | None = None
        self._invitations: dict[str, str] = {}
        self.group_commit = GroupCommit(system)
        self._fan_out = FanOut(self.group_commit)
        self._opener = TableOpener(config, log, system, self.group_commit, self._fan_out, self.lobby)
        self._hosts = TableHosts(self, config, log, self._start)
        proxies = TrustedProxies(config.proxy_networks())
        self._acceptor = Acceptor(self.lobby, self._hosts, config.limits, proxies, log, self._start)
        self.beacon: Beacon | None = None
        self._nursery: trio.Nursery

    @property
    def key(self) -> ServerKey | None:
        """Its key and certificate; None if connections of our own clients are not encrypted."""
        return None if self._config.plain_tcp else self._secret

    @property
    def strangers(self) -> int:
        """Connections that were no client of this protocol."""
        return self._acceptor.strangers

    @property
    def counts(self) -> Counts:
        """What has happened at its tables; the refusals before them are counted, too."""
        counts = self._opener.counts
        return replace(counts, refused=counts.refused + self._acceptor.refused)

    def stop(self) -> None:
        """Begins an orderly stop."""
        self.shutdown.stop()

    async def use(self, config: Config) -> list[str]:
        """From now on these settings count, as far as they may change while the server runs (`server.app.reload`).

        Returns:
            The keys of house games that are others, although the settings name the same files.

        Raises:
            ConfigError: there is no key for invitations, a house game or the list of bans is wrong; nothing changes.
        """
        rules = {settings.id: settings.rules() for settings in config.table}
        await self.lobby.bans.load()
        self._invitations = await self._invitations_for(config)
        before = {table.id: table for table in self._config.table}
        self._config = self._hosts.config = config
        self.lobby.bans.contact = config.contact
        self.lobby.door.limits = self._acceptor.limits = config.limits
        files = []
        for settings in config.table:
            if (table := self.lobby.tables.get(settings.id)) is not None:
                self._opener.protect(settings, self._invitations)
                if table.use(settings, rules[table.id], config.limits.watchers) and settings == before[settings.id]:
                    files.append(f"table.{settings.id}.games")
        return files

    def join_commands(self) -> list[str]:
        """The commands by which guests come in, once it listens."""
        fingerprint = self.key.fingerprint if self.key else ""
        return commands(self.addresses, fingerprint, self._ways_in(), named=bool(self._config.public))

    def page_links(self) -> list[str]:
        """The addresses by which guests come in with a browser, once it listens; none without a page."""
        return links(self._config, self.addresses, self._ways_in())

    def _ways_in(self) -> dict[str, str]:
        """The invitation to each table; empty for a table that needs none."""
        return {table: self._invitations.get(table, "") for table in self.lobby.tables}

    async def connect(self, transport: Transport) -> None:
        """Serves one connection until it ends, in the caller's task."""
        await self._acceptor.serve(transport)

    async def run(
        self,
        *,
        listeners: list[socket.socket] | None = None,
        task_status: "trio.TaskStatus[Server]" = trio.TASK_STATUS_IGNORED,
    ) -> None:
        """Opens the tables and serves until `stop`.

        Args:
            listeners: sockets that listen already, which the server then owns; None for those of the settings. With
                none at all only `connect` brings guests.

        Raises:
            ConfigError: the address or the port cannot be had, or the key or the list of bans cannot be used.
            JournalError: storage failed; `exit_code` says how the process should end.
        """
        self._invitations = await self._invitations_for(self._config)
        self._acceptor.port = port_settings(self._config, self._secret)
        await self.lobby.bans.load()
        if listeners is None:
            listeners = listen(self._config.bind, self._config.port)
        try:
            await self._opener.open_all(self._invitations)
            if self._config.plain_tcp and listeners:
                await self._introduce()
            self.port = int(listeners[0].getsockname()[1]) if listeners else 0
            self.addresses = [self._config.public] if self._config.public else reachable_addresses(listeners)
            async with trio.open_nursery() as work:
                # It outlives the connections, so that what was decided last is still brought to the disk.
                work.start_soon(self.group_commit.run)
                async with trio.open_nursery() as self._nursery:
                    self._start_tasks(listeners)
                    task_status.started(self)
                    await self.shutdown.stopping.wait()
                    self._acceptor.stop(listeners)
                    await self._farewell()
                    self._nursery.cancel_scope.cancel()
                work.cancel_scope.cancel()
        except BaseExceptionGroup as group:
            # A failed sync ends the process with its own exit code, not with a group of exceptions.
            for error in errors_within(group):
                if isinstance(error, SyncFailed):
                    raise error from None
            raise
        finally:
            self._close(listeners)

    def _start(self, job: Callable[[], Awaitable[object]]) -> None:
        self._nursery.start_soon(job)

    def _start_tasks(self, listeners: list[socket.socket]) -> None:
        self._acceptor.run(listeners)
        self._nursery.start_soon(self.lobby.ticker)
        self._nursery.start_soon(self.lobby.reviver, self._log)
        self._nursery.start_soon(self._fan_out.run)
        self._nursery.start_soon(self._acceptor.check)
        self._nursery.start_soon(self.shutdown.stop_after_drain)
        # It reads a large table. Nobody who joins should wait for that, nor the host for a server that listens.
        self._nursery.start_soon(self._system.work, partial(looks, ""))
        if self._config.quit_idle:
            self._nursery.start_soon(self.shutdown.stop_when_idle, self._config.quit_idle)
        self._log.info("server.listening", port=self.port, tables=len(self.lobby.tables))
        if self._config.lan and listeners:
            self.beacon = Beacon(self.lobby, self.key.fingerprint if self.key else "", self.port, self._log)
            self.beacon.open(listeners, self._nursery.start_soon)
        if self.key is None:
            self._log.warning("server.plain_tcp", why="connections are not encrypted")

    async def _invitations_for(self, config: Config) -> dict[str, str]:
        """The invitations by id of the table; loads the key where it is needed. Raises ConfigError."""
        invited = [table for table in config.table if table.invite]
        if self._secret is None and (invited or not config.plain_tcp or config.web == "tls"):
            self._secret = await trio.to_thread.run_sync(load_or_create, config.base_dir)
        key = self._secret
        return {} if key is None else {table.id: invitation(key.secret, table.id, table.invite) for table in invited}

    async def _introduce(self) -> None:
        """The id of a server without encryption. Without it, seats hang on the address as guests type it."""
        make = partial(PlainHello, str(self._config.base_dir), self._system.fs)
        try:
            self._acceptor.plain_hello = await self._system.work(make)
        except OSError as error:
            self._log.warning("server.no_id", why=error.strerror)

    async def _farewell(self) -> None:
        """Tells everybody, lets what was decided reach the disk, and gives the last words a moment to arrive."""
        tables = self.lobby.tables.values()
        for table in tables:
            table.audience.spectators.flush()
        self._acceptor.say_goodbye(self.shutdown.farewell)
        with trio.move_on_after(STOP_WITHIN):
            await self._acceptor.empty()
            for table in tables:
                await table.settled()

    def _close(self, listeners: list[socket.socket]) -> None:
        with contextlib.ExitStack() as last:  # what fails to close keeps nothing else open
            last.callback(self.stopped.set)
            last.callback(self._log.info, "server.stopped")
            for table in self.lobby.tables.values():
                last.callback(table.close)
            last.callback(self._acceptor.close)
            if self.beacon is not None:
                last.callback(self.beacon.close)
            for listener in listeners:
                last.callback(listener.close)


async def serve(
    config: Config,
    *,
    log: structlog.typing.FilteringBoundLogger | None = None,
    task_status: "trio.TaskStatus[Server]" = trio.TASK_STATUS_IGNORED,
) -> None:
    """Runs a server until it is stopped or cancelled; ``nursery.start(serve, config)`` gives the `Server`.

    Raises ConfigError, JournalError as `Server.run` does.
    """
    await Server(config, log or silent()).run(task_status=task_status)
