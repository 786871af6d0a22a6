"""A table's journal on the disk: one locked file, to which records are appended.

The rules, in the order in which they protect a hand (format: `protocol.journal.framing`; reasons:
`docs/replay-format.md`):

1. What is appended is on the disk when `write_and_sync` returns. Only then may anybody see it.
2. A failed write is cut back, durably: nothing of the batch stays in the file, and the journal takes no more.
3. A failed sync is never tried again, and the journal takes no more: the process ends with exit code 74, and a restart
   recovers.
4. To open a journal always means to copy its verified records into a fresh file (`server.storage.atomic_file`).
5. Corrupt and foreign files are refused and never written to (`server.storage.journal_repair` can mend some).
"""

import contextlib
import errno
import os
import threading
from collections.abc import Iterator
from typing import NoReturn

from protocol.journal.framing import SALT_BYTES, Scan, check_payload, encode_batch, encode_file, scan
from server.storage.atomic_file import write_journal
from server.storage.filesystem import FileSystem, SyncError, synced, write_all
from server.storage.journal_errors import (
    Busy,
    Corrupt,
    Foreign,
    JournalError,
    NoRoom,
    OpenFailed,
    SyncFailed,
    WriteFailed,
    sync_failed,
    translated,
)

NO_ROOM = frozenset({errno.ENOSPC, getattr(errno, "EDQUOT", errno.ENOSPC)})
"""What the system says when a disk, or this user's share of it, is full."""
MIN_FREE_BYTES = 16 << 20
"""No hand starts with less free room on the disk than this; the longest hand needs far less."""


class Journal:
    """A synchronous writer, which owns the file and its lock until `close`.

    For one command: `append` its records, `take` the batch, then `write_and_sync` it, perhaps in a worker thread. Each
    batch must be written before the next is taken, because a missing batch would break the chain of digests. The first
    storage error ends the writer: every later call raises it again.

    Attributes:
        path: the file.
        size: bytes written and not cut back.
        digest: chain digest after the last batch taken; the header record of the next file holds it, too.
    """

    def __init__(self, fs: FileSystem, path: str, lock: int, fd: int, size: int, salt: bytes, digest: bytes) -> None:
        """Use `create` or `open`."""
        self.path, self.size, self.digest = path, size, digest
        self._fs, self._lock, self._fd, self._salt = fs, lock, fd, salt
        self._waiting: list[bytes] = []
        self._taken: bytes | None = None
        self._synced = True
        self._failure: JournalError | None = None
        self._closed = self._freed = False
        self._working = threading.Lock()

    @classmethod
    def create(
        cls, directory: str | os.PathLike[str], name: str, header: bytes, fs: FileSystem | None = None
    ) -> "Journal":
        """Makes a journal; it is on the disk with its header record when this returns, and so is its name.

        Raises:
            Busy, Unsafe, OpenFailed (also if the file exists), SyncFailed.
        """
        check_payload(header)
        fs = fs or FileSystem()
        folder = os.fspath(directory)
        path = os.path.join(folder, name)
        with translated(path, "made"):
            fs.make_dir(folder)
        lock = lock_journal(fs, path)
        try:
            with translated(path, "made"):
                if fs.exists(path):
                    raise FileExistsError(errno.EEXIST, "it exists already")
                content = encode_file(fs.new_salt(SALT_BYTES), [header])
                fd = write_journal(fs, path, content)
        except BaseException:
            release_lock(fs, lock)
            raise
        found = scan(content)
        return cls(fs, path, lock, fd, found.good, found.salt, found.digest)

    @classmethod
    def open(cls, path: str | os.PathLike[str], fs: FileSystem | None = None) -> "tuple[Journal, Scan]":
        """Opens a journal for writing: locks it, verifies it, and copies its good records into a fresh file.

        The scan describes the file as it was found. `torn` means that `size - good` bytes have been
        cut off. All records of the scan are durable now.

        Raises:
            Busy, Corrupt, Foreign, Unsafe, OpenFailed, SyncFailed.
            NoRoom: the disk has no room for the copy; the file is good and as it was.
        """
        fs = fs or FileSystem()
        path = os.fspath(path)
        if not fs.exists(path):
            raise OpenFailed(f"{path} does not exist.", errno.ENOENT)
        lock = lock_journal(fs, path)
        try:
            with translated(path, "opened"):
                content, found = read_journal(fs, path)
                _refuse_damage(path, found)
                try:
                    fd = write_journal(fs, path, content[: found.good])
                except OSError as error:
                    if error.errno in NO_ROOM and not isinstance(error, SyncError):
                        raise NoRoom(f"{path} could not be opened: {error.strerror}.", found, error.errno) from error
                    raise
        except BaseException:
            release_lock(fs, lock)
            raise
        return cls(fs, path, lock, fd, found.good, found.salt, found.digest), found

    @classmethod
    def closed(cls, path: str, found: Scan) -> "Journal":
        """A journal that was looked at and cannot be written to: it takes no record."""
        journal = cls(FileSystem(), path, -1, -1, found.good, found.salt, found.digest)
        journal._closed = journal._freed = True
        return journal

    def append(self, payload: bytes) -> None:
        """Adds a record to the next batch. Raises ValueError if it is empty or over 1 MiB."""
        self._check()
        check_payload(payload)
        self._waiting.append(payload)

    def take(self) -> bytes:
        """The batch of the appended records, for `write` or `write_and_sync`; empty if nothing was appended."""
        self._check()
        if self._taken is not None:
            raise RuntimeError("the batch taken before has not been written")
        if not self._waiting:
            return b""
        # The flag says "everything before this was synced". After an unsynced write it would be false, and after a
        # power cut a false flag makes a torn tail look like corruption.
        data, self.digest = encode_batch(self._salt, self.digest, self._waiting, first=self._synced)
        self._waiting = []
        self._taken = data
        return data

    def write(self, data: bytes) -> None:
        """Hands a taken batch to the kernel: it survives the end of this process, but not a power cut.

        Raises:
            WriteFailed: the batch was cut back; the file is as before.
            SyncFailed: the batch could not even be cut back.
        """
        with self._at_work():
            self._write(data)

    def sync(self) -> None:
        """Returns when everything written is on the disk. Raises SyncFailed; then every later call does."""
        with self._at_work():
            self._sync()

    def write_and_sync(self, data: bytes) -> None:
        """`write` and `sync`: when this returns, the batch is durable and may be shown."""
        with self._at_work():
            self._write(data)
            self._sync()

    def commit(self) -> None:
        """Makes everything appended durable before it returns."""
        self.write_and_sync(self.take())

    @property
    def in_place(self) -> bool:
        """Whether the file still has its name: it has not been deleted, and no other one stands there."""
        return self._fs.is_at(self._fd, self.path)

    def close(self) -> None:
        """Frees file and lock; twice is fine. Does not write what was appended, nor sync what was written.

        Never waits: if a worker thread is writing, file and lock are freed when it has finished.
        """
        self._closed = True
        self._free()

    def _free(self) -> None:
        # Otherwise a thread that is writing could write into another file, which got the same descriptor meanwhile.
        if not self._working.acquire(blocking=False):
            return  # the thread that works frees them
        try:
            if not self._freed:
                self._freed = True
                with contextlib.suppress(OSError):
                    self._fs.close(self._fd)
                release_lock(self._fs, self._lock)
        finally:
            self._working.release()

    @contextlib.contextmanager
    def _at_work(self) -> Iterator[None]:
        try:
            with self._working:
                self._check()
                yield
        finally:
            if self._closed:
                self._free()

    def _write(self, data: bytes) -> None:
        if data != (self._taken or b""):
            raise RuntimeError("only the batch that was taken last can be written")
        if not data:
            return
        try:
            write_all(self._fs, self._fd, data)
        except OSError as error:
            self._cut_back(error)
        self._synced = False
        self.size += len(data)
        self._taken = None

    def _sync(self) -> None:
        if self._synced:
            return
        try:
            synced(lambda: self._fs.fdatasync(self._fd))
        except SyncError as error:
            self._fail(sync_failed(self.path, error), error)
        self._synced = True

    def _check(self) -> None:
        if self._failure is not None:
            raise self._failure
        if self._closed:
            raise OpenFailed(f"{self.path} has been closed.")

    def _cut_back(self, error: OSError) -> NoReturn:
        reason = error.strerror or str(error)
        try:
            self._fs.ftruncate(self._fd, self.size)
            # A part of the batch may be on the disk already, and only a sync makes the new length durable. Without it a
            # power cut could bring back what was reported as failed.
            self._fs.fdatasync(self._fd)
        except OSError:
            text = f"{self.path} could not be written ({reason}) nor cut back; the server must be restarted."
            self._fail(SyncFailed(text, error.errno), error)
        text = f"{self.path} could not be written ({reason}); the table halts."
        self._fail(WriteFailed(text, error.errno), error)

    def _fail(self, failure: JournalError, cause: OSError) -> NoReturn:
        self._failure = failure
        raise failure from cause


