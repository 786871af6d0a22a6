"""Standard input, output and error as they are in the world: closed, or on a disk that is full (trap A38)."""

import errno
import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager

from server.errors import EXIT_STORAGE
from server.terminal import give_output_up

_NO_ROOM = frozenset({errno.ENOSPC, errno.EIO, errno.EFBIG, getattr(errno, "EDQUOT", errno.ENOSPC)})


def open_closed_ones() -> None:
    """Puts the null device in the place of streams that are closed, so that no file or socket gets their numbers."""
    for name, mode in (("stdin", "r"), ("stdout", "w"), ("stderr", "w")):
        if getattr(sys, name) is None:
            setattr(sys, name, open(os.devnull, mode))  # noqa: SIM115 (kept open)


@contextmanager
def output_that_may_fail() -> Iterator[None]:
    """Ends the program with one sentence when its output cannot be written.

    A program that ends anyway keeps its exit code, whatever is left to be written: to a terminal that has vanished.
    """
    try:
        yield
    except SystemExit:
        try:
            sys.stdout.flush()
        except OSError:
            give_output_up()
        raise
    except OSError as error:
        if error.filename is not None or error.errno not in _NO_ROOM:
            raise
        give_output_up()
        try:
            print(f"Error: The output cannot be written: {error.strerror}.", file=sys.stderr)
        except OSError:
            sys.stderr = sys.stdout
        sys.exit(EXIT_STORAGE)
