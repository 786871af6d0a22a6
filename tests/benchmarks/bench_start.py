"""P8: how long a person waits before anything happens: whole processes, from their start to what they print.

The clock on the wall counts here, because it is what is waited for. The processor time beside it tells how much of
that was ours on a machine that others use, too; where it is far less, they were waited for.
"""

import resource
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

from tests.benchmarks.harness import RANKINGS, Args, Bench, Row, Rows, elsewhere, spread
from tests.support.pty_program import PtyProgram

HELP_GOAL, SERVE_GOAL, JOIN_GOAL, IMPORT_GOAL = 0.1, 0.35, 0.5, 0.2
_SCRIPT = (
    "import sys; sys.path.insert(0, 'client'); sys.modules['rich'] = None; sys.argv[0] = 'ryo'; "
    "from rollyourown.__main__ import main; sys.exit(main())"
)
RYO = [sys.executable, "-c", _SCRIPT]
"""The command as its script has it, from this very tree.

Players have no `rich`, which a developer's tool brings along, and which structlog would import where it is.
"""


def worked() -> float:
    """Seconds of processor time of the processes that have ended."""
    usage = resource.getrusage(resource.RUSAGE_CHILDREN)
    return usage.ru_utime + usage.ru_stime


def ended(*command: str) -> float:
    """Seconds until a command has ended, which must end well."""
    start = time.perf_counter()
    subprocess.run(command, stdout=subprocess.DEVNULL, check=True)
    return time.perf_counter() - start


@contextmanager
def served(*flags: str) -> Iterator[tuple[str, float]]:
    """`ryo serve` in a fresh folder: its link, and the seconds until it said where it listens."""
    with tempfile.TemporaryDirectory() as folder:
        command = [*RYO, "serve", "--bind", "127.0.0.1", "--port", "0", "--data-dir", folder, *flags]
        start = time.perf_counter()
        with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True) as process:
            assert process.stdout is not None
            line = process.stdout.readline()
            took = time.perf_counter() - start
            try:
                if "127.0.0.1" not in line:
                    raise RuntimeError(f"the server did not say where it listens, but {line!r}")
                yield line.split()[-1], took
            finally:
                process.terminate()
                process.wait(10)


def listening(*flags: str) -> float:
    """Seconds until `ryo serve` in a fresh folder says where it listens."""
    with served(*flags) as (_, took):
        return took


def joining() -> float:
    """Seconds from `ryo join` to its first frame, at a server that waits."""
    with served() as (link, _), tempfile.TemporaryDirectory() as home:
        start = time.perf_counter()
        program = PtyProgram([*RYO, "join", link, "--yes", "--name", "Ann"], Path(home))
        try:
            program.see("Barney", "Ann")
            return time.perf_counter() - start
        finally:
            program.close()


def python(code: str) -> Callable[[], float]:
    """A process that runs these words."""
    return lambda: ended(sys.executable, "-c", code)


def processes(args: Args) -> Rows:
    """Whole processes in turn."""
    jobs: dict[str, tuple[Callable[[], float], float | None]] = {
        "p8-python": (python("pass"), None),
        "p8-help": (lambda: ended(*RYO, "--help"), HELP_GOAL),
        "p8-serve-tls": (listening, SERVE_GOAL),
        "p8-serve-plain": (lambda: listening("--plain-tcp"), SERVE_GOAL),
        "p8-join": (joining, JOIN_GOAL),
        "p8-import-rankings": (python(f"import {RANKINGS}"), None),
        "p8-import-pokerkit": (python("import pokerkit"), None),
    }
    times: dict[str, list[float]] = {name: [] for name in jobs}
    works: dict[str, list[float]] = {name: [] for name in jobs}
    for job, _ in jobs.values():
        job()
    for _ in range(args.repeats):
        for name, (job, _) in jobs.items():
            before = worked()
            times[name].append(job())
            works[name].append(worked() - before)
    for name, (_, goal) in jobs.items():
        note = f"processor {spread(works[name]).median:.3f} s" + ", with the server's" * (name == "p8-join")
        yield Row(name=name, unit="s", value=spread(times[name]), goal=goal, clock="wall", note=note)
    bare = spread(works["p8-python"]).median
    pairs = zip(works["p8-import-rankings"], works["p8-import-pokerkit"], strict=True)
    shares = spread([max(ours - bare, 0.0) / (theirs - bare) for ours, theirs in pairs])
    yield Row(name="p8-rankings-share", unit="x pokerkit", value=shares, goal=IMPORT_GOAL)


def fresh_machine(args: Args) -> Rows:
    """What needs the network."""
    yield elsewhere("p8-make-play", "make play on a fresh machine downloads: by hand, in an empty container")


ROWS: dict[str, Bench] = {"p8": processes, "p8-make-play": fresh_machine}
