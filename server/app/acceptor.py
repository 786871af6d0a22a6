"""The connections of a server, from accept to close: counted in, encrypted, served, timed, counted out."""

import errno
import socket
from functools import partial

import structlog
import trio

from server.app.connection import Connection
from server.app.entrance import Entrance
from server.app.lobby import Lobby
from server.app.plain_hello import NO_INTRODUCTION, Introduction, PlainHello
from server.app.port_transport import PortSettings, PortTransport
from server.app.rare_line import RareLine
from server.app.table_hosts import TableHosts
from server.config.limits import Limits
from server.net.burst import Burst
from server.net.outbox import StartTask
from server.net.poller import Poller
from server.net.proxy_header import BadProxyHeader, ProxyHeader, TrustedProxies, receive_proxy_header
from server.net.transport import TcpTransport, Transport, TransportBroken

CHECK = 0.5
"""Seconds between looks at the connections' times."""
ACCEPT_AGAIN = 0.1
"""Seconds without new connections after the system could not give one, for want of file descriptors, say (fault 76)."""
_CONNECTION_GONE = frozenset(
    getattr(errno, name)
    for name in (
        "ECONNABORTED", "EPERM", "EPROTO", "ENETDOWN", "ENOPROTOOPT", "EHOSTDOWN", "ENONET", "EHOSTUNREACH",
        "EOPNOTSUPP", "ENETUNREACH", "ETIMEDOUT", "ECONNRESET",
    )
    if hasattr(errno, name)
)  # fmt: skip
"""What accept(2) says of a connection that is already lost, not of the listener; Linux hands on network errors."""


