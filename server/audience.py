"""Who is at a table, and how one step becomes the bytes that each of them may see.

Secrets are removed by `protocol.visibility.project`, the only way from an event to a client. Viewers who may see the
same get the same bytes, encoded once.
"""

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Protocol, TypeAlias

from protocol.codec import encode_value
from protocol.events import AnyEvent, Seat
from protocol.frames import frame
from protocol.messages import Events
from protocol.visibility import PUBLIC, owners, project, same_for_all

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
    """

    table: "Table | None"
    seat: int
    bot: bool
    send: Send

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

    def frames(self, seq: int, at: int, events: Sequence[AnyEvent]) -> list[tuple[Send, bytes]]:
        """What everybody is sent about a step: its events from number `seq` on, at `at` (UTC milliseconds)."""
        seated, watching = self.seated, self.watching
        if not seated and not watching:
            return []
        own: dict[Seat, bytes] = {}
        public: Sequence[AnyEvent] = events
        for event in events:
            if type(event) not in PUBLIC and not same_for_all(event):
                knowing = {seat for event in events for seat in owners(event)}
                own = {seat: view_of(seq, at, events, seat) for seat in knowing if seat in seated}
                public = [project(event, None) for event in events]
                break
        shared = frame(encode_value(Events(seq, at, tuple(public))))
        if own:
            out = [(guest.send, own.get(seat, shared)) for seat, guest in seated.items()]
        else:
            out = [(guest.send, shared) for guest in seated.values()]
        if watching:
            out += [(guest.send, shared) for guest in watching]
        return out


def view_of(seq: int, at: int, events: Sequence[AnyEvent], seat: Seat) -> bytes:
    """The frame about a step for one viewer; seat 0 is a spectator."""
    viewer = seat or None
    return frame(encode_value(Events(seq, at, tuple([project(event, viewer) for event in events]))))


def together(out: list[tuple[Send, bytes]]) -> list[tuple[Send, bytes]]:
    """One sending for each guest: what several steps have for him, joined."""
    joined: dict[Send, list[bytes]] = {}
    for send, data in out:
        joined.setdefault(send, []).append(data)
    return [(send, parts[0] if len(parts) == 1 else b"".join(parts)) for send, parts in joined.items()]
