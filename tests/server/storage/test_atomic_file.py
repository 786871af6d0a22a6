"""Private files that appear whole or not at all."""

import contextlib
import errno
import os
import random
from pathlib import Path

import pytest

from server.storage.atomic_file import write_file
from server.storage.filesystem import FileSystem, SyncError
from tests.support.simulated_disk import PowerCut, SimDisk

PATH = "/data/key"
OLD, NEW = b"old" * 500, b"new" * 700


class WithoutHardLinks(FileSystem):
    """A file system such as exFAT."""

    def link(self, source: str, target: str) -> None:
        raise PermissionError(errno.EPERM, "Operation not permitted", source)


def simulated(seed: int) -> SimDisk:
    disk = SimDisk(random.Random(seed))
    write_file(PATH, OLD, fs=disk)
    return disk


@pytest.mark.parametrize("fs", [FileSystem(), WithoutHardLinks()], ids=["hard links", "none"])
def test_a_file_is_private_and_is_replaced_or_kept(tmp_path: Path, fs: FileSystem) -> None:
    path = tmp_path / "key"
    assert write_file(path, b"one", replace=False, fs=fs)
    assert not write_file(path, b"two", replace=False, fs=fs)
    assert path.read_bytes() == b"one"
    assert write_file(path, b"three", fs=fs)
    assert path.read_bytes() == b"three"
    assert path.stat().st_mode & 0o777 == 0o600
    assert os.listdir(tmp_path) == ["key"]


@pytest.mark.parametrize("call", ["open_dir", "open_new", "write", "fdatasync", "replace"])
def test_fault_66_a_failed_write_leaves_the_old_file_and_no_other(call: str) -> None:
    disk = simulated(1)
    disk.fail[call] = 0
    with pytest.raises(OSError, match="planned failure"):
        write_file(PATH, NEW, fs=disk)
    assert disk.names() == {PATH}
    assert disk.read_all(PATH) == OLD


def test_a_failed_sync_is_told_apart_from_other_errors() -> None:
    disk = simulated(1)
    disk.fail["sync_dir"] = 0
    with pytest.raises(SyncError):
        write_file(PATH, NEW, fs=disk)
    assert disk.read_all(PATH) == NEW


@pytest.mark.parametrize("replace", [True, False])
def test_a_power_cut_at_any_call_leaves_a_whole_file(replace: bool) -> None:
    ends = set()
    for seed in range(200):
        disk = simulated(seed) if replace else SimDisk(random.Random(seed))
        disk.cut_in = seed % 12
        done = False
        with contextlib.suppress(PowerCut):
            done = write_file(PATH, NEW, replace=replace, fs=disk)
        disk.cut()
        found = disk.read_all(PATH) if disk.exists(PATH) else b""
        assert found in ((NEW,) if done else (OLD, NEW) if replace else (b"", NEW))
        ends.add((done, found))
    assert len(ends) == 3, "cut before and after the file got its name, and not at all"
