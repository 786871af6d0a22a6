"""The journal when calls fail: full disks, failed syncs, interrupted writes, other owners, lost power.

Numbers of faults are those of the project's fault matrix; some calls fail on a simulated disk, some for real.
"""

import contextlib
import errno
import os
import random
import stat
import subprocess
import sys
from pathlib import Path

import pytest

from protocol.journal.framing import scan
from server.storage.filesystem import FileSystem
from server.storage.journal_errors import (
    Busy,
    Corrupt,
    JournalError,
    NoRoom,
    OpenFailed,
    SyncFailed,
    Unsafe,
    WriteFailed,
)
from server.storage.journal_file import Journal, has_room
from server.storage.journal_repair import repair
from tests.support.child_python import in_child
from tests.support.journals import PATH, RECORDS, needs_root, posix_only, small_disk, written
from tests.support.paths import ROOT
from tests.support.simulated_disk import PID, PowerCut, SimDisk


@pytest.fixture
def disk() -> SimDisk:
    return small_disk()


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
        from server.storage.journal_errors import WriteFailed
        from server.storage.journal_file import Journal
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
        with pytest.raises(NoRoom, match="No space left"):
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


def test_fault_55_little_room_is_reported(disk: SimDisk) -> None:
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


class Interrupting(FileSystem):
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


class Full(FileSystem):
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
        from server.storage.journal_errors import OpenFailed
        from server.storage.journal_file import Journal
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


# Locks and owners


def test_fault_60_second_server_is_refused_with_the_owners_pid(tmp_path: Path) -> None:
    path = written(tmp_path)
    journal, _ = Journal.open(path)
    code = """
        import sys
        from server.storage.journal_errors import Busy
        from server.storage.journal_file import Journal
        from server.storage.journal_repair import repair
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
    journal.append(b"four")  # the owner is not disturbed
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
        "import sys; from server.storage.journal_file import Journal;"
        "j = Journal.open(sys.argv[1]); print(1, flush=True); input()"
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


def test_fault_67_kill_9_loses_nothing_that_was_acknowledged(tmp_path: Path) -> None:
    code = """
import sys
from server.storage.journal_file import Journal
from tests.support.paths import ROOT
from tests.support.paths import ROOT
journal, found = Journal.open(sys.argv[1])
for number in range(len(found.records), 1 << 30):
    journal.append(b"%d" % number * 40)
    journal.commit()
    print(number, flush=True)
"""
    path = tmp_path / "a.ryo"
    Journal.create(tmp_path, "a.ryo", b"header").close()
    told = 0
    for lines in (1, 50, 200):
        with subprocess.Popen(
            [sys.executable, "-c", code, str(path)], cwd=ROOT, stdout=subprocess.PIPE, text=True
        ) as server:
            assert server.stdout is not None
            heard = [server.stdout.readline() for _ in range(lines)]
            server.kill()
            heard += server.stdout
        earlier, told = told, int([line for line in heard if line.endswith("\n")][-1])
        assert told >= earlier + lines
        journal, found = Journal.open(path)
        journal.close()
        assert len(found.records) > told
        assert found.records == [b"header"] + [b"%d" % number * 40 for number in range(1, len(found.records))]


def test_fault_64_power_lost_at_every_call_of_a_recovery() -> None:
    """At each call, whatever becomes of unsynced data: the next recovery finds everything that was acknowledged."""
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


def test_trap_A36_what_a_journal_holds_can_be_read_on_a_full_disk(disk: SimDisk) -> None:
    before, names = disk.read_all(PATH), disk.names()
    disk.room = 10
    with pytest.raises(NoRoom) as full:
        Journal.open(PATH, fs=disk)
    assert [full.value.scan.verdict, full.value.errno] == ["clean", errno.ENOSPC]
    assert (disk.read_all(PATH), disk.names()) == (before, names)
    disk.room = None
    disk.fail_with["write"] = errno.EIO
    disk.fail["write"] = 0
    with pytest.raises(OpenFailed) as broken:  # a disk that fails is not a full one
        Journal.open(PATH, fs=disk)
    assert not isinstance(broken.value, NoRoom)
    Journal.open(PATH, fs=disk)[0].close()
    disk.rot(PATH, 30)
    disk.room = 10
    with pytest.raises(Corrupt):
        Journal.open(PATH, fs=disk)
