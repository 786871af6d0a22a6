"""How a verb ends when something goes wrong: one sentence on standard error, and the exit code that belongs to it."""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import NoReturn

import click

EXIT_INTERRUPTED = 130


def fail(text: str, exit_code: int) -> NoReturn:
    """Ends the verb with a sentence on standard error, and with the exit code that belongs to it."""
    if text:
        click.echo(f"Error: {text}", err=True)
    raise click.exceptions.Exit(exit_code)


@contextmanager
def troubles() -> Iterator[None]:
    """What may go wrong, as a sentence and an exit code. Our own mistakes pass through as what they are."""
    try:
        yield
    except (Exception, BaseExceptionGroup, KeyboardInterrupt) as error:
        trouble = the_trouble(error)
        if isinstance(trouble, KeyboardInterrupt):
            fail("", EXIT_INTERRUPTED)
        if isinstance(trouble, BrokenPipeError):
            raise trouble from None  # whoever was reading has had enough; click ends quietly
        code = getattr(trouble, "exit_code", None)
        if isinstance(trouble, click.ClickException | click.exceptions.Exit) or not isinstance(code, int):
            raise
        fail(str(trouble), code)


def the_trouble(error: BaseException) -> BaseException:
    """The error inside groups: the first one that has an exit code, else the first."""
    if not isinstance(error, BaseExceptionGroup):
        return error
    inner = [the_trouble(one) for one in error.exceptions]
    return next((one for one in inner if hasattr(one, "exit_code")), inner[0])
