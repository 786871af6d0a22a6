"""Errors of a verb that become a sentence on standard error and an exit code."""

from collections.abc import Iterator
from contextlib import contextmanager

import click

from replays.cli.failures import fail
from server.errors import EXIT_INTERRUPTED, errors_within

_REMEDIES = {"bad_password": " Give it in RYO_PASSWORD or with --password-file; on a terminal you are asked for it."}
"""What the user can do, by the code of a refusal."""


@contextmanager
def exit_on_errors() -> Iterator[None]:
    """Turns an error that has an `exit_code` into its sentence and this code. Our own bugs pass through unchanged."""
    try:
        yield
    except (Exception, BaseExceptionGroup, KeyboardInterrupt) as raised:
        error = root_error(raised)
        if isinstance(error, KeyboardInterrupt):
            fail("", EXIT_INTERRUPTED)
        if isinstance(error, BrokenPipeError):
            raise error from None  # the reader of our output has gone; click ends quietly
        code = getattr(error, "exit_code", None)
        if isinstance(error, click.ClickException | click.exceptions.Exit) or not isinstance(code, int):
            raise
        fail(f"{error}{_REMEDIES.get(getattr(error, 'code', ''), '')}", code)


def root_error(error: BaseException) -> BaseException:
    """The error inside groups: the first one that has an exit code, else the first."""
    inner = list(errors_within(error))
    return next((one for one in inner if hasattr(one, "exit_code")), inner[0])
