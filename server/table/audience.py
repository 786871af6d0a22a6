"""Who is at a table, and what each of them is sent about a step: players at once, spectators a few at a time.

PERF: five thousand sends take tens of milliseconds. Whoever acts meanwhile must not wait for them, so what a step
has for the spectators is kept until each of them has had his turn, between other work (`Usher`). Several steps are
one sending by then.
"""

from collections import deque
from collections.abc import Callable, Iterator
from itertools import islice
from typing import TYPE_CHECKING, Protocol, TypeAlias

import trio

from protocol.events import Seat
from protocol.wire.messages import ByeCode
from server.storage.group_commit import GroupCommit
from server.table.encoded_step import EncodedStep

if TYPE_CHECKING:
    from server.table.table import Table

Send: TypeAlias = Callable[[bytes], None]

AT_ONCE = 8
"""Spectators served before other tasks have their turn."""
PATIENCE = 0.05
"""Seconds that spectators stand back behind what is on its way to the disk; no more than they are served meanwhile."""
BACKLOG_BYTES = 32 * 1024
"""Of steps that some spectators have not been sent; a snapshot takes their place beyond that."""


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

    def part(self, code: ByeCode, text: str, *, again: bool = False) -> None:
        """Says goodbye and ends the connection."""


class Spectators:
    """The guests who watch a table. What they are sent is numbered: decided first, shown when it is durable.

    Args:
        later: called when there is more to send than is sent at once; `serve` is to be called soon, until it ends.
    """

    def __init__(self, later: "Callable[[Spectators], None] | None" = None) -> None:
        self._later = later
        self._had: dict[Guest, int] = {}
        self._frames: deque[bytes] = deque()
        self._first = self._shown = self._decided = 0
        self._bytes = 0
        self._joined: dict[int, bytes] = {}
        self._serving = False

    def __len__(self) -> int:
        return len(self._had)

    def __contains__(self, guest: Guest) -> bool:
        return guest in self._had

    def __iter__(self) -> Iterator[Guest]:
        return iter(self._had)

    def add(self, guest: Guest) -> None:
        """From now on he is sent what will be decided; what was before, a snapshot tells him."""
        self._had[guest] = self._decided

    def remove(self, guest: Guest) -> None:
        """He is sent nothing any more. Nothing happens if he does not watch."""
        self._had.pop(guest, None)

    def decided(self, frame: bytes) -> None:
        """A step, as spectators see it. Nobody is sent it before `show`."""
        if self._had:
            self._frames.append(frame)
            self._bytes += len(frame)
            self._decided += 1

    def owed(self, guest: Guest) -> list[bytes]:
        """What he has not been sent of all that was decided, for whoever has to send it before something else."""
        had = self._had.get(guest)
        if had is None:
            return []
        self._had[guest] = self._decided
        return list(islice(self._frames, max(had - self._first, 0), None))

    def show(self) -> None:
        """All that was decided is durable."""
        if self._shown == self._decided:
            return
        self._shown = self._decided
        self._joined.clear()
        if self._serving:
            return
        if self._later is None or len(self._had) <= AT_ONCE:
            self.flush()
        else:
            self._serving = True
            self._later(self)

    @property
    def far_behind(self) -> bool:
        """Whether a snapshot is better than what waits; to be asked after `show`."""
        return self._bytes > BACKLOG_BYTES

    def start_over(self, snapshot: bytes) -> None:
        """Whoever has not been sent everything that was shown is sent this snapshot in its place."""
        self._frames = deque([snapshot])
        self._bytes = len(snapshot)
        self._first = self._shown - 1
        self._joined.clear()

    def forget(self) -> None:
        """What was decided and not shown has not happened."""
        while self._decided > self._shown:
            self._bytes -= len(self._frames.pop())
            self._decided -= 1
        for guest, had in self._had.items():
            self._had[guest] = min(had, self._decided)

    def serve(self) -> Iterator[None]:
        """Sends what was shown to everybody, a few for each item, until all have everything."""
        done = self._first
        while done < self._shown:
            done = self._shown
            for number, guest in enumerate(list(self._had), 1):
                self._send(guest)
                if not number % AT_ONCE:
                    yield
            while self._first < done:  # everybody has had these
                self._bytes -= len(self._frames.popleft())
                self._first += 1
        self._serving = False

    def flush(self) -> None:
        """Sends everybody everything that was shown, now."""
        for _ in self.serve():
            pass

    def _send(self, guest: Guest) -> None:
        had = self._had.get(guest)
        if had is None or had >= self._shown:
            return
        self._had[guest] = self._shown
        data = self._joined.get(had)
        if data is None:
            start = max(had - self._first, 0)
            data = self._joined[had] = b"".join(islice(self._frames, start, self._shown - self._first))
        guest.send(data)


class Audience:
    """The connected guests of one table: by seat, and the ones who watch."""

    def __init__(self, later: Callable[[Spectators], None] | None = None) -> None:
        self.seated: dict[Seat, Guest] = {}
        self.watching = Spectators(later)

    def everybody(self) -> list[Guest]:
        """All of them."""
        return [*self.seated.values(), *self.watching]

    def frames(self, step: EncodedStep) -> list[tuple[Send, bytes]]:
        """What the players are sent about a step; the spectators' part of it is kept until `watching.show`."""
        shared = step.public
        self.watching.decided(shared)
        if step.same_for_all:
            return [(guest.send, shared) for guest in self.seated.values()]
        return [(guest.send, step.own(seat)) for seat, guest in self.seated.items()]


class Usher:
    """Serves the spectators of all tables, a few between one look at the network and the next.

    PERF: while something is on its way to the disk he does nothing, within reason: the thread that waits for the disk,
    and the kernel's own, come to their turn milliseconds later on a processor that is never idle, and players wait for
    them.

    Args:
        committer: what is on its way to the disk.
    """

    def __init__(self, committer: GroupCommit) -> None:
        self._committer = committer
        self._waiting: deque[Iterator[None]] = deque()
        self._wake = trio.Event()

    def call(self, spectators: Spectators) -> None:
        """Some of them have to be sent something."""
        self._waiting.append(spectators.serve())
        self._wake.set()

    async def run(self) -> None:
        """Works until cancelled."""
        waiting, committer = self._waiting, self._committer
        while True:
            while not waiting:
                self._wake = trio.Event()
                await self._wake.wait()
            patience = PATIENCE
            while waiting:
                start = trio.current_time()
                if committer.on_the_way and patience > 0:
                    with trio.move_on_after(patience):
                        await committer.at_rest()
                    now = trio.current_time()
                    patience, start = patience - (now - start), now
                serving = waiting.popleft()
                if next(serving, "done") != "done":
                    waiting.append(serving)
                await trio.lowlevel.checkpoint()
                patience = min(PATIENCE, patience + trio.current_time() - start)


def together(out: list[tuple[Send, bytes]]) -> list[tuple[Send, bytes]]:
    """One sending for each guest: what several steps have for him, joined."""
    joined: dict[Send, list[bytes]] = {}
    for send, data in out:
        joined.setdefault(send, []).append(data)
    return [(send, parts[0] if len(parts) == 1 else b"".join(parts)) for send, parts in joined.items()]
