"""Errors of journals, each with the exit code of a process that ends because of it."""

import contextlib
import errno
from collections.abc import Iterator

from protocol.journal.framing import Scan
from server.errors import EXIT_CONFIG, EXIT_DAMAGED, EXIT_FAILED, EXIT_STORAGE, ServerError
from server.storage.filesystem import SyncError, UnsafePath


class JournalError(ServerError):
    """A journal cannot be used. `errno` is the operating system's number where there is one."""

    exit_code = EXIT_STORAGE

    def __init__(self, text: str, errno: int | None = None) -> None:
        super().__init__(text)
        self.errno = errno


class Busy(JournalError):
    """Another process has this journal open."""

    exit_code = EXIT_FAILED


class Corrupt(JournalError):
    """Records that were acknowledged are damaged; the file is refused and not changed. `scan` says what is good."""

    exit_code = EXIT_DAMAGED

    def __init__(self, text: str, scan: Scan) -> None:
        super().__init__(text)
        self.scan = scan


class Foreign(Corrupt):
    """The file is no journal, or has another format; it is refused and not changed."""


class Unsafe(JournalError):
    """Other users could change the journal, or this user may not; the host must correct owner, mode or mount."""

    exit_code = EXIT_CONFIG


class OpenFailed(JournalError):
    """The journal could not be made or opened; a file that was there is not changed. May be tried again."""


class NoRoom(OpenFailed):
    """The disk has no room for the copy with which a journal is opened. `scan` is what the file holds."""

    def __init__(self, text: str, scan: Scan, errno: int | None = None) -> None:
        super().__init__(text, errno)
        self.scan = scan


class WriteFailed(JournalError):
    """Nothing of this batch is in the file; the table must halt, and open the journal again when there is room."""


class SyncFailed(JournalError):
    """What is on the disk is unknown. Never try again: end the process, and recover at the next start."""


def sync_failed(path: str, error: OSError) -> SyncFailed:
    """The error for a sync of that file that failed."""
    text = f"{path} could not be brought to the disk ({error.strerror}); the server must be restarted."
    return SyncFailed(text, error.errno)


@contextlib.contextmanager
def translated(path: str, done: str) -> Iterator[None]:
    """Turns errors of the operating system into a JournalError, while no batch is being written.

    Args:
        path: the file. done: what could not be done with it, as a participle ("opened").
    """
    try:
        yield
    except SyncError as error:
        raise sync_failed(path, error) from error
    except UnsafePath as error:
        raise Unsafe(f"The journal is not safe: {error.strerror}.", error.errno) from error
    except OSError as error:
        kind = Unsafe if error.errno in (errno.EACCES, errno.EPERM, errno.EROFS) else OpenFailed
        raise kind(f"{path} could not be {done}: {error.strerror or error}.", error.errno) from error
