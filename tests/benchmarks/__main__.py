"""``python -m tests.benchmarks [NAME ...]``: runs every ``bench_NAME.py``, or those named."""

import argparse
import importlib
import platform
import sys
from pathlib import Path

from tests.benchmarks.harness import Args


def main() -> int:
    """Run the benchmarks asked for; 2 if there is none of that name."""
    names = sorted(path.stem.removeprefix("bench_") for path in Path(__file__).parent.glob("bench_*.py"))
    parser = argparse.ArgumentParser(prog="python -m tests.benchmarks", description=__doc__)
    parser.add_argument("names", nargs="*", metavar="NAME", help=f"which to run: {', '.join(names)}")
    parser.add_argument("--repeats", type=int, default=5, help="runs of each side (default 5)")
    parser.add_argument("--long", action="store_true", help="also the parts that take minutes")
    options = parser.parse_args()
    if unknown := set(options.names) - set(names):
        parser.error(f"no benchmark called {', '.join(sorted(unknown))}; there are {', '.join(names)}")
    args = Args(repeats=options.repeats, long=options.long)
    print(f"Python {platform.python_version()} on {platform.machine()}; medians of {args.repeats} interleaved runs")
    for name in options.names or names:
        importlib.import_module(f"tests.benchmarks.bench_{name}").main(args)
    return 0


if __name__ == "__main__":
    sys.exit(main())
