"""The journal against a disk that lies and loses power; then the same with planted mistakes, which must be found."""

import contextlib
import os
import random
from typing import NoReturn

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from protocol.journal.framing import Scan, encode_batch, scan
from server.storage.filesystem import FileSystem
from server.storage.journal_errors import Corrupt, SyncFailed, WriteFailed
from server.storage.journal_file import Journal
from server.storage.journal_repair import repair
from tests.support.power_cuts import HEADER, PATH, Broken, History, soak
from tests.support.simulated_disk import SimDisk

HISTORIES = 30_000 if os.environ.get("RYO_THOROUGH") else 1_500


@pytest.mark.slow
def test_fault_51_56_58_64_nothing_acknowledged_is_lost_in_any_history() -> None:
    soak(HISTORIES)


def test_fault_51_56_58_64_fresh_histories() -> None:
    soak(200, seed=random.SystemRandom().randrange(1 << 40))  # the seed is in the message of a failure


@given(seed=st.integers(0, 2**64), steps=st.integers(0, 40))
@settings(max_examples=100, deadline=None)
def test_fault_51_histories_that_hypothesis_can_make_shorter(seed: int, steps: int) -> None:
    History(seed).run(steps)


def test_simulated_disk_leaves_no_call_to_the_real_one() -> None:
    calls = {name for name in vars(FileSystem) if not name.startswith("_")}
    assert calls <= set(vars(SimDisk))


def test_simulated_disk_forgets_what_was_not_synced() -> None:
    lost = kept = 0
    for seed in range(200):
        disk = SimDisk(random.Random(seed))
        fd = disk.open_new("/data/a")
        disk.sync_dir(disk.open_dir("/data"))
        disk.write(fd, b"x" * 100)
        disk.cut()
        if disk.read_all("/data/a") == b"x" * 100:
            kept += 1
        else:
            lost += 1
    assert lost > 50
    assert kept > 10


# Planted mistakes


class NoSync(SimDisk):
    def fdatasync(self, fd: int) -> None:
        self._step("fdatasync")


class NoDirectorySync(SimDisk):
    def sync_dir(self, fd: int) -> None:
        self._step("sync_dir")


class NoSyncBeforeRename(SimDisk):
    def fdatasync(self, fd: int) -> None:
        if self._open[fd] in [inode for name, inode in self._names.items() if name.endswith(".new")]:
            self._step("fdatasync")
        else:
            super().fdatasync(fd)


class InPlaceRecovery(Journal):
    """Cuts the old file instead of copying it: what a failed sync has dropped stays in the cache only."""

    @classmethod
    def open(cls, path: str | os.PathLike[str], fs: FileSystem | None = None) -> tuple[Journal, Scan]:
        assert isinstance(fs, SimDisk)
        path = os.fspath(path)
        found = scan(fs.read_all(path))
        if found.verdict in ("corrupt", "foreign"):
            raise Corrupt(found.why, found)
        fd = fs.open_old(path)
        try:
            fs.ftruncate(fd, found.good)
            fs.fdatasync(fd)
        except OSError as error:
            raise SyncFailed(str(error)) from error
        return cls(fs, path, fs.lock(path + ".lock"), fd, found.good, found.salt, found.digest), found


class RepairsUnasked(Journal):
    """Treats every damage as an unfinished tail."""

    @classmethod
    def open(cls, path: str | os.PathLike[str], fs: FileSystem | None = None) -> tuple[Journal, Scan]:
        with contextlib.suppress(Corrupt):
            return super().open(path, fs)
        assert fs is not None
        _, kept = repair(path, fs)
        assert kept is not None
        return super().open(path, fs)


class RetriesAfterAFailedSync(Journal):
    def _sync(self) -> None:
        try:
            super()._sync()
        except SyncFailed:
            self._dead = None
            super()._sync()


class ForgetsTheFlag(Journal):
    def take(self) -> bytes:
        self._synced = False
        return super().take()


class FlagsUnsyncedWrites(Journal):
    def take(self) -> bytes:
        synced, self._synced = self._synced, True
        data = super().take()
        self._synced = synced
        return data


class FlagsEveryRecord(Journal):
    def take(self) -> bytes:
        waiting, self._waiting = self._waiting, []
        pieces = []
        for payload in waiting:
            piece, self.digest = encode_batch(self._salt, self.digest, [payload], first=True)
            pieces.append(piece)
        self._taken = b"".join(pieces) or None
        return b"".join(pieces)


class NoCutBack(Journal):
    def _cut_back(self, error: OSError) -> NoReturn:
        self._fail(WriteFailed(str(error)), error)


class CutBackNotSynced(SimDisk):
    """The failed batch is cut off in the cache only, and may come back from the platter."""

    _cutting = False

    def fdatasync(self, fd: int) -> None:
        if self._cutting:
            self._step("fdatasync")
        else:
            super().fdatasync(fd)

    def ftruncate(self, fd: int, size: int) -> None:
        super().ftruncate(fd, size)
        self._cutting = True


DISKS = (NoSync, NoDirectorySync, NoSyncBeforeRename)
JOURNALS = (
    InPlaceRecovery,
    RepairsUnasked,
    RetriesAfterAFailedSync,
    ForgetsTheFlag,
    FlagsUnsyncedWrites,
    FlagsEveryRecord,
    NoCutBack,
)


def caught(disk: type[SimDisk] = SimDisk, journal: type[Journal] = Journal, histories: int = 1000) -> bool:
    """Whether one of the histories notices the mistake."""
    for seed in range(histories):
        try:
            History(seed, disk, journal).run()
        except Broken:
            return True
    return False


@pytest.mark.parametrize("disk", DISKS)
def test_planted_mistake_of_the_disk_is_caught(disk: type[SimDisk]) -> None:
    assert caught(disk=disk)


@pytest.mark.parametrize("journal", JOURNALS)
def test_planted_mistake_of_the_journal_is_caught(journal: type[Journal]) -> None:
    assert caught(journal=journal)


@pytest.mark.slow
def test_without_a_planted_mistake_nothing_is_caught() -> None:
    assert not caught()


def failed_batch_comes_back(disk_kind: type[SimDisk]) -> bool:
    """Whether records of a batch that was reported as failed are there after the power was cut."""
    for seed in range(500):
        disk = disk_kind(random.Random(seed))
        journal = Journal.create("/data", "table.ryo", HEADER, fs=disk)
        journal.append(b"x" * 900)
        journal.append(b"y" * 900)
        disk.room = 1500
        with pytest.raises(WriteFailed):
            journal.commit()
        disk.cut()
        if len(Journal.open(PATH, fs=disk)[1].records) > 1:
            return True
    return False


def test_fault_54_failed_batch_does_not_come_back_from_the_platter() -> None:
    assert not failed_batch_comes_back(SimDisk)


def test_planted_mistake_of_cutting_back_without_a_sync_is_caught() -> None:
    assert failed_batch_comes_back(CutBackNotSynced)
