"""A pretend disk that keeps what is durable apart from what is only in the kernel's page cache.

When the power goes, every write that was not synced survives whole, by sectors of 512 bytes, as zeros, or not at all;
file sizes may be ahead of or behind the data; names that were not synced with their directory may be gone. A failed
sync writes some of the dirty sectors and forgets that the others were dirty, as kernels do: a second sync reports
success and writes nothing. All choices come from one seeded generator, so a history can be run again.
"""

import errno
import random
from dataclasses import dataclass, field

from server.storage.filesystem import FileSystem

SECTOR = 512
PID = 4711


class PowerCut(BaseException):
    """The machine is off: the program does not see this, only the test's driver does."""


@dataclass
class Inode:
    """`seen` is what programs read, `kept` is what a power cut leaves; `dirty` sectors differ by right."""

    seen: bytearray = field(default_factory=bytearray)
    kept: bytearray = field(default_factory=bytearray)
    dirty: set[int] = field(default_factory=set)
    size_dirty: bool = False

    def write(self, at: int, data: bytes) -> None:
        self.seen[at:] = data
        self.dirty.update(range(at // SECTOR, (at + len(data) - 1) // SECTOR + 1))
        self.size_dirty = True

    def put(self, sector: int, content: bytes) -> None:
        """Brings one sector's content to the platter, as far as the size there reaches."""
        start = sector * SECTOR
        stop = min(start + SECTOR, len(self.kept))
        if start < stop:
            self.kept[start:stop] = content[: stop - start].ljust(stop - start, b"\0")

    def resize(self, size: int) -> None:
        del self.kept[size:]
        self.kept.extend(bytes(size - len(self.kept)))

    def sector(self, number: int) -> bytes:
        return bytes(self.seen[number * SECTOR : (number + 1) * SECTOR])


class SimDisk(FileSystem):
    """`FileSystem` without a machine: one directory level, everything in memory.

    Fields:
        fail: the next call of that name after so many others fails, e.g. `fail["write"] = 0`.
        cut_in: power goes at the call after so many others; None for never. `cut_at`: the call where it last went.
        room: bytes that may still be written; None for no limit.
        calls: how often each operation was asked for.
    """

    def __init__(self, rng: random.Random) -> None:
        self.rng = rng
        self.fail: dict[str, int] = {}
        self.fail_with = {"fdatasync": errno.EIO, "sync_dir": errno.EIO, "write": errno.ENOSPC}
        self.cut_in: int | None = None
        self.cut_at = ""
        self.room: int | None = None
        self.calls: dict[str, int] = {}
        self._off = False
        self._names: dict[str, Inode] = {}
        self._kept_names: dict[str, Inode] = {}
        self._pending: list[tuple[str, str, Inode | None]] = []
        self._open: dict[int, Inode] = {}
        self._locks: dict[int, str] = {}
        self._next_fd = 100

    # What happens to the machine

    def cut(self) -> None:
        """Power goes, and comes back."""
        for inode in {id(i): i for i in [*self._names.values(), *self._kept_names.values()]}.values():
            self._lose(inode)
        for kind, name, other in self._pending[: self.rng.randint(0, len(self._pending))]:
            self._apply(self._kept_names, kind, name, other)
        self._names = dict(self._kept_names)
        self._pending.clear()
        self.kill()

    def kill(self) -> None:
        """The process dies, the kernel lives: whatever was written is still there."""
        self._open.clear()
        self._locks.clear()
        self.heal()

    def heal(self) -> None:
        """No planned fault is left."""
        self.fail.clear()
        self.cut_in = self.room = None
        self._off = False

    def rot(self, path: str, at: int) -> None:
        """A bit changes on the platter, and the cache has long forgotten the page."""
        inode = self._names[path]
        inode.seen[at] ^= 1 << self.rng.randrange(8)
        inode.kept[:] = inode.seen

    def names(self) -> set[str]:
        return set(self._names)

    # The calls of FileSystem

    def make_dir(self, path: str) -> None:
        self._step("make_dir")

    def check_dir(self, path: str) -> None:
        """Nobody else is on this machine."""

    def secure(self, path: str) -> None:
        self._step("secure")

    def open_new(self, path: str) -> int:
        self._step("open_new")
        if path in self._names:
            raise FileExistsError(errno.EEXIST, "it exists", path)
        inode = Inode()
        self._rename("put", path, inode)
        return self._descriptor(inode)

    def open_old(self, path: str) -> int:
        """For planted mistakes only: the journal never opens an old file for writing."""
        self._step("open_old")
        return self._descriptor(self._names[path])

    def write(self, fd: int, data: bytes | memoryview) -> int:
        inode, data = self._open[fd], bytes(data)
        try:
            self._step("write")
        except OSError:
            if self.rng.random() < 0.5:  # the error comes after a part of it
                self._take(inode, data[: self.rng.randrange(len(data))])
            raise
        if len(data) > 1 and self.rng.random() < 0.1:  # a short write
            data = data[: self.rng.randrange(1, len(data))]
        if self.room is not None:
            data = data[: self.room]
            if not data:
                raise OSError(errno.ENOSPC, "No space left on device")
            self.room -= len(data)
        return self._take(inode, data)

    def ftruncate(self, fd: int, size: int) -> None:
        self._step("ftruncate")
        inode = self._open[fd]
        del inode.seen[size:]
        inode.dirty = {sector for sector in inode.dirty if sector * SECTOR < size}
        inode.size_dirty = True

    def fdatasync(self, fd: int) -> None:
        inode = self._open[fd]
        try:
            self._step("fdatasync")
        except OSError:
            self._write_back(inode)
            inode.dirty.clear()  # from here on the kernel believes that all is written
            inode.size_dirty = False
            raise
        if inode.size_dirty:
            inode.resize(len(inode.seen))
        for sector in inode.dirty:
            inode.put(sector, inode.sector(sector))
        inode.dirty.clear()
        inode.size_dirty = False

    def close(self, fd: int) -> None:
        self._open.pop(fd, None)
        self._locks.pop(fd, None)

    def replace(self, fd: int, source: str, target: str) -> int:
        self._step("replace")
        self._rename("put", target, self._names[source])
        self._rename("drop", source, None, together=True)
        return fd

    def link(self, source: str, target: str) -> None:
        self._step("link")
        if target in self._names:
            raise FileExistsError(errno.EEXIST, "it exists", target)
        self._rename("put", target, self._names[source])

    def unlink(self, path: str) -> None:
        self._step("unlink")
        self._rename("drop", path, None)

    def exists(self, path: str) -> bool:
        return path in self._names

    def is_at(self, fd: int, path: str) -> bool:
        self._step("is_at")
        return self._names.get(path) is self._open[fd]

    def names_in(self, directory: str) -> list[str]:
        self._step("names_in")
        start = directory.rstrip("/") + "/"
        return [path.removeprefix(start) for path in self._names if path.startswith(start)]

    def read_all(self, path: str) -> bytes:
        self._step("read_all")
        return bytes(self._names[path].seen)

    def open_dir(self, path: str) -> int:
        self._step("open_dir")
        return self._descriptor(Inode())

    def sync_dir(self, fd: int) -> None:
        assert fd in self._open
        self._step("sync_dir")
        for kind, name, other in self._pending:
            self._apply(self._kept_names, kind, name, other)
        self._pending.clear()

    def lock(self, path: str) -> int:
        self._step("lock")
        if path in self._locks.values():
            raise BlockingIOError(errno.EAGAIN, str(PID))
        self._next_fd += 1
        self._locks[self._next_fd] = path
        return self._next_fd

    def free_bytes(self, directory: str) -> int:
        self._step("free_bytes")
        return 1 << 40 if self.room is None else self.room

    def new_salt(self, size: int) -> bytes:
        return self.rng.randbytes(size)

    # How it works

    def _step(self, call: str) -> None:
        self.calls[call] = self.calls.get(call, 0) + 1
        if self.cut_in is not None:
            if self.cut_in == 0:
                self._off, self.cut_at = True, call
            self.cut_in -= 1
        if self._off:
            raise PowerCut(call)
        if call in self.fail:
            self.fail[call] -= 1
            if self.fail[call] < 0:
                del self.fail[call]
                number = self.fail_with.get(call, errno.EIO)
                raise OSError(number, f"planned failure of {call}")

    def _descriptor(self, inode: Inode) -> int:
        self._next_fd += 1
        self._open[self._next_fd] = inode
        return self._next_fd

    def _take(self, inode: Inode, data: bytes) -> int:
        if data:
            inode.write(len(inode.seen), data)
        if self.rng.random() < 0.3:  # the kernel writes back when it likes
            inode.dirty -= self._write_back(inode)
        return len(data)

    def _write_back(self, inode: Inode) -> set[int]:
        """Some dirty sectors reach the platter, and perhaps the new size. Returns those that did."""
        if inode.size_dirty and self.rng.random() < 0.5:
            inode.resize(len(inode.seen))
        reached = {s for s in inode.dirty if self.rng.random() < 0.5 and (s + 1) * SECTOR <= len(inode.kept)}
        for sector in reached:
            inode.put(sector, inode.sector(sector))
        return reached

    def _lose(self, inode: Inode) -> None:
        """Power is gone: what has become of the sectors that were dirty?"""
        if inode.size_dirty:
            low, high = sorted((len(inode.kept), len(inode.seen)))
            inode.resize(self.rng.choice([len(inode.kept), len(inode.seen), self.rng.randint(low, high)]))
        fate = self.rng.choice(["whole", "sectors", "nothing"])
        for sector in sorted(inode.dirty):
            if fate == "whole" or (fate == "sectors" and self.rng.random() < 0.5):
                inode.put(sector, inode.sector(sector))
            # else: as it was on the platter, or zeros where the size has come further than the data
        inode.seen = bytearray(inode.kept)
        inode.dirty.clear()
        inode.size_dirty = False

    def _rename(self, kind: str, name: str, other: Inode | None, together: bool = False) -> None:
        self._apply(self._names, kind, name, other)
        if together and self._pending:  # a rename is atomic: both halves or none
            _, target, inode = self._pending.pop()
            kind, name, other = "move " + name, target, inode
        self._pending.append((kind, name, other))

    @staticmethod
    def _apply(names: dict[str, Inode], kind: str, name: str, other: Inode | None) -> None:
        if kind == "drop":
            names.pop(name, None)
            return
        assert other is not None
        names[name] = other
        if kind.startswith("move "):
            names.pop(kind.removeprefix("move "), None)
