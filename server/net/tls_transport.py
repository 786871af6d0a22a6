"""A line over TLS: our own pump between OpenSSL's memory buffers and another line.

PERF: half the price of a stream class, and it can be written without waiting like any other line.
"""

import contextlib
import ssl
from collections.abc import Callable

from protocol.versions import PROTOCOL
from protocol.wire.frames import HELLO_CAP, encode_frame
from protocol.wire.join_links import ALPN
from protocol.wire.messages import Refused
from server.net.transport import Transport, TransportBroken

RECORD = 8 * 1024
"""Bytes encrypted at a time: what a slow peer may leave half sent."""
READ_BYTES = 16 * 1024
HANDSHAKE_BYTES = 32 * 1024
"""Bytes a peer may send before the handshake must be done; a real one needs about one thousand."""
BACKLOG = 64 * 1024
"""Bytes of TLS's own answers that may wait for a peer that does not read."""
_CLIENT_HELLO = 0x16
_ENCRYPTED = "This server encrypts its connections; connect without --plain-tcp."


class TlsTransport:
    """The server's side of TLS over `line`, which it owns. The handshake is done with the first bytes that come.

    As with OpenSSL itself, bytes that were not taken must be offered again: `send_now` may have encrypted them
    already, and waits for the rest of that record to go out before it counts them. So whoever sends still has them
    in his own account, and his bounds hold.

    Args:
        line: carries the encrypted bytes.
        context: the server's side of TLS.
        strange: called once, with a word or two, when what came was no client of ours.
    """

    __slots__ = (
        "_finished", "_greeted", "_incoming", "_line", "_open", "_outgoing", "_owed", "_rest", "_strange", "_tls",
        "address",
    )  # fmt: skip

    def __init__(self, line: Transport, context: ssl.SSLContext, strange: Callable[[str], None]) -> None:
        self._line = line
        self._incoming, self._outgoing = ssl.MemoryBIO(), ssl.MemoryBIO()
        self._tls = context.wrap_bio(self._incoming, self._outgoing, server_side=True)
        self._strange: Callable[[str], None] | None = strange
        self._rest = b""
        self._owed = 0
        self._greeted = 0
        self._open = False
        self._finished = False
        self.address = line.address

    def send_now(self, data: bytes) -> int:
        if not self._open:
            raise TransportBroken("nothing can be said before the handshake")
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
        await self._line.wait_writable()

    async def receive(self) -> bytes:
        while True:
            try:
                data = self.decrypt(await self._line.receive())
            except TransportBroken as error:
                self._turn_away(str(error))
                raise
            if data is not None:
                return data

    def decrypt(self, data: bytes | None) -> bytes | None:
        """What the peer says with `data`; none at the end of the line, None if nothing yet. Raises TransportBroken.

        `data`, too, may be none or None. For those who read the line below by themselves.
        """
        if not data:
            if data is not None:
                self._turn_away("hung up before the handshake")
            return data
        if self._finished:
            return None  # nobody is interested any more, but unread bytes would make the goodbye bounce
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
        self._line.finish()

    def close(self) -> None:
        self._turn_away("no handshake in time")
        self._line.close()

    def _push(self) -> bool:
        """Hands what is encrypted to the line; whether it took all of it. Raises TransportBroken."""
        data = self._rest + self._outgoing.read() if self._rest else self._outgoing.read()
        sent = self._line.send_now(data)
        self._rest = data[sent:]
        return sent == len(data)

    # ----------------------------------------------------------------- handshake

    def _shake_hands(self, data: bytes) -> bool:
        """One more step, for which `data` has come; whether it was the last. Raises TransportBroken."""
        if not self._greeted and data[0] != _CLIENT_HELLO:
            self._not_tls(data)
        self._greeted += len(data)
        try:
            self._tls.do_handshake()
        except ssl.SSLWantReadError:
            if self._greeted > HANDSHAKE_BYTES:
                self._turn_away("a handshake that does not end")
                raise TransportBroken("a handshake that does not end") from None
            if not self._push():
                raise TransportBroken("a peer that does not read") from None
            return False
        except ssl.SSLError as error:
            with contextlib.suppress(TransportBroken):
                self._push()  # the alert
            self._turn_away(_reason(error))
            raise TransportBroken(_reason(error)) from error
        if self._tls.selected_alpn_protocol() != ALPN:
            self._turn_away("not a client of this protocol")
            raise TransportBroken("not a client of this protocol")
        self._strange = None
        self._open = True
        return True

    def _not_tls(self, data: bytes) -> None:
        """A client of ours that does not encrypt is told so in words; anything else is only closed."""
        if 0 < int.from_bytes(data[:4], "big") <= HELLO_CAP:
            self._line.send_now(encode_frame(Refused.of("tls", _ENCRYPTED, PROTOCOL)))
            self._turn_away("a client without TLS")
        else:
            self._turn_away("not TLS")
        raise TransportBroken("not TLS")

    def _turn_away(self, why: str) -> None:
        """Tells, unless that was done or the handshake is over, that this is no client of ours."""
        strange, self._strange = self._strange, None
        if strange is not None:
            strange(why)


def _reason(error: ssl.SSLError) -> str:
    return (error.reason or "TLS failed").replace("_", " ").lower()
