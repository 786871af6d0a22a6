"""``python -m tests.benchmarks [NAME ...]``: runs every ``bench_NAME.py``, or only the rows that are named.

A name is a benchmark (``engine``), a goal (``p1``), or a row or the beginning of one (``p1-razz``, ``p2-high``).
"""

import argparse
import importlib
import os
import sys
import traceback
from collections.abc import Mapping, Sequence
from pathlib import Path

from tests.benchmarks.harness import Args, Bench, Row, elsewhere
from tests.benchmarks.machine import Noise, calibration, load, this_machine
from tests.benchmarks.results import Result, line, noise_line, save, started


def main() -> int:
    """Run the rows asked for and write them to a file; 1 if a benchmark failed, 2 if there is none of a name."""
    modules = sorted(path.stem.removeprefix("bench_") for path in Path(__file__).parent.glob("bench_*.py"))
    parser = argparse.ArgumentParser(prog="python -m tests.benchmarks", description=__doc__)
    parser.add_argument("names", nargs="*", metavar="NAME", help=f"which to run: {', '.join(modules)}, or rows of them")
    parser.add_argument("--repeats", type=int, default=5, help="runs of each side (default 5)")
    parser.add_argument("--long", action="store_true", help="also the parts that take minutes")
    parser.add_argument("--json", type=Path, default=Path("bench.json"), help="the file to write (default bench.json)")
    options = parser.parse_args()
    args = Args(repeats=options.repeats, long=options.long)
    # A program that is installed is compiled already; with this variable each child would compile all of it again.
    os.environ.pop("PYTHONDONTWRITEBYTECODE", None)
    machine = this_machine()
    print(
        f"{machine.commit}{' with changes' * machine.changed}, Python {machine.python}, {machine.cores} cores of "
        f"{machine.processor or 'unknown make'}, load {machine.load[0]:.1f}\n"
        f"median (lower .. upper quartile) of {args.repeats} runs in turn; a goal is reached if the worse quartile is"
    )
    results = started(machine, args.repeats)
    names = [name.lower() for name in options.names]
    unused, failures = set(names), 0
    for module in modules:
        if names and not any(name == module or name.startswith("p") for name in names):
            continue  # what it imports may take a while
        unused.discard(module)
        for key, bench in benches_of(module).items():
            wanted = [name for name in names if name == module or name_covers(name, key) or name_covers(key, name)]
            if names and not wanted:
                continue
            before = calibration()
            rows, failed = rows_of(key, bench, args)
            failures += failed
            noise = Noise(before, calibration(), load()[0], machine.cores)
            shown = [row for row in rows if not names or is_shown(row.name, module, wanted) or key in wanted]
            unused.difference_update(wanted if shown else [])
            results.results.extend([Result(row, noise) for row in shown])
            for row in shown:
                print(line(Result(row, noise)), flush=True)
            if any(row.value is not None for row in shown):
                print(noise_line(noise), flush=True)
            save(results, options.json)  # after each, so that what was measured is there whatever comes
    if unused:
        parser.error(f"there is nothing called {', '.join(sorted(unused))}; benchmarks are {', '.join(modules)}")
    reached = [result.verdict for result in results.results]
    print(f"\n{reached.count('reached')} reached, {reached.count('MISSED')} missed; written to {options.json}")
    return min(failures, 1)


def benches_of(module: str) -> Mapping[str, Bench]:
    """The benchmarks of a module; none, and a line that says so, where a package that it measures is not installed."""
    try:
        rows: Mapping[str, Bench] = importlib.import_module(f"tests.benchmarks.bench_{module}").ROWS
    except ModuleNotFoundError as missing:
        if str(missing.name).partition(".")[0] in ("client", "protocol", "replays", "server", "tests"):
            raise
        print(f"{module}: not measured, {missing.name} is not installed; `make bench` installs it", flush=True)
        return {}
    return rows


def rows_of(key: str, bench: Bench, args: Args) -> tuple[list[Row], bool]:
    """The rows of a benchmark, and whether it has failed; then its only row says so, and the others are still run."""
    try:
        return list(bench(args)), False
    except Exception as error:
        traceback.print_exc()
        return [elsewhere(key, f"failed: {type(error).__name__}: {error}")], True


def name_covers(short: str, long: str) -> bool:
    """Whether a name is another one or the beginning of it: ``p1`` is the beginning of ``p1-razz``, not of ``p10``."""
    return long == short or long.startswith(short + "-")


def is_shown(row: str, module: str, names: Sequence[str]) -> bool:
    """Whether one of the names means that row."""
    return any(name == module or name_covers(name, row) for name in names)


if __name__ == "__main__":
    sys.exit(main())
