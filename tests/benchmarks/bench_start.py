"""P8: how long a person waits before anything happens: whole processes, from their start to what they print.

The clock on the wall counts here, because it is what is waited for. The processor time beside it tells how much of
that was ours on a machine that others use, too; where it is far less, they were waited for.
"""

import resource
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable

from tests.benchmarks.harness import RANKINGS, Args, title

HELP_GOAL, SERVE_GOAL, IMPORT_GOAL = 0.3, 0.6, 0.2
RYO = [sys.executable, "-c", "import sys; from client.cli.main import main; sys.argv[0] = 'ryo'; sys.exit(main())"]
"""The command as its script has it, from this very tree."""


def worked() -> float:
    """Seconds of processor time of the processes that have ended."""
    usage = resource.getrusage(resource.RUSAGE_CHILDREN)
    return usage.ru_utime + usage.ru_stime


def ended(*command: str) -> float:
    """Seconds until a command has ended, which must end well."""
    start = time.perf_counter()
    subprocess.run(command, stdout=subprocess.DEVNULL, check=True)
    return time.perf_counter() - start


def listening(*flags: str) -> float:
    """Seconds until `ryo serve` in a fresh folder says where it listens."""
    with tempfile.TemporaryDirectory() as folder:
        command = [*RYO, "serve", "--bind", "127.0.0.1", "--port", "0", "--data-dir", folder, *flags]
        start = time.perf_counter()
        with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True) as process:
            assert process.stdout is not None
            line = process.stdout.readline()
            took = time.perf_counter() - start
            process.terminate()
            process.wait(10)
        if "127.0.0.1" not in line:
            raise RuntimeError(f"the server did not say where it listens, but {line!r}")
        return took


def python(code: str) -> Callable[[], float]:
    """A process that runs these words."""
    return lambda: ended(sys.executable, "-c", code)


JOBS: dict[str, Callable[[], float]] = {
    "python": python("pass"),
    "ryo --help": lambda: ended(*RYO, "--help"),
    "ryo serve listens, TLS": listening,
    "ryo serve listens, plain TCP": lambda: listening("--plain-tcp"),
    "import of the rankings": python(f"import {RANKINGS}"),
    "import of pokerkit": python("import pokerkit"),
}
GOALS = {"ryo --help": HELP_GOAL, "ryo serve listens, TLS": SERVE_GOAL, "ryo serve listens, plain TCP": SERVE_GOAL}


def main(args: Args) -> None:
    """Print the median of each, all of them in turn."""
    title("P8: start, seconds of whole processes")
    times: dict[str, list[float]] = {name: [] for name in JOBS}
    works: dict[str, list[float]] = {name: [] for name in JOBS}
    for job in JOBS.values():
        job()
    for _ in range(args.repeats):
        for name, job in JOBS.items():
            before = worked()
            times[name].append(job())
            works[name].append(worked() - before)
    medians = {name: statistics.median(took) for name, took in times.items()}
    for name, took in medians.items():
        goal = GOALS.get(name)
        verdict = "" if goal is None else f"   goal {goal:g} s: {'reached' if took < goal else 'MISSED'}"
        print(f"{name:<34}{took:>7.3f} s, processor {statistics.median(works[name]):.3f} s{verdict}")
    bare = medians["python"]
    ratio = (medians["import of the rankings"] - bare) / (medians["import of pokerkit"] - bare)
    verdict = "reached" if ratio < IMPORT_GOAL else "MISSED"
    print(f"{'rankings / pokerkit, without python':<34}{ratio:>7.3f} x   goal {IMPORT_GOAL:g} x: {verdict}")
