"""The story pane: sentences and chat, with the cards in colour."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import groupby

from client.display.text_cells import Line, clean, cut, width, wrap_line
from client.display.theme import Theme
from protocol.narration.spans import CardSpan, Sentence, plain


@dataclass(frozen=True, slots=True)
class StoryLine:
    """One sentence of the story.

    Fields:
        chat: what somebody said.
        head: the beginning of a hand or a street.
        secret: it may name the player's own hidden cards, which can be covered.
        private: it also says something about them in words.
        rule: it stands in a horizontal line; right: with this text at its right end.
    """

    sentence: Sentence
    chat: bool = False
    head: bool = False
    secret: bool = False
    private: bool = False
    rule: bool = False
    right: str = ""

    @property
    def text(self) -> str:
        """The sentence as plain text."""
        return plain(self.sentence)


@lru_cache(maxsize=8192)
def paint(entry: StoryLine, theme: Theme, columns: int, covered: bool = False) -> Sequence[Line]:
    """The sentence in lines of at most so many columns; `covered`: without secret cards and private words."""
    if covered and entry.private:
        return [[("", cut("* (about your own cards)", columns))]]
    if entry.rule:
        return [_ruled(entry, theme, columns)]
    style = "class:say" if entry.chat else "class:title" if entry.head else ""
    if not entry.text.isprintable():
        return wrap_line([(style, clean(entry.text))], columns)
    line: Line = []
    for card, spans in groupby(entry.sentence, lambda span: span.card if isinstance(span, CardSpan) else None):
        if card is None:
            line.append((style, "".join(map(str, spans))))
        else:
            seen = None if covered and entry.secret else card
            line += [(f"class:up {theme.suit_class(seen)}", theme.card(seen)) for _ in spans]
    return wrap_line(line, columns)


def _ruled(entry: StoryLine, theme: Theme, columns: int) -> Line:
    """``-- Fifth street ----------- pot 34 --``"""
    text = cut(f" {clean(entry.text)} ", columns - 2)
    right = f" {entry.right} " if entry.right and width(text) + len(entry.right) + 6 <= columns else ""
    line = theme.rule * max(0, columns - 4 - width(text) - len(right))
    style = "class:title" if entry.head else "class:faint"
    end = theme.rule * 2
    return [("class:rule", end), (style, text), ("class:rule", line), ("class:pot", right), ("class:rule", end)]
