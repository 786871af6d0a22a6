"""Texts of other people on the reader's terminal, whatever characters it knows."""

import io
import sys

from wcwidth import wcwidth


def write_any_text() -> None:
    """Write ``?`` for a character that the terminal does not have; without this it would end the program."""
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="replace")


def padded(text: str, columns: int) -> str:
    """The text filled with blanks to so many columns."""
    return text + " " * (columns - width(text))


def width(text: str) -> int:
    """The columns that a harmless text takes on standard output: a wide character takes two, a ``?`` for it one."""
    encoding = getattr(sys.stdout, "encoding", None) or "ascii"
    return sum(max(0, wcwidth(char)) for char in text.encode(encoding, "replace").decode(encoding))


def counted(number: int, thing: str) -> str:
    """``1 hand``, ``3 hands``"""
    return f"{number} {thing}{'' if number == 1 else 's'}"
