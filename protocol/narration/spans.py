"""A sentence as spans: text, cards and players, so that a screen can colour a card without searching text for it.

The plain text of a sentence is the join of the texts of its spans: `plain`.
"""

from collections.abc import Iterable, Sequence
from typing import TypeAlias

import msgspec

from protocol.cards import TEXTS, Card, MaybeCard
from protocol.events import Seat


class CardSpan(msgspec.Struct, frozen=True, gc=False):
    """A card that the reader may see; its text is ``As``. A hidden card is plain text, ``??``."""

    card: Card

    def __str__(self) -> str:
        return TEXTS[self.card]


class SeatSpan(msgspec.Struct, frozen=True, gc=False):
    """A player, with the name that they have while the sentence is told."""

    seat: Seat
    name: str

    def __str__(self) -> str:
        return self.name


Span: TypeAlias = str | CardSpan | SeatSpan
Sentence: TypeAlias = tuple[Span, ...]
"""Spans one behind the other; two texts never stand side by side."""


def compose(*parts: Span | int | Sentence) -> Sentence:
    """The parts one behind the other, numbers as text."""
    spans: list[Span] = []
    for part in parts:
        for span in part if isinstance(part, tuple) else (str(part) if isinstance(part, int) else part,):
            if isinstance(span, str) and spans and isinstance(before := spans[-1], str):
                spans[-1] = before + span
            elif span != "":
                spans.append(span)
    return tuple(spans)


def plain(sentence: Sentence) -> str:
    """The text of a sentence."""
    return "".join(map(str, sentence))


def cards(row: Iterable[MaybeCard]) -> Sentence:
    """``As Td ??``"""
    return joined([("??",) if card is None else (CardSpan(card),) for card in row], " ")


def joined(items: Iterable[Sentence], between: str = ", ") -> Sentence:
    """``a, b, c``"""
    parts: list[Span | Sentence] = []
    for item in items:
        parts += [between, item] if parts else [item]
    return compose(*parts)


def listed(items: Sequence[Sentence], last: str = " and ") -> Sentence:
    """``a, b and c``"""
    if len(items) < 2:
        return joined(items)
    return compose(joined(items[:-1]), last, items[-1])


def finished(sentence: Sentence) -> Sentence:
    """With a capital at the beginning and a stop at the end; a name keeps its spelling. Nothing stays nothing."""
    if not sentence:
        return ()
    first, last = sentence[0], sentence[-1]
    if isinstance(first, str):
        sentence = (first[:1].upper() + first[1:], *sentence[1:])
    stopped = isinstance(last, str) and last.endswith((".", "!", "?"))
    return sentence if stopped else compose(sentence, ".")


WireSpan: TypeAlias = str | int | tuple[str]
"""A span for a client or a page: text, a card as its number, or alone in a list the name of a player."""


def on_the_wire(sentence: Sentence) -> tuple[WireSpan, ...]:
    """The sentence for a client or a page that makes its own elements of cards and names."""
    return tuple(
        [
            (span.name,) if isinstance(span, SeatSpan) else span.card if isinstance(span, CardSpan) else span
            for span in sentence
        ]
    )
