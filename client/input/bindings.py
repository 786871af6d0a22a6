"""The one table of keys: it binds them, lists them on the prompt line, and is the help.

Two kinds of keys: those that answer the open request come from its options (`client.input.decision_keys`), those of
the table are the rows below. A key of the request goes before a key of the table.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Literal, TypeAlias

from client.display.seat_rows import MARKS
from client.input.decision_keys import Key

Deed: TypeAlias = Literal[
    "chat", "command", "help", "redraw", "leave", "up", "down", "top", "bottom",
    "go_on", "show", "ahead_call", "ahead_fold", "before", "cover", "peek", "why", "away", "bell", "suits", "theme",
    "close",
    "ask_pot", "ask_stacks", "ask_up", "ask_hand",
]  # fmt: skip


@dataclass(frozen=True, slots=True)
class TableKey:
    """A key of the table: `press` as prompt_toolkit names it, `shown` as the help does."""

    press: tuple[str, ...]
    shown: str
    label: str
    deed: Deed


TABLE_KEYS: tuple[TableKey, ...] = (
    TableKey(("space", "n"), "Space n", "go on, once the result has been read", "go_on"),
    TableKey(("e",), "e", "after a hand: show hidden cards, some or all; nothing is shown otherwise", "show"),
    TableKey(("C",), "C", "before your turn: check or call at this price when asked", "ahead_call"),
    TableKey(("F",), "F", "before your turn: fold at this price when asked", "ahead_fold"),
    TableKey(("t", "tab"), "t Tab", "chat; Esc comes back, Enter sends", "chat"),
    TableKey(("/",), "/", "a command, such as /away, /rebuy 50, /quit", "command"),
    TableKey(("pageup",), "PageUp", "scroll the story back", "up"),
    TableKey(("pagedown",), "PageDown", "scroll the story forward", "down"),
    TableKey(("c-home", "<"), "<", "to the beginning of the story", "top"),
    TableKey(("c-end", ">"), ">", "to the end of the story", "bottom"),
    TableKey(("p",), "p", "the pot, in words", "ask_pot"),
    TableKey(("s",), "s", "everybody's chips", "ask_stacks"),
    TableKey(("u",), "u", "everybody's cards", "ask_up"),
    TableKey(("i",), "i", "your own hand", "ask_hand"),
    TableKey(("w",), "w", "why: who opens, what is missing", "why"),
    TableKey(("o",), "o", "look again at the boards before bring 'em back", "before"),
    TableKey(("x",), "x", "turn your own cards face down, and up again", "cover"),
    TableKey(("X",), "X", "look at your own face-down cards while you hold it", "peek"),
    TableKey(("z",), "z", "sit out from the next hand on, and back", "away"),
    TableKey(("m",), "m", "bell on your turn: on or off", "bell"),
    TableKey(("S",), "S", "suits as letters or as signs", "suits"),
    TableKey(("c-r",), "Ctrl+R", "read colours and theme from your files again", "theme"),
    TableKey(("?", "f1"), "? F1", "these keys", "help"),
    TableKey(("c-l",), "Ctrl+L", "draw the screen again", "redraw"),
    TableKey(("c-c", "<sigint>"), "Ctrl+C twice", "leave; the seat is kept", "leave"),
    TableKey(("escape",), "Esc", "close what lies over the story; take back what you chose ahead", "close"),
)


def pressed(keys: Sequence[Key], name: str) -> Key | None:
    """The key of the open request with that name."""
    return next((key for key in keys if name in key.press), None)


def table_key(name: str) -> TableKey | None:
    """The key of the table with that name."""
    return next((key for key in TABLE_KEYS if name in key.press), None)


SEATED: frozenset[Deed] = frozenset(
    ("go_on", "show", "ahead_call", "ahead_fold", "chat", "ask_hand", "cover", "peek", "away", "bell")
)
"""What has no sense for an onlooker."""


def help_lines(
    keys: Sequence[Key], shown: Callable[[str], str] = str, *, watching: bool = False
) -> list[tuple[str, str]]:
    """The help as (style, text) lines: the keys of the decision, then those of the table, then the marks.

    `shown` puts moved keys in the places of the usual ones (`client.input.keymap`). An onlooker (`watching`) is told
    of no key that needs a seat.
    """
    lines: list[tuple[str, str]] = []
    listed = [(shown(key.shown), key.label) for key in keys if key.shown]
    if listed:
        lines.append(("class:title", "Now"))
        lines += [("", f"  {key:<13}{label}") for key, label in listed]
    elif watching:
        lines.append(("class:faint", "You are watching: nothing is asked of you, and nobody's hidden cards are here."))
    else:
        lines.append(("class:faint", "It is not your turn. When it is, the keys stand at the bottom:"))
        lines += [("class:faint", f"  {shown(key):<13}{label}") for key, label in ANSWER_KEYS]
    lines.append(("class:title", "At the table"))
    lines += [
        ("", f"  {shown(key.shown):<13}{key.label}") for key in TABLE_KEYS if not (watching and key.deed in SEATED)
    ]
    lines.append(("class:title", "Beside a name"))
    lines += [("", f"  {mark:<13}{text}") for mark, text in (*MARKS, (">", "asked for a decision"))]
    lines += [
        ("", "  [..] cards    hidden cards, then those face up, in the order turned"),
    ]
    return lines


ANSWER_KEYS: tuple[tuple[str, str], ...] = (
    ("c", "check or call"),
    ("b", "bet, bring in; type the amount where there is a choice"),
    ("r", "raise, complete"),
    ("f", "fold; asks back while checking is free"),
    ("1-7", "choose cards; Backspace takes one back"),
    ("h l Enter", "declare high or low"),
)
"""What the keys of a request are in general; the real ones are made from its options."""
