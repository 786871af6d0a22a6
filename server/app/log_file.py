"""The file of the operator's log: a line that cannot be written is dropped and counted, never waited for (trap A30).

A log is worth less than the tables: its disk may be full, its pipe may have lost its reader or be read by nobody.
A file that was moved or removed, by logrotate say, is opened again under its name at the next line.
"""

import contextlib
import os
import select

MODE = 0o600
"""Only the owner may read the log."""
ONE_WRITE = 4096
"""Bytes that a pipe takes at once or not at all (``PIPE_BUF`` of Linux); a longer line is cut."""


class LogFile:
    """Lines to a file descriptor.

    Args:
        descriptor: where to; None for a standard error that is closed.
        path: under which it is opened again when the file there is another one; empty if it has no name.

    Attributes:
        dropped: lines that could not be written since the last one that could.
    """

    def __init__(self, descriptor: int | None, path: str = "") -> None:
        self.dropped = 0
        self._descriptor, self._path = descriptor, path
        self._unfinished = False

    @classmethod
    def open(cls, path: str) -> "LogFile":
        """The file of that name, to be appended to. Raises OSError."""
        return cls(_open(path), path)

    def write(self, line: str) -> None:
        """Writes a line with its end, or drops it. The next line that gets out is told how many were lost."""
        self._follow()
        lost = "1 line" if self.dropped == 1 else f"{self.dropped} lines"
        told = f"{lost} of this log could not be written\n" if self.dropped else ""
        data = ("\n" * self._unfinished + told + line).encode("ascii", "backslashreplace")
        if len(data) > ONE_WRITE:
            data = data[: ONE_WRITE - 1] + b"\n"
        written = self._written(data)
        if written == len(data):
            self.dropped, self._unfinished = 0, False
        else:
            self.dropped += 1
            self._unfinished = self._unfinished or written > 0

    def flush(self) -> None:
        """Nothing waits: each line is written when it comes."""

    def _follow(self) -> None:
        """Opens the file again if it is no longer the one of its name. Where that fails, the old one is written on."""
        if not self._path or self._descriptor is None:
            return
        with contextlib.suppress(OSError):
            try:
                if os.path.samestat(os.stat(self._path), os.fstat(self._descriptor)):
                    return
            except FileNotFoundError:
                pass
            new = _open(self._path)
            os.close(self._descriptor)
            self._descriptor = new

    def _written(self, data: bytes) -> int:
        """How many of the bytes the file took; 0 where it would have to be waited for."""
        if self._descriptor is None:
            return 0
        with contextlib.suppress(OSError, ValueError):
            if os.name == "posix" and not _takes(self._descriptor):
                return 0
            return os.write(self._descriptor, data)
        return 0


def _open(path: str) -> int:
    """The file of that name, to be appended to. Raises OSError."""
    return os.open(path, os.O_WRONLY | os.O_APPEND | os.O_CREAT | getattr(os, "O_CLOEXEC", 0), MODE)


def _takes(descriptor: int) -> bool:
    """Whether a write would not wait: a pipe whose reader stands still is full at some time."""
    poll = select.poll()
    poll.register(descriptor, select.POLLOUT)
    return any(event & select.POLLOUT for _, event in poll.poll(0))
