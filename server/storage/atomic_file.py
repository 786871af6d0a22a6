"""Private files that appear whole or not at all, whatever ends the program or the machine meanwhile.

The content is written to a temporary file in the same folder and synced; then the file gets its name, and the folder is
synced. So a file of that name is always a whole one: the old one or the new one.
"""

import contextlib
import errno
import os
import stat
from collections.abc import Iterator
from pathlib import Path

from server.storage.filesystem import FileSystem, make_folders, synced, write_all


def write_file(
    path: str | os.PathLike[str],
    data: bytes,
    *,
    replace: bool = True,
    durable: bool = True,
    fs: FileSystem | None = None,
) -> bool:
    """Writes a file of mode 0600 that several programs may write at the same time; the last one wins.

    Args:
        replace: False to keep a file that exists; then the first one wins. On a file system without hard links two
            programs that make the file in the same instant may still both succeed.
        durable: False for a file that may be lost in a power cut.

    Returns False if a file exists and was kept. Raises OSError, which includes SyncError.
    """
    fs = fs or FileSystem()
    target = os.fspath(path)
    parent, name = os.path.split(target)
    temporary = os.path.join(parent, f".{name}.{os.getpid()}.{fs.new_salt(4).hex()}")
    folder = fs.open_dir(parent)  # first of all: it must not fail when the file has its name already
    try:
        with _temporary_file(fs, temporary, data, durable) as fd:
            if replace or not _link(fs, temporary, target):
                fs.close(fs.replace(fd, temporary, target))
            else:
                fs.close(fd)
                fs.unlink(temporary)
        if durable:
            synced(lambda: fs.sync_dir(folder))
    except FileExistsError:
        if replace:
            raise
        return False
    finally:
        fs.close(folder)
    return True


def write_journal(fs: FileSystem, path: str, data: bytes) -> int:
    """Replaces a journal, whose lock the caller holds, by a fresh file; the descriptor is open for writing at its end.

    It must be a fresh file: after a failed sync the kernel may call pages clean that never reached the disk, and
    reading them back shows them from its cache; only a copy writes them again. For the same reason a ``.new`` that an
    earlier attempt has left is removed and never reused.

    Raises OSError with the old file untouched, or SyncError (the old file or the new one, both whole).
    """
    temporary = path + ".new"
    folder = fs.open_dir(os.path.dirname(path))  # first of all, as above
    try:
        if fs.exists(temporary):
            fs.unlink(temporary)
        with _temporary_file(fs, temporary, data) as fd:
            fd = fs.replace(fd, temporary, path)
        try:
            synced(lambda: fs.sync_dir(folder))
        except BaseException:
            fs.close(fd)
            raise
    finally:
        fs.close(folder)
    return fd


@contextlib.contextmanager
def _temporary_file(fs: FileSystem, path: str, data: bytes, durable: bool = True) -> Iterator[int]:
    """A new file with that content, for as long as it takes to give it its name; removed if that fails."""
    fd = fs.open_new(path)
    try:
        write_all(fs, fd, data)
        if durable:
            synced(lambda: fs.fdatasync(fd))
        yield fd
    except BaseException:
        # This frees the room on the disk. If it fails, too, the next attempt removes the file of a journal.
        with contextlib.suppress(OSError):
            fs.close(fd)
        with contextlib.suppress(OSError):
            fs.unlink(path)
        raise


def _link(fs: FileSystem, source: str, target: str) -> bool:
    """Gives the file a second name; False where the file system has no hard links. Raises FileExistsError."""
    try:
        fs.link(source, target)
    except FileExistsError:
        raise
    except OSError:
        if fs.exists(target):
            raise FileExistsError(errno.EEXIST, os.strerror(errno.EEXIST), target) from None
        return False
    return True


def make_private_folder(folder: Path) -> None:
    """Makes a folder of mode 0700, and the missing ones above it, unless it exists. Raises OSError."""
    try:
        make_folders(os.fspath(folder))
    except FileExistsError:
        if not folder.is_dir():
            raise


def others_can_read(found: os.stat_result) -> bool:
    """Whether the mode of a file lets other users read, write or run it. Always False on Windows."""
    return os.name == "posix" and bool(found.st_mode & (stat.S_IRWXG | stat.S_IRWXO))
