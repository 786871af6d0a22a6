"""Group commit: brings what the tables have decided to the disk, outside the event loop.

A table submits one batch at a time and shows it when it is called back; meanwhile other tables play. The next free lane
takes its share of the batches that wait, so that a busy server does not pay the way to a thread and back for each.
Several lanes, each with a thread of its own, sync at the same time, because a file system can write for several syncs
of different files at once.
"""

from collections.abc import Callable
from functools import partial
from math import inf
from typing import Protocol, TypeAlias

import trio

from server.storage.durations import Durations
from server.storage.journal_errors import JournalError, SyncFailed
from server.storage.system import System, Worker

LANES = 4
"""Syncs at the same time."""

WhenDurable = Callable[[JournalError | None], None]
"""Called in the event loop: None if the batch is durable, else why it is not."""


class BatchWriter(Protocol):
    """What takes a batch: a `Journal`, or a `NextFile`, which finishes one journal and begins the next."""

    def write(self, data: bytes) -> None:
        """Hands the batch to the kernel. Raises JournalError."""

    def sync(self) -> None:
        """Returns when everything written is on the disk. Raises JournalError."""


_Batch: TypeAlias = tuple[BatchWriter, bytes, WhenDurable, float]
"""What is written, and since when it waits (`trio.current_time`)."""


class GroupCommit:
    """The way to the disk for all tables of a server.

    `run` ends only by cancellation or with SyncFailed; then nobody knows what is on the disk, and the process must end.

    Attributes:
        durations: from the submission of each batch until it was on the disk.
    """

    def __init__(self, system: System | None = None, lanes: int = LANES) -> None:
        self._system = system or System()
        self._lanes = lanes
        self.durations = Durations()
        self._waiting: list[_Batch] = []
        self._begun = [inf] * lanes  # since when the oldest batch of each lane waits
        self._wake = [trio.Event() for _ in range(lanes)]
        self._idle: list[int] = []
        self._unfinished = 0
        self._at_rest = trio.lowlevel.ParkingLot()
        self._failed = trio.Event()
        self._failure: SyncFailed | None = None

    @property
    def working(self) -> bool:
        """Whether a batch is not on the disk yet."""
        return self._unfinished > 0

    def behind(self) -> float:
        """Seconds since the submission of the oldest batch that is not on the disk yet; 0 if there is none."""
        oldest = min([*self._begun, *[since for *_, since in self._waiting[:1]]])
        return 0.0 if oldest == inf else trio.current_time() - oldest

    async def at_rest(self) -> None:
        """Returns when every batch is on the disk."""
        await trio.lowlevel.checkpoint()
        while self._unfinished:
            await self._at_rest.park()

    def submit(self, journal: BatchWriter, data: bytes, when_durable: WhenDurable) -> None:
        """Writes and syncs the batch `data`, then calls `when_durable`."""
        self._waiting.append((journal, data, when_durable, trio.current_time()))
        self._unfinished += 1
        if self._idle:
            self._wake[self._idle.pop()].set()

    def fail(self, error: SyncFailed) -> None:
        """It is unknown what is on the disk: `run` raises the error, and no batch is called durable any more."""
        self._failure = self._failure or error
        self._failed.set()

    async def run(self) -> None:
        """Works until it is cancelled. Raises SyncFailed."""
        async with trio.open_nursery() as nursery:
            for number in range(self._lanes):
                nursery.start_soon(self._lane_in_a_thread, number)
            await self._failed.wait()
            nursery.cancel_scope.cancel()
        if self._failure is not None:
            raise self._failure

    async def _lane_in_a_thread(self, number: int) -> None:
        with self._system.own_thread() as worker:
            await self._lane(number, worker)

    async def _lane(self, number: int, worker: Worker) -> None:
        while True:
            if not self._waiting or self._failure is not None:
                self._wake[number] = trio.Event()
                self._idle.append(number)
                await self._wake[number].wait()
                continue
            share = max(1, len(self._waiting) // self._lanes)
            batches, self._waiting = self._waiting[:share], self._waiting[share:]
            if self._waiting and self._idle:
                self._wake[self._idle.pop()].set()
            self._begun[number] = batches[0][3]
            outcomes = await worker.work(partial(_write_and_sync, batches))
            self._begun[number] = inf
            self._unfinished -= len(batches)
            now = trio.current_time()
            for (_, _, when_durable, since), error in zip(batches, outcomes, strict=True):
                self.durations.add(now - since)
                if isinstance(error, SyncFailed):
                    self.fail(error)
                elif self._failure is None:
                    when_durable(error)
            if not self._unfinished:
                self._at_rest.unpark_all()


def _write_and_sync(batches: list[_Batch]) -> list[JournalError | None]:
    """Runs in a worker thread; the outcome of each batch."""
    # All writes come first: the first sync then brings most of what the others need to the disk, too.
    outcomes = [_error_of(partial(journal.write, data)) for journal, data, *_ in batches]
    return [
        error if error is not None else _error_of(journal.sync)
        for error, (journal, *_) in zip(outcomes, batches, strict=True)
    ]


def _error_of(job: Callable[[], None]) -> JournalError | None:
    try:
        job()
    except JournalError as error:
        return error
    return None
