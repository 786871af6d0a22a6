"""A running server: start, accept, orderly stop. `serve` is the same for a headless host and inside `ryo play`."""

import contextlib
import errno
import hashlib
import socket
from functools import partial

import structlog
import trio

from protocol.versions import PROTOCOL
from protocol.wire.frames import encode_frame
from protocol.wire.messages import Refused
from server.admission.server_key import ServerKey, invitation, load_or_create
from server.admission.table_access import AccessRule
from server.app.connection import Connection
from server.app.join_commands import commands
from server.app.lobby import Lobby
from server.app.operator_log import silent
from server.config.config import Config
from server.config.table_config import TableConfig
from server.errors import ConfigError, errors_within
from server.net.listen import listen, to_tell
from server.net.outbox import StartTask
from server.net.poller import Poller
from server.net.tls_transport import TlsTransport
from server.net.transport import TcpTransport, Transport, TransportBroken
from server.storage.group_commit import GroupCommit
from server.storage.journal_errors import JournalError, SyncFailed
from server.storage.recovery import TableSession, begin, resume
from server.storage.system import System
from server.table.fan_out import FanOut
from server.table.shuffler import Shuffler
from server.table.table import Table
from server.table.table_setup import TableSetup

CHECK = 0.5
"""Seconds between looks at the connections' times."""
STOP_WITHIN = 4.0
"""Seconds that an orderly stop may take."""
ACCEPT_AGAIN = 0.1
"""Seconds without new connections after the process ran out of file descriptors (fault 76)."""
STOPPING = "The server stops. Everything stays as it is; come back when it is up again."
_NO_DESCRIPTORS = frozenset({errno.EMFILE, errno.ENFILE, errno.ENOBUFS, errno.ENOMEM})


