"""The story pane: sentences and chat, with the cards in them coloured."""

import re
from dataclasses import dataclass

from client.cells import Line, clean, wrap
from client.theme import Theme
from protocol.cards import card
from protocol.view import TableView

_CARD = r"\b[2-9TJQKA][cdhs]\b"


@dataclass(frozen=True, slots=True)
class Tale:
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


def paint(tale: Tale, view: TableView, theme: Theme, columns: int, *, covered: bool = False) -> list[Line]:
    """The sentence in lines of at most so many columns; `covered`: without the cards in a secret one."""
    text = clean(tale.text)
    if tale.chat:
        return [[("class:say", part)] for part in wrap(text, columns)]
    if tale.head:
        return [[("class:title", part)] for part in wrap(text, columns)]
    names = [re.escape(clean(seat.name)) for seat in view.players() if seat.name]
    pattern = re.compile("|".join([*sorted(names, key=len, reverse=True), f"({_CARD})"]))
    hide = covered and tale.secret
    return [_colour(part, pattern, theme, hide=hide) for part in wrap(text, columns)]


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
