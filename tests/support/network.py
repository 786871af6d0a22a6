"""A network of its own for a test: a namespace with the interfaces that the test wants (Linux, as root)."""

import functools
import subprocess
import sys

import pytest

from tests.support.paths import ROOT

LIMIT = 90.0
"""Seconds for a whole program in its namespace."""


@functools.cache
def _works() -> bool:
    command = ["unshare", "-n", "sh", "-c", "ip link set lo up && ip link add v0 type veth peer name v1"]
    try:
        return subprocess.run(command, capture_output=True, timeout=LIMIT, check=False).returncode == 0
    except FileNotFoundError:
        return False


def in_network(*setup: str, code: str) -> str:
    """What a Python program prints in a network where these ``ip`` commands were run first; ``lo`` is up.

    Skips the test where namespaces cannot be made.
    """
    if not _works():
        pytest.skip("network namespaces need Linux, root, unshare and ip")
    lines = ["ip link set lo up", *(f"ip {command}" for command in setup)]
    script = " && ".join([*lines, 'exec "$0" -c "$1"'])
    command = ["unshare", "-n", "sh", "-c", script, sys.executable, code]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, timeout=LIMIT, check=False)
    assert done.returncode == 0, done.stderr
    return done.stdout
