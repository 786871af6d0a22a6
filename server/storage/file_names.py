"""Names of journal files, and the ids of the hands in them."""

import os
import re
from datetime import UTC, datetime

from server.storage.filesystem import FileSystem

SUFFIX = ".ryo"
_PART = re.compile(r"_(\d{3,})" + re.escape(SUFFIX) + "$")


def file_name(table: str, started: int, number: int = 1) -> str:
    """``20260715-190000-main.ryo``: start of the session (UTC) and table; ``..._002.ryo`` is the second file."""
    part = f"_{number:03}" if number > 1 else ""
    return f"{datetime.fromtimestamp(started // 1000, UTC):%Y%m%d-%H%M%S}-{table}{part}{SUFFIX}"


def file_number(path: str) -> int:
    """The number of a file among the files of its session, from its name; the first is 1."""
    found = _PART.search(path)
    return int(found[1]) if found else 1


def file_before(path: str) -> str | None:
    """The path of the file before that one in its session, from its name; None for the first."""
    number = file_number(path)
    if number < 2:
        return None
    part = f"_{number - 1:03}" if number > 2 else ""
    return _PART.sub(part + SUFFIX, path)


def hand_id(table: str, started: int, number: int) -> str:
    """An id that no other hand will ever have: table, start of the session, number in the session."""
    return f"{table}-{datetime.fromtimestamp(started // 1000, UTC):%Y%m%d%H%M%S}-{number}"


def newest(directory: str, table: str, fs: FileSystem | None = None) -> str | None:
    """The path of the table's newest journal; None if it has none."""
    pattern = re.compile(rf"\d{{8}}-\d{{6}}-{re.escape(table)}(_\d{{3,}})?{re.escape(SUFFIX)}")
    names = [name for name in (fs or FileSystem()).names_in(directory) if pattern.fullmatch(name)]
    return os.path.join(directory, max(names, key=lambda name: (name[:15], file_number(name)))) if names else None


def start_in_name(path: str) -> int:
    """The start of a file's session, from its name: UTC milliseconds, in whole seconds."""
    moment = datetime.strptime(os.path.basename(path)[:15], "%Y%m%d-%H%M%S").replace(tzinfo=UTC)
    return int(moment.timestamp()) * 1000
