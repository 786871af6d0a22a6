"""The list of rooms behind one public port: a file that the proxy in front of them reads, too (`docs/scaling.md`).

A line is the id of a table and the name of its room. Only the ids are told to guests, who then ask each room itself.
"""

import os
import re

import structlog

from server.storage.text_file import read_text

MOST = 500
"""Tables that are told."""
_TABLE = re.compile(r"[a-z0-9][a-z0-9-]{0,31}")


class RoomList:
    """The tables of all rooms. The file is read again when it has changed.

    Args:
        path: of the file; empty if there are no other rooms.
    """

    def __init__(self, path: str, log: structlog.typing.FilteringBoundLogger) -> None:
        self._path, self._log = path, log
        self._state: tuple[int, int] | None = None
        self._tables: tuple[str, ...] = ()

    def tables(self) -> tuple[str, ...]:
        """Their ids, in the order of the file. A file that cannot be read changes nothing; the log says why, once."""
        if not self._path:
            return ()
        try:
            found = os.stat(self._path)
            state = found.st_mtime_ns, found.st_size
            if state != self._state:
                self._state = state
                self._tables = ids_in(read_text(self._path))
        except (OSError, UnicodeDecodeError) as error:
            if self._state != (0, 0):
                self._state = 0, 0
                self._log.warning("rooms.unreadable", path=self._path, why=str(error))
        return self._tables


def ids_in(text: str) -> tuple[str, ...]:
    """The ids of tables in a list of rooms; what is none is left out."""
    words = [line.partition("#")[0].split() for line in text.splitlines()]
    return tuple(dict.fromkeys(word[0] for word in words if word and _TABLE.fullmatch(word[0])))[:MOST]
