"""How long a test may wait for the real world, and how often it may repeat itself."""

import os

LIMIT = 60.0
"""Seconds after which a test with real sockets or processes has failed.

Only something that hangs takes so long, on a busy machine too. No test measures how quick something was.
"""
THOROUGH = os.environ.get("RYO_THOROUGH") == "1"
"""Whether loops run at their full length, as in `make soak`."""


def length(short: int, long: int) -> int:
    """How often a loop runs: `short` in `make test`, `long` in `make soak`. Both times it asserts the same."""
    return long if THOROUGH else short
