"""P7: many recorded hands: the list filled from nothing, asked again, and a replay up to its first frame.

A hand of the list is one of 100,000; the files hold 10,000 each. Without ``--long`` one file is measured, and the fill
is told for ten of them. The files are made once and kept in the folder of temporary files.
"""

import time
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory

from replays.index import NAME
from replays.library import Library
from tests.benchmarks.bench_start import RYO, ended
from tests.benchmarks.harness import Args, Bench, Row, Rows, Times, processor_seconds, seconds_row, spread
from tests.benchmarks.many_hands import many_hands
from tests.support.pty_program import PtyProgram

EACH, ALL = 10_000, 100_000
FILL_GOAL, ASK_GOAL, FRAME_GOAL = 30.0, 0.1, 0.2


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
            return took, processor_seconds(program.process.pid)
        finally:
            program.close()


def the_list(args: Args) -> Rows:
    """The list of all hands filled from nothing, and asked."""
    hands = ALL if args.long else EACH
    folder = many_hands(hands, EACH)
    cold, asked, whole = Times(), Times(), []
    for _ in range(1 if args.long else 3):
        cold.add(lambda: fill(folder))
    yield seconds_row("p7-list-cold", cold, FILL_GOAL, each=ALL / hands, note=f"{ALL:,} hands, of which {hands:,} read")
    for _ in range(args.repeats):
        asked.add(lambda: ask(folder))
    yield seconds_row("p7-list-asked", asked, ASK_GOAL, note="the newest twenty, in the process")
    for _ in range(args.repeats):
        whole.append(ended(*RYO, "hands", "--limit", "20", "--data-dir", str(folder.parent)))
    yield Row(name="p7-list-process", unit="s", value=spread(whole), clock="wall", note="ryo hands --limit 20")


def frame(what: str, args: Args) -> Rows:
    """A replay up to its first frame."""
    folder = many_hands(ALL if args.long else EACH, EACH)
    the_hand = what or str((ALL if args.long else EACH) // 2)
    took, work = zip(*[first_frame(folder, the_hand) for _ in range(args.repeats)], strict=True)
    note = f"ryo replay {the_hand}; processor {spread(work).median:.2f} s"
    name = f"p7-first-frame-{what or 'middle'}"
    yield Row(name=name, unit="s", value=spread(took), goal=FRAME_GOAL, clock="wall", note=note)


ROWS: dict[str, Bench] = {
    "p7-list": the_list,
    "p7-first-frame-last": partial(frame, "last"),
    "p7-first-frame-middle": partial(frame, ""),
}
