"""Journals on a real file system: writing, opening, repairing."""

import errno
import os
import stat
import threading
from pathlib import Path

import pytest

from protocol.journal.framing import scan
from server.storage.filesystem import FileSystem
from server.storage.journal_errors import Busy, Corrupt, Foreign, OpenFailed
from server.storage.journal_file import Journal
from server.storage.journal_repair import repair
from tests.support.journals import PATH, RECORDS, posix_only, small_disk, written
from tests.support.limits import LIMIT

# Writing


def test_committed_records_are_read_back(tmp_path: Path) -> None:
    path = written(tmp_path / "new" / "folder")
    journal, found = Journal.open(path)
    assert (found.records, found.verdict) == (RECORDS, "clean")
    assert journal.digest == found.digest
    journal.append(b"four")
    journal.append(b"five")
    journal.commit()
    journal.close()
    after = scan(path.read_bytes())
    assert after.records == [*RECORDS, b"four", b"five"]
    assert (after.digest, after.good) == (journal.digest, journal.size)


def test_batch_has_one_flag_and_an_unsynced_write_starts_none(tmp_path: Path) -> None:
    journal = Journal.create(tmp_path, "a.ryo", b"header")
    for payload in (b"a", b"b"):
        journal.append(payload)
    journal.write_and_sync(journal.take())
    for payload in (b"c", b"d"):
        journal.append(payload)
        journal.write(journal.take())
    journal.sync()
    journal.append(b"e")
    journal.commit()
    journal.close()
    data = Path(journal.path).read_bytes()
    found = scan(data)
    flags = "".join(chr(payload[0]) for payload, at in zip(found.records, found.offsets, strict=True) if data[at + 3])
    assert flags == "hace"


def test_batches_go_one_at_a_time(tmp_path: Path) -> None:
    journal = Journal.create(tmp_path, "a.ryo", b"header")
    assert journal.take() == b""
    journal.commit()
    journal.append(b"a")
    data = journal.take()
    journal.append(b"b")
    with pytest.raises(RuntimeError, match="has not been written"):
        journal.take()
    with pytest.raises(RuntimeError, match="taken last"):
        journal.write(b"something else")
    journal.write_and_sync(data)
    with pytest.raises(RuntimeError, match="taken last"):
        journal.write_and_sync(data)
    journal.commit()
    journal.close()
    assert scan(Path(journal.path).read_bytes()).records == [b"header", b"a", b"b"]


def test_closed_journal_takes_nothing(tmp_path: Path) -> None:
    journal = Journal.create(tmp_path, "a.ryo", b"header")
    journal.close()
    journal.close()
    with pytest.raises(OpenFailed, match="has been closed"):
        journal.append(b"a")


@pytest.mark.parametrize("size", [0, (1 << 20) + 1])
def test_record_of_no_or_too_many_bytes_is_refused_and_the_journal_lives(tmp_path: Path, size: int) -> None:
    journal = Journal.create(tmp_path, "a.ryo", b"header")
    with pytest.raises(ValueError):
        journal.append(bytes(size))
    journal.append(b"fine")
    journal.commit()
    journal.close()
    assert scan(Path(journal.path).read_bytes()).records == [b"header", b"fine"]


class WaitingFileSystem(FileSystem):
    """A disk whose sync lasts until the test ends it."""

    def __init__(self) -> None:
        self.begun, self.may_end, self.slow = threading.Event(), threading.Event(), False
        self.closed: list[int] = []

    def fdatasync(self, fd: int) -> None:
        if self.slow:
            self.begun.set()
            assert self.may_end.wait(LIMIT)
        super().fdatasync(fd)

    def close(self, fd: int) -> None:
        self.closed.append(fd)
        super().close(fd)


