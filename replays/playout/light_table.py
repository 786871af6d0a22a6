"""A light table: what of a running hand must be known to play it to its end, many times.

The theory. The engine tells everything that happens, as events, and offers every option in full; a play-out needs
neither. It needs chips, cards, who is in, and where in the list of the game's steps the hand is. So the light table
keeps just these, in lists by player, and is copied for every play-out. Its rules are those of `server.engine.steps`,
decision for decision and chip for chip; a test plays every game of the house with both.

Two things are left out, because they change no chips: an uncalled bet goes back at the end, not at once (nobody could
have bet into it), and nobody shows cards. Odd chips are given by position whatever the stakes say.

Players are numbered in dealing order from 0, the first player from the dealer's left, as in the engine; those who have
folded keep their number, since their chips are in the pot.
"""

from collections.abc import Iterator, Sequence

from protocol.cards import Card
from protocol.events import Chips
from protocol.stakes import Stakes
from replays.hand_reading.habits import Tendency
from replays.playout.betting_round import BettingRound
from replays.playout.card_worths import CardWorths
from server.engine.ranking.boards import BOARD_KEY
from server.engine.steps.hand_state import ShortageOpener
from server.engine.steps.vocabulary import Step


class LightTable:
    """A hand at one moment.

    Args:
        steps: of the game.
        stakes: what is played for.
        chips: of everybody dealt in, in dealing order.
        shortage_opener: who opens after a common card.

    Attributes (lists by player):
        chips; bet: chips in front in this round; put: chips put in during this hand.
        down, up: hidden and face-up cards; after an arrangement `down` is in the order of rolling.
        board: running key of the up cards (`server.engine.ranking.boards`).
        declared: ``high``, ``low`` or empty; before: up cards from before bring 'em back.
        live: the players who have not folded, in dealing order.
        community: cards in the middle; wilds: wild ranks; wild_next: whether the next up card names one.
        at: place in `steps` of the step that runs.
        waiting: the players who must still answer in the running step, in order; None for all who are in.
        made: the cards that a player has chosen in the running step already.
        round: the betting round that runs, if one does; turn: whose turn it is in it; pending: a bit mask of the
            players who must still act.
        opener, odd_man: as the engine's; led: who has made the last wager of the last round that had one.
        deck_left: cards that are not dealt yet.
        stock: for each player the cards that they will be dealt, in order.
        known: how strong the policy finds the hand of each player; None when cards have changed.
        boards: the number of each player's board in `worths`; empty when cards have changed.
        worths: what was worked out about cards, by the ranks that are wild; all copies share it.
        moods: for each player 32 random bits that make their choices vary from deal to deal.
        tendencies: how each player differs from an ordinary one, by stage of the hand; empty if nobody knows them.
    """

    __slots__ = (
        "at", "before", "bet", "board", "boards", "chips", "community", "deck_left", "declared", "down",
        "known", "led", "live", "made", "moods", "odd_man", "opener", "pending", "put", "round", "shortage_opener",
        "stakes", "steps", "stock", "tendencies", "turn", "up", "waiting", "wild_next", "wilds", "worths",
    )  # fmt: skip

    def __init__(
        self, steps: Sequence[Step], stakes: Stakes, chips: Sequence[Chips], shortage_opener: ShortageOpener
    ) -> None:
        count = len(chips)
        self.steps = steps
        self.stakes = stakes
        self.shortage_opener: ShortageOpener = shortage_opener
        self.chips = list(chips)
        self.bet = [0] * count
        self.put = [0] * count
        self.down: list[list[Card]] = [[] for _ in range(count)]
        self.up: list[list[Card]] = [[] for _ in range(count)]
        self.before: list[Sequence[Card]] = [()] * count
        self.board = [0] * count
        self.declared = [""] * count
        self.live = list(range(count))
        self.community: list[Card] = []
        self.wilds: tuple[int, ...] = ()
        self.wild_next = False
        self.at = 0
        self.waiting: tuple[int, ...] | None = None
        self.made: dict[int, tuple[Card, ...]] = {}
        self.round: BettingRound | None = None
        self.turn = 0
        self.pending = 0
        self.opener: int | None = None
        self.odd_man: int | None = None
        self.led: int | None = None
        self.deck_left = 52
        self.stock: list[Iterator[Card]] = []
        self.known: list[int | None] = [None] * count
        self.boards: list[int] = []
        self.worths: dict[tuple[int, ...], CardWorths] = {}
        self.moods = [0] * count
        self.tendencies: Sequence[Sequence[Tendency]] = ()

    def copy(self) -> "LightTable":
        """An independent copy; only `stock` is shared, and must be given anew before cards are dealt.

        What was worked out about the cards is shared as long as they are the same.
        """
        new = LightTable.__new__(LightTable)
        new.steps, new.stakes, new.shortage_opener = self.steps, self.stakes, self.shortage_opener
        new.chips, new.bet, new.put = self.chips[:], self.bet[:], self.put[:]
        new.down = [row[:] for row in self.down]
        new.up = [row[:] for row in self.up]
        new.before = self.before[:]
        new.board, new.declared, new.live = self.board[:], self.declared[:], self.live[:]
        new.community, new.wilds, new.wild_next = self.community[:], self.wilds, self.wild_next
        new.at, new.waiting, new.made = self.at, self.waiting, self.made
        new.round = self.round.copy() if self.round is not None else None
        new.turn, new.pending = self.turn, self.pending
        new.opener, new.odd_man, new.led = self.opener, self.odd_man, self.led
        new.deck_left, new.stock = self.deck_left, self.stock
        new.known, new.boards, new.moods = self.known, self.boards, self.moods
        new.worths, new.tendencies = self.worths, self.tendencies
        return new

    # --------------------------------------------------------------- questions

    def able(self) -> int:
        """The live players who still have chips, as a bit mask."""
        chips = self.chips
        mask = 0
        for i in self.live:
            if chips[i]:
                mask |= 1 << i
        return mask

    def holding(self, i: int) -> list[Card]:
        """All cards that play for a player."""
        cards = self.down[i] + self.up[i]
        return cards + self.community if self.community else cards

    # ----------------------------------------------------------------- changes

    def show(self, i: int, card: Card) -> None:
        """Give a player a card face up."""
        self.up[i].append(card)
        self.board[i] += BOARD_KEY[card]

    def turn_up(self, i: int, card: Card) -> None:
        """Turn a hidden card of a player face up."""
        self.down[i].remove(card)
        self.show(i, card)

    def cards_changed(self) -> None:
        """What was worked out about cards holds no more."""
        self.known = [None] * len(self.chips)
        self.boards = []
