"""The words of the host on standard input: typed into the terminal in which the server runs, or from a pipe."""

import os
import signal
import stat
import sys
from collections.abc import Callable

import trio

from server.app.operator import Operator, split

_LONGEST = 4096
"""Bytes that are read at once, and of the longest line."""
_IN_BACKGROUND = 1.0
"""Seconds between looks whether the server is in the foreground again."""


def is_terminal() -> bool:
    """Whether standard input is a terminal."""
    try:
        return sys.stdin is not None and sys.stdin.isatty()
    except ValueError:  # it is closed
        return False


def can_be_read() -> bool:
    """Whether words can come: from a terminal, a pipe or a socket, on a system where they can be waited for."""
    if sys.platform == "win32" or sys.stdin is None:
        return False
    try:
        mode = os.fstat(sys.stdin.fileno()).st_mode
    except (OSError, ValueError):  # it is closed
        return False
    return is_terminal() or stat.S_ISFIFO(mode) or stat.S_ISSOCK(mode)


class ControllingTerminal:
    """The terminal from which the process was started, if there was one (and not `nohup`)."""

    def __init__(self) -> None:
        ignored = sys.platform != "win32" and signal.getsignal(signal.SIGHUP) is signal.SIG_IGN
        self._had = not ignored and _has_terminal()

    @property
    def closed(self) -> bool:
        """Whether it is gone."""
        return self._had and not _has_terminal()


def _has_terminal() -> bool:
    try:
        os.close(os.open("/dev/tty", os.O_RDONLY | getattr(os, "O_NOCTTY", 0)))
    except OSError:
        return False
    return True


async def obey_lines(operator: Operator, show: Callable[[str], None]) -> None:
    """Does every word that comes, until the input ends. Works until then, or until cancelled.

    Args:
        show: shows an answer; it is called in a thread, because a terminal may be stopped (Ctrl-S).
    """
    waiting = b""
    while data := await _read():
        *lines, waiting = (waiting + data).split(b"\n")
        waiting = waiting[-_LONGEST:]
        for line in lines:
            if words := split(line.decode("utf-8", "replace")):
                answer = await operator.obey(words)
                await trio.to_thread.run_sync(show, answer.text, abandon_on_cancel=True)


async def _read() -> bytes:
    """What has come; nothing at the end of the input."""
    number = sys.stdin.fileno()
    try:
        while True:
            await trio.lowlevel.wait_readable(number)
            if not is_terminal() or os.tcgetpgrp(number) == os.getpgrp():
                return os.read(number, _LONGEST)
            await trio.sleep(_IN_BACKGROUND)  # what is typed now is for others; who reads it is stopped by the system
    except OSError:
        return b""  # the terminal is gone