def test_closing_does_not_take_the_file_from_a_thread_that_syncs(tmp_path: Path) -> None:
    """Otherwise the thread could write into another file with the same descriptor. Closing does not wait, either."""
    fs = WaitingFileSystem()
    journal = Journal.create(tmp_path, "a.ryo", b"header", fs=fs)
    journal.append(b"one")
    fs.slow, fs.closed = True, []
    thread = threading.Thread(target=journal.write_and_sync, args=[journal.take()])
    thread.start()
    assert fs.begun.wait(LIMIT)
    journal.close()
    assert fs.closed == []
    with pytest.raises(Busy):
        Journal.open(journal.path)
    fs.may_end.set()
    thread.join(20)
    assert len(fs.closed) == 2
    assert Journal.open(journal.path)[1].records == [b"header", b"one"]


# Opening


@posix_only
def test_files_are_private(tmp_path: Path) -> None:
    path = written(tmp_path / "data")
    assert stat.S_IMODE((tmp_path / "data").stat().st_mode) == 0o700
    assert {stat.S_IMODE(file.stat().st_mode) for file in (tmp_path / "data").iterdir()} == {0o600}
    assert {file.name for file in (tmp_path / "data").iterdir()} == {path.name, path.name + ".lock"}


def test_opening_makes_a_fresh_file(tmp_path: Path) -> None:
    path = written(tmp_path)
    (tmp_path / "a.ryo.new").write_bytes(b"left by an earlier attempt")
    with path.open("rb") as old:
        Journal.open(path)[0].close()
        assert os.fstat(old.fileno()).st_ino != path.stat().st_ino
    assert not (tmp_path / "a.ryo.new").exists()
    assert scan(path.read_bytes()).records == RECORDS


def test_existing_journal_is_never_made_again(tmp_path: Path) -> None:
    path = written(tmp_path)
    before = path.read_bytes()
    with pytest.raises(OpenFailed, match="exists already"):
        Journal.create(tmp_path, "a.ryo", b"header")
    assert path.read_bytes() == before
    Journal.open(path)[0].close()  # and the lock is free again


def test_missing_journal_is_not_made_by_opening(tmp_path: Path) -> None:
    with pytest.raises(OpenFailed, match="does not exist") as caught:
        Journal.open(tmp_path / "a.ryo")
    assert caught.value.errno == errno.ENOENT
    assert list(tmp_path.iterdir()) == []


def test_fault_51_torn_tail_is_cut_and_reported(tmp_path: Path) -> None:
    path = written(tmp_path)
    whole = path.read_bytes()
    path.write_bytes(whole[:-1])
    journal, found = Journal.open(path)
    assert (found.verdict, found.records) == ("torn", RECORDS[:-1])
    assert "record 3 at byte" in found.why
    assert found.size - found.good == 24 + len(RECORDS[-1]) - 1
    journal.append(b"play goes on")
    journal.commit()
    journal.close()
    assert scan(path.read_bytes()).records == [*RECORDS[:-1], b"play goes on"]


def test_fault_52_damage_before_the_last_batch_is_refused_with_record_and_offset(tmp_path: Path) -> None:
    path = written(tmp_path)
    damaged = bytearray(path.read_bytes())
    at = scan(bytes(damaged)).offsets[2]
    damaged[at + 100] ^= 4
    path.write_bytes(damaged)
    with pytest.raises(Corrupt, match=rf"record 2 at byte {at} does not fit the chain.*2 records") as caught:
        Journal.open(path)
    assert caught.value.exit_code == 5
    assert caught.value.scan.records == RECORDS[:2]
    assert path.read_bytes() == damaged
    assert sorted(file.name for file in tmp_path.iterdir()) == ["a.ryo", "a.ryo.lock"]


def test_fault_52_repair_keeps_every_damaged_file(tmp_path: Path) -> None:
    path = written(tmp_path)
    kept = []
    for record in (3, 2, 1):
        damaged = bytearray(path.read_bytes())
        damaged[scan(bytes(damaged)).offsets[record]] ^= 1
        path.write_bytes(damaged)
        found, name = repair(path)
        assert name is not None
        assert Path(name).read_bytes() == damaged
        assert found.size == len(damaged)
        assert scan(path.read_bytes()).verdict == "clean"
        assert scan(path.read_bytes()).records == RECORDS[:record]
        kept.append(Path(name).name)
    assert kept == ["a.ryo.broken", "a.ryo.broken.2", "a.ryo.broken.3"]
    Journal.open(path)[0].close()