class Server:
    """A server and its connections.

    Attributes:
        lobby: its tables.
        port: where it listens; 0 before that.
        addresses: HOST:PORT of each way in, as guests may type it.
        identity: its key; None if connections are not encrypted.
        strangers: connections that were no client of this protocol.
        stopped: set when it runs no more.
    """

    def __init__(
        self, config: Config, log: structlog.typing.FilteringBoundLogger, machine: System | None = None
    ) -> None:
        self._machine = machine or System()
        self.lobby = Lobby(config.limits, self._machine)
        self.port = 0
        self.addresses: list[str] = []
        self.identity: ServerKey | None = None
        self.strangers = 0
        self._invites: dict[str, str] = {}
        self._config, self._log = config, log
        self._connections: dict[Connection, None] = {}
        self._stop, self._empty = trio.Event(), trio.Event()
        self.stopped = trio.Event()
        self._committer = GroupCommit(self._machine)
        self._fan_out = FanOut(self._committer)
        self._readiness = Poller() if Poller.available else None

    def stop(self) -> None:
        """Begins an orderly stop."""
        self._stop.set()

    def invitations(self) -> list[str]:
        """The commands by which guests come in, once it listens."""
        tables = {table: self._invites.get(table, "") for table in self.lobby.tables}
        return commands(self.addresses, self.identity.fingerprint if self.identity else "", tables)

    async def connect(self, line: Transport) -> None:
        """Serves one connection until it ends, in a task of its own."""
        connection = self._admit(line)
        if connection is not None:
            try:
                await connection.run()
            except Exception as error:
                self._fault(connection, error)
            finally:
                self._leave(connection)

    def _connect_directly(self, tcp: TcpTransport, readiness: Poller) -> None:
        """Serves one connection whenever there is something to read."""
        line = self._encrypted(tcp)
        connection = self._admit(line or tcp)
        if connection is None:
            return
        number = tcp.number

        def read() -> None:
            try:
                data = tcp.read_now() if line is None else line.decrypt(tcp.read_now())
                if data:
                    connection.received(data)
                elif data is not None:
                    end()
            except TransportBroken:
                end()
            except Exception as error:
                self._fault(connection, error)
                end()

        def end() -> None:
            tcp.before_close = None
            readiness.remove(number)
            connection.ended()
            self._leave(connection)

        # Whoever closes the line ends the connection: without a task, nobody is waiting who would notice.
        tcp.before_close = end
        readiness.add(number, read)

    def _admit(self, line: Transport) -> Connection | None:
        """Counts a connection in, or tells it why it is one too many."""
        address = line.address
        if why := self.lobby.door.admit(address):
            self._log.warning("connection.refused", address=address, why=why)
            with contextlib.suppress(TransportBroken):
                line.send_now(encode_frame(Refused.of("full", why, PROTOCOL)))
            line.close()
            return None
        connection = Connection(line, self.lobby, self._config.limits, self._start, self._log)
        self._connections[connection] = None
        self._log.debug("connection.open", address=address)
        return connection

    def _fault(self, connection: Connection, error: Exception) -> None:
        """Our mistake, and this connection's alone."""
        self._log.error("connection.breach", address=connection.address, error=type(error).__name__, exc_info=error)

    def _leave(self, connection: Connection) -> None:
        del self._connections[connection]
        if not self._connections:
            self._empty.set()
        self.lobby.door.leave(connection.address, connection.greeted)
        self._log.debug("connection.closed", address=connection.address, why=connection.closed)

    async def run(
        self,
        *,
        listeners: list[socket.socket] | None = None,
        task_status: "trio.TaskStatus[Server]" = trio.TASK_STATUS_IGNORED,
    ) -> None:
        """Opens the tables and serves until `stop`. Raises ConfigError, JournalError.

        `listeners`: sockets that listen already, which it then owns; None for those of the settings. With none at all
        only `connect` brings guests.
        """
        await self._identify()
        if listeners is None:
            listeners = listen(self._config.bind, self._config.port)
        try:
            await self._open_tables()
            self.port = int(listeners[0].getsockname()[1]) if listeners else 0
            self.addresses = to_tell(listeners)
            async with trio.open_nursery() as work:
                # The committer outlives the connections, so that what was decided last is still brought to the disk.
                work.start_soon(self._committer.run)
                async with trio.open_nursery() as nursery:
                    self._nursery = nursery
                    self._start: StartTask = nursery.start_soon
                    for listener in listeners:
                        nursery.start_soon(self._accept, listener)
                    if self._readiness is not None:
                        nursery.start_soon(self._readiness.run)
                    nursery.start_soon(self.lobby.ticker)
                    nursery.start_soon(self.lobby.reviver, self._log)
                    nursery.start_soon(self._fan_out.run)
                    nursery.start_soon(self._check)
                    self._log.info("server.listening", port=self.port, tables=len(self.lobby.tables))
                    if self.identity is None:
                        self._log.warning("server.plain_tcp", why="connections are not encrypted")
                    task_status.started(self)
                    await self._stop.wait()
                    for listener in listeners:
                        trio.lowlevel.notify_closing(listener)
                        listener.close()
                    await self._farewell()
                    nursery.cancel_scope.cancel()
                work.cancel_scope.cancel()
        except BaseExceptionGroup as group:
            # A failed sync ends the process with its own exit code, not with a group of exceptions.
            for error in errors_within(group):
                if isinstance(error, SyncFailed):
                    raise error from None
            raise
        finally:
            for listener in listeners:
                listener.close()
            for connection in list(self._connections):  # those without a task, after a cancellation
                connection.ended()
            if self._readiness is not None:
                self._readiness.close()
            for table in self.lobby.tables.values():
                table.close()
            self._log.info("server.stopped")
            self.stopped.set()

    async def _identify(self) -> None:
        """The key, for encryption and for invitations."""
        config = self._config
        invited = [table for table in config.table if table.invite]
        if config.plain_tcp and not invited:
            return
        identity = await trio.to_thread.run_sync(load_or_create, config.base_dir)
        if not config.plain_tcp:
            self.identity = identity
        self._invites = {table.id: invitation(identity.secret, table.id, table.invite) for table in invited}

    async def _open_tables(self) -> None:
        """Opens every table it can; a damaged journal stops its table only, unless there is no other."""
        refused: JournalError | None = None
        for settings in self._config.table:
            try:
                session = await self._machine.work(partial(self._session_of, settings))
            except SyncFailed:
                raise
            except JournalError as error:
                self._log.error("table.refused", table=settings.id, error=str(error))
                refused = error
                continue
            self.lobby.add(self._table(settings, session))
            invite = self._invites.get(settings.id, "")
            digest = hashlib.sha256(invite.encode()).digest() if invite else b""
            self.lobby.access.protect(settings.id, AccessRule(settings.password, digest))
        if not self.lobby.tables and refused is not None:
            raise refused

    def _session_of(self, settings: TableConfig) -> TableSession:
        opened = resume if self._config.resume else begin
        now, fs = self._machine.wall_clock(), self._machine.fs
        return opened(str(self._config.hands_dir), settings.id, settings.rules(), now, fs)

    def _table(self, settings: TableConfig, session: TableSession) -> Table:
        log = self._log.info if not session.note else self._log.warning
        log("table.open", table=settings.id, resumed=session.resumed, journal=session.journal.path, note=session.note)
        seed = self._config.seed
        setup = TableSetup(
            settings=settings,
            group_commit=self._committer,
            shuffler=Shuffler(None if seed is None else f"{seed}/{settings.id}"),
            log=self._log,
            system=self._machine,
            most_spectators=self._config.limits.watchers,
            wake=self.lobby.wake,
            schedule=self._fan_out.schedule,
        )
        return Table(session, setup)

    async def _accept(self, listener: socket.socket) -> None:
        while True:
            try:
                await trio.lowlevel.wait_readable(listener)
                sock, _ = listener.accept()
            except (BlockingIOError, InterruptedError, ConnectionAbortedError):
                continue
            except trio.ClosedResourceError:
                return
            except OSError as error:
                if error.errno not in _NO_DESCRIPTORS:
                    if self._stop.is_set():
                        return
                    raise
                self._log.warning("accept.paused", why=error.strerror)
                await trio.sleep(ACCEPT_AGAIN)
                continue
            line = TcpTransport(sock)
            if self._readiness is not None:
                self._connect_directly(line, self._readiness)
            else:
                self._start(partial(self.connect, self._encrypted(line) or line))

    def _encrypted(self, line: Transport) -> TlsTransport | None:
        """The line with encryption, if this server encrypts."""
        if self.identity is None:
            return None
        return TlsTransport(line, self.identity.context, partial(self._stranger, line.address))

    def _stranger(self, address: str, why: str) -> None:
        self.strangers += 1
        self._log.info("connection.stranger", address=address, why=why)

    async def _check(self) -> None:
        while True:
            await trio.sleep(CHECK)
            now = trio.current_time()
            for connection in list(self._connections):
                connection.check(now)

    async def _farewell(self) -> None:
        """Tells everybody, lets what was decided reach the disk, and gives the last words a moment to arrive."""
        for table in self.lobby.tables.values():
            table.audience.spectators.flush()
        for connection in list(self._connections):
            connection.part("stopping", STOPPING, again=True)
        with trio.move_on_after(STOP_WITHIN):
            if self._connections:
                self._empty = trio.Event()
                await self._empty.wait()
            for table in self.lobby.tables.values():
                await table.settled()


async def serve(
    config: Config,
    *,
    log: structlog.typing.FilteringBoundLogger | None = None,
    task_status: "trio.TaskStatus[Server]" = trio.TASK_STATUS_IGNORED,
) -> None:
    """Runs a server until it is stopped or cancelled; ``nursery.start(serve, config)`` gives the `Server`.

    Raises:
        ConfigError: the address or the port cannot be had.
        JournalError: storage failed; `exit_code` says how the process should end.
    """
    await Server(config, log or silent()).run(task_status=task_status)


__all__ = ["ConfigError", "Server", "serve"]
