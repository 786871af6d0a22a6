"""Group commit by itself: what is written, in which order, and who is told what (docs/faults.md, 54 and 56)."""

import pytest
import trio
from trio.testing import wait_all_tasks_blocked

from server.storage.group_commit import GroupCommit
from server.storage.journal_errors import JournalError, SyncFailed, WriteFailed
from tests.support.limits import LIMIT


class Notes:
    """What happened, in order."""

    def __init__(self) -> None:
        self.lines: list[str] = []
        self.told: list[tuple[str, JournalError | None]] = []

    def submit(self, disk: GroupCommit, writer: "Writer", data: bytes) -> None:
        """A batch, and a note when its table is called back."""
        disk.submit(writer, data, lambda error: self.told.append((writer.name, error)))


class Writer:
    """A journal in memory that fails as it is told."""

    def __init__(self, name: str, notes: Notes, *, write: JournalError | None = None, sync: JournalError | None = None):
        self.name, self._notes = name, notes
        self._write, self._sync = write, sync

    def write(self, data: bytes) -> None:
        self._notes.lines.append(f"write {self.name} {data.decode()}")
        if self._write is not None:
            raise self._write

    def sync(self) -> None:
        self._notes.lines.append(f"sync {self.name}")
        if self._sync is not None:
            raise self._sync


async def test_batches_that_wait_are_all_written_before_the_first_is_synced() -> None:
    notes, disk = Notes(), GroupCommit(lanes=1)
    for name in "abc":
        notes.submit(disk, Writer(name, notes), b"one")
    assert disk.working
    with trio.fail_after(LIMIT):
        async with trio.open_nursery() as nursery:
            nursery.start_soon(disk.run)
            await disk.at_rest()
            assert not disk.working
            nursery.cancel_scope.cancel()
    assert notes.lines == ["write a one", "write b one", "write c one", "sync a", "sync b", "sync c"]
    assert notes.told == [("a", None), ("b", None), ("c", None)]


async def test_a_batch_that_is_submitted_to_idle_lanes_is_taken_at_once() -> None:
    notes, disk = Notes(), GroupCommit(lanes=2)
    with trio.fail_after(LIMIT):
        async with trio.open_nursery() as nursery:
            nursery.start_soon(disk.run)
            for number in range(5):
                await wait_all_tasks_blocked()
                notes.submit(disk, Writer(str(number), notes), b"x")
                await disk.at_rest()
            nursery.cancel_scope.cancel()
    assert notes.told == [(str(number), None) for number in range(5)]


async def test_fault_54_a_write_that_fails_is_told_to_its_own_table_only() -> None:
    notes, disk = Notes(), GroupCommit(lanes=1)
    full = WriteFailed("no room", 28)
    for name, error in (("a", None), ("b", full), ("c", None)):
        notes.submit(disk, Writer(name, notes, write=error), b"one")
    with trio.fail_after(LIMIT):
        async with trio.open_nursery() as nursery:
            nursery.start_soon(disk.run)
            await disk.at_rest()
            nursery.cancel_scope.cancel()
    assert notes.told == [("a", None), ("b", full), ("c", None)]
    assert "sync b" not in notes.lines


async def test_fault_56_after_a_sync_that_failed_nothing_is_called_durable_any_more() -> None:
    notes, disk = Notes(), GroupCommit(lanes=1)
    lost, later = SyncFailed("lost", 5), SyncFailed("later", 5)
    for name, error in (("a", None), ("b", lost), ("c", later), ("d", None)):
        notes.submit(disk, Writer(name, notes, sync=error), b"one")
    with trio.fail_after(LIMIT), pytest.raises(SyncFailed) as raised:
        await disk.run()
    assert raised.value is lost
    assert notes.told == [("a", None)]
    notes.submit(disk, Writer("e", notes), b"two")
    with trio.fail_after(LIMIT), pytest.raises(SyncFailed):
        await disk.run()
    assert notes.told == [("a", None)]
    assert "write e two" not in notes.lines


async def test_fault_56_a_failure_elsewhere_ends_it_too() -> None:
    disk = GroupCommit()
    first = SyncFailed("first", 5)
    disk.fail(first)
    disk.fail(SyncFailed("second", 5))
    with trio.fail_after(LIMIT), pytest.raises(SyncFailed) as raised:
        await disk.run()
    assert raised.value is first
