"""Cards as small integers.

A card is ``4 * rank + suit`` with ranks 0..12 for 2..A and suits 0..3 for
c d h s (`rules.md` 2). So cards sort by rank first, and clubs are the lowest
suit. In messages a card is that integer and a hidden card is nil. Both take one
byte, so the length of a message never depends on a card.
"""

from collections.abc import Iterable, Sequence
from typing import TypeAlias

Card: TypeAlias = int
"""A card that the reader may see, 0..51."""

MaybeCard: TypeAlias = int | None
"""A card, or None where it is hidden from the reader."""

RANKS = "23456789TJQKA"
SUITS = "cdhs"
DECK: tuple[Card, ...] = tuple(range(52))
TEXTS: tuple[str, ...] = tuple(rank + suit for rank in RANKS for suit in SUITS)
_BY_TEXT = {text: card for card, text in enumerate(TEXTS)}

RANK_NAMES = ("two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "jack", "queen", "king", "ace")
SUIT_NAMES = ("clubs", "diamonds", "hearts", "spades")


def card(text: str) -> Card:
    """The card written ``As``, ``Td`` or ``9h``. Raises ValueError for anything else."""
    try:
        return _BY_TEXT[text]
    except KeyError:
        raise ValueError(f"not a card: {text!r}") from None


def cards(text: str) -> list[Card]:
    """The cards in ``"As Td9h"``; blanks between cards are optional. Raises ValueError."""
    packed = "".join(text.split())
    if len(packed) % 2:
        raise ValueError(f"not a row of cards: {text!r}")
    return [card(packed[i : i + 2]) for i in range(0, len(packed), 2)]


def card_text(card: MaybeCard) -> str:
    """``As``, or ``??`` for a hidden card."""
    return "??" if card is None else TEXTS[card]


def cards_text(row: Iterable[MaybeCard]) -> str:
    """``As Td ??``"""
    return " ".join(map(card_text, row))


def rank_of(card: Card) -> int:
    """0 for a two up to 12 for an ace."""
    return card >> 2


def suit_of(card: Card) -> int:
    """0 clubs, 1 diamonds, 2 hearts, 3 spades."""
    return card & 3


def hidden(row: Sequence[MaybeCard]) -> tuple[None, ...]:
    """As many hidden cards as the row holds."""
    return (None,) * len(row)
