"""What a server has under it: a disk, a clock on the wall, and threads for what blocks.

Everything of the machine that could fail or stand still comes in through one object, so that a whole server can be run
on a pretended machine, whose power may be cut at any call.
"""

import time
from collections.abc import Callable
from typing import TypeVar

import trio

from server.storage.filesystem import FileSystem

T = TypeVar("T")


class System:
    """The real one.

    Attributes:
        fs: its disk.
    """

    def __init__(self, fs: FileSystem | None = None) -> None:
        self.fs = fs or FileSystem()

    def wall_clock(self) -> int:
        """UTC milliseconds. May jump; nothing is decided by it (fault 79)."""
        return time.time_ns() // 1_000_000

    async def work(self, job: Callable[[], T]) -> T:
        """Does a job that blocks outside the event loop; whoever is cancelled meanwhile still waits for its end."""
        return await trio.to_thread.run_sync(job)
