"""TLS over another transport: a pump between OpenSSL's memory buffers and the transport below.

PERF: half the price of a stream class, and like any transport it can be written without waiting.
"""

import contextlib
import ssl
from collections.abc import Callable

from protocol.versions import PROTOCOL
from protocol.wire.frames import HELLO_CAP, encode_frame
from protocol.wire.join_links import ALPN
from protocol.wire.messages import Refused
from server.net.transport import Transport, TransportBroken, receive_through

RECORD = 8 * 1024
"""Bytes encrypted at a time: so much may be half sent to a slow peer."""
READ_BYTES = 16 * 1024
HANDSHAKE_BYTES = 32 * 1024
"""Bytes a peer may send before the handshake is done; a real client needs about one thousand."""
BACKLOG = 64 * 1024
"""Bytes of TLS's own answers that may wait for a peer that does not read."""
_CLIENT_HELLO = 0x16
_ENCRYPTED = "This server encrypts its connections; connect without --plain-tcp."


class TlsTransport:
    """The server's side of TLS over the transport `below`, which it owns. The first bytes received do the handshake.

    As with OpenSSL itself, bytes that were not taken must be offered again: `send_now` may have encrypted them already,
    and does not count them as taken before the rest of their record is sent. So they still count as waiting for the
    sender, whose limits hold.

    Args:
        below: carries the encrypted bytes.
        context: the server's side of TLS.
        on_stranger: called once, with a few words, if the peer is not a client of this protocol.
        protocols: what the peer may have agreed to in the handshake (ALPN).
    """

    __slots__ = (
        "_below",
        "_finished",
        "_incoming",
        "_on_stranger",
        "_open",
        "_outgoing",
        "_owed",
        "_protocols",
        "_received",
        "_rest",
        "_tls",
        "address",
    )  # fmt: skip

    def __init__(
        self,
        below: Transport,
        context: ssl.SSLContext,
        on_stranger: Callable[[str], None],
        protocols: tuple[str | None, ...] = (ALPN,),
    ) -> None:
        self._below, self._protocols = below, protocols
        self._incoming, self._outgoing = ssl.MemoryBIO(), ssl.MemoryBIO()
        self._tls = context.wrap_bio(self._incoming, self._outgoing, server_side=True)
        self._on_stranger: Callable[[str], None] | None = on_stranger
        self._rest = b""
        self._owed = 0
        self._received = 0
        self._open = False
        self._finished = False
        self.address = below.address

    def send_now(self, data: bytes) -> int:
        if not self._open:
            raise TransportBroken("nothing can be sent before the handshake")
        taken = 0
        if self._rest:
            if not self._push():
                return 0
            taken, self._owed = self._owed, 0
        size = len(data)
        while taken < size:
            try:
                count = self._tls.write(data if size <= RECORD and not taken else data[taken : taken + RECORD])
            except ssl.SSLError as error:
                raise TransportBroken(_reason(error)) from error
            if not self._push():
                self._owed = count
                return taken
            taken += count
        return taken

    async def wait_writable(self) -> None:
        await self._below.wait_writable()

    async def receive(self) -> bytes:
        try:
            return await receive_through(self._below, self.take)
        except TransportBroken as error:
            self._report_stranger(str(error))
            raise

    def take(self, data: bytes | None) -> bytes | None:
        """What the peer has sent, after decryption: ``b""`` at the end, None if there is nothing yet.

        For a caller that reads the transport below itself; `data` is what it has read, with ``b""`` and None of the
        same meaning. Raises TransportBroken.
        """
        if not data:
            if data is not None:
                self._report_stranger("hung up before the handshake")
            return data
        if self._finished:
            return None  # not needed any more, but bytes that nobody reads would make the system reset the connection
        incoming, tls = self._incoming, self._tls
        incoming.write(data)
        if not self._open and not self._shake_hands(data):
            return None
        parts: list[bytes] = []
        try:
            while part := tls.read(READ_BYTES):
                if not parts and not incoming.pending and not tls.pending():
                    return part  # the common case: one record, and nothing else
                parts.append(part)
        except ssl.SSLWantReadError:
            if self._outgoing.pending and not self._push() and len(self._rest) > BACKLOG:
                raise TransportBroken("the peer does not read") from None
            return b"".join(parts) or None
        except ssl.SSLError as error:
            raise TransportBroken(_reason(error)) from error
        return b"".join(parts)

    def finish(self) -> None:
        if self._open and not self._finished:
            self._finished = True
            with contextlib.suppress(ssl.SSLError):
                self._tls.unwrap()
            with contextlib.suppress(TransportBroken):
                self._push()
        self._below.finish()

    def close(self) -> None:
        self._report_stranger("no handshake in time")
        self._below.close()

    def _push(self) -> bool:
        """Hands what is encrypted to the transport below; True if that took all of it. Raises TransportBroken."""
        data = self._rest + self._outgoing.read() if self._rest else self._outgoing.read()
        sent = self._below.send_now(data)
        self._rest = data[sent:]
        return sent == len(data)

    # ----------------------------------------------------------------- handshake

    def _shake_hands(self, data: bytes) -> bool:
        """Does one more step of the handshake with `data`; True if it was the last. Raises TransportBroken."""
        if not self._received and data[0] != _CLIENT_HELLO:
            self._not_tls(data)
        self._received += len(data)
        try:
            self._tls.do_handshake()
        except ssl.SSLWantReadError:
            if self._received > HANDSHAKE_BYTES:
                self._report_stranger("a handshake that does not end")
                raise TransportBroken("a handshake that does not end") from None
            if not self._push():
                raise TransportBroken("a peer that does not read") from None
            return False
        except ssl.SSLError as error:
            with contextlib.suppress(TransportBroken):
                self._push()  # the alert
            self._report_stranger(_reason(error))
            raise TransportBroken(_reason(error)) from error
        if self._tls.selected_alpn_protocol() not in self._protocols:
            self._report_stranger("not a client of this protocol")
            raise TransportBroken("not a client of this protocol")
        self._on_stranger = None
        self._open = True
        return True

    def _not_tls(self, data: bytes) -> None:
        """Tells a client of this protocol in words that it must encrypt; any other peer is only disconnected."""
        if 0 < int.from_bytes(data[:4], "big") <= HELLO_CAP:
            self._below.send_now(encode_frame(Refused.of("tls", _ENCRYPTED, PROTOCOL)))
            self._report_stranger("a client without TLS")
        else:
            self._report_stranger("not TLS")
        raise TransportBroken("not TLS")

    def _report_stranger(self, why: str) -> None:
        """Reports a peer that is not a client of this protocol; once, and never after the handshake."""
        on_stranger, self._on_stranger = self._on_stranger, None
        if on_stranger is not None:
            on_stranger(why)


def _reason(error: ssl.SSLError) -> str:
    return (error.reason or "TLS failed").replace("_", " ").lower()
