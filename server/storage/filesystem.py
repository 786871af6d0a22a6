"""The operating system calls behind everything that must survive a power cut.

`FileSystem` is the real disk; tests use a simulated one, whose page cache can lose things. The differences between
systems are hidden here: macOS has no fdatasync (and an fsync that does not reach the platter), Windows has neither
flock nor a way to sync a directory.
"""

import contextlib
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
    """The file or folder belongs to another user, or other users could change it; the text says which."""


class FileSystem:
    """File calls, each with the errors of its namesake in `os`. No call is ever repeated here."""

    def make_dir(self, path: str) -> None:
        """Makes a folder of mode 0700; raises UnsafePath for one that exists and is not `check_dir`."""
        try:
            make_folders(path)
        except FileExistsError:
            self.check_dir(path)
        else:
            sync_names(self, os.path.dirname(os.path.abspath(path)))

    def check_dir(self, path: str) -> None:
        """Raises UnsafePath if the folder belongs to another user, or if other users may write into it."""
        found = os.stat(path)
        if not stat.S_ISDIR(found.st_mode):
            raise UnsafePath(errno.ENOTDIR, f"{path} is not a folder")
        if sys.platform != "win32":
            if found.st_uid not in (0, os.geteuid()):
                raise UnsafePath(errno.EPERM, f"{path} belongs to user {found.st_uid}, not to user {os.geteuid()}")
            if found.st_mode & 0o022 and not found.st_mode & stat.S_ISVTX:
                raise UnsafePath(errno.EPERM, f"other users may write into {path}; chmod 700 it")

    def secure(self, path: str) -> None:
        """Sets the mode of a file to 0600; raises UnsafePath as `check_owned` does."""
        found = check_owned(path)
        if sys.platform != "win32":
            if stat.S_IMODE(found.st_mode) != 0o600:
                os.chmod(path, 0o600)

    def open_new(self, path: str) -> int:
        """Creates a file of mode 0600 for writing; it must not exist yet."""
        return os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL | _EXTRA_FLAGS, 0o600)

    def write(self, fd: int, data: bytes | memoryview) -> int:
        """Writes some of `data` at the end and returns how many bytes."""
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
        """Renames an open file, over another one if there is one; returns the descriptor to use from now on."""
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

    def is_at(self, fd: int, path: str) -> bool:
        """Whether the file of this descriptor is the one that has that name."""
        try:
            return os.path.samestat(os.fstat(fd), os.lstat(path))
        except FileNotFoundError:
            return False

    def names_in(self, directory: str) -> list[str]:
        """The names in the folder; none if there is no such folder."""
        try:
            return os.listdir(directory)
        except FileNotFoundError:
            return []

    def read_all(self, path: str) -> bytes:
        fd = os.open(path, os.O_RDONLY | _EXTRA_FLAGS)
        with open(fd, "rb") as file:
            return file.read()

    def open_dir(self, path: str) -> int:
        """A descriptor for `sync_dir`; the caller must `close` it."""
        if sys.platform == "win32":  # pragma: no cover  (directories have none there)
            return os.open(os.devnull, os.O_RDONLY)
        else:
            return os.open(path or ".", os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)

    def sync_dir(self, fd: int) -> None:
        """Makes the names in a folder durable: created, renamed and removed ones."""
        if sys.platform != "win32":
            os.fsync(fd)

    def lock(self, path: str) -> int:
        """Locks the lock file `path` without waiting and writes our process id into it; freed when the process ends.

        Raises BlockingIOError if another process holds the lock; `strerror` is the id of that process, from the file.
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
            with contextlib.suppress(OSError):  # on a full disk the lock still holds, without our id
                os.ftruncate(fd, 0)
                os.write(fd, f"{os.getpid()}\n".encode())
        except BaseException:
            os.close(fd)
            raise
        return fd

    def _try_lock(self, fd: int) -> None:
        if sys.platform == "win32":  # pragma: no cover
            # A byte far behind the process id, which other processes must be able to read.
            os.lseek(fd, 1 << 30, os.SEEK_SET)
            msvcrt.locking(fd, msvcrt.LK_NBLCK, 1)
            os.lseek(fd, 0, os.SEEK_SET)
        else:
            fcntl.flock(fd, fcntl.LOCK_EX | fcntl.LOCK_NB)

    def free_bytes(self, directory: str) -> int:
        """Bytes that are free for this user on the file system of the folder."""
        return shutil.disk_usage(directory).free

    def new_salt(self, size: int) -> bytes:
        """That many random bytes."""
        return os.urandom(size)


class SyncError(OSError):
    """A sync failed: it is unknown what is on the disk."""


def check_owned(path: str) -> os.stat_result:
    """What the system says of a file. Raises UnsafePath if it is a link or no file, or belongs to others, too."""
    found = os.lstat(path)
    if not stat.S_ISREG(found.st_mode):
        raise UnsafePath(errno.EPERM, f"{path} is not a regular file")
    if sys.platform != "win32":
        if found.st_uid != os.geteuid():
            raise UnsafePath(errno.EPERM, f"{path} belongs to user {found.st_uid}, not to user {os.geteuid()}")
        if found.st_nlink > 1 and _names_beside(path, found) < os.lstat(path).st_nlink:
            raise UnsafePath(errno.EPERM, f"{path} has another name in another folder (a hard link); copy it instead")
    return found


def _names_beside(path: str, found: os.stat_result) -> int:
    """How many names in its folder the file has: a program that was killed may have left one."""
    with os.scandir(os.path.dirname(path) or ".") as entries:
        return sum(entry.inode() == found.st_ino for entry in entries)


def make_folders(path: str) -> None:
    """Makes a folder and the missing ones above it, all of mode 0700 whatever the umask. Raises OSError."""
    above = os.path.dirname(os.path.abspath(path))
    if not os.path.isdir(above):
        with contextlib.suppress(FileExistsError):
            make_folders(above)
    os.mkdir(path, 0o700)
    if sys.platform != "win32":
        os.chmod(path, 0o700)


def synced(call: Callable[[], None]) -> None:
    """Runs a sync and turns its failure into SyncError. That is the worst error: a sync must never be tried again."""
    try:
        call()
    except OSError as error:
        raise SyncError(error.errno, error.strerror) from error


def sync_names(fs: FileSystem, directory: str) -> None:
    """Makes the names in a folder durable. Raises SyncError, or OSError if the folder cannot be opened."""
    fd = fs.open_dir(directory)
    try:
        synced(lambda: fs.sync_dir(fd))
    finally:
        fs.close(fd)


def write_all(fs: FileSystem, fd: int, data: bytes) -> None:
    """Writes all of `data`, in several writes if need be. Raises OSError; then a part of it may be written."""
    rest = memoryview(data)
    while rest:
        try:
            done = fs.write(fd, rest)
        except InterruptedError:
            continue
        if done == 0:
            raise OSError(errno.EIO, "the disk takes no more bytes")
        rest = rest[done:]
