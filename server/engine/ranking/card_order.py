"""The order of single cards, suits included: clubs lowest, then diamonds, hearts and spades (`rules.md` 2, 3)."""

from collections.abc import Callable

from protocol.cards import DECK, Card

ace_high: Callable[[Card], int] = DECK.__getitem__
"""Place of a card from the two of clubs, 0, up to the ace of spades, 51."""

ace_low: Callable[[Card], int] = tuple([(card + 4) % 52 for card in DECK]).__getitem__
"""Place of a card from the ace of clubs, 0, up to the king of spades, 51."""


EIGHT = 7
"""The low rank of an eight, see `low_rank`."""


def low_rank(card: Card) -> int:
    """0 for an ace, 1 for a two, up to 12 for a king."""
    return ((card >> 2) + 1) % 13
