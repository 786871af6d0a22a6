"""The system below a server: a disk, a wall clock, and threads for work that blocks.

A server reaches everything that may fail or stand still through one object, so that tests can run a whole server on a
simulated system, whose power may be cut at any call.
"""

import time
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from typing import Protocol, TypeVar

import trio

from server.storage.filesystem import FileSystem
from server.storage.worker_thread import WorkerThread

T = TypeVar("T")


class Worker(Protocol):
    """Who does work that blocks."""

    async def work(self, job: Callable[[], T]) -> T:
        """Does a job outside the event loop; a caller that is cancelled still waits for its end."""


class System:
    """The real system.

    Attributes:
        fs: the disk.
    """

    def __init__(self, fs: FileSystem | None = None) -> None:
        self.fs = fs or FileSystem()

    def wall_clock(self) -> int:
        """UTC milliseconds. The clock may jump; no decision depends on it (fault 79)."""
        return time.time_ns() // 1_000_000

    async def work(self, job: Callable[[], T]) -> T:
        """Does a job that blocks in a worker thread; a caller that is cancelled still waits for its end."""
        return await trio.to_thread.run_sync(job)

    @contextmanager
    def own_thread(self) -> Iterator[Worker]:
        """A thread for the calling task alone, which has work for it again and again."""
        with closing(WorkerThread()) as worker:
            yield worker
