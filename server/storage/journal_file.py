"""A table's journal on the disk: one locked file, appended to, synced, recovered and repaired.

The rules, in the order in which they protect a hand (format: `protocol.journal.framing`; reasons:
`docs/replay-format.md`):

1. What is appended is on the disk when `write_and_sync` returns. Only then may anybody be told.
2. A failed write is cut back, durably: nothing of the batch stays in the file, and this writer takes no more.
3. A failed sync is never retried, and this writer is dead: the process ends with exit code 74, a restart recovers.
4. Opening always copies the verified prefix into a fresh file, syncs it, renames it and syncs the directory.
5. Corrupt and foreign files are refused and never written to. `repair` keeps the damaged file.
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
    OpenFailed,
    SyncFailed,
    WriteFailed,
    sync_failed,
    translated,
)

MIN_FREE_BYTES = 16 << 20
"""No hand starts with less room than this: the longest hand fits many times."""


class Journal:
    """A synchronous writer; owns the file and its lock until `close`.

    For one command: `append` its records, `take` the bytes, then `write_and_sync` them (in a worker thread if you
    like). One batch at a time: `take` while an earlier batch is not yet written is an error of the caller, because a
    batch that goes missing would break the chain. The first storage error ends the writer: every later call raises.

    Attributes:
        path: the file.
        size: bytes written and not cut back.
        digest: chain digest behind the last batch taken; the next file's header record carries it on.
    """

    def __init__(self, fs: FileSystem, path: str, lock: int, fd: int, size: int, salt: bytes, digest: bytes) -> None:
        """Use `create` or `open`."""
        self.path, self.size, self.digest = path, size, digest
        self._fs, self._lock, self._fd, self._salt = fs, lock, fd, salt
        self._waiting: list[bytes] = []
        self._taken: bytes | None = None
        self._synced = True
        self._dead: JournalError | None = None
        self._closed = self._freed = False
        self._working = threading.Lock()

    @classmethod
    def create(
        cls, directory: str | os.PathLike[str], name: str, header: bytes, fs: FileSystem | None = None
    ) -> "Journal":
        """A new journal that is on the disk with its header record, directory and all, when this returns.

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
        """Recovers a journal: lock, verify, copy what is good into a fresh file, and go on behind it.

        The scan is of the file as it was found: `torn` means that `size - good` bytes, of which nobody was told, have
        been cut. All its records are durable now.

        Raises:
            Busy, Corrupt, Foreign, Unsafe, OpenFailed, SyncFailed.
        """
        fs = fs or FileSystem()
        path = os.fspath(path)
        if not fs.exists(path):
            raise OpenFailed(f"{path} does not exist.", errno.ENOENT)
        lock = lock_journal(fs, path)
        try:
            with translated(path, "opened"):
                fs.secure(path)
                content = fs.read_all(path)
                found = scan(content)
                _refuse_damage(path, found)
                fd = write_journal(fs, path, content[: found.good])
        except BaseException:
            release_lock(fs, lock)
            raise
        return cls(fs, path, lock, fd, found.good, found.salt, found.digest), found

    def append(self, payload: bytes) -> None:
        """Adds a record to the batch that `take` will give. Raises ValueError if it is empty or over 1 MiB."""
        self._check()
        check_payload(payload)
        self._waiting.append(payload)

    def take(self) -> bytes:
        """The appended records as bytes for `write` or `write_and_sync`; empty if nothing was appended."""
        self._check()
        if self._taken is not None:
            raise RuntimeError("the batch taken before has not been written")
        if not self._waiting:
            return b""
        # The flag says "all before me was synced". It would be a lie behind an unsynced write, and after a power cut
        # that lie makes a torn tail look like corruption.
        data, self.digest = encode_batch(self._salt, self.digest, self._waiting, first=self._synced)
        self._waiting = []
        self._taken = data
        return data

    def write(self, data: bytes) -> None:
        """Hands a taken batch to the kernel: survives the end of this process, not a power cut.

        Raises:
            WriteFailed: the batch was cut back, the file is as before.
            SyncFailed: it could not even be cut back.
        """
        with self._at_work():
            self._write(data)

    def sync(self) -> None:
        """Returns when everything written is on the disk. Raises SyncFailed, once and for all."""
        with self._at_work():
            self._sync()

    def write_and_sync(self, data: bytes) -> None:
        """`write`, then `sync`: when it returns, the batch is durable and may be shown."""
        with self._at_work():
            self._write(data)
            self._sync()

    def commit(self) -> None:
        """Everything appended is durable when this returns."""
        self.write_and_sync(self.take())

    def close(self) -> None:
        """Frees file and lock; twice is fine. Neither writes what was only appended nor syncs what was written.

        Never waits: if a worker thread is writing, file and lock are freed when that is done.
        """
        self._closed = True
        self._free()

    def _free(self) -> None:
        # Closing under a thread that writes would let it write into whichever file gets the same descriptor next.
        if not self._working.acquire(blocking=False):
            return  # the holder frees them
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
            self._die(sync_failed(self.path, error), error)
        self._synced = True

    def _check(self) -> None:
        if self._dead is not None:
            raise self._dead
        if self._closed:
            raise OpenFailed(f"{self.path} has been closed.")

    def _cut_back(self, error: OSError) -> NoReturn:
        reason = error.strerror or str(error)
        try:
            self._fs.ftruncate(self._fd, self.size)
            # The kernel may have brought a part of the batch to the disk already, and only a sync makes the new length
            # durable: else a power cut could bring back what was reported as failed.
            self._fs.fdatasync(self._fd)
        except OSError:
            text = f"{self.path} could not be written ({reason}) nor cut back; the server must be restarted."
            self._die(SyncFailed(text, error.errno), error)
        text = f"{self.path} could not be written ({reason}); the table halts, nothing recorded is lost."
        self._die(WriteFailed(text, error.errno), error)

    def _die(self, death: JournalError, cause: OSError) -> NoReturn:
        self._dead = death
        raise death from cause


def has_room(directory: str | os.PathLike[str], fs: FileSystem | None = None, least: int = MIN_FREE_BYTES) -> bool:
    """Whether the disk has room for a hand. Raises OpenFailed if it cannot be asked."""
    folder = os.fspath(directory)
    with translated(folder, "asked for its room"):
        return (fs or FileSystem()).free_bytes(folder) >= least


def _refuse_damage(path: str, found: Scan) -> None:
    if found.verdict == "foreign":
        raise Foreign(f"{path} is not a journal of this program: {found.why}.", found)
    if found.verdict == "corrupt":
        good = f"{len(found.records)} records ({found.good} of {found.size} bytes) are good"
        raise Corrupt(f"{path} is damaged: {found.why}; {good}, nothing was changed.", found)


def lock_journal(fs: FileSystem, path: str) -> int:
    # The lock file, not the journal: the journal is replaced by rename, and a lock would go with the old inode.
    with translated(path, "locked"):
        try:
            return fs.lock(path + ".lock")
        except BlockingIOError as error:
            owner = error.strerror or "unknown"
            raise Busy(f"{path} is in use by process {owner}; stop that server first.", error.errno) from error


def release_lock(fs: FileSystem, lock: int) -> None:
    with contextlib.suppress(OSError):
        fs.close(lock)
