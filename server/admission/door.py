"""Limit on connections: how many in all, from one address, and before their `Hello`."""

from collections import Counter

from server.config.limits import Limits


class Door:
    """Counts the connections of a server and refuses the ones above a limit.

    Attributes:
        inside: connections that were admitted and have not left.
        greeting: those of them that have not sent their `Hello` yet.
    """

    def __init__(self, limits: Limits) -> None:
        self._limits = limits
        self._by_address: Counter[str] = Counter()
        self.inside = 0
        self.greeting = 0

    def admit(self, address: str) -> str:
        """Admits one more connection and returns an empty text, or returns the sentence by which it is refused."""
        limits = self._limits
        if self.inside >= limits.connections:
            return "This server has as many connections as it takes. Try again later."
        if self._by_address[address] >= limits.per_address:
            return "There are too many connections from your address already."
        if self.greeting >= limits.greeting:
            return "Too many clients are arriving at once. Try again in a few seconds."
        self.inside += 1
        self.greeting += 1
        self._by_address[address] += 1
        return ""

    def greeted(self) -> None:
        """One of the admitted connections has sent its `Hello`."""
        self.greeting -= 1

    def leave(self, address: str, greeted: bool) -> None:
        """An admitted connection has ended."""
        self.inside -= 1
        if not greeted:
            self.greeting -= 1
        self._by_address[address] -= 1
        if not self._by_address[address]:
            del self._by_address[address]
