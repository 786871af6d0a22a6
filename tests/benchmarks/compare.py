"""``python -m tests.benchmarks.compare OLD [NEW]``: what became slower between two files of results.

The exit code is 1 if anything did, and 2 if there is no such file.

Only what is beyond the noise of both counts: the quartiles of the two launches must not overlap, and the medians must
be further apart than `LEAST` and than either pair of quartiles. Seconds of processor time are measured in rounds of
the calibration loop, so that a slower machine makes nothing slower, and must differ by more than it drifted. Times on
the wall are compared if both machines were quiet.
"""

import argparse
import sys
from pathlib import Path
from typing import Literal, TypeAlias

import msgspec

from tests.benchmarks.harness import Spread
from tests.benchmarks.results import Result, figures, read

LEAST = 0.03

Change: TypeAlias = Literal["slower", "faster", "same"]


def change(old: Result, new: Result) -> tuple[Change, float]:
    """How a row changed, and by which factor its figure did; above 1 is better."""
    before, now = _comparable(old), _comparable(new)
    if not old.row.more:  # smaller is better: turn both round
        before, now = _turned(before), _turned(now)
    factor = now.median / before.median
    noise = max(LEAST, *[(value.high - value.low) / value.median for value in (before, now)])
    if _in_seconds(new):  # a ratio has both sides from the same minutes
        noise = max(noise, old.noise.drift, new.noise.drift)
    if now.high < before.low and factor < 1 / (1 + noise):
        return "slower", factor
    if now.low > before.high and factor > 1 + noise:
        return "faster", factor
    return "same", factor


def _comparable(result: Result) -> Spread:
    value = result.row.value
    assert value is not None
    return value.each(1 / result.noise.loop) if _in_seconds(result) else value


def _in_seconds(result: Result) -> bool:
    return result.row.clock == "processor" and result.row.unit == "s"


def _turned(value: Spread) -> Spread:
    tiny = 1e-12
    return Spread(1 / max(value.high, tiny), 1 / max(value.median, tiny), 1 / max(value.low, tiny))


def compared(old: list[Result], new: list[Result]) -> tuple[list[str], bool]:
    """A line for each row that changed, then how many did not or cannot be compared; and whether one is slower."""
    before = {result.row.name: result for result in old}
    lines, same, unknown, slower = [], 0, 0, False
    for result in new:
        was = before.get(result.row.name)
        if was is None or not (was.counts and result.counts) or was.row.unit != result.row.unit:
            unknown += 1
            continue
        assert was.row.value is not None
        assert result.row.value is not None
        how, factor = change(was, result)
        if how == "same":
            same += 1
            continue
        slower |= how == "slower"
        unit = result.row.unit
        lines.append(
            f"{how}  {result.row.name:<30} {figures(was.row.value, unit)} -> {figures(result.row.value, unit)}, "
            f"{abs(factor - 1):.0%}"
        )
    return [*lines, f"{same} rows are the same within the noise, {unknown} cannot be compared"], slower


def main() -> int:
    """Print what changed."""
    parser = argparse.ArgumentParser(prog="python -m tests.benchmarks.compare")
    parser.add_argument("old", type=Path, help="a file of an earlier launch")
    parser.add_argument(
        "new", type=Path, nargs="?", default=Path("bench.json"), help="a later one (default bench.json)"
    )
    options = parser.parse_args()
    try:
        old, new = read(options.old), read(options.new)
    except (OSError, msgspec.MsgspecError) as error:
        parser.error(f"{error}; make bench writes such a file")
    for name, one in (("old", old), ("new", new)):
        print(f"{name}: {one.machine.commit}{'+' * one.machine.changed} of {one.date}, load {one.machine.load[0]:.1f}")
    if old.machine.processor != new.machine.processor or old.machine.python != new.machine.python:
        print("the machine or its Python is not the same; ratios can be compared, seconds hardly")
    lines, slower = compared(old.results, new.results)
    print(*lines, sep="\n")
    return int(slower)


if __name__ == "__main__":
    sys.exit(main())
