"""Settings and fixtures of all tests."""

import gc
import os
import signal
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings

from tests.support.pty_program import PtyPrograms
from tests.support.ryo_process import RyoProcesses

WAITING = ("test_installed_package.py", "test_join.py", "test_pty.py")
"""Files that wait long for processes and terminals, besides those of `e2e/`."""
PROGRAMS = Path(__file__).parent / "support" / "programs"

# Hypothesis without a stopwatch: the tests also run on machines that are busy with others.
settings.register_profile("calm", deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile("calm")

# While the tests are collected nothing becomes garbage that is worth looking for.
gc.disable()

# Compiled modules are kept: the tests start the program hundreds of times, and it would compile itself each time.
os.environ.pop("PYTHONDONTWRITEBYTECODE", None)
sys.dont_write_bytecode = False

# The programs that tests start find a few modules there before the installed ones.
os.environ["PYTHONPATH"] = os.pathsep.join(filter(None, (str(PROGRAMS), os.environ.get("PYTHONPATH"))))

# Tests that a shell has started in the background ignore SIGINT, and under `nohup` they ignore SIGHUP. The programs
# that they start would do the same, and not end as they do on a terminal.
if signal.getsignal(signal.SIGINT) == signal.SIG_IGN:
    signal.signal(signal.SIGINT, signal.default_int_handler)
if sys.platform != "win32" and signal.getsignal(signal.SIGHUP) == signal.SIG_IGN:
    signal.signal(signal.SIGHUP, signal.SIG_DFL)


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_auto_num_workers() -> int:
    """Two for each processor: about half of the time a test waits for clocks, sockets, and the start of programs."""
    return 2 * (os.cpu_count() or 1)


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Spreads the files that wait most over the first two thirds of the run, so that others use the processors.

    With `--dist loadfile --no-loadscope-reorder` each worker takes the next file of this order.
    """
    files = list(dict.fromkeys(item.path for item in items))
    waiting = [path for path in files if "e2e" in path.parts or path.name in WAITING]
    others = [path for path in files if path not in waiting]
    place = {path: 2 / 3 * at / len(waiting) for at, path in enumerate(waiting)}
    place |= {path: at / len(others) for at, path in enumerate(others)}
    items.sort(key=lambda item: place[item.path])


def pytest_collection_finish() -> None:
    """From now on Python looks for garbage, but not among thousands of tests and modules, which all stay."""
    gc.freeze()
    gc.enable()


@pytest.fixture
def ryo() -> Iterator[RyoProcesses]:
    """Starts processes of the program; none of them outlives the test."""
    started = RyoProcesses()
    yield started
    started.close()


@pytest.fixture
def programs(tmp_path: Path) -> Iterator[PtyPrograms]:
    """Starts programs, each in a pseudo-terminal of its own; none of them outlives the test."""
    if sys.platform == "win32":
        pytest.skip("pseudo-terminals are a Unix thing")
    started = PtyPrograms(tmp_path)
    yield started
    started.close()


@pytest.fixture(scope="module")
def few_deals() -> Iterator[None]:
    """Chances in replays come from a few deals: the same things are said, with numbers that are less precise."""
    with pytest.MonkeyPatch.context() as patch:
        for most in ("page.MOST_SLICES", "page.MOST_BATCHES", "hand_reading.read_chances.MOST_BATCHES"):
            patch.setattr(f"replays.{most}", 1)
        yield
