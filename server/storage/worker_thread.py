"""A thread for one task that has work which blocks, again and again.

PERF: a job costs half of what it costs with `trio.to_thread`, which finds and names a thread for each job.
"""

from collections.abc import Callable
from queue import SimpleQueue
from threading import Thread
from typing import Any, TypeVar

import outcome
import trio

T = TypeVar("T")


class WorkerThread:
    """The thread of the task that makes it, for that task alone; it ends with `close`, or with the process."""

    def __init__(self) -> None:
        self._jobs: SimpleQueue[Callable[[], Any] | None] = SimpleQueue()
        self._task = trio.lowlevel.current_task()
        self._token = trio.lowlevel.current_trio_token()
        Thread(target=self._run, name="disk", daemon=True).start()

    async def work(self, job: Callable[[], T]) -> T:
        """Does one job and raises what it raises. A caller that is cancelled still waits for its end."""
        self._jobs.put(job)
        result: T = await trio.lowlevel.wait_task_rescheduled(lambda _: trio.lowlevel.Abort.FAILED)
        return result

    def close(self) -> None:
        """Ends the thread."""
        self._jobs.put(None)

    def _run(self) -> None:
        while (job := self._jobs.get()) is not None:
            self._token.run_sync_soon(trio.lowlevel.reschedule, self._task, outcome.capture(job))
