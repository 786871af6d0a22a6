"""Who opens a betting round (`rules.md` 3 and 2.5).

An opener is a rule that looks at the up cards and names a player. There are three kinds: the first player from the
dealer's left, whatever shows; the player with the lowest or highest up card, who is forced to open; and the player
with the best board of up cards.

Players are numbered in dealing order, 0 being the first player from the dealer's left, so a tie by position goes to
the lowest number. Every `designate` returns (player, why); `why` is a sentence for the event, in which ``{3}`` stands
for the name of the player in seat 3.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TypeAlias

from protocol.cards import Card, card_text
from server.engine.ranking.boards import high_board_of_key, low_board_of_key
from server.engine.ranking.card_order import ace_high, ace_low, low_rank
from server.engine.ranking.rankings import ACE_TO_FIVE, HIGH, RANKINGS, Ranking
from server.engine.steps.hand_state import HandState


@dataclass(frozen=True, slots=True)
class DealersLeft:
    """The first player from the dealer's left opens: for rounds in which nothing shows.

    Fields:
        key: the name of the rule in files.
        rule: the rule in words, for the page of rules.
    """

    key: str
    rule: str

    def designate(self, hand: HandState) -> tuple[int, str]:
        """(player, why)."""
        player = hand.live[0]
        return player, f"{{{hand.seats[player]}}} is the first from the dealer's left"


@dataclass(frozen=True, slots=True)
class DoorCard:
    """The player with the lowest or highest up card must open; suits break ties, clubs lowest.

    Fields:
        key, rule: as for `DealersLeft`.
        lowest: whether the lowest card opens, not the highest.
        place: the order of the cards, with the ace high or low.
    """

    key: str
    rule: str
    lowest: bool
    place: Callable[[Card], int]

    def designate(self, hand: HandState) -> tuple[int, str]:
        """(player, why)."""
        live, up = hand.live, hand.up
        places = list(map(self.place, [up[i][-1] for i in live]))  # all different, as cards are
        player = live[places.index(min(places) if self.lowest else max(places))]
        words = "lowest up card" if self.lowest else "highest up card"
        return player, f"{{{hand.seats[player]}}} has the {words}, {card_text(hand.up[player][-1])}"


@dataclass(frozen=True, slots=True)
class Board:
    """The player with the best board of up cards opens; ties go by position or by the higher suit.

    Fields:
        key, rule: as for `DealersLeft`.
        words: what the best board is called.
        strength: of a board, from its running key (`server.engine.ranking.boards`).
        place: the order of the cards, where suits break ties.
        ranking: in which a board is named.
    """

    key: str
    rule: str
    words: str
    strength: Callable[[int], int]
    place: Callable[[Card], int]
    ranking: Ranking

    def designate(self, hand: HandState, community: bool = False) -> tuple[int, str]:
        """(player, why). With `community` the common card counts as everybody's (`rules.md` 6)."""
        live, board = hand.live, hand.board
        if community:
            strengths = [self.with_common([*hand.up[i], *hand.community]) for i in live]
        else:
            strengths = list(map(self.strength, board if len(live) == len(board) else [board[i] for i in live]))
        best = max(strengths)
        player = live[strengths.index(best)]
        end = ""
        if strengths.count(best) > 1:
            end = ", first from the dealer's left"
            if hand.stakes.opener_tie == "suit":
                tied = [i for i, own in zip(live, strengths, strict=True) if own == best]
                player = max(tied, key=lambda i: max(map(self.place, hand.up[i])))
                end = ", by suit"
        name = _NAMES[self.ranking.key].get(board[player]) or self._name(board[player], hand.up[player])
        if community:
            name = "the common card included"
        return player, f"{{{hand.seats[player]}}} has the {self.words}, {name}{end}"

    def with_common(self, cards: Sequence[Card]) -> int:
        """The strength of a board with the common card: up to five cards, of which still only pairs count.

        Compares with the strengths of boards of as many cards. First the counts of the ranks, then the ranks, each a
        digit in base 14; where the lowest board opens, the smaller number is the better one.
        """
        ranks = [low_rank(card) if self.ranking.is_low else (card >> 2) + 1 for card in cards]
        row = sorted([(ranks.count(rank), rank) for rank in ranks], reverse=True)
        strength = 0
        for figure in [count for count, _ in row] + [rank for _, rank in row]:
            strength = strength * 14 + figure
        return 14 ** (2 * len(row)) - strength if self.ranking.is_low else strength

    def _name(self, key: int, cards: list[Card]) -> str:
        """A board in words. Suits do not matter, so the words are kept by the running key of the board."""
        words = _NAMES[self.ranking.key][key] = self.ranking.partial_name(cards)
        return words


_NAMES: dict[str, dict[int, str]] = {key: {} for key in RANKINGS}

Opener: TypeAlias = DealersLeft | DoorCard | Board

LOW_CARD = DoorCard("low_card", "the lowest up card must open (aces high, clubs lowest)", lowest=True, place=ace_high)
"""Stud."""
HIGH_CARD = DoorCard(
    "high_card", "the highest up card must open (aces low, spades highest)", lowest=False, place=ace_low
)
"""Razz."""
HIGH_CARD_ACE_HIGH = DoorCard(
    "high_card_ace_high", "the highest up card must open (aces high, spades highest)", lowest=False, place=ace_high
)
"""Stud high-low without a qualifier, as some houses deal it."""
HIGH_BOARD = Board(
    "high_board", "the highest board of up cards opens", "highest board", high_board_of_key, ace_high, HIGH
)
LOW_BOARD = Board(
    "low_board", "the lowest board of up cards opens (aces low)", "lowest board", low_board_of_key, ace_low, ACE_TO_FIVE
)
DEALERS_LEFT = DealersLeft("dealers_left", "the first player from the dealer's left opens")

OPENERS: dict[str, Opener] = {
    opener.key: opener for opener in (HIGH_BOARD, LOW_BOARD, LOW_CARD, HIGH_CARD, HIGH_CARD_ACE_HIGH, DEALERS_LEFT)
}
"""Every opening rule by its name in files."""