def has_room(directory: str | os.PathLike[str], fs: FileSystem | None = None, least: int = MIN_FREE_BYTES) -> bool:
    """Whether the disk has room for a hand. Raises OpenFailed if the system does not tell."""
    folder = os.fspath(directory)
    with translated(folder, "asked for its room"):
        return (fs or FileSystem()).free_bytes(folder) >= least


def read_journal(fs: FileSystem, path: str) -> tuple[bytes, Scan]:
    """The content of a journal that is locked and is about to be written, and what is good in it. Raises OSError."""
    fs.check_dir(os.path.dirname(path) or ".")
    fs.secure(path)
    content = fs.read_all(path)
    return content, scan(content)


def _refuse_damage(path: str, found: Scan) -> None:
    if found.verdict == "foreign":
        raise Foreign(f"{path} is not a journal of this program: {found.why}.", found)
    if found.verdict == "corrupt":
        good = f"{len(found.records)} records ({found.good} of {found.size} bytes) are good"
        raise Corrupt(f"{path} is damaged: {found.why}; {good}, nothing was changed.", found)


def lock_journal(fs: FileSystem, path: str) -> int:
    """Locks a journal; the lock is held until `release_lock`. Raises Busy, Unsafe, OpenFailed."""
    # A file of its own: the journal is replaced by rename, and its lock would stay with the old inode.
    with translated(path, "locked"):
        try:
            return fs.lock(path + ".lock")
        except BlockingIOError as error:
            owner = error.strerror or "unknown"
            raise Busy(f"{path} is in use by process {owner}; stop that server first.", error.errno) from error


def release_lock(fs: FileSystem, lock: int) -> None:
    """Frees the lock that `lock_journal` returned. Never raises."""
    with contextlib.suppress(OSError):
        fs.close(lock)
