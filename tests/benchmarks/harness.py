"""What every benchmark shares: ratios measured in one run, never absolute figures alone.

A benchmark is a module ``bench_<name>.py`` with ``main(args: Args) -> None`` that
prints its results. Reference and ours run in turn, several times, and the medians
are compared, so that a machine that slows down slows both.
"""

import gc
import statistics
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass

RANKINGS = "server.engine.ranking.rankings, server.engine.ranking.wild_cards, server.engine.ranking.boards"
"""The modules that the engine imports to rank hands, as they stand in an import statement."""


@dataclass(frozen=True, slots=True)
class Args:
    """What the command line chose.

    Fields:
        repeats: how often each side runs; at least 5 for a figure to be quoted.
        long: whether to run the parts that take minutes.
    """

    repeats: int = 5
    long: bool = False


def seconds(job: Callable[[], object]) -> float:
    """The processor time of one call in this process, with the garbage collector out of the way.

    For jobs of one thread that wait for nothing: on a machine that is shared, the clock on the wall would count what
    others do meanwhile.
    """
    gc.collect()
    gc.disable()
    try:
        start = time.process_time()
        job()
        return time.process_time() - start
    finally:
        gc.enable()


def interleaved(jobs: Mapping[str, Callable[[], object]], repeats: int) -> dict[str, float]:
    """The median processor seconds of each job; the jobs take turns, after one unmeasured round."""
    for job in jobs.values():
        job()
    times: dict[str, list[float]] = {name: [] for name in jobs}
    for _ in range(repeats):
        for name, job in jobs.items():
            times[name].append(seconds(job))
    return {name: statistics.median(measured) for name, measured in times.items()}


def title(text: str) -> None:
    """A heading."""
    print(f"\n{text}\n{'-' * len(text)}")


def report(name: str, each: float, ratio: float | None = None, goal: float | None = None) -> None:
    """One line: nanoseconds each, and where there is a reference, the ratio to it and the goal.

    ``ratio`` is how many times faster than the reference; larger is better.
    """
    line = f"{name:<34}{each * 1e9:>10,.1f} ns {1 / each / 1e6:>9,.2f} M/s"
    if ratio is not None:
        line += f"{ratio:>9.2f} x"
    if ratio is not None and goal is not None:
        line += f"   goal {goal:g} x: {'reached' if ratio >= goal else 'MISSED'}"
    print(line)