class Acceptor:
    """Accepts connections and serves them.

    Where the system has a poller, a connection has no task of its own: whatever there is to read is handled when it
    comes. Elsewhere each connection has a task.

    Args:
        hosts: does what hosts at the tables want.
        proxies: which proxies in front of the server are believed when they say who their client is.
        start: starts a task in the server's nursery.

    Attributes:
        limits: of the connections to come.
        port: what kinds of clients are taken.
        plain_hello: introduces a server that does not encrypt; None if it has no id.
        strangers: connections that were no client of this protocol.
    """

    def __init__(
        self,
        lobby: Lobby,
        hosts: TableHosts,
        limits: Limits,
        proxies: TrustedProxies,
        log: structlog.typing.FilteringBoundLogger,
        start: StartTask,
    ) -> None:
        self.port = PortSettings()
        self.plain_hello: PlainHello | None = None
        self.strangers = 0
        self.limits = limits
        self._lobby, self._log, self._start = lobby, log, start
        self._proxies = proxies
        self._entrance = Entrance(lobby, log, start)
        self._hosts = hosts
        self._stranger_line = RareLine(log, "connection.stranger")
        self._connections: dict[Connection, None] = {}
        self._empty = trio.Event()
        self._burst = Burst()
        self._poller = Poller(self._burst) if Poller.available else None
        self._stopping = False

    @property
    def refused(self) -> int:
        """Attempts to come to a table that were refused before they got there."""
        return self._entrance.refused

    def run(self, listeners: list[socket.socket]) -> None:
        """Starts the tasks that accept and check; they work until cancelled."""
        for listener in listeners:
            self._start(partial(self._accept, listener))
        if self._poller is not None:
            self._start(self._poller.run)

    async def serve(self, transport: Transport, introduction: Introduction = NO_INTRODUCTION) -> None:
        """Serves one connection until it ends, in the caller's task."""
        connection = self._admit(transport, introduction)
        try:
            await connection.run()
        except Exception as error:
            self._entrance.breach(connection, error)
        finally:
            self._leave(connection)

    async def check(self) -> None:
        """Ends connections whose time is over. Works until cancelled."""
        while True:
            await trio.sleep(CHECK)
            now = trio.current_time()
            for connection in list(self._connections):
                connection.check(now)
            self._stranger_line.check(now)
            self._entrance.full_line.check(now)

    def stop(self, listeners: list[socket.socket]) -> None:
        """Closes the listeners: nobody new comes in."""
        self._stopping = True
        for listener in listeners:
            trio.lowlevel.notify_closing(listener)
            listener.close()

    def say_goodbye(self, text: str) -> None:
        """Tells everybody that the server stops."""
        for connection in list(self._connections):
            connection.part("stopping", text, again=True)

    async def empty(self) -> None:
        """Returns when there is no connection any more."""
        if self._connections:
            self._empty = trio.Event()
            await self._empty.wait()

    def close(self) -> None:
        """Ends what is left after a cancellation: connections without a task, and the poller."""
        for connection in list(self._connections):
            connection.ended()
        if self._poller is not None:
            self._poller.close()

    # ------------------------------------------------------------ one connection

    async def _accept(self, listener: socket.socket) -> None:
        while True:
            try:
                await trio.lowlevel.wait_readable(listener)
                sock, address = listener.accept()
            except (BlockingIOError, InterruptedError):
                continue
            except trio.ClosedResourceError:
                return
            except OSError as error:
                if self._stopping or listener.fileno() < 0:
                    return
                if error.errno in _CONNECTION_GONE:
                    continue
                self._log.warning("accept.paused", why=error.strerror)
                await trio.sleep(ACCEPT_AGAIN)
                continue
            if address[0] in self._proxies:
                self._start(partial(self._serve_proxied, sock, address[0]))
            else:
                self._serve_socket(TcpTransport(sock))

    def _serve_socket(self, tcp: TcpTransport) -> None:
        if self._poller is not None:
            self._serve_by_poller(tcp, self._poller)
        else:
            self._start(partial(self.serve, self._layers(tcp) or tcp, self._introduction(tcp)))

    async def _serve_proxied(self, sock: socket.socket, proxy: str) -> None:
        """Serves a client that comes through a proxy, under its own address."""
        header = ProxyHeader()
        sock.setblocking(False)
        try:
            with trio.fail_after(self.limits.hello):
                header = await receive_proxy_header(sock)
        except (BadProxyHeader, OSError, trio.TooSlowError) as error:
            self.strangers += 1
            self._stranger_line.note(proxy, str(error) or "the proxy does not say in time who its client is")
        finally:
            if header.client is None:
                sock.close()
        if header.client is not None and header.server is not None:
            self._serve_socket(TcpTransport(sock, (header.client, header.server)))

    def _serve_by_poller(self, tcp: TcpTransport, poller: Poller) -> None:
        """Serves one connection whenever there is something to read."""
        layers = self._layers(tcp)
        number = tcp.descriptor
        connection = self._admit(layers or tcp, self._introduction(tcp))

        def read() -> None:
            try:
                arrived, now = tcp.read_now(), trio.current_time()
                data = arrived if layers is None else layers.take(arrived)
                if arrived:
                    connection.count(now, len(arrived), 0 if layers is None else layers.pieces(arrived))
                if data:
                    connection.received(now, data)
                elif data is not None:
                    end()
            except TransportBroken:
                end()
            except Exception as error:
                self._entrance.breach(connection, error)
                end()

        def end() -> None:
            tcp.before_close = None
            poller.remove(number)
            connection.ended()
            self._leave(connection)

        # Whoever closes the transport ends the connection: without a task, nobody is waiting who would notice.
        tcp.before_close = end
        poller.add(number, read)

    def _introduction(self, tcp: TcpTransport) -> Introduction:
        """What the server says of itself on this connection; nothing where the key says it."""
        return NO_INTRODUCTION if self.plain_hello is None else self.plain_hello.introduction(*tcp.ends)

    def _admit(self, transport: Transport, introduction: Introduction) -> Connection:
        """Counts a connection in."""
        connection = Connection(
            transport, self._lobby, self._entrance, self._hosts, self.limits, self._start, introduction, self._burst
        )
        self._lobby.door.arrive(connection)
        self._connections[connection] = None
        self._log.debug("connection.open", address=transport.address)
        return connection

    def _leave(self, connection: Connection) -> None:
        """Counts a connection out."""
        del self._connections[connection]
        if not self._connections:
            self._empty.set()
        self._lobby.door.leave(connection)
        self._log.debug("connection.closed", address=connection.address, why=connection.closed)

    def _layers(self, transport: Transport) -> PortTransport | None:
        """What finds out who comes; None where everybody is taken as a client without encryption."""
        if self.port.only_frames:
            return None
        stranger = partial(self._stranger, transport.address)
        return PortTransport(transport, self.port, self.limits, self._start, stranger)

    def _stranger(self, address: str, why: str) -> None:
        self.strangers += 1
        self._stranger_line.note(address, why)
