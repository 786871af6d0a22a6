"""A browser's connection: HTTP for the page's files, then perhaps a WebSocket, which is a transport like any other.

The theory. A browser sends requests until one asks for the WebSocket; from then on every message of the WebSocket
carries some bytes of one stream, and in that stream are the frames of our protocol (`protocol.wire.frames`), as on any
other connection. Messages and frames need not have the same ends. So everything behind this transport, from limits to
coming back, is the same for all clients. h11 and wsproto know HTTP and WebSockets and do no input and output.

    requests --WebSocket asked for and allowed--> open --close frame, end of the stream, a fault--> over
"""

import contextlib
from collections.abc import Iterator

import h11
from wsproto import ConnectionType, WSConnection
from wsproto.events import (
    AcceptConnection,
    BytesMessage,
    CloseConnection,
    Event,
    Message,
    Ping,
    RejectConnection,
    Request,
)
from wsproto.utilities import LocalProtocolError, RemoteProtocolError

from protocol.wire.frames import CLIENT_CAP
from server.config.limits import Limits
from server.net.outbox import Outbox, StartTask
from server.net.transport import Transport, TransportBroken, receive_through
from server.web.site import PLAY, UPGRADE, Answer, Answers, sentence

HEADER_BYTES = 8 * 1024
"""Bytes of a request's line and headers."""
MESSAGE_BYTES = CLIENT_CAP + 64
"""Bytes of a WebSocket message, in however many fragments: the largest frame of our protocol, and its head."""
FRAMES_AT_ONCE = 64
"""WebSocket frames in what was read at once; a browser sends a few in a second."""
BACKLOG = 64 * 1024
"""Bytes of answers to pings that may wait for a peer that does not read."""


