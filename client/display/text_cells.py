"""Text measured in the columns of a terminal.

A `Line` is a row of (style, text) fragments, as prompt_toolkit takes them; one that can be clicked has a third part,
the function to call. A column is one cell: CJK characters take two, combining marks none.

Text is measured character by character, because prompt_toolkit, which paints it, does the same. `wcwidth.width`, `clip`
and `wrap` measure what modern terminals show: an emoji that is joined from three counts 2 there, and prompt_toolkit
paints it in 6 cells, so that the end of the line would be lost.
"""

import re
from collections.abc import Callable
from functools import lru_cache
from typing import TypeAlias

from wcwidth import wcwidth

from protocol.sanitize import clean as harmless

Fragment: TypeAlias = tuple[str, str] | tuple[str, str, Callable[[], None]]
Line: TypeAlias = list[Fragment]

_JOINING = re.compile("[\ufe00-\ufe0f\U000e0100-\U000e01ef\U0001f3fb-\U0001f3ff]")
"""Variation selectors and skin tones: they change the columns of the character before, on some terminals only."""
LONGEST = 400
"""Characters of a text from somebody else that are shown."""


@lru_cache(maxsize=4096)
def clean(text: str) -> str:
    """The text on one line, without characters that move the cursor or turn the text (`protocol.sanitize`)."""
    return text if text.isascii() and text.isprintable() else harmless(_JOINING.sub("", text), LONGEST)


@lru_cache(maxsize=4096)
def width(text: str) -> int:
    """Columns of a cleaned text."""
    if text.isascii():
        return len(text)
    return sum(max(0, wcwidth(char)) for char in text)


def cut(text: str, columns: int, mark: str = "~") -> str:
    """The text in at most so many columns; `mark` stands where something was cut off."""
    if width(text) <= columns:
        return text
    room = columns - len(mark)
    if room < 0:
        return ""
    kept = ""
    for char in text:
        room -= max(0, wcwidth(char))
        if room < 0:
            break
        kept += char
    return kept + mark


def fit(text: str, columns: int) -> str:
    """The text in exactly so many columns, cut or padded."""
    text = cut(text, columns)
    return text + " " * (columns - width(text))


def wrap(text: str, columns: int, indent: str = "  ") -> list[str]:
    """The text in lines of at most so many columns, broken between words if possible; at least one line."""
    if columns <= len(indent) + 1:
        return [cut(text, columns, "")]
    lines: list[str] = []
    line = ""
    for word in text.split(" "):
        longer = f"{line} {word}" if line.strip() else line + word
        if width(longer) <= columns:
            line = longer
            continue
        if line.strip():
            lines.append(line)
            line = indent
        while width(line + word) > columns:
            head = cut(word, columns - width(line), "") or word[0]
            lines.append(line + head)
            word, line = word[len(head) :], indent
        line += word
    lines.append(line)
    return lines


def wrap_line(line: Line, columns: int) -> list[Line]:
    """A line in lines of at most so many columns, broken like its text by `wrap`."""
    text = plain(line)
    wrapped: list[Line] = []
    end = 0
    for part in wrap(text, columns):
        words = part.lstrip()
        start = text.index(words, end)
        end = start + len(words)
        piece = _piece(line, start, end)
        if piece and words != part:
            piece[0] = _with_text(piece[0], part[: len(part) - len(words)] + piece[0][1])
        wrapped.append(piece)
    return wrapped


def _piece(line: Line, start: int, end: int) -> Line:
    """The fragments between two characters of a line."""
    piece: Line = []
    at = 0
    for fragment in line:
        text = fragment[1][max(0, start - at) : max(0, end - at)]
        if text:
            piece.append(_with_text(fragment, text))
        at += len(fragment[1])
    return piece


def _with_text(fragment: Fragment, text: str) -> Fragment:
    return (fragment[0], text) if len(fragment) == 2 else (fragment[0], text, fragment[2])


_HANGING = re.compile(r"\s*\S.*?\s{2,}")


def hang(text: str, columns: int) -> list[str]:
    """The text in lines of at most so many columns; all lines begin beside the first field: ``  f    fold ...``"""
    if width(text) <= columns:
        return [text]
    field = _HANGING.match(text)
    indent = len(text) - len(text.lstrip())
    if field is not None and width(field[0]) <= columns // 2:
        indent = width(field[0])
    head, rest = text[:indent], text[indent:]
    parts = wrap(rest, columns - indent, "")
    return [head + parts[0], *(" " * indent + part for part in parts[1:])]


def line_width(line: Line) -> int:
    """Columns of a line."""
    return sum(width(fragment[1]) for fragment in line)


def clip(line: Line, columns: int) -> Line:
    """The line in exactly so many columns: cut, or filled with blanks."""
    result: Line = []
    room = columns
    for fragment in line:
        taken = width(fragment[1])
        if taken > room:
            text = cut(fragment[1], room)
            result.append(_with_text(fragment, text))
            room -= width(text)
            break
        result.append(fragment)
        room -= taken
    if room > 0:
        result.append(("", " " * room))
    return result


def plain(line: Line) -> str:
    """The line without its styles."""
    return "".join(fragment[1] for fragment in line)
