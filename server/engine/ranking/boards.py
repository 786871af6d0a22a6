"""The strength of a board: the one to four up cards that decide who opens (`rules.md` 2.5).

Pairs and better count, straights and flushes do not. The board with the largest strength opens, for the high board and
for the low board alike; 0 is an empty board. A missing card is worse than any card, so boards of different sizes
compare, too.

Suits do not matter, so the strength follows from the sum of the `BOARD_KEY` of each card. A hand keeps that sum, the
running key of the board, while cards are dealt, and asks `high_board_of_key` or `low_board_of_key`.
"""

from collections.abc import Callable, Iterable
from itertools import combinations_with_replacement

from protocol.cards import Card
from server.engine.ranking.lookup_tables import BOARD_SIZES, shipped

BOARD_KEY = [5 ** (card >> 2) for card in range(52)]
_KEYS = [
    sum(keys) for size in BOARD_SIZES for keys in combinations_with_replacement([5**rank for rank in range(13)], size)
]
_HIGH = {0: 0} | dict(zip(_KEYS, shipped().high_boards, strict=True))
_LOW = {0: 0} | dict(zip(_KEYS, shipped().low_boards, strict=True))
PAIRED_BOARDS = frozenset(
    [
        sum(keys)
        for size in BOARD_SIZES
        for keys in combinations_with_replacement([5**rank for rank in range(13)], size)
        if len(set(keys)) < size
    ]
)
"""The running keys of all boards of up to four cards with a pair or better."""


def high_board(cards: Iterable[Card]) -> int:
    """The strength of an up-card board where the highest opens. Raises KeyError above four cards."""
    return _HIGH[sum([BOARD_KEY[card] for card in cards])]


def low_board(cards: Iterable[Card]) -> int:
    """The strength of an up-card board where the lowest opens, aces low. Raises KeyError above four cards."""
    return _LOW[sum([BOARD_KEY[card] for card in cards])]


high_board_of_key: Callable[[int], int] = _HIGH.__getitem__
"""`high_board` of the board with this running key. Raises KeyError above four cards."""

low_board_of_key: Callable[[int], int] = _LOW.__getitem__
"""`low_board` of the board with this running key. Raises KeyError above four cards."""
