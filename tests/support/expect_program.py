"""The real program in a pseudo-terminal, as a conversation: what it writes is expected, and lines are typed."""

import signal
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pexpect
import pytest

from tests.support.limits import LIMIT
from tests.support.paths import ROOT
from tests.support.ryo_process import environment

needs_terminal = pytest.mark.skipif(sys.platform == "win32", reason="pseudo-terminals are a Unix thing")


@contextmanager
def on_terminal(
    home: Path, *arguments: str, term: str = "xterm", inside: str = "", **extra: str
) -> Iterator["pexpect.spawn[str]"]:
    """`ryo` with these arguments on a terminal of 80 by 24, with a home; `extra` goes into its environment.

    `inside`: what stands before the command (`tests.support.network.Host.inside`).
    """
    command = [*inside.split(), sys.executable, "-m", "client", *arguments]
    child = pexpect.spawn(
        command[0],
        command[1:],
        dimensions=(24, 80),
        encoding="utf-8",
        timeout=LIMIT,
        cwd=ROOT,
        env=environment(home, TERM=term, PYTHONIOENCODING="utf-8", **extra),
    )
    try:
        yield child
    except pexpect.TIMEOUT as error:
        child.kill(signal.SIGABRT)
        raise AssertionError(f"{error}\nwhere it hangs:\n{child.read()[-4000:]}") from None
    finally:
        child.close(force=True)


def ended(child: "pexpect.spawn[str]") -> int | None:
    """The exit code, after the program has ended by itself."""
    child.expect(pexpect.EOF)
    child.wait()
    return child.exitstatus
