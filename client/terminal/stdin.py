"""Lines from the standard input without a thread.

A thread in a blocking read cannot be cancelled: the program would wait for one more line before it ends. So the event
loop waits for terminals, pipes and sockets; files, which are always ready, are simply read.
"""

import codecs
import os
import sys
from collections.abc import AsyncIterator

import trio

_CHUNK = 4096
LINE_LIMIT = 2000
"""Characters after which a line without an end is cut, so that a pipe cannot fill the memory."""


async def lines(descriptor: int) -> AsyncIterator[str]:
    """The lines that arrive at a file descriptor, without their ends; ends with the input.

    Bytes that are no UTF-8 are replaced. The last line needs no end.
    """
    decoder = codecs.getincrementaldecoder("utf-8")(errors="replace")
    rest = ""
    while True:
        data = await _read(descriptor)
        rest += decoder.decode(data, final=not data)
        *whole, rest = rest.split("\n")
        for line in whole:
            yield line.rstrip("\r")[:LINE_LIMIT]
        rest = rest[:LINE_LIMIT]
        if not data:
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
