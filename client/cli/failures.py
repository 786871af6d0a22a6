"""How a verb ends when something goes wrong: one sentence on standard error, and the exit code that belongs to it."""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import NoReturn

import click

from server.errors import EXIT_INTERRUPTED, errors_within


def fail(text: str, exit_code: int) -> NoReturn:
    """Ends the verb with a sentence on standard error (none if `text` is empty) and with this exit code."""
    if text:
        click.echo(f"Error: {text}", err=True)
    raise click.exceptions.Exit(exit_code)


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
        fail(str(error), code)


def root_error(error: BaseException) -> BaseException:
    """The error inside groups: the first one that has an exit code, else the first."""
    inner = list(errors_within(error))
    return next((one for one in inner if hasattr(one, "exit_code")), inner[0])
