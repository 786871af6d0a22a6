"""What is known of the files in a folder without reading them again.

The index is a cache: it may be deleted at any time, and what does not fit size and time of a file is read anew. It
holds names and results, never cards.
"""

import contextlib
from pathlib import Path

import msgspec

from replays.hand_summaries import HandSummary
from server.storage.atomic_file import write_file

NAME = ".index"
VERSION = 2
"""Raise it whenever `HandSummary` changes."""


class Entry(msgspec.Struct):
    """A file as it was when its hands were summed up: bytes, and nanoseconds of its last change."""

    size: int
    changed: int
    hands: list[HandSummary]


class _Stored(msgspec.Struct):
    version: int
    files: dict[str, Entry]


class Index:
    """The cache of one folder. `get` and `put` hands by file; `save` writes it if anything is new."""

    def __init__(self, folder: Path) -> None:
        """Reads what is stored; whatever is wrong with it, the index then is empty."""
        self._path = folder / NAME
        self._files: dict[str, Entry] = {}
        self._used: dict[str, Entry] = {}
        with contextlib.suppress(OSError, msgspec.MsgspecError, ValueError):
            stored = msgspec.msgpack.decode(self._path.read_bytes(), type=_Stored)
            if stored.version == VERSION:
                self._files = stored.files

    def get(self, path: Path) -> list[HandSummary] | None:
        """The hands of a file that has not changed since. Raises OSError if it cannot be looked at."""
        found = path.stat()
        entry = self._files.get(path.name)
        if entry is None or (entry.size, entry.changed) != (found.st_size, found.st_mtime_ns):
            return None
        self._used[path.name] = entry
        return entry.hands

    def put(self, path: Path, size: int, changed: int, hands: list[HandSummary]) -> None:
        """Keep the hands of a file that had that size and time before it was read."""
        self._used[path.name] = Entry(size, changed, hands)

    def save(self) -> None:
        """Writes the index if it has changed; where that is not possible, nothing is lost."""
        if self._used == self._files:
            return
        with contextlib.suppress(OSError):
            write_file(self._path, msgspec.msgpack.encode(_Stored(VERSION, self._used)), durable=False)
