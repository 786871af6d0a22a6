"""What a table needs of a connection."""

from collections.abc import Callable
from typing import Literal, Protocol, TypeAlias

from protocol.events import Seat
from protocol.wire.messages import ByeCode
from server.net.outbox import SendFailure

Send: TypeAlias = Callable[[bytes], None]
CloseReason: TypeAlias = Literal[ByeCode, SendFailure, "full", "left", "version"]
"""Why a connection has ended: what it was told, how the line broke, or that the client has left."""


class Guest(Protocol):
    """A client, as the table where it is knows it.

    Attributes:
        table: id of that table; None in the lobby.
        seat: the guest's seat there; None for a spectator, and in the lobby.
        bot: whether a program plays.
        send: takes whole frames; never waits, never raises.
        closed: why the connection has ended; None while it lives.
        address: of the client, as far as the server sees it.
        channel: what proofs of seat tokens are bound to (`protocol.wire.token_proofs`); empty where there are none.
    """

    table: str | None
    seat: Seat | None
    bot: bool
    send: Send
    closed: CloseReason | None

    @property
    def address(self) -> str: ...

    @property
    def channel(self) -> bytes: ...

    def part(self, code: ByeCode, text: str, *, again: bool = False) -> None:
        """Says goodbye and ends the connection."""
