"""What every benchmark shares: jobs measured in turn, and rows of results.

A benchmark is a module ``bench_<name>.py`` with ``ROWS``: functions by the name of what they measure, which starts with
the id of the goal in `docs/performance.md`. Each function gives one or more rows. Reference and ours run in turn,
several times, and each pair gives a ratio, so that a machine that slows down slows both.
"""

import gc
import os
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from statistics import quantiles
from typing import Literal, TypeAlias

import msgspec

RANKINGS = "server.engine.ranking.rankings, server.engine.ranking.wild_cards, server.engine.ranking.boards"
"""The modules that the engine imports to rank hands, as they stand in an import statement."""

Clock: TypeAlias = Literal["processor", "wall", "none"]
"""By which clock a figure is taken: processor time, the clock on the wall, or none (memory, sizes)."""


@dataclass(frozen=True, slots=True)
class Args:
    """What the command line chose.

    Fields:
        repeats: how often each side runs; at least 5 for a figure to be quoted.
        long: whether to run the parts that take minutes.
    """

    repeats: int = 5
    long: bool = False


class Spread(msgspec.Struct, frozen=True):
    """Lower quartile, median and upper quartile of several runs."""

    low: float
    median: float
    high: float

    def each(self, scale: float) -> "Spread":
        """The same in another unit."""
        return Spread(self.low * scale, self.median * scale, self.high * scale)


def spread(figures: Sequence[float]) -> Spread:
    """The quartiles, which are among or between the figures; of one figure all three are that figure."""
    if len(figures) == 1:
        return Spread(*[figures[0]] * 3)
    return Spread(*quantiles(figures, n=4, method="inclusive"))


class Row(msgspec.Struct, kw_only=True):
    """One result.

    Fields:
        name: the id of the goal in lower case, and what is measured.
        unit: of the figures; "x" is a ratio to the reference.
        value: the figures of all runs; None where nothing was measured.
        goal: what is wanted of the worse quartile; more: whether larger figures are better.
        clock: by which clock the figures are taken.
        wall: beside figures of processor time, the same by the clock on the wall.
        note: what else there is to say; where nothing was measured, why, or where it is.
    """

    name: str
    unit: str = ""
    value: Spread | None = None
    goal: float | None = None
    more: bool = False
    clock: Clock = "processor"
    wall: Spread | None = None
    note: str = ""

    def reached(self) -> bool | None:
        """Whether the worse quartile reaches the goal; None where there is none."""
        if self.value is None or self.goal is None:
            return None
        return self.value.low >= self.goal if self.more else self.value.high <= self.goal


Rows: TypeAlias = Iterator[Row]
Bench: TypeAlias = Callable[[Args], Rows]


@dataclass(slots=True)
class Times:
    """Seconds of each run of a job, by both clocks."""

    processor: list[float] = field(default_factory=list)
    wall: list[float] = field(default_factory=list)

    def add(self, job: Callable[[], object]) -> None:
        """Run the job once more, with the garbage collector out of the way."""
        gc.collect()
        gc.disable()
        try:
            self.add_short(job)
        finally:
            gc.enable()

    def add_short(self, job: Callable[[], object]) -> None:
        """Run a job of milliseconds once more, where a collection before each would take longer than all of them."""
        wall, processor = time.perf_counter(), time.process_time()
        job()
        self.processor.append(time.process_time() - processor)
        self.wall.append(time.perf_counter() - wall)


def seconds(job: Callable[[], object]) -> float:
    """The processor time of one call in this process, with the garbage collector out of the way.

    For jobs of one thread that wait for nothing: on a machine that is shared, the clock on the wall would count what
    others do meanwhile.
    """
    times = Times()
    times.add(job)
    return times.processor[0]


def interleaved(jobs: Mapping[str, Callable[[], object]], repeats: int) -> dict[str, Times]:
    """The times of each job; the jobs take turns, after one unmeasured round."""
    for job in jobs.values():
        job()
    times = {name: Times() for name in jobs}
    for _ in range(repeats):
        for name, job in jobs.items():
            times[name].add(job)
    return times


def ratios(theirs: Sequence[float], ours: Sequence[float], work: float = 1.0) -> Spread:
    """How many times as fast ours is, run by run, where ours did `work` times as much."""
    return spread([work * one / other for one, other in zip(theirs, ours, strict=True)])


def faster_row(name: str, theirs: Times, ours: Times, *, counts: tuple[int, int], peer: str, goal: float | None) -> Row:
    """A ratio to a reference, where larger is better; `counts` are the things done in a run of theirs and of ours."""
    work = counts[1] / counts[0]
    each = spread(ours.processor).median / counts[1], spread(theirs.processor).median / counts[0]
    return Row(
        name=name,
        unit="x",
        value=ratios(theirs.processor, ours.processor, work),
        goal=goal,
        more=True,
        wall=ratios(theirs.wall, ours.wall, work),
        note=f"{duration(each[0])} each, {peer} {duration(each[1])}",
    )


def seconds_row(name: str, times: Times, goal: float | None = None, *, each: float = 1.0, note: str = "") -> Row:
    """Processor seconds of a job, times `each`; smaller is better."""
    value, wall = spread(times.processor).each(each), spread(times.wall).each(each)
    return Row(name=name, unit="s", value=value, goal=goal, wall=wall, note=note)


def elsewhere(name: str, why: str) -> Row:
    """A goal that is not measured here."""
    return Row(name=name, clock="none", note=why)


def duration(took: float) -> str:
    """Seconds in the unit that suits them: ``8.3 ns``, ``70 us``, ``4.5 ms``, ``1.2 s``."""
    for unit, scale in (("ns", 1e9), ("us", 1e6), ("ms", 1e3)):
        if took * scale < 1000:
            return f"{took * scale:.3g} {unit}"
    return f"{took:.3g} s"


def processor_seconds(process: int) -> float:
    """What a process has used of the processor so far, from Linux's /proc."""
    fields = Path(f"/proc/{process}/stat").read_text(encoding="ascii").rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")
