"""Journals on a real file system, and on a simulated disk whose calls fail one by one."""

import contextlib
import errno
import os
import random
import stat
import subprocess
import sys
import textwrap
import threading
from pathlib import Path

import pytest

from protocol.journal import scan
from server.disk import Fs
from server.journal import (
    Busy,
    Corrupt,
    Foreign,
    Journal,
    JournalError,
    OpenFailed,
    SyncFailed,
    Unsafe,
    WriteFailed,
    has_room,
    repair,
)
from tests.simdisk import PID, PowerCut, SimDisk

ROOT = Path(__file__).parents[2]
RECORDS = [b"header", b"one", b"two" * 300, b"three"]
PATH = "/data/a.ryo"

needs_root = pytest.mark.skipif(
    sys.platform == "win32" or os.geteuid() != 0, reason="only root can give a file to another user"
)
posix_only = pytest.mark.skipif(sys.platform == "win32", reason="Windows has no modes and no resource limits")


def written(directory: Path) -> Path:
    """A closed journal with RECORDS, each of them committed by itself."""
    journal = Journal.create(directory, "a.ryo", RECORDS[0])
    for payload in RECORDS[1:]:
        journal.append(payload)
        journal.commit()
    journal.close()
    return Path(journal.path)


def in_child(code: str, *arguments: object) -> list[str]:
    """Runs code in a process of its own; returns the lines that it prints."""
    done = subprocess.run(
        [sys.executable, "-c", textwrap.dedent(code), *map(str, arguments)],
        cwd=ROOT,
        capture_output=True,
        text=True,
        timeout=30,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    return done.stdout.splitlines()


@pytest.fixture
def disk() -> SimDisk:
    """A simulated disk with a closed journal of one record behind its header; no power cuts."""
    simulated = SimDisk(random.Random(1))
    journal = Journal.create("/data", "a.ryo", b"header", fs=simulated)
    journal.append(b"one")
    journal.commit()
    journal.close()
    return simulated


# Writing


def test_what_is_committed_is_read_back(tmp_path: Path) -> None:
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


class Waiting(Fs):
    """A disk whose sync takes until it is told to end."""

    def __init__(self) -> None:
        self.begun, self.may_end, self.slow = threading.Event(), threading.Event(), False
        self.closed: list[int] = []

    def fdatasync(self, fd: int) -> None:
        if self.slow:
            self.begun.set()
            assert self.may_end.wait(20)
        super().fdatasync(fd)

    def close(self, fd: int) -> None:
        self.closed.append(fd)
        super().close(fd)


def test_closing_does_not_take_the_file_from_a_thread_that_syncs(tmp_path: Path) -> None:
    """Else it would write into whichever file gets the same descriptor next. Nor does closing wait for it."""
    fs = Waiting()
    journal = Journal.create(tmp_path, "a.ryo", b"header", fs=fs)
    journal.append(b"one")
    fs.slow, fs.closed = True, []
    thread = threading.Thread(target=journal.write_and_sync, args=[journal.take()])
    thread.start()
    assert fs.begun.wait(20)
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


def test_existing_journal_is_never_made_anew(tmp_path: Path) -> None:
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


def test_fault_52_repair_leaves_a_clean_file_alone(tmp_path: Path) -> None:
    path = written(tmp_path)
    inode = path.stat().st_ino
    found, name = repair(path)
    assert (found.verdict, name, path.stat().st_ino) == ("clean", None, inode)


def test_fault_52_repair_without_hard_links_copies(disk: SimDisk) -> None:
    disk.rot(PATH, len(disk.read_all(PATH)) - 1)
    damaged = disk.read_all(PATH)
    disk.fail["link"] = 0
    assert repair(PATH, fs=disk)[1] == PATH + ".broken"
    disk.cut()
    assert disk.read_all(PATH + ".broken") == damaged
    assert scan(disk.read_all(PATH)).records == [b"header"]


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
    with pytest.raises(Foreign, match="cannot be repaired"):
        repair(path)
    assert path.read_bytes() == damaged


# Writing fails


def test_fault_54_failed_write_is_cut_back_and_the_file_opens_again(disk: SimDisk) -> None:
    journal, _ = Journal.open(PATH, fs=disk)
    journal.append(b"two")
    journal.commit()
    before = disk.read_all(PATH)
    disk.room = 40
    journal.append(b"x" * 100)
    with pytest.raises(WriteFailed, match=r"No space left on device.*the table halts") as caught:
        journal.commit()
    assert (caught.value.errno, caught.value.exit_code) == (errno.ENOSPC, 74)
    assert disk.read_all(PATH) == before
    for call in (lambda: journal.append(b"y"), journal.take, journal.sync, lambda: journal.write(b"")):
        with pytest.raises(WriteFailed):
            call()
    journal.close()
    with pytest.raises(OpenFailed, match="No space left"):
        Journal.open(PATH, fs=disk)
    assert PATH + ".new" not in disk.names()
    disk.room = None
    again, found = Journal.open(PATH, fs=disk)
    assert found.records == [b"header", b"one", b"two"]
    again.append(b"three")
    again.commit()
    assert scan(disk.read_all(PATH)).records == [b"header", b"one", b"two", b"three"]


@posix_only
def test_fault_54_EFBIG_in_a_real_process(tmp_path: Path) -> None:
    lines = in_child(
        """
        import resource, signal, sys
        from server.journal import Journal, WriteFailed
        signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
        journal = Journal.create(sys.argv[1], "a.ryo", b"header")
        resource.setrlimit(resource.RLIMIT_FSIZE, (1000, resource.RLIM_INFINITY))
        done = 0
        try:
            while True:
                journal.append(b"x" * 90)
                journal.commit()
                done += 1
        except WriteFailed as error:
            print(done, error.errno)
        resource.setrlimit(resource.RLIMIT_FSIZE, (resource.RLIM_INFINITY, resource.RLIM_INFINITY))
        try:
            journal.append(b"y")
        except WriteFailed:
            journal.close()
        journal, found = Journal.open(journal.path)
        print(found.verdict, len(found.records), found.size)
        """,
        tmp_path,
    )
    fits = (1000 - 24 - 24 - len("header")) // (24 + 90)
    assert lines == [f"{fits} {errno.EFBIG}", f"clean {1 + fits} {24 + 24 + 6 + fits * 114}"]


@needs_root
@pytest.mark.skipif(sys.platform != "linux", reason="tmpfs is Linux's")
def test_fault_54_55_ENOSPC_on_a_small_file_system(tmp_path: Path) -> None:
    small = tmp_path / "small"
    small.mkdir(mode=0o700)
    if subprocess.run(["mount", "-t", "tmpfs", "-o", "size=256k,mode=700", "ryo", small], check=False).returncode:
        pytest.skip("mounting a tmpfs is not allowed here")
    try:
        assert not has_room(small)
        assert has_room(small, least=64 << 10)
        journal = Journal.create(small, "a.ryo", b"header")
        done = 0
        with pytest.raises(WriteFailed) as caught:  # noqa: PT012 - the loop ends by the error
            while True:
                journal.append(b"x" * 3000)
                journal.commit()
                done += 1
        assert caught.value.errno == errno.ENOSPC
        assert Path(journal.path).stat().st_size == journal.size
        journal.close()
        with pytest.raises(OpenFailed, match="No space left"):
            Journal.open(journal.path)  # there is no room for the copy either
        assert [file.name for file in small.iterdir() if file.name.endswith(".new")] == []
        subprocess.run(["mount", "-o", "remount,size=1m", small], check=True)
        journal, found = Journal.open(journal.path)
        assert (found.verdict, len(found.records)) == ("clean", 1 + done)
        journal.append(b"x" * 3000)
        journal.commit()
        journal.close()
    finally:
        subprocess.run(["umount", small], check=True)


def test_fault_54_write_that_cannot_be_cut_back_ends_the_process(disk: SimDisk) -> None:
    journal, _ = Journal.open(PATH, fs=disk)
    disk.room = 10
    disk.fail["ftruncate"] = 0
    journal.append(b"two")
    with pytest.raises(SyncFailed, match="nor cut back; the server must be restarted"):
        journal.commit()


def test_fault_55_little_room_is_told(disk: SimDisk) -> None:
    disk.room = (16 << 20) - 1
    assert not has_room("/data", fs=disk)
    disk.room += 1
    assert has_room("/data", fs=disk)
    disk.fail["free_bytes"] = 0
    with pytest.raises(OpenFailed):
        has_room("/data", fs=disk)


@pytest.mark.parametrize("number", [errno.EIO, errno.ENOSPC])
def test_fault_56_failed_sync_is_never_tried_again(disk: SimDisk, number: int) -> None:
    journal, _ = Journal.open(PATH, fs=disk)
    disk.fail_with["fdatasync"] = number
    disk.fail["fdatasync"] = 0
    journal.append(b"two")
    data = journal.take()
    with pytest.raises(SyncFailed, match=r"could not be brought to the disk.*must be restarted") as caught:
        journal.write_and_sync(data)
    assert (caught.value.errno, caught.value.exit_code) == (number, 74)
    calls = dict(disk.calls)
    for call in (lambda: journal.append(b"y"), journal.take, journal.sync, journal.commit):
        with pytest.raises(SyncFailed):
            call()
    assert disk.calls == calls
    disk.kill()
    _, found = Journal.open(PATH, fs=disk)  # from the cache, into a fresh file
    disk.cut()
    assert scan(disk.read_all(PATH)).records == found.records
    assert found.records[:2] == [b"header", b"one"]


@pytest.mark.parametrize("call", ["fdatasync", "sync_dir"])
def test_fault_56_failed_sync_while_opening(disk: SimDisk, call: str) -> None:
    disk.fail[call] = 0
    with pytest.raises(SyncFailed):
        Journal.open(PATH, fs=disk)
    _, found = Journal.open(PATH, fs=disk)
    assert found.records == [b"header", b"one"]


class Interrupting(Fs):
    """Writes three bytes at a time, and every other call is interrupted by a signal."""

    def __init__(self) -> None:
        self.calls = 0

    def write(self, fd: int, data: bytes | memoryview) -> int:
        self.calls += 1
        if self.calls % 2:
            raise InterruptedError(errno.EINTR, "Interrupted system call")
        return super().write(fd, data[:3])


def test_fault_58_short_and_interrupted_writes_go_on(tmp_path: Path) -> None:
    fs = Interrupting()
    journal = Journal.create(tmp_path, "a.ryo", b"header", fs=fs)
    for payload in RECORDS[1:]:
        journal.append(payload)
        journal.commit()
    journal.close()
    data = Path(journal.path).read_bytes()
    assert scan(data).records == RECORDS
    assert fs.calls >= 2 * len(data) // 3


class Full(Fs):
    def write(self, fd: int, data: bytes | memoryview) -> int:
        return 0


def test_fault_58_write_that_takes_nothing_is_an_error(tmp_path: Path) -> None:
    with pytest.raises(OpenFailed, match="takes no more bytes"):
        Journal.create(tmp_path, "a.ryo", b"header", fs=Full())
    assert [file.name for file in tmp_path.iterdir()] == ["a.ryo.lock"]


OPENING = ["lock", "secure", "read_all", "open_dir", "open_new", "write", "replace"]


@pytest.mark.parametrize("number", [errno.EIO, errno.EMFILE, errno.ENOSPC, errno.ENOLCK])
@pytest.mark.parametrize("call", OPENING)
def test_fault_59_failure_while_opening_leaves_the_old_journal(disk: SimDisk, call: str, number: int) -> None:
    before = disk.read_all(PATH)
    disk.fail[call] = 0
    disk.fail_with[call] = number
    with pytest.raises(
        OpenFailed, match=f"^{PATH} could not be (opened|locked): planned failure of {call}.$"
    ) as caught:
        Journal.open(PATH, fs=disk)
    assert caught.value.errno == number
    assert disk.read_all(PATH) == before
    assert disk.names() == {PATH}
    assert Journal.open(PATH, fs=disk)[1].records == [b"header", b"one"]  # the lock is free, nothing is in the way


@pytest.mark.parametrize("call", ["make_dir", "lock", "open_new", "write", "replace"])
def test_fault_59_failure_while_making_leaves_nothing(call: str) -> None:
    disk = SimDisk(random.Random(1))
    disk.fail[call] = 0
    with pytest.raises(OpenFailed):
        Journal.create("/data", "a.ryo", b"header", fs=disk)
    assert disk.names() == set()
    Journal.create("/data", "a.ryo", b"header", fs=disk)


@posix_only
def test_fault_59_no_file_descriptors_left(tmp_path: Path) -> None:
    path = written(tmp_path)
    before = path.read_bytes()
    lines = in_child(
        """
        import errno, os, resource, sys
        from server.journal import Journal, OpenFailed
        lowest = os.dup(0)
        os.close(lowest)
        for spare in range(4):  # fails at the lock, at reading or at the directory, at the new file, not at all
            resource.setrlimit(resource.RLIMIT_NOFILE, (lowest + spare, 4096))
            try:
                Journal.open(sys.argv[1])[0].close()
                print("opened")
            except OpenFailed as error:
                print(errno.errorcode[error.errno])
        """,
        path,
    )
    assert lines == ["EMFILE", "EMFILE", "EMFILE", "opened"]
    assert path.read_bytes() == before


# Who may


def test_fault_60_second_server_is_refused_with_the_owners_pid(tmp_path: Path) -> None:
    path = written(tmp_path)
    journal, _ = Journal.open(path)
    code = """
        import sys
        from server.journal import Busy, Journal, repair
        for act in (repair, Journal.open):
            try:
                act(sys.argv[1])
            except Busy as error:
                print(error)
        """
    sentence = f"{path} is in use by process {os.getpid()}; stop that server first."
    assert in_child(code, path) == [sentence, sentence]
    with pytest.raises(Busy, match=f"process {os.getpid()};"):
        Journal.open(path)
    journal.append(b"four")  # the owner has not noticed
    journal.commit()
    journal.close()
    assert in_child(code, path) == []


def test_fault_60_simulated_disk_keeps_locks_too(disk: SimDisk) -> None:
    Journal.open(PATH, fs=disk)
    with pytest.raises(Busy, match=f"process {PID};"):
        Journal.open(PATH, fs=disk)


def test_fault_60_67_lock_goes_with_a_killed_process(tmp_path: Path) -> None:
    path = written(tmp_path)
    code = (
        "import sys; from server.journal import Journal; j = Journal.open(sys.argv[1]); print(1, flush=True); input()"
    )
    with subprocess.Popen(
        [sys.executable, "-c", code, str(path)], cwd=ROOT, stdin=subprocess.PIPE, stdout=subprocess.PIPE
    ) as owner:
        assert owner.stdout is not None
        try:
            assert owner.stdout.readline() == b"1\n"
            with pytest.raises(Busy, match=f"process {owner.pid};"):
                Journal.open(path)
        finally:
            owner.kill()
    assert Journal.open(path)[1].records == RECORDS


@posix_only
def test_fault_61_readable_journal_is_made_private(tmp_path: Path) -> None:
    path = written(tmp_path)
    path.chmod(0o644)
    Journal.open(path)[0].close()
    assert stat.S_IMODE(path.stat().st_mode) == 0o600


@posix_only
def test_fault_61_directory_that_others_may_write_is_refused(tmp_path: Path) -> None:
    (tmp_path / "open").mkdir()
    (tmp_path / "open").chmod(0o777)
    with pytest.raises(Unsafe, match=r"other users may write into .*chmod 700") as caught:
        Journal.create(tmp_path / "open", "a.ryo", b"header")
    assert caught.value.exit_code == 78
    assert list((tmp_path / "open").iterdir()) == []


@needs_root
def test_fault_61_journal_of_another_user_is_refused(tmp_path: Path) -> None:
    path = written(tmp_path)
    os.chown(path, 65534, 65534)
    for act in (Journal.open, repair):
        with pytest.raises(Unsafe, match="belongs to user 65534, not to user 0") as caught:
            act(path)
        assert caught.value.exit_code == 78
    assert scan(path.read_bytes()).records == RECORDS


@posix_only
def test_fault_61_link_is_refused(tmp_path: Path) -> None:
    path = written(tmp_path)
    (tmp_path / "b.ryo").symlink_to(path)
    with pytest.raises(Unsafe, match="is not a regular file"):
        Journal.open(tmp_path / "b.ryo")


@pytest.mark.parametrize("number", [errno.EACCES, errno.EROFS, errno.EPERM])
def test_fault_61_read_only_directory_is_bad_configuration(disk: SimDisk, number: int) -> None:
    disk.fail["lock"] = 0
    disk.fail_with["lock"] = number
    with pytest.raises(Unsafe, match="could not be locked") as caught:
        Journal.open(PATH, fs=disk)
    assert caught.value.exit_code == 78


def test_fault_64_power_lost_at_every_call_of_a_recovery() -> None:
    """At each of the calls, with every fate of what was not synced: the next recovery finds all that was told."""
    reached = set()
    for at in range(12):
        for seed in range(40):
            disk = SimDisk(random.Random(seed))
            journal = Journal.create("/data", "a.ryo", b"header", fs=disk)
            for payload in RECORDS[1:]:
                journal.append(payload)
                journal.commit()
            disk.kill()
            disk.cut_in = at
            with contextlib.suppress(PowerCut):
                Journal.open(PATH, fs=disk)
            reached.add(disk.cut_at)
            disk.cut()
            assert Journal.open(PATH, fs=disk)[1].records == RECORDS
    assert reached >= {
        "lock",
        "open_dir",
        "secure",
        "read_all",
        "open_new",
        "write",
        "fdatasync",
        "replace",
        "sync_dir",
    }


def test_errors_are_one_sentence() -> None:
    for kind in (Busy, OpenFailed, SyncFailed, Unsafe, WriteFailed):
        assert issubclass(kind, JournalError)
        assert kind.exit_code in (1, 74, 78)
