"""Cards as boxes of three, five or seven rows: hidden cards in one group, those that are face up in the next.

╭──╭──╭──╮ ╭──╭──╮     ╭───╭───╮     ╭─────╮╭─────╮
│5♥│7♥│Q♦│ │A♠│4♥│     │A  │4  │     │A♠   ││░░░░░│
╰──╰──╰──╯ ╰──╰──╯     │ ♠ │ ♥ │     │     ││░░░░░│
                       │  A│  4│     │  ♠  ││░░░░░│
                       ╰───╰───╯     │     ││░░░░░│
                                     │   A♠││░░░░░│
                                     ╰─────╯╰─────╯
"""

from functools import lru_cache
from typing import TypeAlias

from client.display.card_tiles import Look, tile
from client.display.text_cells import Line
from client.display.theme import Theme
from protocol.cards import MaybeCard

Group: TypeAlias = tuple[tuple[MaybeCard, Look], ...]
"""Cards side by side, each with its look."""

INNER = {3: 2, 5: 3, 7: 5, 9: 7}
"""Columns inside the box of a card, by the rows of the box."""
APART = 7
"""Rows of a box from which each card has a frame of its own; smaller cards lie on each other."""


def boxes_width(down: int, up: int, height: int) -> int:
    """Columns of the boxes of so many hidden cards and so many that are face up."""
    groups = [count for count in (down, up) if count]
    step = INNER[height] + (2 if height >= APART else 1)
    return sum(step * count + (height < APART) for count in groups) + (len(groups) > 1)


@lru_cache(maxsize=1024)
def card_boxes(groups: tuple[Group, ...], height: int, theme: Theme, frame: str) -> tuple[Line, ...]:
    """The rows of the boxes; `frame` is the style of the lines around the cards."""
    rows: list[Line] = [[] for _ in range(height)]
    for group in groups:
        if not group:
            continue
        if rows[0]:
            for row in rows:
                row.append(("", " "))
        for place, (card, look) in enumerate(group):
            last = place == len(group) - 1 or height >= APART
            _add_box(rows, card, look, theme, frame, closed=last)
    return tuple(rows)


def _add_box(rows: list[Line], card: MaybeCard, look: Look, theme: Theme, frame: str, *, closed: bool) -> None:
    """Adds the box of one card at the right; one that is not closed is closed by the next card, which lies on it."""
    left_top, right_top, left_low, right_low = "++++" if theme.ascii else "╭╮╰╯"
    inner = INNER[len(rows)]
    rows[0].append((frame, left_top + theme.rule * inner + right_top * closed))
    style = tile(card, look, theme)[0]
    for row, text in zip(rows[1:-1], _face(card, inner, len(rows) - 2, theme), strict=True):
        row += [(frame, theme.bar), (style, text)]
        if closed:
            row.append((frame, theme.bar))
    rows[-1].append((frame, left_low + theme.rule * inner + right_low * closed))


def _face(card: MaybeCard, columns: int, rows: int, theme: Theme) -> list[str]:
    """What is printed on a card: its rank at two corners, the sign of its suit in the middle; on its back a pattern."""
    name = theme.tile(card)
    if rows == 1:
        return [name]
    if card is None:
        return [name[0] * columns] * rows
    # A letter in the middle says less than it disturbs.
    sign = theme.symbols and not theme.ascii
    corner = name[0] if columns < 4 and sign else name
    blank = [" " * columns] * ((rows - 3) // 2)
    middle = (name[1] if sign else "").center(columns)
    return [corner.ljust(columns), *blank, middle, *blank, corner.rjust(columns)]
