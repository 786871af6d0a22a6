"""What the steps of a game change: seats, chips, cards, bets and open requests of one hand.

A hand is two things. `HandState` is the table in front of the players, and it knows no game. The hand
(`server.engine.hand`) is a `HandState` that also runs the steps of a game on itself. So steps need to know only what
is in this file.

Players are numbered in dealing order from 0, the first player from the dealer's left; events name seats.
"""

from collections.abc import Generator, Mapping, Sequence
from typing import Literal, TypeAlias

from protocol import events as ev
from protocol.actions import Action, Decision, Option
from protocol.cards import Card
from protocol.events import AnyEvent, Cause, Chips, Seat
from protocol.stakes import Stakes
from protocol.table_rules import ShowRule
from server.engine.steps.pots import Pots, build_pots, uncalled

Answer: TypeAlias = tuple[int, Action, Cause]
"""(player, action, who decided it)."""

Flow: TypeAlias = Generator[None, Answer, None]
"""A step that waits for answers; a step that waits for nothing returns None instead."""

ShortageOpener: TypeAlias = Literal["own_boards", "with_common", "previous_opener"]
"""Who opens after a common card was dealt (`rules.md` 6): the best own board, the best board with the common card, or
the player who opened the street before."""


class HandState:
    """A hand as its steps see it.

    Args:
        dealt_in: (seat, chips) of everybody dealt in, in dealing order.
        stakes: what is played for.
        deck: the cards in dealing order.
        seconds: the time allowed for each kind of decision, None for no clock.
        show: who shows at the showdown: those whom the rule names, or all.
        shortage_opener: who opens after a common card.

    Attributes (lists by player number):
        seats, chips; index: the player in each seat.
        bet: chips in front in this round; put: chips put in during this hand.
        down, up: hidden and face-up cards; declared: ``high``, ``low`` or empty.
        board: running key of the up cards (`server.engine.ranking.boards`).
        live: the players who have not folded, in dealing order.
        community: cards in the middle; wilds: ranks that are wild; wild_next: whether the next up card names one.
        position: how many cards of the deck are dealt.
        street: the name of the street.
        opener: the player whom the opening rule named last; previous_opener: the one before.
        last_aggressor: the player who has bet or raised last in this round.
        odd_man: the player who is alone in one direction after the declaration.
        pots: the bets gathered so far.
        requests: open requests by player.
        emit: adds an event to those that have happened.
    """

    __slots__ = (
        "_events", "bet", "board", "chips", "community", "deck", "declared", "down", "emit", "index", "last_aggressor",
        "live", "odd_man", "opener", "position", "pots", "previous_opener", "put", "requests", "seats", "seconds",
        "shortage_opener", "show", "stakes", "street", "up", "wild_next", "wilds",
    )  # fmt: skip

    def __init__(
        self,
        dealt_in: Sequence[tuple[Seat, Chips]],
        stakes: Stakes,
        deck: Sequence[Card],
        *,
        seconds: Mapping[str, int | None],
        show: ShowRule,
        shortage_opener: ShortageOpener,
    ) -> None:
        count = len(dealt_in)
        self.stakes = stakes
        self.seconds = seconds
        self.show = show
        self.shortage_opener = shortage_opener
        self.seats: tuple[Seat, ...]
        chips: tuple[Chips, ...]
        self.seats, chips = zip(*dealt_in, strict=True)
        self.index: Mapping[Seat, int] = {seat: i for i, seat in enumerate(self.seats)}
        self.chips = list(chips)
        self.bet = [0] * count
        self.put = [0] * count
        self.live = list(range(count))
        self.down: list[list[Card]] = [[] for _ in range(count)]
        self.up: list[list[Card]] = [[] for _ in range(count)]
        self.board = [0] * count
        self.declared: list[str] = [""] * count
        self.community: list[Card] = []
        self.wilds: tuple[int, ...] = ()
        self.wild_next = False
        self.deck: tuple[Card, ...] = tuple(deck)
        self.position = 0
        self.street = ""
        self.odd_man: int | None = None
        self.last_aggressor: int | None = None
        self.opener: int | None = None
        self.previous_opener: int | None = None
        self.pots: Pots = []
        self.requests: dict[int, ev.ActionRequested] = {}
        self._events: list[AnyEvent] = []
        self.emit = self._events.append

    def happened(self) -> list[AnyEvent]:
        """The events since the last time this was asked."""
        events = self._events[:]
        self._events.clear()
        return events

    def stacks(self) -> tuple[tuple[Seat, Chips], ...]:
        """(seat, chips) of everybody dealt in, in dealing order."""
        return tuple(zip(self.seats, self.chips, strict=True))

    def holding(self, player: int) -> list[Card]:
        """All cards that play for a player."""
        cards = self.down[player] + self.up[player]
        return cards + self.community if self.community else cards

    def able(self) -> int:
        """The live players that still have chips, as a bit mask."""
        chips = self.chips
        mask = 0
        for i in self.live:
            if chips[i]:
                mask |= 1 << i
        return mask

    def ask(
        self, player: int, decision: Decision, options: tuple[Option, ...], call: Chips = 0, note: str = ""
    ) -> None:
        """Request a decision."""
        request = ev.ActionRequested(self.seats[player], decision, options, call, self.seconds[decision], note)
        self.requests[player] = request
        self.emit(request)

    def close_round(self) -> None:
        """Give back what nobody called and gather the bets into pots (`rules.md` 4.6)."""
        put, live = self.put, self.live
        contributions = put if len(live) == len(put) else [put[i] for i in live]
        self.bet = [0] * len(put)
        seats = self.seats
        if len(live) > 1 and contributions.count(contributions[0]) == len(live):
            total = sum(put)  # the usual case: all called, and there is one pot
            pots: Pots = [(total, tuple(live))] if total else []
            if pots != self.pots:
                self.pots = pots
                self.emit(ev.PotsGathered(((total, tuple([seats[i] for i in live])),)))
            return
        self._return_uncalled()
        pots = build_pots(put, live)
        if pots != self.pots:
            self.pots = pots
            gathered = [(amount, tuple([seats[i] for i in players])) for amount, players in pots]
            self.emit(ev.PotsGathered(tuple(gathered)))

    def _return_uncalled(self) -> None:
        player, excess = uncalled(self.put, self.live)
        if excess:
            self.chips[player] += excess
            self.put[player] -= excess
            why = "nobody could call it" if len(self.live) > 1 else "nobody called it"
            self.emit(ev.BetReturned(self.seats[player], excess, why))
