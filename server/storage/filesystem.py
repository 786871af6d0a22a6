"""The handful of operating system calls behind everything that must survive a power cut.

`FileSystem` is the real disk; tests give the same functions another object with a page cache that can lose things. What
differs between systems is hidden here: macOS has no fdatasync (and an fsync that does not reach the platter), Windows
has neither flock nor a way to sync a directory.
"""

import errno
import os
import shutil
import stat
import sys
from collections.abc import Callable

if sys.platform == "win32":  # pragma: no cover
    import msvcrt
else:
    import fcntl

_EXTRA_FLAGS = getattr(os, "O_CLOEXEC", 0) | getattr(os, "O_BINARY", 0) | getattr(os, "O_NOFOLLOW", 0)
_PID_BYTES = 64


class UnsafePath(OSError):
    """The file or directory belongs to somebody else or others could change it; the text says which."""


class FileSystem:
    """File calls, each with the errors of its namesake in `os`. No call is ever repeated here."""

    def make_dir(self, path: str) -> None:
        """Makes sure of a private directory: mode 0700 if it is new, refused if others may write into it."""
        try:
            os.makedirs(path, mode=0o700)
        except FileExistsError:
            found = os.stat(path)
            if sys.platform != "win32" and found.st_mode & 0o022 and not found.st_mode & stat.S_ISVTX:
                raise UnsafePath(errno.EPERM, f"other users may write into {path}; chmod 700 it") from None
        else:
            sync_names(self, os.path.dirname(os.path.abspath(path)))

    def secure(self, path: str) -> None:
        """Takes other users' access away from a file of ours (0600); raises `UnsafePath` if it is not ours."""
        found = os.lstat(path)
        if not stat.S_ISREG(found.st_mode):
            raise UnsafePath(errno.EPERM, f"{path} is not a regular file")
        if sys.platform != "win32":
            if found.st_uid != os.geteuid():
                raise UnsafePath(errno.EPERM, f"{path} belongs to user {found.st_uid}, not to user {os.geteuid()}")
            if stat.S_IMODE(found.st_mode) != 0o600:
                os.chmod(path, 0o600)

    def open_new(self, path: str) -> int:
        """Creates a file that must not exist, mode 0600, for writing."""
        return os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL | _EXTRA_FLAGS, 0o600)

    def write(self, fd: int, data: bytes | memoryview) -> int:
        """Writes some of `data` at the end and says how many bytes."""
        return os.write(fd, data)

    def ftruncate(self, fd: int, size: int) -> None:
        os.ftruncate(fd, size)

    def fdatasync(self, fd: int) -> None:
        """Returns when content and length are on the disk. A failure is final: see `server.storage.journal_file`."""
        if sys.platform == "darwin":  # pragma: no cover
            fcntl.fcntl(fd, fcntl.F_FULLFSYNC)
        elif sys.platform == "win32":  # pragma: no cover
            os.fsync(fd)
        else:
            os.fdatasync(fd)

    def close(self, fd: int) -> None:
        os.close(fd)

    def replace(self, fd: int, source: str, target: str) -> int:
        """Renames an open file over another one; returns the descriptor to go on with."""
        if sys.platform == "win32":  # pragma: no cover  (an open file cannot be renamed there)
            os.close(fd)
            os.replace(source, target)
            fd = os.open(target, os.O_WRONLY | os.O_APPEND | _EXTRA_FLAGS)
        else:
            os.replace(source, target)
        return fd

    def link(self, source: str, target: str) -> None:
        """Gives a file a second name, which must be free (FileExistsError)."""
        os.link(source, target)

    def unlink(self, path: str) -> None:
        os.unlink(path)

    def exists(self, path: str) -> bool:
        return os.path.lexists(path)

    def names_in(self, directory: str) -> list[str]:
        """What is in the directory; nothing if there is none."""
        try:
            return os.listdir(directory)
        except FileNotFoundError:
            return []

    def read_all(self, path: str) -> bytes:
        fd = os.open(path, os.O_RDONLY | _EXTRA_FLAGS)
        with open(fd, "rb") as file:
            return file.read()

    def open_dir(self, path: str) -> int:
        """A descriptor for `sync_dir`; `close` it."""
        if sys.platform == "win32":  # pragma: no cover  (directories have none there)
            return os.open(os.devnull, os.O_RDONLY)
        else:
            return os.open(path or ".", os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)

    def sync_dir(self, fd: int) -> None:
        """Makes the names in a directory durable: creations, renames, removals."""
        if sys.platform != "win32":
            os.fsync(fd)

    def lock(self, path: str) -> int:
        """Takes the lock file `path` without waiting and leaves our pid in it; the kernel frees it at our death.

        Raises:
            BlockingIOError: somebody holds it; `str(error.strerror)` is the owner's pid, as written in the file.
        """
        fd = os.open(path, os.O_RDWR | os.O_CREAT | _EXTRA_FLAGS, 0o600)
        try:
            try:
                self._try_lock(fd)
            except OSError as error:
                if error.errno not in (errno.EAGAIN, errno.EACCES, errno.EWOULDBLOCK):
                    raise
                owner = os.read(fd, _PID_BYTES).decode("ascii", "replace").strip()
                raise BlockingIOError(errno.EAGAIN, owner) from error
            os.ftruncate(fd, 0)
            os.write(fd, f"{os.getpid()}\n".encode())
        except BaseException:
            os.close(fd)
            raise
        return fd

    def _try_lock(self, fd: int) -> None:
        if sys.platform == "win32":  # pragma: no cover
            os.lseek(fd, 1 << 30, os.SEEK_SET)  # a byte far behind the pid, which others must be able to read
            msvcrt.locking(fd, msvcrt.LK_NBLCK, 1)
            os.lseek(fd, 0, os.SEEK_SET)
        else:
            fcntl.flock(fd, fcntl.LOCK_EX | fcntl.LOCK_NB)

    def free_bytes(self, directory: str) -> int:
        """Room left for us on the directory's file system, in bytes."""
        return shutil.disk_usage(directory).free

    def new_salt(self, size: int) -> bytes:
        return os.urandom(size)


class SyncError(OSError):
    """A sync failed: what is on the disk is unknown."""


def synced(call: Callable[[], None]) -> None:
    """Runs a sync and marks its failure, which weighs more than any other: it must never be tried again."""
    try:
        call()
    except OSError as error:
        raise SyncError(error.errno, error.strerror) from error


def sync_names(fs: FileSystem, directory: str) -> None:
    """Makes the names in a directory durable. Raises SyncError, or OSError if the directory cannot be opened."""
    fd = fs.open_dir(directory)
    try:
        synced(lambda: fs.sync_dir(fd))
    finally:
        fs.close(fd)


def write_all(fs: FileSystem, fd: int, data: bytes) -> None:
    """Writes all of `data`, going on after short and interrupted writes. Raises OSError with part of it written."""
    rest = memoryview(data)
    while rest:
        try:
            done = fs.write(fd, rest)
        except InterruptedError:
            continue
        if done == 0:
            raise OSError(errno.EIO, "the disk takes no more bytes")
        rest = rest[done:]