class NotedFolders(FileSystem):
    """A real disk that notes which folders are opened to be synced."""

    def __init__(self) -> None:
        self.folders: list[str] = []

    def open_dir(self, path: str) -> int:
        self.folders.append(path)
        return super().open_dir(path)


def test_fault_52_repair_syncs_both_names_in_the_folder_of_the_file(tmp_path: Path) -> None:
    path = written(tmp_path)
    path.write_bytes(path.read_bytes()[:-1])
    disk = NotedFolders()
    repair(path, fs=disk)
    assert disk.folders == [str(tmp_path)] * 2


def test_fault_52_repair_does_not_change_a_clean_file(tmp_path: Path) -> None:
    path = written(tmp_path)
    inode = path.stat().st_ino
    found, name = repair(path)
    assert (found.verdict, name, path.stat().st_ino) == ("clean", None, inode)


def test_fault_52_repair_without_hard_links_copies() -> None:
    disk = small_disk()
    disk.rot(PATH, len(disk.read_all(PATH)) - 1)
    damaged = disk.read_all(PATH)
    disk.fail["link"] = 0
    assert repair(PATH, fs=disk)[1] == PATH + ".broken"
    disk.cut()
    assert disk.read_all(PATH + ".broken") == damaged
    assert scan(disk.read_all(PATH)).records == [b"header"]


def test_fault_52_why_a_file_is_not_repaired_is_one_sentence(tmp_path: Path) -> None:
    with pytest.raises(OpenFailed, match=rf"^{tmp_path}/b\.ryo does not exist\.$") as missing:
        repair(tmp_path / "b.ryo")
    assert missing.value.errno == errno.ENOENT
    disk = small_disk()
    disk.rot(PATH, len(disk.read_all(PATH)) - 1)
    disk.fail["open_new"] = 0
    with pytest.raises(OpenFailed, match=rf"^{PATH} could not be repaired") as failed:
        repair(PATH, fs=disk)
    assert str(failed.value).endswith(".")


@pytest.mark.parametrize("content", [b"", b"RYOLOG01", b"RYOLOG02" + bytes(60), b"%PDF-1.4\n" * 20])
def test_fault_53_foreign_file_is_refused_and_not_overwritten(tmp_path: Path, content: bytes) -> None:
    path = tmp_path / "a.ryo"
    path.write_bytes(content)
    with pytest.raises(Foreign, match="is not a journal of this program: the file "):
        Journal.open(path)
    with pytest.raises(Foreign, match="cannot be repaired"):
        repair(path)
    with pytest.raises(OpenFailed):
        Journal.create(tmp_path, "a.ryo", b"header")
    assert path.read_bytes() == content


def test_fault_53_damaged_header_record_is_refused(tmp_path: Path) -> None:
    path = written(tmp_path)
    damaged = bytearray(path.read_bytes())
    damaged[20] ^= 1  # in the salt
    path.write_bytes(damaged)
    with pytest.raises(Corrupt, match="record 0 at byte 24"):
        Journal.open(path)
    with pytest.raises(Foreign, match="cannot be repaired") as caught:
        repair(path)
    assert caught.value.scan.records == []
    assert path.read_bytes() == damaged


def test_a_journal_that_was_only_looked_at_takes_no_record(tmp_path: Path) -> None:
    path = written(tmp_path)
    before = path.read_bytes()
    journal = Journal.closed(str(path), scan(before))
    assert (journal.path, journal.digest, journal.size) == (str(path), scan(before).digest, len(before))
    for job in (lambda: journal.append(b"one"), journal.take, journal.commit):
        with pytest.raises(OpenFailed, match="has been closed"):
            job()
    for _ in range(2):
        journal.close()
    assert path.read_bytes() == before
    Journal.open(path)[0].close()
