"""A cache of the hands in the files of a folder, so that a list of hands need not read every file again.

The index may be deleted at any time. A file whose size or time has changed is read again. The index holds names and
results, never cards.
"""

import contextlib
import os
from pathlib import Path

import msgspec

from replays.hand_summaries import HandSummary
from server.storage.atomic_file import write_file

NAME = ".index"
VERSION = 3
"""Raise it whenever what is stored changes."""


class Entry(msgspec.Struct):
    """A file when its hands were read: its size in bytes, the time of its last change in nanoseconds, its hands."""

    size: int
    changed: int
    hands: list[HandSummary]


class _Stored(msgspec.Struct):
    version: int
    files: dict[bytes, Entry]


class Index:
    """The cache of one folder: `get` and `put` the hands of a file, then `save`."""

    def __init__(self, folder: Path) -> None:
        """Reads the stored index. If anything is wrong with it, the index is empty."""
        self._path = folder / NAME
        # Bytes, because the name of a file need not be text.
        self._files: dict[bytes, Entry] = {}
        self._used: dict[bytes, Entry] = {}
        with contextlib.suppress(OSError, msgspec.MsgspecError, ValueError):
            stored = msgspec.msgpack.decode(self._path.read_bytes(), type=_Stored)
            if stored.version == VERSION:
                self._files = stored.files

    def get(self, path: Path) -> list[HandSummary] | None:
        """The hands of a file, or None if it has changed since. Raises OSError if it is not there."""
        found = path.stat()
        entry = self._files.get(os.fsencode(path.name))
        if entry is None or (entry.size, entry.changed) != (found.st_size, found.st_mtime_ns):
            return None
        self._used[os.fsencode(path.name)] = entry
        return entry.hands

    def put(self, path: Path, size: int, changed: int, hands: list[HandSummary]) -> None:
        """Keeps the hands of a file that had this size and time before it was read."""
        self._used[os.fsencode(path.name)] = Entry(size, changed, hands)

    def save(self) -> None:
        """Writes the index if it has changed. A failure does no harm."""
        if self._used == self._files:
            return
        with contextlib.suppress(OSError):
            write_file(self._path, msgspec.msgpack.encode(_Stored(VERSION, self._used)), durable=False)
