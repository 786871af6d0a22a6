"""Frames over a stream: one connection to a server, and the handshake that opens it.

`Connection` owns its stream. One task may receive while another sends; two tasks must not send at once.
"""

import contextlib
from collections import deque
from collections.abc import Awaitable, Callable
from typing import TypeAlias

import trio

from client.connection.address import Address
from client.errors import CannotConnect, ConnectionLost, VersionMismatch
from protocol.versions import PROGRAM, PROTOCOL, choose, mismatch
from protocol.wire.codec import BadMessage, decode_from_server
from protocol.wire.frames import SERVER_CAP, BadFrame, FrameDecoder, encode_frame
from protocol.wire.messages import Bye, FromClient, FromServer, Hello, Ping, Refused, Welcome
from protocol.wire.token_proofs import ID_BYTES, channel
from server.errors import errors_within

CONNECT_SECONDS = 10
"""Seconds that a host may take to accept the connection."""
HANDSHAKE_SECONDS = 10
"""Seconds that a server may take to answer a `Hello`."""
PING_AFTER = 10.0
"""Seconds without a message to the server after which a ping is sent; servers hang up after about 30."""
_CHUNK = 65536

Dial: TypeAlias = Callable[[], Awaitable[trio.abc.Stream]]
"""An async function that opens a new stream to the server. Raises CannotConnect."""


def dialer(address: Address) -> Dial:
    """The function that opens TCP connections to that address."""

    async def dial() -> trio.abc.Stream:
        try:
            with trio.fail_after(CONNECT_SECONDS):
                return await trio.open_tcp_stream(address.host, address.port)
        except trio.TooSlowError:
            raise CannotConnect(f"No answer from {address} within {CONNECT_SECONDS} seconds.") from None
        except (OSError, UnicodeError) as error:
            raise CannotConnect(f"Cannot connect to {address}: {_reason(error)}.") from None

    return dial


def _reason(error: BaseException) -> str:
    """Why a connection failed, in a few words, without the additions of the operating system and of trio."""
    while isinstance(error.__cause__, BaseException):
        error = error.__cause__
    error = next(errors_within(error))
    if isinstance(error, ConnectionRefusedError):
        return "nobody listens there"
    if isinstance(error, UnicodeError):
        return "that is not a host name"
    text = error.strerror if isinstance(error, OSError) else None
    return (text or str(error) or type(error).__name__).strip().rstrip(".").lower()


class Connection:
    """Messages in and out. Everything that breaks the connection is raised as ConnectionLost."""

    def __init__(self, stream: trio.abc.Stream) -> None:
        self._stream = stream
        self._decoder = FrameDecoder(SERVER_CAP)
        self._arrived: deque[bytes] = deque()
        self.server = ""
        """Name and version of the server's program; empty before the handshake."""
        self.features: tuple[str, ...] = ()
        """Optional abilities of the server; empty before the handshake."""
        self.server_id = self.channel = b""
        """Public id of a server without encryption, and what proofs of seat tokens to it are bound to; else empty."""

    async def send(self, *messages: FromClient) -> None:
        """Sends messages in one write. Raises ConnectionLost."""
        try:
            await self._stream.send_all(b"".join([encode_frame(message) for message in messages]))
        except (trio.BrokenResourceError, trio.ClosedResourceError):
            raise ConnectionLost("The connection broke.") from None

    async def receive(self) -> FromServer:
        """The next message. Raises ConnectionLost at the end of the stream and for bytes that are not a message."""
        while not self._arrived:
            try:
                data = await self._stream.receive_some(_CHUNK)
            except (trio.BrokenResourceError, trio.ClosedResourceError):
                raise ConnectionLost("The connection broke.") from None
            if not data:
                raise ConnectionLost("The server closed the connection.")
            try:
                self._arrived += self._decoder.feed(bytes(data))
            except BadFrame as error:
                raise ConnectionLost(f"What answers is not a card room ({error}).") from None
        try:
            return decode_from_server(self._arrived.popleft())
        except BadMessage as error:
            raise ConnectionLost(f"The server sent something that is not this protocol ({error}).") from None

    async def handshake(self, client: str = f"ryo {PROGRAM}") -> None:
        """Agrees on a protocol version. Raises VersionMismatch, CannotConnect or ConnectionLost."""
        with trio.move_on_after(HANDSHAKE_SECONDS) as limit:
            await self.send(Hello(PROTOCOL, client=client))
            answer = await self.receive()
        if limit.cancelled_caught:
            raise ConnectionLost("What answers there is not a card room: it did not return the greeting.")
        match answer:
            case Welcome():
                if choose(PROTOCOL, (answer.protocol, answer.protocol)) is None:
                    spoken = (answer.protocol, answer.protocol)
                    raise VersionMismatch(mismatch(spoken, PROTOCOL, client, server_program=answer.server))
                self.server, self.features = answer.server, answer.features
                self._introduced(answer)
            case Refused():
                if choose(PROTOCOL, answer.protocol) is None:
                    raise VersionMismatch(answer.text)
                raise CannotConnect(answer.text)
            case Bye():
                raise CannotConnect(answer.text)
            case _:
                raise ConnectionLost("The server did not return the greeting.")

    def _introduced(self, welcome: Welcome) -> None:
        """A server without encryption has said who it is."""
        if isinstance(self._stream, trio.SocketStream) and len(welcome.server_id) == ID_BYTES:
            with contextlib.suppress(OSError, ValueError):
                own, peer = self._stream.socket.getsockname(), self._stream.socket.getpeername()
                self.channel = channel(welcome.nonce, own[:2], peer[:2])
                self.server_id = welcome.server_id

    async def pump(self, queue: trio.MemoryReceiveChannel[FromClient]) -> None:
        """Sends what is queued, and a ping while nothing is.

        Returns when the connection is broken, and closes it: so the task that receives wakes up and reports the error.
        """
        try:
            while True:
                message: FromClient = Ping()
                with trio.move_on_after(PING_AFTER):
                    message = await queue.receive()
                await self.send(message)
        except ConnectionLost:
            await self.aclose()

    async def aclose(self) -> None:
        """Closes the stream at once, without waiting for the other side."""
        await trio.aclose_forcefully(self._stream)


async def connect(dial: Dial) -> Connection:
    """A new connection, after the handshake. Raises CannotConnect, ConnectionLost or VersionMismatch."""
    connection = Connection(await dial())
    try:
        await connection.handshake()
    except BaseException:
        await connection.aclose()
        raise
    return connection
