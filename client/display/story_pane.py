"""The story pane: sentences and chat, with the cards in them coloured."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

from client.display.text_cells import Line, clean, wrap
from client.display.theme import Theme
from protocol.cards import card
from protocol.view import TableView

_CARD = r"\b[2-9TJQKA][cdhs]\b"


@dataclass(frozen=True, slots=True)
class StoryLine:
    """One sentence of the story.

    Fields:
        chat: what somebody said, whose words are never taken for cards.
        head: the beginning of a hand or a street.
        secret: it may tell the reader's own hidden cards, which can be covered.
    """

    text: str
    chat: bool = False
    head: bool = False
    secret: bool = False


def names_of(view: TableView) -> tuple[str, ...]:
    """The names at the table, longest first."""
    return tuple(sorted({clean(seat.name) for seat in view.players()}, key=len, reverse=True))


@lru_cache(maxsize=8192)
def paint(
    entry: StoryLine, names: tuple[str, ...], theme: Theme, columns: int, covered: bool = False
) -> Sequence[Line]:
    """The sentence in lines of at most so many columns; `covered`: without the cards in a secret one."""
    parts = wrap(clean(entry.text), columns)
    if entry.chat or entry.head:
        return [[("class:say" if entry.chat else "class:title", part)] for part in parts]
    pattern = _pattern(names)
    return [_colour(part, pattern, theme, hide=covered and entry.secret) for part in parts]


@lru_cache(maxsize=64)
def _pattern(names: tuple[str, ...]) -> re.Pattern[str]:
    """Names, or a card as group 1: a name that reads like a card is taken for the name."""
    return re.compile("|".join([*map(re.escape, names), f"({_CARD})"]))


def _colour(text: str, pattern: re.Pattern[str], theme: Theme, *, hide: bool) -> Line:
    line: Line = []
    end = 0
    for found in pattern.finditer(text):
        if found.group(1) is None:
            continue  # a name, even one that reads like a card
        line.append(("", text[end : found.start()]))
        number = None if hide else card(found.group(1))
        line.append((f"class:up {theme.suit_class(number)}", theme.card(number)))
        end = found.end()
    line.append(("", text[end:]))
    return line
