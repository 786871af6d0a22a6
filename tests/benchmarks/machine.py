"""How fast and how quiet the machine is: a loop that is always the same, before and after each row."""

import os
import platform
import subprocess
import time
from statistics import median

import msgspec

from tests.support.paths import ROOT

ROUNDS = 500_000
LOOPS = 15
MOST_DRIFT, MOST_WAITING, MOST_LOAD = 0.15, 0.10, 1.5
"""Above this a machine is too noisy for the clock on the wall; the load is that of one processor."""


class Calibration(msgspec.Struct, frozen=True):
    """Median seconds of the loop, of processor time and on the wall."""

    processor: float
    wall: float


class Noise(msgspec.Struct, frozen=True):
    """The loop before and after a row, and the load of the machine over the last minute."""

    before: Calibration
    after: Calibration
    load: float
    cores: int = 1

    @property
    def loop(self) -> float:
        """Processor seconds of the loop around this row."""
        return (self.before.processor + self.after.processor) / 2

    @property
    def drift(self) -> float:
        """By which share the machine changed its speed."""
        one, other = self.before.processor, self.after.processor
        return max(one, other) / min(one, other) - 1

    @property
    def waiting(self) -> float:
        """For which share of its work the loop had to wait for the processor."""
        return max(0.0, *[run.wall / run.processor - 1 for run in (self.before, self.after)])

    @property
    def too_noisy(self) -> bool:
        """Whether times on the wall say more about the machine than about the program."""
        return self.drift > MOST_DRIFT or self.waiting > MOST_WAITING or self.load > MOST_LOAD * self.cores


class Machine(msgspec.Struct, frozen=True):
    """Where and from what a set of results comes."""

    commit: str
    changed: bool
    processor: str
    cores: int
    system: str
    python: str
    load: tuple[float, float, float]


def calibration() -> Calibration:
    """The loop, several times."""
    processor, wall = [], []
    for _ in range(LOOPS):
        start, begun = time.perf_counter(), time.process_time()
        for _ in range(ROUNDS):
            pass
        processor.append(time.process_time() - begun)
        wall.append(time.perf_counter() - start)
    return Calibration(median(processor), median(wall))


def load() -> tuple[float, float, float]:
    """How many processes wanted to run, over 1, 5 and 15 minutes; zeros where the system does not say."""
    return os.getloadavg() if hasattr(os, "getloadavg") else (0.0, 0.0, 0.0)


def this_machine() -> Machine:
    """This machine, with what is checked out here."""
    return Machine(
        commit=_git("rev-parse", "--short", "HEAD"),
        changed=bool(_git("status", "--porcelain", "--untracked-files=no")),
        processor=_processor(),
        cores=os.cpu_count() or 1,
        system=platform.platform(terse=True),
        python=platform.python_version(),
        load=load(),
    )


def _git(*words: str) -> str:
    try:
        done = subprocess.run(["git", *words], cwd=ROOT, capture_output=True, text=True, check=True, timeout=30)
    except (OSError, subprocess.SubprocessError):
        return ""
    return done.stdout.strip()


def _processor() -> str:
    try:
        with open("/proc/cpuinfo", encoding="utf-8") as lines:
            return next((line.partition(":")[2].strip() for line in lines if line.startswith("model name")), "")
    except OSError:
        return platform.processor()
