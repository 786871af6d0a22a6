"""Brings what tables have decided to the disk, off the event loop.

A table hands in one batch at a time and shows it when it is called back; meanwhile other tables play. All batches that
wait are taken by the next free lane together, so that a busy server does not pay a thread's hop for each. Several
lanes sync at the same time, because a file system brings syncs of different files that meet to the disk in one go.
"""

from collections.abc import Callable
from functools import partial
from typing import Protocol

import trio

from server.storage.journal_errors import JournalError, SyncFailed
from server.storage.system import System

LANES = 4
"""Syncs at the same time."""

WhenDurable = Callable[[JournalError | None], None]


class BatchWriter(Protocol):
    """What takes a batch: a `server.storage.journal_file.Journal`, or one that is just being followed by another."""

    def write(self, data: bytes) -> None:
        """Hands the batch to the kernel. Raises JournalError."""

    def sync(self) -> None:
        """Returns when all is on the disk. Raises JournalError."""


class GroupCommit:
    """The way to the disk for all tables of a server.

    `run` ends only by cancellation, or with SyncFailed: then what is on the disk is unknown and the process must end.
    """

    def __init__(self, machine: System | None = None, lanes: int = LANES) -> None:
        self._work = (machine or System()).work
        self._lanes = lanes
        self._waiting: list[tuple[BatchWriter, bytes, WhenDurable]] = []
        self._wake = [trio.Event() for _ in range(lanes)]
        self._idle: list[int] = []
        self._on_the_way = 0
        self._rest = trio.lowlevel.ParkingLot()
        self._failed = trio.Event()
        self._failure: SyncFailed | None = None

    @property
    def on_the_way(self) -> bool:
        """Whether a batch has not been told of yet."""
        return self._on_the_way > 0

    async def at_rest(self) -> None:
        """Returns when nothing is on its way."""
        await trio.lowlevel.checkpoint()
        while self._on_the_way:
            await self._rest.park()

    def submit(self, journal: BatchWriter, batch: bytes, told: WhenDurable) -> None:
        """Writes and syncs the batch, then calls `told` (None: durable) in the event loop."""
        self._waiting.append((journal, batch, told))
        self._on_the_way += 1
        if self._idle:
            self._wake[self._idle.pop()].set()

    def fail(self, error: SyncFailed) -> None:
        """What is on the disk is unknown: `run` raises the error, nothing is shown any more."""
        self._failure = self._failure or error
        self._failed.set()

    async def run(self) -> None:
        """Works until cancelled. Raises SyncFailed."""
        async with trio.open_nursery() as nursery:
            for number in range(self._lanes):
                nursery.start_soon(self._lane, number)
            await self._failed.wait()
            nursery.cancel_scope.cancel()
        if self._failure is not None:
            raise self._failure

    async def _lane(self, number: int) -> None:
        while True:
            if not self._waiting or self._failure is not None:
                self._wake[number] = trio.Event()
                self._idle.append(number)
                await self._wake[number].wait()
                continue
            share = max(1, len(self._waiting) // self._lanes)
            batch, self._waiting = self._waiting[:share], self._waiting[share:]
            if self._waiting and self._idle:
                self._wake[self._idle.pop()].set()
            outcomes = await self._work(partial(_write_all, batch))
            self._on_the_way -= len(batch)
            for (_, _, told), error in zip(batch, outcomes, strict=True):
                if isinstance(error, SyncFailed):
                    self.fail(error)
                elif self._failure is None:
                    told(error)
            if not self._on_the_way:
                self._rest.unpark_all()


def _write_all(batch: list[tuple[BatchWriter, bytes, WhenDurable]]) -> list[JournalError | None]:
    # All writes first: the first sync then takes most of what the others need to the disk with it.
    outcomes: list[JournalError | None] = [_error(partial(journal.write, data)) for journal, data, _ in batch]
    return [
        error if error is not None else _error(journal.sync)
        for error, (journal, _, _) in zip(outcomes, batch, strict=True)
    ]


def _error(job: Callable[[], None]) -> JournalError | None:
    try:
        job()
    except JournalError as error:
        return error
    return None
