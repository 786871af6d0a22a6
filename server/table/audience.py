"""Who is at a table: the players by their seats, and the spectators."""

from collections.abc import Callable
from itertools import islice

from protocol.events import Seat
from server.table.delayed_stream import DelayedStream
from server.table.encoded_step import EncodedStep
from server.table.fan_out import Spectators
from server.table.guest import Guest, Send

NAMES_TOLD = 12
"""Spectators whose names are told to everybody; a crowd is only counted."""


class Audience:
    """The connected guests of one table.

    Attributes:
        seated: the guest of each seat whose player is connected.
        spectators: the guests without a seat.
        spectator_names: of the spectators who have given one.
        delayed: where spectators see every card, what they are still to be told; else None.
    """

    def __init__(self, schedule: Callable[[Spectators], None] | None = None) -> None:
        self.seated: dict[Seat, Guest] = {}
        self.spectators = Spectators(schedule)
        self.delayed: DelayedStream | None = None
        self.spectator_names: dict[Guest, str] = {}

    def names(self) -> tuple[str, ...]:
        """The names of the first spectators who have one."""
        return tuple(islice(filter(None, map(self.name, self.spectators)), NAMES_TOLD))

    def name(self, spectator: Guest) -> str:
        """Under which name a spectator is seen; empty if they have none."""
        return self.spectator_names.get(spectator, "")

    def everybody(self) -> list[Guest]:
        """All of them."""
        return [*self.seated.values(), *self.spectators]

    def frames(self, step: EncodedStep) -> list[tuple[Send, bytes]]:
        """What the players are sent about a step; the spectators' frame is kept until `spectators.show`."""
        shared = step.public
        if self.delayed is None:
            self.spectators.append(shared)
        if step.same_for_all:
            return [(guest.send, shared) for guest in self.seated.values()]
        return [(guest.send, step.own(seat)) for seat, guest in self.seated.items()]


def together(out: list[tuple[Send, bytes]]) -> list[tuple[Send, bytes]]:
    """One sending for each guest: what several steps have for them, joined."""
    joined: dict[Send, list[bytes]] = {}
    for send, data in out:
        joined.setdefault(send, []).append(data)
    return [(send, parts[0] if len(parts) == 1 else b"".join(parts)) for send, parts in joined.items()]
