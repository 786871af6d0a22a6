"""Transports: byte streams that can be written without waiting.

A sender tries at once; only what the transport does not take waits (`server.net.outbox`). TCP, TLS over another
transport and, in tests, a pair in memory all have the same few methods.
"""

import contextlib
import socket
from collections.abc import Callable
from typing import Protocol, TypeAlias

import trio

READ_BYTES = 64 * 1024
End: TypeAlias = tuple[str, int]
"""Address and port of one end of a connection."""


class TransportBroken(Exception):
    """The connection is gone: the peer or the network has ended it."""


class Transport(Protocol):
    """One connection. `close` may be called at any time and ends every waiting call with TransportBroken.

    Attributes:
        address: the peer's address, for the limits and the log.
    """

    address: str

    def send_now(self, data: bytes) -> int:
        """Takes as many bytes of `data` as fit without waiting, perhaps none, and returns how many.

        The caller must offer the rest again before anything else. Raises TransportBroken.
        """

    async def wait_writable(self) -> None:
        """Returns when `send_now` may take something again. Raises TransportBroken."""

    async def receive(self) -> bytes:
        """Returns some bytes, at most 64 KiB; ``b""`` at the end of the stream. Raises TransportBroken."""

    def finish(self) -> None:
        """Ends our half of the stream; everything that was sent still arrives."""

    def close(self) -> None:
        """Ends the connection; twice is fine."""


class Layer(Transport, Protocol):
    """A transport over another one, for a caller that reads the lowest one itself."""

    def take(self, data: bytes | None) -> bytes | None:
        """What the peer has sent, without this layer's own bytes: ``b""`` at the end, None if there is nothing yet.

        `data` is what was read from the transport below, with ``b""`` and None of the same meaning. Raises
        TransportBroken.
        """


async def receive_through(below: Transport, take: Callable[[bytes], bytes | None]) -> bytes:
    """What a layer over `below` has for its reader; the `receive` of a `Layer`. Raises TransportBroken."""
    while True:
        data = take(await below.receive())
        if data is not None:
            return data


class TcpTransport:
    """A transport over a connected TCP socket, which it owns.

    Args:
        proxied: the peer's end and ours as a proxy in between names them; None if there is none.

    Attributes:
        before_close: `close` calls this once, while the socket is still open.
    """

    __slots__ = ("_proxied", "_sock", "address", "before_close")

    def __init__(self, sock: socket.socket, proxied: tuple[End, End] | None = None) -> None:
        sock.setblocking(False)
        with contextlib.suppress(OSError):
            sock.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        self._sock, self._proxied = sock, proxied
        self.before_close: Callable[[], None] | None = None
        self.address = self.ends[0][0] or "?"  # a peer that is gone already: the first read will say so

    def send_now(self, data: bytes) -> int:
        try:
            return self._sock.send(data)
        except (BlockingIOError, InterruptedError):
            return 0
        except OSError as error:
            raise TransportBroken(str(error)) from error

    @property
    def ends(self) -> tuple[End, End]:
        """The peer's end and ours; empty addresses if the connection is gone."""
        if self._proxied is not None:
            return self._proxied
        try:
            peer, own = self._sock.getpeername(), self._sock.getsockname()
        except OSError:
            return ("", 0), ("", 0)
        return (str(peer[0]), peer[1]), (str(own[0]), own[1])

    @property
    def descriptor(self) -> int:
        """The socket's file descriptor; -1 once it is closed."""
        return self._sock.fileno()

    def read_now(self) -> bytes | None:
        """Returns some bytes, ``b""`` at the end, None if there is nothing yet. Raises TransportBroken."""
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
        while True:
            try:
                await trio.lowlevel.wait_readable(self._sock)
            except (OSError, trio.ClosedResourceError) as error:
                raise TransportBroken(str(error)) from error
            data = self.read_now()
            if data is not None:
                return data

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
