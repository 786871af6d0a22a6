"""Who is at a table, and what each of them is sent about a step."""

from collections.abc import Callable
from typing import TYPE_CHECKING, Protocol, TypeAlias

from protocol.events import Seat
from server.encoding import EncodedStep

if TYPE_CHECKING:
    from server.table import Table

Send: TypeAlias = Callable[[bytes], None]


class Guest(Protocol):
    """What a table needs of a connection.

    Attributes:
        table: where he is.
        seat: the guest's seat here, 0 while he watches.
        bot: whether a program plays.
        send: takes whole frames; never waits, never raises.
        why: how the connection ended; empty while it lives.
    """

    table: "Table | None"
    seat: int
    bot: bool
    send: Send
    why: str

    def part(self, code: str, text: str, *, again: bool = False) -> None:
        """Says goodbye and ends the connection."""


class Audience:
    """The connected guests of one table: by seat, and the ones who watch."""

    def __init__(self) -> None:
        self.seated: dict[Seat, Guest] = {}
        self.watching: dict[Guest, None] = {}

    def everybody(self) -> list[Guest]:
        """All of them."""
        return [*self.seated.values(), *self.watching]

    def frames(self, step: EncodedStep) -> list[tuple[Send, bytes]]:
        """What everybody is sent about a step."""
        shared = step.public
        if step.same_for_all:
            out = [(guest.send, shared) for guest in self.seated.values()]
        else:
            out = [(guest.send, step.own(seat)) for seat, guest in self.seated.items()]
        if self.watching:
            out += [(guest.send, shared) for guest in self.watching]
        return out


def together(out: list[tuple[Send, bytes]]) -> list[tuple[Send, bytes]]:
    """One sending for each guest: what several steps have for him, joined."""
    joined: dict[Send, list[bytes]] = {}
    for send, data in out:
        joined.setdefault(send, []).append(data)
    return [(send, parts[0] if len(parts) == 1 else b"".join(parts)) for send, parts in joined.items()]
