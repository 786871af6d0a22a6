"""Who waits for a seat at a table, in the order in which they came."""

from collections.abc import Iterator
from dataclasses import dataclass

from protocol.wire.messages import Join
from server.table.guest import Guest

KEEP = 120.0
"""Seconds for which somebody whose connection has broken keeps their place."""


@dataclass(slots=True)
class Waiting:
    """Somebody who waits.

    Fields:
        digest: of their token; join: what they want.
        guest: their connection; None since `gone` (`trio.current_time`), when it ended.
        told: the place that they know of; 0 for none.
    """

    digest: bytes
    join: Join
    guest: Guest | None
    gone: float = 0.0
    told: int = 0


class WaitingList:
    """The list. Nobody on it has a seat; those who have a connection follow the table as spectators."""

    def __init__(self) -> None:
        self._rows: list[Waiting] = []

    def __len__(self) -> int:
        return len(self._rows)

    def add(self, guest: Guest, digest: bytes, join: Join) -> None:
        """At the end, or at the old place for a token that is on the list."""
        for row in self._rows:
            if row.digest == digest:
                row.guest, row.join, row.told = guest, join, 0
                return
        self._rows.append(Waiting(digest, join, guest))

    def gone(self, guest: Guest, now: float) -> None:
        """The connection of somebody who may be on the list has ended."""
        for row in self._rows:
            if row.guest is guest:
                row.guest, row.gone = None, now

    def remove(self, digest: bytes) -> None:
        """Somebody waits no longer."""
        self._rows = [row for row in self._rows if row.digest != digest]

    def names(self, but: bytes) -> list[str]:
        """The names of all who wait, without that of one digest."""
        return [row.join.name for row in self._rows if row.digest != but]

    def first(self, now: float) -> Waiting | None:
        """The first who is there; those who have been gone for too long are taken off the list."""
        self._rows = [row for row in self._rows if row.guest is not None or now - row.gone < KEEP]
        return next((row for row in self._rows if row.guest is not None), None)

    def untold(self) -> Iterator[tuple[Guest, int]]:
        """Everybody who does not know their place, and the place, from 1; they count as told."""
        present = [row for row in self._rows if row.guest is not None]
        for place, row in enumerate(present, 1):
            if row.told != place and row.guest is not None:
                row.told = place
                yield row.guest, place
