"""TLS to a server whose key is pinned: no authority is asked, and nothing is sent before the key is checked."""

import ssl
from collections.abc import Callable

import trio

from client.connection.address import Address
from client.connection.connection import Dial, dialer
from client.errors import CannotConnect, WrongKey
from client.profile.known_servers import KnownServers
from protocol.wire.join_links import ALPN, LEAST_PIN, fingerprint

HANDSHAKE_SECONDS = 10
"""Seconds that a server may take for the TLS handshake; one that refuses it may never answer."""


class TlsDial:
    """Opens encrypted connections to one server (`client.connection.connection.Dial`).

    The key must be the one in `pin`, in the list of known servers and of the connections before. If none of them has a
    key, the server's key is trusted and remembered, and `notice` is told.

    A pin that is a `hint` was not given by the host, but by what answered a search on the network, and that may be
    anybody. It must be the server's key, too. But it is of no use against the list of known servers, and the player is
    told to compare it.

    Attributes:
        fingerprint: the whole fingerprint of the server's key; empty before the first connection.
        notice: is told, in a sentence, that a key was seen for the first time.
    """

    def __init__(
        self,
        address: Address,
        known: KnownServers,
        *,
        table: str = "",
        pin: str = "",
        hint: bool = False,
        notice: Callable[[str], None] = lambda text: None,
        dial: Dial | None = None,
    ) -> None:
        self.fingerprint = ""
        self.notice = notice
        self._address, self._known, self._pin, self._hint = address, known, pin, hint
        self._where = str(address).lower()
        # One public port may serve several machines: a proxy in front of them reads the table's id here.
        self._table = table or None
        self._dial = dial or dialer(address)

    async def __call__(self) -> trio.abc.Stream:
        """Raises CannotConnect, WrongKey, BadSettings."""
        stream = trio.SSLStream(
            await self._dial(), _context(), server_hostname=self._table, https_compatible=True
        )  # fmt: skip
        try:
            await self._shake_hands(stream)
            self._check(stream.getpeercert(True))
        except BaseException:
            await trio.aclose_forcefully(stream)
            raise
        return stream

    async def _shake_hands(self, stream: "trio.SSLStream[trio.abc.Stream]") -> None:
        try:
            with trio.fail_after(HANDSHAKE_SECONDS):
                await stream.do_handshake()
        except trio.TooSlowError:
            raise CannotConnect(
                f"What answers at {self._address} does not encrypt its connections, or is not a card room."
            ) from None
        except trio.BrokenResourceError as error:
            raise CannotConnect(self._no_handshake(error.__cause__)) from None
        if stream.selected_alpn_protocol() != ALPN:
            raise CannotConnect(f"What answers at {self._address} is not a card room.")

    def _no_handshake(self, cause: BaseException | None) -> str:
        if isinstance(cause, ssl.SSLError) and not isinstance(cause, ssl.SSLEOFError):
            if "ALERT" in (cause.reason or ""):
                return f"What answers at {self._address} is not a card room, or one of another version."
            if self._pin or self.fingerprint or self._known.fingerprint(self._where):
                return (
                    f"The server at {self._address} should encrypt its connections and does not; somebody may be in "
                    "between. Nothing was sent. Ask the host."
                )
            return (
                f"The server at {self._address} does not encrypt its connections. If its host says so, and you trust "
                "the network, connect with --plain-tcp."
            )
        return f"The server at {self._address} hung up at once; it may be full. Try again later."

    def _check(self, certificate: bytes | None) -> None:
        """Checks the server's key; nothing has been sent to the server yet."""
        if not certificate:
            raise CannotConnect(f"What answers at {self._address} shows no key.")
        seen, where = fingerprint(certificate), self._where
        known = self._known.fingerprint(where)
        if known and known != seen:
            host = self._address.host if self._address.port == Address(self._address.host).port else where
            raise WrongKey(
                f"The server at {where} is not the one you know: its key is {seen[:LEAST_PIN]}, it was "
                f"{known[:LEAST_PIN]}. Nothing was sent. If the host says that the key is new: ryo forget {host}"
            )
        if self._hint and self._pin and not known and not seen.startswith(self._pin):
            raise WrongKey(
                f"The server at {where} is not the one that was found: its key is {seen[:LEAST_PIN]}, the answer said "
                f"{self._pin[:LEAST_PIN]}. Nothing was sent. Ask the host for the join line."
            )
        if self._pin and not self._hint and not seen.startswith(self._pin):
            raise WrongKey(
                f"The server at {where} is not the one your link leads to: its key is {seen[:LEAST_PIN]}, the link has "
                f"{self._pin[:LEAST_PIN]}. Nothing was sent. Ask the host for a new link."
            )
        if self.fingerprint and self.fingerprint != seen:
            raise WrongKey(f"The server at {where} has another key than a moment ago. Nothing was sent.")
        self.fingerprint = seen
        if not known:
            elsewhere = self._known.address_of(seen) if self._hint else ""
            self._known.remember(where, seen)
            if elsewhere:
                self.notice(f"The server at {where} has the key of {elsewhere}, which you know.")
            elif self._hint or not self._pin:
                self.notice(
                    f"First visit to {where}. Its key begins with {seen[:LEAST_PIN]}. Compare it with the host's link: "
                    "there it stands behind fp=. It is remembered, and a server with another key is refused."
                )


def _context() -> ssl.SSLContext:
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
    context.minimum_version = ssl.TLSVersion.TLSv1_3
    context.check_hostname = False
    context.verify_mode = ssl.CERT_NONE  # `_check` is the verification; TLS proves that the peer has the key
    context.set_alpn_protocols([ALPN])
    return context
