"""A browser's side of a connection: requests of HTTP, and a WebSocket as a stream that `WireClient` can use."""

import ssl
from collections.abc import Iterable
from typing import Protocol

import h11
import trio
from wsproto import ConnectionType, WSConnection
from wsproto.events import AcceptConnection, BytesMessage, CloseConnection, Event, Ping, RejectConnection, Request

from protocol.versions import PROTOCOL
from protocol.wire import messages as msg
from tests.support.loopback_server import WireClient


class Served(Protocol):
    """Whatever has a server's port, and closes the clients of its list at the end."""

    @property
    def clients(self) -> list[WireClient]: ...

    @property
    def port(self) -> int: ...


def browser_context() -> ssl.SSLContext:
    """TLS as a browser speaks it, after its user has accepted the certificate."""
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
    context.check_hostname = False
    context.verify_mode = ssl.CERT_NONE
    context.set_alpn_protocols(["h2", "http/1.1"])
    return context


async def browser_stream(house: Served, *, tls: bool = False) -> trio.abc.Stream:
    """A connection to the server's port, which is closed with the server."""
    tcp = await trio.open_tcp_stream("127.0.0.1", house.port)
    house.clients.append(WireClient(tcp))
    if not tls:
        return tcp
    stream = trio.SSLStream(tcp, browser_context(), https_compatible=True)
    await stream.do_handshake()
    return stream


async def fetch(
    stream: trio.abc.Stream, target: str = "/", *, method: str = "GET", headers: Iterable[tuple[str, str]] = ()
) -> tuple[int, dict[str, str], bytes]:
    """Status, headers and content of one answer. Raises trio.EndOfChannel if there is none."""
    http = h11.Connection(h11.CLIENT)
    given = dict(headers)
    request = h11.Request(method=method, target=target, headers=list({"Host": "127.0.0.1", **given}.items()))
    await stream.send_all((http.send(request) or b"") + (http.send(h11.EndOfMessage()) or b""))
    status, found, body = 0, {}, b""
    while True:
        match http.next_event():
            case h11.NEED_DATA:
                data = await stream.receive_some(65536)
                if not data and not status:
                    raise trio.EndOfChannel
                http.receive_data(bytes(data))
            case h11.Response(status_code=code) | h11.InformationalResponse(status_code=code) as response:
                status = code
                found = {name.decode(): value.decode() for name, value in response.headers}
                if isinstance(response, h11.InformationalResponse):
                    return status, found, b""
            case h11.Data(data=part):
                body += part
            case _:
                return status, found, body


class WebSocketStream(trio.abc.Stream):
    """A WebSocket as a stream of bytes, each call of `send_all` one message. Raises AssertionError if refused."""

    def __init__(self, below: trio.abc.Stream) -> None:
        self.below = below
        self.socket = WSConnection(ConnectionType.CLIENT)
        self.events: list[Event] = []

    async def open(self, port: int, *, tls: bool = False) -> "WebSocketStream":
        """Asks for the WebSocket."""
        host = f"127.0.0.1:{port}"
        origin = f"{'https' if tls else 'http'}://{host}".encode()
        request = Request(host=host, target="/play", extra_headers=[(b"Origin", origin)])
        await self.below.send_all(self.socket.send(request))
        answer = await self._next()
        assert isinstance(answer, AcceptConnection), answer
        return self

    async def _next(self) -> Event | None:
        """The next event; None at the end."""
        while not self.events:
            data = await self.below.receive_some(65536)
            if not data:
                return None
            self.socket.receive_data(bytes(data))
            self.events += self.socket.events()
        return self.events.pop(0)

    async def send_all(self, data: bytes | bytearray | memoryview) -> None:
        await self.below.send_all(self.socket.send(BytesMessage(bytes(data))))

    async def send_raw(self, data: bytes) -> None:
        """Bytes that are perhaps no WebSocket frame."""
        await self.below.send_all(data)

    async def wait_send_all_might_not_block(self) -> None:
        await self.below.wait_send_all_might_not_block()

    async def receive_some(self, max_bytes: int | None = None) -> bytes:
        while True:
            match await self._next():
                case BytesMessage(data=data):
                    return bytes(data)
                case Ping() as ping:
                    await self.below.send_all(self.socket.send(ping.response()))
                case CloseConnection() | RejectConnection() | None:
                    return b""

    async def aclose(self) -> None:
        await self.below.aclose()


async def web_socket(house: Served, *, tls: bool = False) -> WebSocketStream:
    """An open WebSocket to the server."""
    stream = WebSocketStream(await browser_stream(house, tls=tls))
    return await stream.open(house.port, tls=tls)


async def browser_client(
    house: Served, name: str = "Ann", *, tls: bool = False, features: tuple[str, ...] = ()
) -> WireClient:
    """A client in a browser that has been welcomed."""
    client = WireClient(await web_socket(house, tls=tls), name)
    await client.send(msg.Hello(PROTOCOL, "page", features))
    await client.expect(msg.Welcome)
    return client
