"""The words of the host, typed into the terminal in which the server runs."""

import os
import sys
from collections.abc import Callable

import trio

from server.app.operator import Operator, split

_LONGEST = 4096
_IN_BACKGROUND = 1.0
"""Seconds between looks whether the server is in the foreground again."""


def is_terminal() -> bool:
    """Whether words can be typed: standard input is a terminal, on a system where that can be waited for."""
    try:
        return sys.platform != "win32" and sys.stdin is not None and sys.stdin.isatty()
    except ValueError:  # it is closed
        return False


async def obey_lines(operator: Operator, show: Callable[[str], None]) -> None:
    """Does every word that is typed, until the terminal is closed. Works until then, or until cancelled.

    Args:
        show: shows an answer; it is called in a thread, because a terminal may be stopped (Ctrl-S).
    """
    while (line := await _line()) is not None:
        if words := split(line):
            answer = await operator.obey(words)
            await trio.to_thread.run_sync(show, answer.text, abandon_on_cancel=True)


async def _line() -> str | None:
    """The next line that was typed; None at the end of the input."""
    number = sys.stdin.fileno()
    try:
        while True:
            await trio.lowlevel.wait_readable(number)
            if os.tcgetpgrp(number) == os.getpgrp():
                data = os.read(number, _LONGEST)
                return data.decode("utf-8", "replace") if data else None
            await trio.sleep(_IN_BACKGROUND)  # what is typed now is for others; who reads it is stopped by the system
    except OSError:
        return None  # the terminal is gone
