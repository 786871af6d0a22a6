"""HTTP for programs and browsers that read something: one small request a connection, answered soon.

h11 knows the protocol; here are the sockets and the limits. Slow, silent and hostile clients are cut off after a few
seconds, and where too many come at once, the one that has been there longest makes room.
"""

import contextlib
import socket
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from functools import partial
from http import HTTPStatus
from typing import TypeAlias

import h11
import structlog
import trio

AT_ONCE = 16
"""Connections at the same time."""
WITHIN = 5.0
"""Seconds from the opening of a connection to its end."""
LONGEST_HEAD = 8192
"""Bytes of a request's line and headers."""
_READ = 4096
_ACCEPT_AGAIN = 1.0
"""Seconds without new connections after the system could not give one."""


@dataclass(frozen=True, slots=True)
class Request:
    """What is asked for.

    Fields:
        path: without what stands behind a question mark.
        headers: by their names in small letters; the last one of each name.
    """

    path: str
    headers: dict[str, str]


@dataclass(frozen=True, slots=True)
class Response:
    """What is answered."""

    status: int
    body: bytes
    content_type: str = "text/plain; charset=utf-8"


Respond: TypeAlias = Callable[[Request], Awaitable[Response]]


class HttpServer:
    """Serves requests that only read (GET and HEAD).

    Args:
        respond: answers a request. What it raises is our mistake, and this request's alone.
    """

    def __init__(self, respond: Respond, log: structlog.typing.FilteringBoundLogger) -> None:
        self._respond, self._log = respond, log
        self._open: dict[trio.CancelScope, None] = {}  # the one that has been there longest stands first

    async def run(self, listeners: list[socket.socket]) -> None:
        """Serves on these sockets, which it closes at the end. Works until cancelled."""
        async with trio.open_nursery() as nursery:
            for listener in listeners:
                nursery.start_soon(self._accept, listener, nursery)

    async def _accept(self, listener: socket.socket, nursery: trio.Nursery) -> None:
        with listener:
            while True:
                try:
                    await trio.lowlevel.wait_readable(listener)
                    sock, _ = listener.accept()
                except (BlockingIOError, InterruptedError):
                    continue
                except OSError as error:
                    self._log.warning("http.accept_paused", why=error.strerror)
                    await trio.sleep(_ACCEPT_AGAIN)
                    continue
                sock.setblocking(False)
                stream = trio.SocketStream(trio.socket.from_stdlib_socket(sock))
                nursery.start_soon(partial(self.serve, stream))

    async def serve(self, stream: trio.abc.HalfCloseableStream) -> None:
        """Serves one connection, and closes it."""
        scope = trio.CancelScope(deadline=trio.current_time() + WITHIN)
        if len(self._open) >= AT_ONCE:
            next(iter(self._open)).cancel()
        self._open[scope] = None
        try:
            with scope, contextlib.suppress(trio.BrokenResourceError, trio.ClosedResourceError):
                await self._exchange(stream)
        except Exception as error:
            self._log.error("http.breach", error=type(error).__name__, exc_info=error)
        finally:
            del self._open[scope]
            await trio.aclose_forcefully(stream)

    async def _exchange(self, stream: trio.abc.HalfCloseableStream) -> None:
        """One request and its answer."""
        connection = h11.Connection(h11.SERVER, max_incomplete_event_size=LONGEST_HEAD)
        head = False
        try:
            request = await _next_request(connection, stream)
            if request is None:
                return
            head = request.method == b"HEAD"
            response = await self._answer(request)
        except h11.RemoteProtocolError as error:
            response = Response(error.error_status_hint, b"This is no request of HTTP.\n")
            if connection.our_state not in (h11.IDLE, h11.SEND_RESPONSE):
                return
        await stream.send_all(_bytes_of(connection, response, head=head))
        await stream.send_eof()
        while await stream.receive_some(_READ):  # closed with bytes that nobody has read, the answer would be lost
            pass

    async def _answer(self, request: h11.Request) -> Response:
        if request.method not in (b"GET", b"HEAD"):
            return Response(405, b"Only GET is answered here.\n")
        path = request.target.partition(b"?")[0].decode("ascii", "replace")
        headers = {name.decode("ascii"): value.decode("latin-1") for name, value in request.headers}
        return await self._respond(Request(path, headers))


async def _next_request(connection: h11.Connection, stream: trio.abc.ReceiveStream) -> h11.Request | None:
    """The request; None if the client has gone before it was whole. Raises h11.RemoteProtocolError."""
    while True:
        event = connection.next_event()
        if isinstance(event, h11.Request):
            return event
        if event is not h11.NEED_DATA:
            return None
        connection.receive_data(bytes(await stream.receive_some(_READ)))


def _bytes_of(connection: h11.Connection, response: Response, *, head: bool) -> bytes:
    """The answer as it is sent. `head`: without its body."""
    headers = [
        ("Content-Type", response.content_type),
        ("Content-Length", str(len(response.body))),
        ("Cache-Control", "no-store"),
        ("X-Content-Type-Options", "nosniff"),
        ("Connection", "close"),
    ]
    if response.status == 405:
        headers.append(("Allow", "GET, HEAD"))
    parts = [
        connection.send(
            h11.Response(status_code=response.status, headers=headers, reason=HTTPStatus(response.status).phrase)
        )
    ]
    if not head:
        parts.append(connection.send(h11.Data(data=response.body)))
    parts.append(connection.send(h11.EndOfMessage()))
    return b"".join(part for part in parts if part is not None)
