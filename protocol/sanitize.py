"""Text from other people made harmless: names and chat for a terminal, a log line or a sentence.

Escape sequences, control characters (C0 and C1), line and paragraph separators, bidirectional marks and every other
invisible format character are removed. So a text stays on its line and cannot control a terminal.
"""

import re
import unicodedata

_SEQUENCE = re.compile(
    r"(?:\x1b\[|\x9b)[\x30-\x3f]*[\x20-\x2f]*[\x40-\x7e]?"  # CSI: colours, cursor, clearing
    r"|(?:\x1b[P\]X^_]|[\x90\x98\x9d\x9e\x9f])[^\x07\x1b\x9c]*(?:\x07|\x1b\\|\x9c)?"  # OSC and other strings
    r"|\x1b[\x20-\x2f]*[\x30-\x7e]?"  # the short ones
)
INVISIBLE_LETTERS = frozenset("\u115f\u1160\u3164\uffa0")
"""Characters that are letters by their category, and for which nothing is drawn."""
_MARKS = 2
"""Combining marks kept on one letter; more of them would cover the lines above."""


def clean(text: str, limit: int) -> str:
    """The text on one line, without anything invisible, with single blanks, at most `limit` characters long."""
    if not (text.isascii() and text.isprintable()):
        text = _visible(unicodedata.normalize("NFC", _SEQUENCE.sub("", text[: 8 * limit])))
    return " ".join(text.split())[:limit].rstrip()


def _visible(text: str) -> str:
    out: list[str] = []
    marks = 0
    for char in text:
        category = unicodedata.category(char)
        if char in "\t\n\v\f\r\x85" or category[0] == "Z" or char in INVISIBLE_LETTERS:
            char = " "
        elif category[0] == "C":
            # Cc and Cf are the controls and the invisible marks; Cs, Co and Cn have no agreed shape.
            continue
        marks = marks + 1 if category in ("Mn", "Me") else 0
        if marks <= _MARKS:
            out.append(char)
    return "".join(out)
