"""How a verb ends when something goes wrong: one sentence on standard error, and the exit code that belongs to it."""

from typing import NoReturn

import click

from protocol.sanitize import clean
from replays.cli.output import echo

LONGEST = 1000
"""Characters of a sentence."""


def fail(text: str, exit_code: int) -> NoReturn:
    """Ends the verb with a sentence on standard error (none if `text` is empty) and with this exit code."""
    if text:
        echo(f"Error: {clean(text, LONGEST)}", err=True)
    raise click.exceptions.Exit(exit_code)
