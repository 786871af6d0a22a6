"""Lines: byte streams that can be written without waiting.

Whoever has something to say tries at once; only what the line does not take waits (`server.net.outbox`). A line over
TLS or in memory has the same few methods.
"""

import contextlib
import socket
from collections.abc import Callable
from typing import Protocol

import trio

READ_BYTES = 64 * 1024


class TransportBroken(Exception):
    """The line is gone: the peer has closed it or the network has."""


class Transport(Protocol):
    """One connection; `close` may be called at any time and ends every waiting call with TransportBroken.

    Attributes:
        address: the peer's address, for the limits and the log.
    """

    address: str

    def send_now(self, data: bytes) -> int:
        """Takes as much of `data` as fits without waiting, 0 if nothing does. Raises TransportBroken.

        What was not taken must be offered again, before anything else.
        """

    async def wait_writable(self) -> None:
        """Returns when trying again makes sense. Raises TransportBroken."""

    async def receive(self) -> bytes:
        """Some bytes, at most 64 KiB; none at the end. Raises TransportBroken."""

    def finish(self) -> None:
        """Nothing more will be sent; what was sent still arrives."""

    def close(self) -> None:
        """Ends the line; twice is fine."""


class TcpTransport:
    """A line over a connected TCP socket, which it owns.

    Attributes:
        before_close: called, once, by `close` while the socket is still open.
    """

    __slots__ = ("_sock", "address", "before_close")

    def __init__(self, sock: socket.socket) -> None:
        sock.setblocking(False)
        with contextlib.suppress(OSError):
            sock.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        self._sock = sock
        self.before_close: Callable[[], None] | None = None
        try:
            self.address = str(sock.getpeername()[0])
        except OSError:  # gone already; the first read will tell
            self.address = "?"

    def send_now(self, data: bytes) -> int:
        try:
            return self._sock.send(data)
        except (BlockingIOError, InterruptedError):
            return 0
        except OSError as error:
            raise TransportBroken(str(error)) from error

    @property
    def number(self) -> int:
        """The file descriptor; -1 once it is closed."""
        return self._sock.fileno()

    def read_now(self) -> bytes | None:
        """Some bytes, none at the end, None if there is nothing yet. Raises TransportBroken."""
        try:
            return self._sock.recv(READ_BYTES)
        except (BlockingIOError, InterruptedError):
            return None
        except OSError as error:
            raise TransportBroken(str(error)) from error

    async def wait_writable(self) -> None:
        try:
            await trio.lowlevel.wait_writable(self._sock)
        except (OSError, trio.ClosedResourceError) as error:
            raise TransportBroken(str(error)) from error

    async def receive(self) -> bytes:
        sock = self._sock
        while True:
            try:
                await trio.lowlevel.wait_readable(sock)
                return sock.recv(READ_BYTES)
            except (BlockingIOError, InterruptedError):
                continue
            except (OSError, trio.ClosedResourceError) as error:
                raise TransportBroken(str(error)) from error

    def finish(self) -> None:
        with contextlib.suppress(OSError):
            self._sock.shutdown(socket.SHUT_WR)

    def close(self) -> None:
        notify, self.before_close = self.before_close, None
        if notify is not None:
            notify()
        if self._sock.fileno() >= 0:
            trio.lowlevel.notify_closing(self._sock)
            self._sock.close()
