"""Code that runs in a Python of its own, because it limits its process or asks what has been imported."""

import os
import subprocess
import sys
import textwrap

from tests.support.limits import LIMIT
from tests.support.paths import ROOT


def in_child(code: str, *arguments: object, **environment: str) -> list[str]:
    """Runs code in a process of its own; the lines that it prints. Raises AssertionError unless it ends with 0."""
    done = subprocess.run(
        [sys.executable, "-c", textwrap.dedent(code), *map(str, arguments)],
        cwd=ROOT,
        env={**os.environ, **environment},
        capture_output=True,
        text=True,
        timeout=LIMIT,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    return done.stdout.splitlines()
