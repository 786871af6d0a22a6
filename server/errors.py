"""Errors that end the server, or a part of it, each with a sentence for the host."""

from collections.abc import Iterator
from typing import ClassVar

EXIT_FAILED = 1
"""Exit code: it did not work; the sentence says why."""
EXIT_USAGE = 2
"""Exit code: the command line is wrong, as click has it."""
EXIT_CANNOT_CONNECT = 3
"""Exit code: nothing answers there."""
EXIT_VERSION = 4
"""Exit code: server and client have no version of the protocol in common."""
EXIT_DAMAGED = 5
"""Exit code: a recording is damaged, or does not follow the rules."""
EXIT_STORAGE = 74
"""Exit code: the disk failed (EX_IOERR of ``sysexits.h``)."""
EXIT_CONFIG = 78
"""Exit code: the settings cannot be used (EX_CONFIG)."""
EXIT_INTERRUPTED = 130
"""Exit code: ended by Ctrl-C, as shells have it."""


class ServerError(Exception):
    """The text is one sentence for the host; `exit_code` is the one of a process that ends because of it."""

    exit_code: ClassVar[int] = EXIT_FAILED


class ConfigError(ServerError):
    """The settings cannot be used as they are: a key, a file, an address, a port."""

    exit_code = EXIT_CONFIG


class WordRefused(ServerError):
    """What the host has asked a running server for is not done; nothing has changed."""


def errors_within(error: BaseException) -> Iterator[BaseException]:
    """The errors in a group and in the groups inside it, in order; for an error that is no group the error itself."""
    if isinstance(error, BaseExceptionGroup):
        for inner in error.exceptions:
            yield from errors_within(inner)
    else:
        yield error
