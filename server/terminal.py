"""The terminal of a verb, or the pipe in its place: text in the characters that it takes, and a person's answers."""

import io
import os
import sys
from contextlib import suppress

import click


def write_any_text() -> None:
    """From now on ``?`` stands for a character that a stream does not have; without this it would end the program."""
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="replace")


def give_output_up() -> None:
    """Nothing is written to standard output any more.

    At its end Python would try again what is left for a reader that has gone, and end the program with 120.
    """
    sys.stdout = open(os.devnull, "w")  # noqa: SIM115 (kept open until the end)


def put(text: str, *, err: bool = False, nl: bool = True) -> None:
    """Writes a text as it is.

    To a terminal that takes ASCII only, `click.echo` writes UTF-8 unless it is given the stream.
    """
    click.echo(text, file=sys.stderr if err else sys.stdout, nl=nl)


def ask(question: str, default: str | None = None, *, hide: bool = False, twice: bool = False) -> str:
    """A person's answer at the terminal. What follows its line was pasted: it is dropped, and is nobody's move."""
    answer: str = click.prompt(question, default=default, hide_input=hide, confirmation_prompt=twice, err=True)
    if sys.platform != "win32":
        import termios

        with suppress(termios.error):
            termios.tcflush(sys.stdin.fileno(), termios.TCIFLUSH)
    return answer
