"""Whether the terminal's background is dark, as the terminal itself says (OSC 11).

The question for the colour is followed by one that every terminal answers: where the cursor is. So a terminal that does
not know the first question costs no waiting. Libraries that ask this ask much more beside it, and wait for seconds.
"""

import os
import re
import select
import sys
import time
from contextlib import suppress
from functools import cache

PATIENCE = 0.5
"""Seconds to wait for a terminal that answers nothing at all."""
_QUESTIONS = b"\x1b]11;?\x1b\\\x1b[6n"
_CURSOR = re.compile(rb"\x1b\[\d+;\d+R")
_COLOUR = re.compile(rb"\x1b\]11;rgb:([0-9a-fA-F]{1,4})/([0-9a-fA-F]{1,4})/([0-9a-fA-F]{1,4})")


@cache
def background_is_dark() -> bool | None:
    """Asks the terminal, once in the life of the program; None if it does not say.

    To be called before anything else reads from the terminal.
    """
    found = _COLOUR.search(terminal_answers(_QUESTIONS)) if sys.stdin.isatty() and sys.stdout.isatty() else None
    if found is None:
        return None
    red, green, blue = (int(part, 16) / ((1 << 4 * len(part)) - 1) for part in found.groups())
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue < 0.5  # what the eye makes of red, green and blue


def terminal_answers(questions: bytes) -> bytes:
    """What the terminal answers, as far as it comes in time; nothing where it cannot be asked.

    Args:
        questions: the last one is where the cursor is.
    """
    if sys.platform == "win32":
        return b""
    import termios
    import tty

    keyboard, answers = sys.stdin.fileno(), b""
    with suppress(OSError, termios.error):
        before = termios.tcgetattr(keyboard)
        try:
            tty.setcbreak(keyboard)  # no echo, and no waiting for the end of a line
            os.write(sys.stdout.fileno(), questions)
            end = time.monotonic() + PATIENCE
            while not _CURSOR.search(answers) and (left := end - time.monotonic()) > 0:
                if select.select([keyboard], [], [], left)[0]:
                    data = os.read(keyboard, 1024)
                    if not data:
                        break  # the terminal has gone
                    answers += data
        finally:
            termios.tcsetattr(keyboard, termios.TCSANOW, before)
    return answers
