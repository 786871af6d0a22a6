"""Limits on connections: how many in all, from one network, and before they have said who they are.

A connection waits until it has said hello and there is room for it. Where the server is full it waits on, until it
proves by a seat token that it belongs to a player of a table; players are let in above the limits. Nobody is turned
away on arrival: when too many wait, the one that has waited longest makes room. It is one of the network with the most
waiting connections, so strangers push out strangers.
"""

from collections import Counter
from typing import Protocol

from server.config.limits import Limits
from server.net.networks import network_of

_UNDER_PRESSURE = 0.4
"""Share of the usual time that a connection may wait while more than half of the places for waiting are taken."""


class Visitor(Protocol):
    """A connection, as the door knows it."""

    @property
    def address(self) -> str:
        """The peer's address."""

    def make_room(self) -> None:
        """Ends at once."""


class Door:
    """Counts the connections of a server; a network is an IPv4 address or 64 bits of IPv6.

    Attributes:
        limits: how many there may be.
    """

    def __init__(self, limits: Limits) -> None:
        self.limits = limits
        self._waiting: dict[Visitor, str] = {}  # the one that has waited longest stands first
        self._waiting_by_network: Counter[str] = Counter()
        self._admitted: dict[Visitor, str] = {}
        self._admitted_by_network: Counter[str] = Counter()

    @property
    def inside(self) -> int:
        """Connections that have arrived and have not left."""
        return len(self._waiting) + len(self._admitted)

    @property
    def waiting(self) -> int:
        """Those of them that are not admitted yet."""
        return len(self._waiting)

    @property
    def patience(self) -> float:
        """Seconds that a connection may wait; fewer while many wait."""
        pressure = 2 * len(self._waiting) > self.limits.greeting
        return self.limits.hello * (_UNDER_PRESSURE if pressure else 1.0)

    def waits(self, visitor: Visitor) -> bool:
        """Whether the connection is not admitted yet."""
        return visitor in self._waiting

    def arrive(self, visitor: Visitor) -> None:
        """One more connection, which waits. If there is no place for it, another one makes room."""
        limits, counts = self.limits, self._waiting_by_network
        network = network_of(visitor.address)
        if counts[network] >= limits.per_address:
            self._free_place(counts[network], network)
        elif len(self._waiting) >= limits.greeting:
            self._free_place(max(counts.values()))
        self._waiting[visitor] = network
        counts[network] += 1

    def _free_place(self, crowd: int, only: str = "") -> None:
        """Ends the connection that has waited longest in a network with that many waiting ones."""
        counts = self._waiting_by_network
        oldest = next(
            visitor for visitor, network in self._waiting.items() if counts[network] == crowd and only in ("", network)
        )
        self.leave(oldest)
        oldest.make_room()

    def admit(self, visitor: Visitor) -> str:
        """Admits a waiting connection and returns an empty text, or returns the sentence why it has to wait."""
        network = self._waiting.get(visitor)
        if network is None:
            return ""
        if len(self._admitted) >= self.limits.connections:
            return "This server has as many connections as it takes. Try again later."
        if self._admitted_by_network[network] >= self.limits.per_address:
            return "There are too many connections from your address already."
        self.admit_player(visitor)
        return ""

    def admit_player(self, visitor: Visitor) -> None:
        """Admits a connection that has proven by a token that a seat is theirs, however many are inside."""
        network = self._waiting.get(visitor)
        if network is not None:
            self.leave(visitor)
            self._admitted[visitor] = network
            self._admitted_by_network[network] += 1

    def leave(self, visitor: Visitor) -> None:
        """A connection has ended. Twice is fine."""
        for visitors, counts in (
            (self._waiting, self._waiting_by_network),
            (self._admitted, self._admitted_by_network),
        ):
            network = visitors.pop(visitor, None)
            if network is not None:
                counts[network] -= 1
                if not counts[network]:
                    del counts[network]
