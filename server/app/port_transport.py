"""One port for all kinds of clients: the first bytes of a connection tell which kind it is.

    first bytes                      what follows                                   with
    ---------------------------------------------------------------------------------------------------------
    a TLS handshake for ``ryo/1``    TLS with the server's own key, our frames      encryption
    another TLS handshake            TLS with the page's certificate, HTTP          `web = "tls"`
    a capital letter                 HTTP                                           `web = "plain"`; sent on with "tls"
    anything else                    our frames                                     no encryption

What does not fit to the settings is refused by the layer that finds it.
"""

import ssl
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, NamedTuple

from protocol.wire.join_links import ALPN
from server.config.limits import Limits
from server.net.outbox import StartTask
from server.net.tls_records import RecordCounter
from server.net.tls_transport import HANDSHAKE_BYTES, TlsTransport
from server.net.transport import Layer, Transport, TransportBroken, receive_through

if TYPE_CHECKING:  # what they import costs time at every start, and few servers have a page
    from server.web.site import Answers
    from server.web.web_transport import WebTransport

_TLS = 0x16
_RECORD_HEAD = 5
_OURS = bytes([len(ALPN)]) + ALPN.encode()
"""How a handshake names our protocol."""
_HTTP = (None, "http/1.1")


class PortSettings(NamedTuple):
    """What a port takes.

    Fields:
        context: the server's side of TLS for clients of our protocol; None if these are not encrypted.
        web_context: the same for browsers; None if they are not encrypted, or there is no page.
        plain_site: answers requests without encryption; None if there is no page.
        tls_site: answers encrypted requests.
    """

    context: ssl.SSLContext | None = None
    web_context: ssl.SSLContext | None = None
    plain_site: "Answers | None" = None
    tls_site: "Answers | None" = None

    @property
    def only_frames(self) -> bool:
        """Whether everything is taken as our frames without encryption."""
        return self == PortSettings()


class PortTransport:
    """A connection of any kind, as one transport. It owns the transport `below`.

    Args:
        below: the connection.
        port: what the port takes.
        limits: of what may wait for a browser that does not read.
        start: starts a task that sends a browser a long answer.
        on_stranger: called once, with a few words, if the peer is not a client of this server.
    """

    __slots__ = (
        "_below", "_early", "_layers", "_limits", "_on_stranger", "_port", "_records", "_start", "_top", "_web",
        "address",
    )  # fmt: skip

    def __init__(
        self,
        below: Transport,
        port: PortSettings,
        limits: Limits,
        start: StartTask,
        on_stranger: Callable[[str], None],
    ) -> None:
        self._below, self._port, self._limits, self._start = below, port, limits, start
        self._on_stranger = on_stranger
        self._early = b""
        self._layers: Sequence[Layer] | None = None
        self._top: Transport | None = None
        self._web: WebTransport | None = None
        self._records: RecordCounter | None = None
        self.address = below.address

    def send_now(self, data: bytes) -> int:
        if self._top is None:
            raise TransportBroken("nothing can be sent before the first bytes have come")
        return self._top.send_now(data)

    async def wait_writable(self) -> None:
        await self._below.wait_writable()

    async def receive(self) -> bytes:
        return await receive_through(self._below, self.take)

    def take(self, data: bytes | None) -> bytes | None:
        """As in `Layer`."""
        if self._layers is None:
            if not data:
                if data is not None:
                    self._never_began("hung up before the handshake")
                return data
            self._early += data
            self._layers = self._choose(self._early)
            if self._layers is None:
                return None
            data, self._early = self._early, b""
        for layer in self._layers:
            data = layer.take(data)
            if not data:
                break
        return data

    def pieces(self, data: bytes) -> int:
        """How many records of TLS or frames of a WebSocket came in these bytes, which were just taken.

        Each costs work, however short it is.
        """
        records = 0 if self._records is None else self._records.count(data)
        if self._web is None:
            return records
        frames, self._web.frames = self._web.frames, 0
        return max(records, frames)

    def finish(self) -> None:
        (self._top or self._below).finish()

    def close(self) -> None:
        self._never_began("no handshake in time")
        (self._top or self._below).close()

    def _never_began(self, why: str) -> None:
        """Reports a peer that should have begun with a handshake and has not; once."""
        if self._layers is None and self._port.context is not None:
            self._layers = ()
            self._on_stranger(why)

    def _choose(self, data: bytes) -> Sequence[Layer] | None:
        """What carries the connection that begins with these bytes, the lowest first; None if more have to come."""
        port = self._port
        if data[0] == _TLS and port.web_context is not None:
            if len(data) < _RECORD_HEAD + int.from_bytes(data[3:_RECORD_HEAD], "big") and len(data) < HANDSHAKE_BYTES:
                return None
            if port.context is None or _OURS not in data:
                tls = TlsTransport(self._below, port.web_context, self._on_stranger, _HTTP)
                return self._over(tls, self._site(tls, port.tls_site))
        elif ord("A") <= data[0] <= ord("Z") and port.plain_site is not None:
            return self._over(self._site(self._below, port.plain_site))
        if port.context is None:
            self._top = self._below
            return ()
        return self._over(TlsTransport(self._below, port.context, self._on_stranger))

    def _over(self, *layers: Layer) -> Sequence[Layer]:
        self._top = layers[-1]
        if isinstance(layers[0], TlsTransport):
            self._records = RecordCounter()
        return layers

    def _site(self, below: Transport, site: "Answers | None") -> "WebTransport":
        from server.web.web_transport import WebTransport

        assert site is not None
        self._web = WebTransport(below, site, self._limits, self._start)
        return self._web
