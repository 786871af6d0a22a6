"""Repair of a damaged journal, only when the host asks for it."""

import errno
import os

from protocol.journal.framing import Scan
from server.storage.atomic_file import write_journal
from server.storage.filesystem import FileSystem, sync_names
from server.storage.journal_errors import Foreign, OpenFailed, translated
from server.storage.journal_file import lock_journal, read_journal, release_lock


def repair(path: str | os.PathLike[str], fs: FileSystem | None = None) -> tuple[Scan, str | None]:
    """Cuts a torn or corrupt journal down to its good records.

    The damaged file is kept beside it as ``FILE.broken`` (``.broken.2``, ... if that name is taken). Returns the scan
    of the damaged file and the path under which it is kept; None for a clean file, which is not changed.

    Raises:
        Foreign: the file is no journal, or not even its header record is good.
        Busy, Unsafe, OpenFailed, SyncFailed.
    """
    fs = fs or FileSystem()
    path = os.fspath(path)
    if not fs.exists(path):
        raise OpenFailed(f"{path} does not exist.", errno.ENOENT)
    lock = lock_journal(fs, path)
    try:
        with translated(path, "repaired"):
            content, found = read_journal(fs, path)
            if found.verdict == "clean":
                return found, None
            if not found.records:
                raise Foreign(f"{path} cannot be repaired, nothing in it is good: {found.why}.", found)
            kept = _keep(fs, path, content)
            fs.close(write_journal(fs, path, content[: found.good]))
            return found, kept
    finally:
        release_lock(fs, lock)


def _keep(fs: FileSystem, path: str, content: bytes) -> str:
    """Gives the damaged file a second name, which is returned."""
    number = 1
    while fs.exists(kept := f"{path}.broken" if number == 1 else f"{path}.broken.{number}"):
        number += 1
    try:
        fs.link(path, kept)
    except OSError:  # a file system without hard links
        fs.close(write_journal(fs, kept, content))
    else:
        sync_names(fs, os.path.dirname(path))
    return kept
