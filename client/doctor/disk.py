"""The folder of keys and recordings: room, speed, who may read it, who uses it."""

import os
import stat
import statistics
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

from client.doctor.finding import Finding
from server.errors import ServerError
from server.storage.filesystem import FileSystem
from server.storage.journal_file import MIN_FREE_BYTES, has_room

_LITTLE = 256 << 20
"""Bytes of free space below which the disk is nearly full."""
_SLOW = 0.05
"""Seconds of a sync from which on people notice it."""
_SYNCS = 8
_RECORD = b"x" * 300
"""About as long as the record of an action."""
_MIB = 1 << 20


def disk(folder: Path) -> Iterator[Finding]:
    """Everything about the data folder. A folder that does not exist yet is judged by the one in which it will be."""
    place = folder
    while not place.exists() and place != place.parent:
        place = place.parent
    if not os.access(place, os.W_OK | os.X_OK) or not place.is_dir():
        text = f"Keys and hands cannot be kept in {folder}."
        yield Finding(
            "folder",
            "fault",
            text,
            "Choose another folder with --data-dir, or mend its owner and rights.",
            "not writable",
        )
        return
    yield _folder(folder)
    yield _room(place)
    yield _speed(place)
    yield _in_use(folder)


def _folder(folder: Path) -> Finding:
    """Whether others can read what is secret."""
    if not folder.exists():
        return Finding("folder", "ok", f"{folder} will be made at the first start.", fact="new")
    for path in (folder, folder / "hands"):
        if path.exists():
            try:
                FileSystem().check_dir(str(path))
            except OSError as error:
                text = f"{path} is not safe: {error.strerror or error}."
                return Finding("folder", "fault", text, "A server refuses it; mend its owner and rights.", "not safe")
    key = folder / "identity.pem"
    with suppress(OSError):
        if sys.platform != "win32" and stat.S_IMODE(key.stat().st_mode) & 0o077:
            text = f"Others may read the server's key, {key}."
            return Finding("folder", "fault", text, f"chmod go= {key}", "key readable by others")
    return Finding("folder", "ok", f"{folder} is only for you.", fact="private")


def _room(place: Path) -> Finding:
    try:
        free = FileSystem().free_bytes(str(place))
        enough = has_room(str(place))
    except (OSError, ServerError):
        return Finding(
            "room", "warning", "The disk does not tell how much room it has.", "Look yourself: df -h.", "unknown"
        )
    fact = f"{free // _MIB} MiB free"
    if not enough:
        text = f"The disk is full: {free // _MIB} MiB are left, a hand needs {MIN_FREE_BYTES // _MIB}."
        return Finding("room", "fault", text, "Make room; no hand begins before.", fact)
    if free < _LITTLE:
        return Finding(
            "room", "warning", f"The disk is nearly full: {free // _MIB} MiB are left.", "Make room soon.", fact
        )
    return Finding("room", "ok", f"The disk has {free // _MIB} MiB free.", fact=fact)


def _speed(place: Path) -> Finding:
    """How long it takes until a record is safe. A file without a name is written, and is gone afterwards."""
    taken = []
    try:
        with tempfile.TemporaryFile(dir=place) as file:
            for _ in range(_SYNCS):
                file.write(_RECORD)
                file.flush()
                began = time.perf_counter()
                os.fsync(file.fileno())
                taken.append(time.perf_counter() - began)
    except OSError as error:
        text = f"The disk does not take what is written: {error.strerror}."
        return Finding("speed", "fault", text, "See to the disk before you play on it.", f"{error.strerror}")
    usual = statistics.median(taken)
    fact = f"sync {usual * 1000:.1f} ms, at most {max(taken) * 1000:.1f} ms"
    if usual > _SLOW:
        advice = 'Use a better disk, or durability = "hand" (docs/hosting.md).'
        return Finding("speed", "warning", f"The disk is slow: {usual * 1000:.0f} ms for each action.", advice, fact)
    return Finding("speed", "ok", f"An action is safe on the disk after {usual * 1000:.1f} ms.", fact=fact)


def _in_use(folder: Path) -> Finding:
    """Which process has the recordings open; the kernel's list of locks is read, no lock is tried."""
    held = set()
    for path in [*folder.glob("hands/*.lock"), *folder.glob("*.lock")]:
        with suppress(OSError):
            held.add(path.stat().st_ino)
    pids = sorted(pid for pid, inode in _locks() if inode in held)
    if not pids:
        return Finding("lock", "ok", "No server has this folder in use.", fact="free")
    text = f"Process {pids[0]} has this folder in use; a second server with it is refused."
    return Finding("lock", "ok", text, fact="in use")


def _locks() -> Iterator[tuple[int, int]]:
    """(process, inode) of every file that is locked as a whole, where the system lists them (Linux)."""
    with suppress(OSError, ValueError, IndexError):
        for line in Path("/proc/locks").read_text().splitlines():
            words = line.split()
            if words[1] == "FLOCK":
                yield int(words[4]), int(words[5].rpartition(":")[2])
