"""The fan-out to spectators: they are sent each step after the players, a few at a time, each of them everything.

The theory. Every spectator of a table is sent the same bytes, so one more of them costs one more call of `send`; but
five thousand calls take tens of milliseconds, and a player who acts meanwhile would have to wait for them. Therefore a
table does not send to its spectators itself. It appends each frame to one queue, which all its spectators share, and
for each spectator it only counts how many frames they have had. `FanOut` goes round the tables and sends from their
queues, `SLICE` spectators between two looks at the network. What has come in meanwhile goes out in the same call, so
under load there are fewer and longer calls, not more of them.

Frames are numbered from the table's first one. The queue holds those from `_first` on:

      had by everybody        | durable: may be sent   | decided, but not yet durable
    --------------------------+------------------------+-----------------------------
                            _first                   _shown                      _decided

A spectator who has had all frames before number n (`_first` <= n) is next sent the frames from n to `_shown`, in one
piece; that piece is the same for all who have had n, and is joined once (`_joined`). A frame is dropped when everybody
has had it. If the queue grows too long all the same, one snapshot of the table takes the place of what waits in it.
"""

from collections import deque
from collections.abc import Callable, Iterator
from itertools import islice

import trio

from server.storage.group_commit import GroupCommit
from server.table.guest import Guest

SLICE = 8
"""Spectators served before other tasks have their turn."""
PATIENCE = 0.05
"""Seconds that spectators wait for what is on its way to the disk; no longer than they are served in between."""
BACKLOG_BYTES = 32 * 1024
"""Of frames that some spectators have not had; beyond that a snapshot takes their place."""


class Spectators:
    """The spectators of one table, and the queue of frames that they share.

    Args:
        schedule: called when there is more to send than is sent at once; it has to see to it that `serve` runs to its
            end soon. None: everything is sent at once.
    """

    def __init__(self, schedule: "Callable[[Spectators], None] | None" = None) -> None:
        self._schedule = schedule
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
        """From now on the guest is sent what will be decided; a snapshot has to tell them what was before."""
        self._had[guest] = self._decided

    def remove(self, guest: Guest) -> None:
        """The guest is sent nothing any more. Nothing happens if they are no spectator here."""
        self._had.pop(guest, None)

    def append(self, frame: bytes) -> None:
        """A step has been decided; nobody is sent its frame before `show`."""
        if self._had:
            self._frames.append(frame)
            self._bytes += len(frame)
            self._decided += 1

    def take_waiting(self, guest: Guest) -> list[bytes]:
        """The frames that the guest has not had, durable or not; the caller has to send them, in order."""
        had = self._had.get(guest)
        if had is None:
            return []
        self._had[guest] = self._decided
        return list(islice(self._frames, max(had - self._first, 0), None))

    def show(self) -> None:
        """All that was decided is durable and may be sent."""
        if self._shown == self._decided:
            return
        self._shown = self._decided
        self._joined.clear()
        if self._serving:
            return
        if self._schedule is None or len(self._had) <= SLICE:
            self.flush()
        else:
            self._serving = True
            self._schedule(self)

    @property
    def far_behind(self) -> bool:
        """Whether a snapshot is better than the frames that wait; to be asked after `show`."""
        return self._bytes > BACKLOG_BYTES

    def start_over(self, snapshot: bytes) -> None:
        """Whoever has not had everything that was shown is sent this snapshot instead."""
        self._frames = deque([snapshot])
        self._bytes = len(snapshot)
        self._first = self._shown - 1
        self._joined.clear()

    def forget(self) -> None:
        """Frames that were decided and not shown count for nothing."""
        while self._decided > self._shown:
            self._bytes -= len(self._frames.pop())
            self._decided -= 1
        for guest, had in self._had.items():
            self._had[guest] = min(had, self._decided)

    def serve(self) -> Iterator[None]:
        """Sends everybody what was shown, `SLICE` of them for each item, until all have everything."""
        done = self._first
        while done < self._shown:
            done = self._shown
            for number, guest in enumerate(list(self._had), 1):
                self._send(guest)
                if not number % SLICE:
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


class FanOut:
    """Serves the spectators of all tables in turn, a few between one look at the network and the next.

    PERF: while something is on its way to the disk it does nothing, within reason: on a processor that is never idle,
    the thread that waits for the disk, and the kernel's own, get their turn milliseconds later, and players wait for
    them.

    Args:
        group_commit: knows what is on its way to the disk.
    """

    def __init__(self, group_commit: GroupCommit) -> None:
        self._group_commit = group_commit
        self._waiting: deque[Iterator[None]] = deque()
        self._wake = trio.Event()

    def schedule(self, spectators: Spectators) -> None:
        """Some of them have to be sent something."""
        self._waiting.append(spectators.serve())
        self._wake.set()

    async def run(self) -> None:
        """Works until cancelled."""
        waiting, group_commit = self._waiting, self._group_commit
        while True:
            while not waiting:
                self._wake = trio.Event()
                await self._wake.wait()
            patience = PATIENCE
            while waiting:
                start = trio.current_time()
                if group_commit.working and patience > 0:
                    with trio.move_on_after(patience):
                        await group_commit.at_rest()
                    now = trio.current_time()
                    patience, start = patience - (now - start), now
                serving = waiting.popleft()
                if next(serving, "done") != "done":
                    waiting.append(serving)
                await trio.lowlevel.checkpoint()
                patience = min(PATIENCE, patience + trio.current_time() - start)
