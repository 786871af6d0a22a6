"""When steps reach the file and the disk, by the durability of the settings."""

from pathlib import Path

import pytest

from protocol.journal.framing import scan
from server.app.operator_log import silent
from server.config.durability import Durability
from server.config.table_config import TableConfig
from server.storage.journal_errors import JournalError
from server.storage.journal_file import Journal
from server.storage.recovery import begin
from server.table.journal_writer import WRITE_BEHIND_BYTES, JournalWriter
from server.table.shuffler import Shuffler
from server.table.table_setup import TableSetup
from tests.support.memory_guest import HeldGroupCommit

STEP = b"a step"


class Kept:
    """A writer, its file and its disk."""

    def __init__(self, folder: Path, durability: Durability) -> None:
        settings = TableConfig(games=("stud8",), durability=durability)
        self.disk = HeldGroupCommit()
        self.told: list[JournalError | None] = []
        self.session = begin(str(folder / "hands"), "main", settings.rules(), 1_000_000_000_000)
        setup = TableSetup(settings=settings, group_commit=self.disk, shuffler=Shuffler("journal"), log=silent())
        self.writer = JournalWriter(self.session, setup, self.told.append)

    def write(self, *records: bytes, hand_over: bool = False) -> bool:
        """Appends and writes; whether the table can go on at once."""
        for record in records:
            self.writer.append(record)
        if hand_over:
            self.writer.hand_over()
        return self.writer.write()

    def in_the_file(self) -> int:
        """How many records stand in the file, behind the two with which a session begins."""
        return len(scan(Path(self.writer.path).read_bytes()).records) - 2


async def test_action_every_batch_waits_for_the_disk(tmp_path: Path) -> None:
    kept = Kept(tmp_path, "action")
    assert not kept.write(STEP, STEP)
    assert (kept.in_the_file(), kept.told) == (0, [])
    kept.disk.work()
    assert (kept.in_the_file(), kept.told) == (2, [None])


async def test_hand_steps_are_written_at_once_and_the_end_of_a_hand_waits_for_the_disk(tmp_path: Path) -> None:
    kept = Kept(tmp_path, "hand")
    assert kept.write(STEP)
    assert kept.in_the_file() == 1
    assert not kept.write(STEP, hand_over=True)
    kept.disk.work()
    assert kept.in_the_file() == 2
    assert kept.write(STEP), "the next hand has only begun"


async def test_none_nothing_waits_and_the_end_of_a_hand_is_written(tmp_path: Path) -> None:
    kept = Kept(tmp_path, "none")
    assert kept.write(STEP)
    assert kept.in_the_file() == 0
    assert kept.write(STEP, hand_over=True)
    assert kept.in_the_file() == 2
    assert kept.write(STEP)
    assert kept.write(bytes(WRITE_BEHIND_BYTES))
    assert kept.in_the_file() == 4, "a long hand is not kept in memory"
    assert kept.disk.batches == []


@pytest.mark.parametrize("durability", ["action", "hand", "none"])
async def test_nothing_to_write_is_nothing_to_wait_for(tmp_path: Path, durability: Durability) -> None:
    kept = Kept(tmp_path, durability)
    assert kept.write()
    assert kept.disk.batches == []


async def test_a_journal_is_not_freed_under_the_thread_that_writes_it(tmp_path: Path) -> None:
    kept = Kept(tmp_path, "action")
    kept.write(STEP)
    kept.writer.discard()
    kept.disk.work()
    assert kept.in_the_file() == 1
    Journal.open(kept.writer.path)[0].close()  # it is free now: nobody else holds the lock


@pytest.mark.parametrize(("flush", "records"), [(True, 1), (False, 0)])
async def test_at_the_end_what_waits_is_written_if_the_table_plays(tmp_path: Path, flush: bool, records: int) -> None:
    kept = Kept(tmp_path, "none")
    kept.write(STEP)
    kept.writer.close(flush=flush)
    assert kept.in_the_file() == records
    Journal.open(kept.writer.path)[0].close()