class WebTransport:
    """The server's side of HTTP and a WebSocket over the transport `below`, which it owns.

    As with TLS (`server.net.tls_transport`), bytes that were not taken must be offered again: they may be in a frame
    that is half sent.

    Args:
        below: carries the bytes of HTTP.
        site: answers the requests.
        limits: of what may wait for a browser that does not read.
        start: starts a task that sends a long answer.

    Attributes:
        frames: WebSocket frames that have come; each costs work, however short it is.
    """

    __slots__ = (
        "_answers", "_below", "_finished", "_http", "_message", "_owed", "_request", "_rest", "_site", "_socket",
        "address", "frames",
    )  # fmt: skip

    def __init__(self, below: Transport, site: Answers, limits: Limits, start: StartTask) -> None:
        self._below, self._site = below, site
        self._http = h11.Connection(h11.SERVER, max_incomplete_event_size=HEADER_BYTES)
        self._answers = Outbox(below, limits, start, lambda _: below.close())
        self._request: h11.Request | None = None
        self._socket: WSConnection | None = None
        self._rest = b""
        self._owed = 0
        self._message = 0
        self._finished = False
        self.address = below.address
        self.frames = 0

    def send_now(self, data: bytes) -> int:
        if self._socket is None:
            raise TransportBroken("nothing can be sent before the WebSocket is open")
        taken = 0
        if self._rest:
            if not self._push():
                return 0
            taken, self._owed = self._owed, 0
        if taken < len(data):
            try:
                self._rest = self._socket.send(BytesMessage(data[taken:] if taken else data))
            except LocalProtocolError as error:
                raise TransportBroken(str(error)) from error
            if not self._push():
                self._owed = len(data) - taken
                return taken
        return len(data)

    async def wait_writable(self) -> None:
        await self._below.wait_writable()

    async def receive(self) -> bytes:
        return await receive_through(self._below, self.take)

    def take(self, data: bytes | None) -> bytes | None:
        """What the client has sent in its WebSocket: ``b""`` at the end, None if there is nothing yet.

        `data` is what was read from the transport below, with ``b""`` and None of the same meaning. Raises
        TransportBroken.
        """
        if not data:
            return data
        if self._finished:
            return None
        return self._answer_requests(data) if self._socket is None else self._unpack(self._socket, data)

    def finish(self) -> None:
        if self._socket is not None and not self._finished:
            with contextlib.suppress(LocalProtocolError, TransportBroken):
                self._send(self._socket, CloseConnection(1000))
        self._finished = True
        self._below.finish()

    def close(self) -> None:
        self._below.close()

    def _push(self) -> bool:
        """Hands what is encoded to the transport below; True if that took all of it. Raises TransportBroken."""
        sent = self._below.send_now(self._rest)
        self._rest = self._rest[sent:]
        return not self._rest

    # -------------------------------------------------------------------- requests

    def _answer_requests(self, data: bytes) -> bytes | None:
        http = self._http
        try:
            http.receive_data(data)
            while True:
                match http.next_event():
                    case h11.Request() as request:
                        self._request = request
                    case h11.EndOfMessage():
                        answer = self._site.answer(self._asked)
                        if answer is UPGRADE:
                            return self._open()
                        self._answer(answer)
                        if http.our_state is not h11.DONE or http.their_state is not h11.DONE:
                            self._no_more()
                            return None
                        http.start_next_cycle()
                    case h11.NEED_DATA:
                        return None
                    case h11.Data():
                        self._answer(sentence(413, "A request for the page has no content."))
                        self._no_more()
                        return None
                    case _:
                        return b""
        except h11.RemoteProtocolError as error:
            if http.our_state in (h11.IDLE, h11.SEND_RESPONSE):
                self._answer(sentence(error.error_status_hint, "That is not a request of HTTP that this server takes."))
            self._no_more()
            return None

    @property
    def _asked(self) -> h11.Request:
        assert self._request is not None
        return self._request

    def _answer(self, answer: Answer) -> None:
        http = self._http
        headers = [*answer.headers, ("Content-Length", str(len(answer.body)))]
        if answer.status >= 400:
            headers.append(("Connection", "close"))
        out = http.send(h11.Response(status_code=answer.status, headers=headers)) or b""
        if answer.body and (self._request is None or self._request.method != b"HEAD"):
            out += http.send(h11.Data(answer.body)) or b""
        http.send(h11.EndOfMessage())
        self._answers.send(out)

    def _no_more(self) -> None:
        """Nothing more is read; what was answered still goes out."""
        self._finished = True
        self._answers.finish()

    # ------------------------------------------------------------------- WebSocket

    def _open(self) -> bytes | None:
        """Opens the WebSocket that the request asks for."""
        socket = WSConnection(ConnectionType.SERVER)
        try:
            socket.initiate_upgrade_connection(list(self._asked.headers), PLAY)
            if not isinstance(next(socket.events(), None), Request):
                raise RemoteProtocolError("no request")
        except RemoteProtocolError:
            self._answer(sentence(400, "That is not how a WebSocket begins."))
            self._no_more()
            return None
        if self._answers.waiting:
            raise TransportBroken("a WebSocket while answers wait")
        self._send(socket, AcceptConnection())
        self._socket = socket
        early, _ = self._http.trailing_data
        return self._unpack(socket, early) if early else None

    def _unpack(self, socket: WSConnection, data: bytes) -> bytes | None:
        """The bytes of the stream that are in these bytes of the WebSocket. Raises TransportBroken."""
        parts: list[bytes] = []
        try:
            socket.receive_data(data)
            for event in self._counted(socket.events()):
                match event:
                    case BytesMessage():
                        parts.append(self._part(event))
                    case Ping():
                        self._send(socket, event.response())
                    case CloseConnection():
                        self._finished = True
                        with contextlib.suppress(LocalProtocolError, TransportBroken):
                            self._send(socket, event.response())
                        return b"".join(parts)  # empty is the end; else the peer ends the stream itself
                    case Message() | RejectConnection():
                        raise TransportBroken("text in a WebSocket of bytes")
        except RemoteProtocolError as error:
            raise TransportBroken(str(error)) from error
        return b"".join(parts) or None

    def _counted(self, events: Iterator[Event]) -> Iterator[Event]:
        """The events, each counted; no more of them at once than a browser sends. Raises TransportBroken."""
        for number, event in enumerate(events):
            if number >= FRAMES_AT_ONCE:
                raise TransportBroken("too many frames at once")
            self.frames += 1
            yield event

    def _part(self, event: BytesMessage) -> bytes:
        """The bytes of one fragment. Raises TransportBroken if its message has become too long."""
        data = bytes(event.data)
        self._message += len(data)
        if self._message > MESSAGE_BYTES:
            raise TransportBroken("a message of the WebSocket that is too long")
        if event.message_finished:
            self._message = 0
        return data

    def _send(self, socket: WSConnection, event: Event) -> None:
        """Sends something that is not a message of ours, behind what is half sent. Raises TransportBroken."""
        self._rest += socket.send(event)
        if not self._push() and len(self._rest) > BACKLOG:
            raise TransportBroken("the peer does not read")
