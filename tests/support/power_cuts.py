"""Random histories of a journal on a disk that fails and loses power, and what must hold after each of them.

Whatever was acknowledged is read back after every crash; what is read back was appended, in that order; our own
crashes never look like corruption; damage to acknowledged records is never taken for an unfinished tail.
"""

import random
from collections.abc import Callable

from protocol.journal.framing import scan
from server.storage.journal_errors import Corrupt, JournalError, OpenFailed, SyncFailed, WriteFailed
from server.storage.journal_file import Journal
from tests.support.simulated_disk import PowerCut, SimDisk

PATH = "/data/table.ryo"
HEADER = b"header"
STEPS = ["append"] * 6 + ["commit"] * 4 + ["write"] * 2 + ["cut", "kill", "no room", "bad sync", "bad cut back", "soon"]


class Broken(AssertionError):
    """The journal broke its word."""


class History:
    """One journal, one disk, one seed; `run` goes through a few dozen steps and raises `Broken` if anything is lost.

    Fields:
        acked: payloads that somebody may have been told.
        written: payloads of a batch in the file, perhaps not synced.
        waiting: payloads appended only.
    """

    def __init__(
        self, seed: int, disk: Callable[[random.Random], SimDisk] = SimDisk, journal: type[Journal] = Journal
    ) -> None:
        self.rng = random.Random(seed)
        self.disk = disk(self.rng)
        self.kind = journal
        self.acked: list[bytes] = []
        self.written: list[bytes] = []
        self.waiting: list[bytes] = []
        self.serial = 0
        self.eager = self.rng.random() < 0.5  # durability "action": every write is synced
        self.journal = self._start()

    def run(self, steps: int | None = None) -> None:
        for _ in range(self.rng.randint(5, 50) if steps is None else steps):
            step = self.rng.choice(STEPS)
            if step == "cut":
                self._crash(power=True)
            elif step == "kill":
                self._crash(power=False)
            else:
                self._work(step)
        if self.rng.random() < 0.3:
            self._rot()
        else:
            self._crash(power=True)

    def _work(self, step: str) -> None:
        try:
            if step == "append":
                self.serial += 1
                payload = b"%d:" % self.serial + b"x" * self.rng.choice([1, 30, 511, 900, 3000])
                self.journal.append(payload)
                self.waiting.append(payload)
            elif step == "commit" and (self.eager or self.rng.random() < 0.3):
                self._commit()
            elif step in ("commit", "write"):
                self._commit() if self.eager else self._write()
            elif step == "no room":
                self.disk.fail["write"] = self.rng.randrange(3)
            elif step == "bad sync":
                self.disk.fail["fdatasync"] = self.rng.randrange(2)
            elif step == "bad cut back":
                self.disk.fail["ftruncate"] = 0
            elif step == "soon":
                self.disk.cut_in = self.rng.randrange(6)
        except PowerCut:
            self._crash(power=True)
        except WriteFailed:
            # Nothing of the batch is in the file: the kernel must show it so, and a process that dies now too.
            self.disk.heal()
            if scan(self.disk.read_all(PATH)).records != self.acked + self.written:
                raise Broken("a batch that was reported as failed is in the file") from None
            self.waiting = []
            self._crash(power=self.rng.random() < 0.5, failed=True)
        except SyncFailed:
            self.written, self.waiting = self.written + self.waiting, []
            self._crash(power=self.rng.random() < 0.5, failed=True)

    def _write(self) -> None:
        self.journal.write(self.journal.take())
        self.written, self.waiting = self.written + self.waiting, []

    def _commit(self) -> None:
        self.journal.commit()
        self.acked, self.written, self.waiting = self.acked + self.written + self.waiting, [], []

    def _crash(self, power: bool, failed: bool = False) -> None:
        held: list[bytes] = []
        if power:
            self.disk.cut()
        elif failed and self.rng.random() < 0.5:
            self.journal.close()  # the same process opens the journal again: the cache is as it was
            self.disk.heal()
        else:
            self.disk.kill()
            held = [] if failed else self.written  # what the kernel has, only a power cut takes away
        self.journal = self._start(held)

    def _start(self, held: list[bytes] | None = None) -> Journal:
        """Starts until it works; every attempt may fail or lose power."""
        sent = self.acked + self.written + self.waiting
        must = self.acked + (held or [])
        while True:
            if self.rng.random() < 0.3:
                self.disk.cut_in = self.rng.randrange(12)
            if self.rng.random() < 0.2:
                self.disk.fail[self.rng.choice(["write", "fdatasync", "replace", "sync_dir"])] = self.rng.randrange(2)
            try:
                journal, records = self._open()
            except PowerCut:
                self.disk.cut()
                must = self.acked
            except Corrupt as error:
                raise Broken(f"a crash looks like corruption: {error}") from None
            except (OpenFailed, SyncFailed):
                if self.rng.random() < 0.5:
                    self.disk.cut()
                    must = self.acked
                else:
                    self.disk.kill()
            else:
                break
        self.disk.heal()
        if records[: len(must)] != must:
            raise Broken(f"records are gone: {len(records)} of {len(must)} are left")
        if records != sent[: len(records)] and sent:
            raise Broken("records came back that were never appended, or in another order")
        self.acked, self.written, self.waiting = records, [], []
        return journal

    def _open(self) -> tuple[Journal, list[bytes]]:
        if self.acked and not self.disk.exists(PATH):
            raise Broken("the journal is gone")
        if self.disk.exists(PATH):
            journal, found = self.kind.open(PATH, fs=self.disk)
            return journal, found.records
        return self.kind.create("/data", "table.ryo", HEADER, fs=self.disk), [HEADER]

    def _rot(self) -> None:
        """Damages an acknowledged record that a later batch follows: the journal must refuse, and touch nothing."""
        for _ in range(3):
            self.disk.heal()
            self._work("append")
            self._commit()
        found = scan(self.disk.read_all(PATH))
        self.disk.rot(PATH, self.rng.randrange(24, found.offsets[-1]))
        damaged = self.disk.read_all(PATH)
        self.disk.kill()
        try:
            self.kind.open(PATH, fs=self.disk)
        except Corrupt:
            if self.disk.read_all(PATH) != damaged:
                raise Broken("a damaged journal was changed unasked") from None
        else:
            raise Broken("acknowledged records were cut as if they had been unfinished")


def soak(histories: int, seed: int = 0) -> None:
    """Runs histories `seed`, `seed + 1`, ...; the message of a failure holds the seed to run again."""
    for number in range(seed, seed + histories):
        try:
            History(number).run()
        except (JournalError, AssertionError) as error:
            raise Broken(f"history {number}: {error}") from error
