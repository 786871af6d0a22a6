"""Lines from the standard input without a thread.

A thread in a blocking read cannot be cancelled: the program would wait for one more line before it ends. So the event
loop waits for terminals, pipes and sockets; files, which are always ready, are simply read.
"""

import codecs
import os
import sys
from collections.abc import AsyncGenerator
from contextlib import suppress

import trio

_CHUNK = 4096
_LONGEST_PASTE = 65536
GAP = 0.1
"""Seconds without a further line after which what was typed or pasted is whole."""
LINE_LIMIT = 2000
"""Characters after which a line without an end is cut, so that a pipe cannot fill the memory."""


def show_typing(shown: bool, descriptor: int = 0) -> None:
    """Whether the terminal shows what is typed from now on; nothing happens where there is no terminal."""
    if sys.platform == "win32" or not os.isatty(descriptor):
        return
    import termios

    with suppress(termios.error):  # it has gone
        modes = termios.tcgetattr(descriptor)
        modes[3] = modes[3] | termios.ECHO if shown else modes[3] & ~termios.ECHO
        termios.tcsetattr(descriptor, termios.TCSADRAIN, modes)


async def lines(descriptor: int) -> AsyncGenerator[str, None]:
    """The lines that arrive at a file descriptor, without their ends; ends with the input.

    Bytes that are no UTF-8 are replaced. The last line needs no end. Nobody types two lines at once: lines that arrive
    together at a terminal were pasted and come as one text with line breaks. Lines from a pipe or a file are lines.
    """
    typed = sys.platform != "win32" and os.isatty(descriptor)
    decoder = codecs.getincrementaldecoder("utf-8")(errors="replace")
    rest = ""
    while True:
        data = await _read(descriptor)
        ended = not data
        while typed and not ended and len(data) < _LONGEST_PASTE:  # a terminal hands out one line in each read
            with trio.move_on_after(GAP) as pause:
                more = await _read(descriptor)
            if pause.cancelled_caught:
                break
            data += more
            ended = not more
        rest += decoder.decode(data, final=ended)
        *whole, rest = rest.split("\n")
        clean = [line.rstrip("\r")[:LINE_LIMIT] for line in whole]
        if typed and sum(map(bool, map(str.strip, clean))) > 1:
            clean = ["\n".join(clean)]
        for line in clean:
            yield line
        rest = rest[:LINE_LIMIT]
        if ended:
            if rest:
                yield rest
            return


async def _read(descriptor: int) -> bytes:
    """Some bytes; empty at the end, and when the terminal has gone."""
    if sys.platform == "win32":
        return await trio.to_thread.run_sync(os.read, descriptor, _CHUNK, abandon_on_cancel=True)
    while True:
        try:
            await trio.lowlevel.wait_readable(descriptor)
        except PermissionError:
            await trio.lowlevel.checkpoint()  # a plain file: always ready, and epoll does not take it
        try:
            return os.read(descriptor, _CHUNK)
        except BlockingIOError:
            continue
        except OSError:
            return b""
