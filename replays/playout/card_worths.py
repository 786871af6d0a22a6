"""What the cards of a play-out are worth, worked out once for all play-outs of a decision.

The options of a decision are played on the same deals. So the same hands stand next to the same boards again and again:
in one option after the other, and a hand of five that was kept from the first roll to the last. What they are worth
follows from the cards alone, and is kept by the cards.
"""

from collections.abc import Callable, Sequence
from itertools import combinations
from typing import TypeAlias

from protocol.cards import Card
from replays.hand_reading.buckets import BoardWorth, Danger, HandWorth, Judge, Way

Cards: TypeAlias = tuple[Card, ...]
Boards: TypeAlias = tuple[int, ...]
"""The numbers of boards."""


class CardWorths:
    """What one judge finds of cards. Boards have numbers, in the order in which they are met.

    Args:
        judge: of the game, with the ranks that are wild.

    Attributes:
        useless: the hidden cards that help a hand least, by (hidden cards, all cards, boards of others, how many).
    """

    __slots__ = ("_board_numbers", "_boards", "_dangers", "_hands", "_stripped", "judge", "useless")

    def __init__(self, judge: Judge) -> None:
        self.judge = judge
        self._hands: dict[tuple[Cards, bool], HandWorth] = {}
        self._board_numbers: dict[Cards, int] = {}
        self._boards: list[BoardWorth] = []
        self._dangers: dict[Boards, Danger] = {}
        self.useless: dict[tuple[Cards, Cards, Boards, int], list[Card]] = {}
        self._stripped: dict[tuple[Cards, int, bool], Cards] = {}

    def hand(self, cards: Cards, *, final: bool) -> HandWorth:
        """See `Judge.worth`."""
        key = (cards, final)
        found = self._hands.get(key)
        if found is None:
            found = self._hands[key] = self.judge.worth(cards, final=final)
        return found

    def board(self, cards: Cards) -> int:
        """The number of a board."""
        found = self._board_numbers.get(cards)
        if found is None:
            found = self._board_numbers[cards] = len(self._boards)
            self._boards.append(self.judge.board_worth(cards))
        return found

    def board_worth(self, number: int) -> BoardWorth:
        """What a board is worth."""
        return self._boards[number]

    def facing(self, boards: Boards) -> Danger:
        """See `Judge.facing`."""
        found = self._dangers.get(boards)
        if found is None:
            found = self._dangers[boards] = self.judge.facing([self._boards[number] for number in boards])
        return found

    def bucket(
        self, down: Sequence[Card], up: Sequence[Card], middle: Sequence[Card], boards: Boards, *, kept: bool, way: Way
    ) -> int:
        """See `Judge.bucket`; against these boards of others."""
        judge, cards = self.judge, (*up, *down, *middle)  # in this order a kept hand stays the same while it is rolled
        worth = self.hand(cards, final=judge.is_final(len(cards), kept=kept))
        return judge.bucket(down, up, self.facing(boards), middle=middle, kept=kept, way=way, worth=worth)

    def best_kept(self, cards: Cards, keep: int, *, low: bool) -> Cards:
        """The cards to keep of these for high, or for low."""
        key = (cards, keep, low)
        found = self._stripped.get(key)
        if found is None:
            ranking = self.judge.terms.low if low else None
            strength_of = self.judge.strength if ranking is None else ranking.strength
            found = self._stripped[key] = _stripped(cards, keep, strength_of)
        return found


def _stripped(cards: Sequence[Card], keep: int, strength_of: Callable[[Sequence[Card]], int]) -> Cards:
    """The cards without which the rest is as strong as all of them are taken away, until `keep` are left.

    There always is one as long as no more than five count.
    """
    left = list(cards)
    best = strength_of(left)
    while len(left) > keep:
        for place in range(len(left)):
            rest = left[:place] + left[place + 1 :]
            if strength_of(rest) == best:
                break
        else:
            return max(combinations(left, keep), key=lambda some: strength_of(some))
        left = rest
    return tuple(left)
