"""Who opens a betting round (`rules.md` 3 and 2.5).

Players are numbered in dealing order, 0 being the first from the dealer's left, so a tie by position goes to
the lowest number.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Protocol

from protocol.cards import DECK, Card, card_text
from server.engine.ranking.rankings import ACE_TO_FIVE, HIGH, RANKINGS, Ranking, high_board_of_key, low_board_of_key
from server.engine.steps.hand_state import HandState

ace_high: Callable[[Card], int] = DECK.__getitem__
"""Place of a card from the deuce of clubs up to the ace of spades."""

ace_low: Callable[[Card], int] = tuple([(card + 4) % 52 for card in DECK]).__getitem__
"""Place of a card from the ace of clubs up to the king of spades."""


class Opener(Protocol):
    """A rule that names who opens."""

    def designate(self, hand: HandState) -> tuple[int, str]:
        """(player, why)."""
        ...


@dataclass(frozen=True, slots=True)
class DealersLeft:
    """The first player from the dealer's left: for rounds in which nothing shows."""

    def designate(self, hand: HandState) -> tuple[int, str]:
        """(player, why)."""
        player = hand.order[0]
        return player, f"{{{hand.seats[player]}}} is the first from the dealer's left"


@dataclass(frozen=True, slots=True)
class DoorCard:
    """The forced opening by a single up card: suits break ties, clubs lowest (`rules.md` 3)."""

    lowest: bool
    place: Callable[[Card], int]

    def designate(self, hand: HandState) -> tuple[int, str]:
        """(player, why)."""
        order, up = hand.order, hand.up
        places = list(map(self.place, [up[i][-1] for i in order]))  # all different, as cards are
        player = order[places.index(min(places) if self.lowest else max(places))]
        return player, f"{{{hand.seats[player]}}} has the {self.words}, {card_text(hand.up[player][-1])}"

    @property
    def words(self) -> str:
        """``lowest up card``"""
        return "lowest up card" if self.lowest else "highest up card"


@dataclass(frozen=True, slots=True)
class Board:
    """The best board of up cards opens; ties by position or by the higher suit (`rules.md` 3)."""

    words: str
    strength: Callable[[int], int]
    place: Callable[[Card], int]
    ranking: Ranking

    def designate(self, hand: HandState, community: bool = False) -> tuple[int, str]:
        """(player, why). With `community` the common card counts as everybody's (`rules.md` 6)."""
        order, board = hand.order, hand.board
        if community:
            strengths = [self.with_common(hand.up[i] + hand.community) for i in order]
        else:
            strengths = list(map(self.strength, board if len(order) == len(board) else [board[i] for i in order]))
        best = max(strengths)
        player = order[strengths.index(best)]
        end = ""
        if strengths.count(best) > 1:
            end = ", first from the dealer's left"
            if hand.stakes.opener_tie == "suit":
                tied = [i for i, own in zip(order, strengths, strict=True) if own == best]
                player = max(tied, key=lambda i: max(map(self.place, hand.up[i])))
                end = ", by suit"
        name = _NAMES[self.ranking.key].get(board[player]) or self._name(board[player], hand.up[player])
        if community:
            name = "the common card included"
        return player, f"{{{hand.seats[player]}}} has the {self.words}, {name}{end}"

    def with_common(self, cards: list[Card]) -> int:
        """The strength of a board to which the common card is added: five cards, and still only pairs count."""
        ranks = [(card >> 2) + 1 for card in cards]
        if self.ranking.is_low:
            ranks = [rank % 13 for rank in ranks]
        row = sorted([(ranks.count(rank), rank) for rank in ranks], reverse=True)
        strength = 0
        for figure in [count for count, _ in row] + [rank for _, rank in row]:
            strength = strength * 14 + figure
        return 14 ** (2 * len(row)) - strength if self.ranking.is_low else strength

    def _name(self, key: int, cards: list[Card]) -> str:
        """A board in words. Suits do not matter, so the words are kept by the sum of the board's keys."""
        words = _NAMES[self.ranking.key][key] = self.ranking.partial_name(cards)
        return words


_NAMES: dict[str, dict[int, str]] = {key: {} for key in RANKINGS}

LOW_CARD = DoorCard(lowest=True, place=ace_high)
"""Stud: the lowest up card must open, aces high."""
HIGH_CARD = DoorCard(lowest=False, place=ace_low)
"""Razz: the highest up card must open, aces low."""
HIGH_CARD_ACE_HIGH = DoorCard(lowest=False, place=ace_high)
"""Stud high-low without qualifier as some houses deal it: the highest up card must open, aces high."""
HIGH_BOARD = Board("highest board", high_board_of_key, ace_high, HIGH)
LOW_BOARD = Board("lowest board", low_board_of_key, ace_low, ACE_TO_FIVE)
DEALERS_LEFT = DealersLeft()
