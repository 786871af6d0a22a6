"""The thread of a task that has work which blocks."""

import threading

import pytest
import trio

from server.storage.system import System
from tests.support.limits import LIMIT


def threads() -> set[threading.Thread]:
    return {thread for thread in threading.enumerate() if thread.name == "disk"}


async def test_every_job_is_done_in_the_same_other_thread() -> None:
    with trio.fail_after(LIMIT), System().own_thread() as worker:
        done_in = [await worker.work(threading.current_thread) for _ in range(3)]
    assert len(set(done_in)) == 1
    assert done_in[0] is not threading.current_thread()


async def test_what_a_job_raises_reaches_the_task_and_the_thread_goes_on() -> None:
    def fails() -> None:
        raise ValueError("no")

    with trio.fail_after(LIMIT), System().own_thread() as worker:
        with pytest.raises(ValueError, match="no"):
            await worker.work(fails)
        assert await worker.work(lambda: 5) == 5


async def test_other_tasks_go_on_meanwhile_and_a_cancelled_caller_waits_for_the_end() -> None:
    go_on, ended = threading.Event(), []
    begun = trio.Event()
    token = trio.lowlevel.current_trio_token()

    def job() -> None:
        token.run_sync_soon(begun.set)
        assert go_on.wait(LIMIT)
        ended.append("job")

    async def caller() -> None:
        with System().own_thread() as worker:
            await worker.work(job)

    with trio.fail_after(LIMIT):
        async with trio.open_nursery() as nursery:
            nursery.start_soon(caller)
            await begun.wait()
            nursery.cancel_scope.cancel()
            assert not ended
            go_on.set()
    assert ended == ["job"]


async def test_the_thread_ends_with_its_task() -> None:
    before = threads()
    with trio.fail_after(LIMIT), System().own_thread() as worker:
        await worker.work(lambda: None)
        (own,) = threads() - before
    own.join(LIMIT)
    assert not own.is_alive()
