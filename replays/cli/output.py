"""Texts of other people on the reader's terminal, whatever characters it knows."""

import shutil
import sys

from server.terminal import put


def padded(text: str, columns: int) -> str:
    """The text filled with blanks to so many columns."""
    return text + " " * (columns - width(text))


def width(text: str) -> int:
    """The columns that a harmless text takes on standard output: a wide character takes two, a ``?`` for it one."""
    if text.isascii() and text.isprintable():
        return len(text)  # as most texts are, and a long list has very many of them
    from wcwidth import wcwidth  # PERF: it is a third of the imports of `ryo --help`, which never comes here

    encoding = getattr(sys.stdout, "encoding", None) or "ascii"
    return sum(max(0, wcwidth(char)) for char in text.encode(encoding, "replace").decode(encoding))


def echo(text: str, *, err: bool = False) -> None:
    """A sentence on standard output, or on standard error; on a terminal it is broken between words.

    Elsewhere it stays one line, for programs that read it.
    """
    stream = sys.stderr if err else sys.stdout
    for line in wrapped(text, shutil.get_terminal_size().columns) if stream.isatty() else [text]:
        put(line, err=err)


def wrapped(text: str, columns: int) -> list[str]:
    """The text in lines of at most so many columns, broken between words; a longer word has a line of its own."""
    lines = [""]
    for number, word in enumerate(text.split(" ")):
        longer = f"{lines[-1]} {word}" if number else word
        if width(longer) <= columns or not lines[-1].strip():
            lines[-1] = longer
        else:
            lines.append(f"  {word}")
    return lines
