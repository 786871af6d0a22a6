"""P7: many recorded hands: the list filled from nothing, asked again, and a replay up to its first frame.

A hand of the list is one of 100,000; the files hold 10,000 each. Without ``--long`` one file is measured, and the fill
is told for ten of them. The files are made once and kept in the folder of temporary files.
"""

import os
import statistics
import time
from pathlib import Path
from tempfile import TemporaryDirectory

from replays.index import NAME
from replays.library import Library
from tests.benchmarks.bench_start import RYO, ended
from tests.benchmarks.harness import Args, seconds, title
from tests.benchmarks.many_hands import many_hands
from tests.support.pty_program import PtyProgram

EACH, ALL = 10_000, 100_000
FILL_GOAL, ASK_GOAL, FRAME_GOAL = 30.0, 0.1, 0.2
ROUNDS = 10_000_000


def calibration() -> float:
    """Processor seconds of a fixed loop: how fast this machine is just now."""

    def count() -> None:
        for _ in range(ROUNDS):
            pass

    return seconds(count)


def fill(folder: Path) -> None:
    """The list of a folder that has no index."""
    for name in (NAME, f"{NAME}-wal", f"{NAME}-shm"):
        (folder / name).unlink(missing_ok=True)
    with Library(folder) as library:
        library.refresh()


def ask(folder: Path) -> None:
    """The newest twenty hands, when all files are known."""
    with Library(folder) as library:
        library.refresh()
        library.hands(newest=20)


def first_frame(folder: Path, what: str) -> tuple[float, float]:
    """Seconds from the start of the process to its first whole frame, and of its processor time."""
    with TemporaryDirectory() as home:
        start = time.perf_counter()
        program = PtyProgram([*RYO, "replay", what, "--data-dir", str(folder.parent)], Path(home))
        try:
            program.see("event ", "seen by")
            took = time.perf_counter() - start
            fields = Path(f"/proc/{program.process.pid}/stat").read_text(encoding="ascii").rsplit(")", 1)[1].split()
            return took, (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")
        finally:
            program.close()


def row(name: str, took: float, goal: float, beside: str = "") -> None:
    """One line."""
    print(f"{name:<44}{took:>8.3f} s{beside}   goal {goal:g} s: {'reached' if took < goal else 'MISSED'}")


def main(args: Args) -> None:
    """Print all of it."""
    hands = ALL if args.long else EACH
    folder = many_hands(hands, EACH)
    title(f"P7: looking back at {hands:,} hands")
    before = calibration()
    print(f"calibration: {ROUNDS:,} rounds of an empty loop take {before:.2f} s of processor time")
    row(f"{ALL:,} hands listed cold, processor time", seconds(lambda: fill(folder)) * ALL / hands, FILL_GOAL)
    asked = statistics.median(seconds(lambda: ask(folder)) for _ in range(args.repeats))
    row("asked for the newest twenty, in the process", asked, ASK_GOAL)
    command = [*RYO, "hands", "--limit", "20", "--data-dir", str(folder.parent)]
    row("the same, a whole process", statistics.median(ended(*command) for _ in range(args.repeats)), ASK_GOAL)
    for what in ("last", str(hands // 2)):
        frames = [first_frame(folder, what) for _ in range(args.repeats)]
        took, work = (statistics.median(values) for values in zip(*frames, strict=True))
        row(f"ryo replay {what}: the first frame", took, FRAME_GOAL, f", processor {work:.2f} s")
    print(f"calibration afterwards: {calibration():.2f} s")
