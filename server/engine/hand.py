"""One hand of one game, from the antes to the last chip paid.

`Hand` plays the steps of its game in order. It asks for decisions and turns each answer, with all that it
causes, into events; it has no clock and no dice. Players are numbered in dealing order from 0, the
first from the dealer's left; events name seats.
"""

from collections.abc import Generator, Mapping, Sequence
from functools import lru_cache
from typing import TYPE_CHECKING, TypeAlias, get_args

from protocol import events as ev
from protocol.actions import Action, Decision, Option, refusal
from protocol.cards import Card
from protocol.events import AnyEvent, Cause, Chips, Seat
from protocol.stakes import Stakes
from protocol.table_rules import Clocks, Show
from server.engine.errors import IllegalAction
from server.engine.steps.pots import Pots, build_pots, uncalled
from server.engine.steps.showdown import award_unopposed

if TYPE_CHECKING:
    from server.engine.games.catalogue import Game

Answer: TypeAlias = tuple[int, Action, Cause]
"""(player, what he does, who decided it)."""

Flow: TypeAlias = Generator[None, Answer, None]
"""A step that waits for answers."""

Done: TypeAlias = tuple[()]
"""A step that waited for nothing."""


class Hand:
    """The rules' side of a running hand.

    Args:
        game: what is played.
        stakes: for how much.
        stacks: (seat, chips) of everybody dealt in; at least two seats, all with chips.
        button: the dealer's seat; it need not be among those dealt in.
        deck: the cards in dealing order.
        number, ident: names of the hand for its first event.

    Attributes (by player number):
        seats, chips, bet (this round), put (this hand), down, up, declared.
        board: running key of the up cards (`server.engine.ranking.boards`).
        order: the players that have not folded, in dealing order.
        seconds: the time allowed for each kind of decision, None for no clock.
        requests: open requests.
        over: whether the last chip is paid.
    """

    __slots__ = (
        "_flow",
        "_out",
        "_steps",
        "bet",
        "board",
        "chips",
        "community",
        "deck",
        "declared",
        "down",
        "emit",
        "game",
        "index",
        "last_aggressor",
        "number",
        "odd_man",
        "opener",
        "order",
        "over",
        "position",
        "pots",
        "previous_opener",
        "put",
        "requests",
        "seats",
        "seconds",
        "show",
        "stakes",
        "street",
        "up",
        "wild_next",
        "wilds",
    )  # fmt: skip

    _flow: Flow  # the step that waits

    def __init__(
        self,
        game: "Game",
        stakes: Stakes,
        stacks: Sequence[tuple[Seat, Chips]],
        button: Seat,
        deck: Sequence[Card],
        *,
        number: int = 1,
        ident: str = "",
        clocks: Clocks | None = None,
        show: Show = "rule",
    ) -> None:
        rows = sorted(stacks)
        behind = [row for row in rows if row[0] > button]
        dealt_in = tuple(behind + rows[: len(rows) - len(behind)])
        if not 2 <= len(dealt_in) <= game.most_players:
            raise ValueError(f"{game.title} is for 2 to {game.most_players} players, not {len(dealt_in)}")
        count = len(dealt_in)
        self.game = game
        self.stakes = stakes
        self.seconds = _UNTIMED if clocks is None else _seconds(clocks)
        self.show = show
        self.number = number
        self.seats: tuple[Seat, ...]
        chips: tuple[Chips, ...]
        self.seats, chips = zip(*dealt_in, strict=True)
        self.index: Mapping[Seat, int] = {seat: i for i, seat in enumerate(self.seats)}
        self.chips = list(chips)
        self.bet = [0] * count
        self.put = [0] * count
        self.order = list(range(count))
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
        self.over = False
        self._out: list[AnyEvent] = []
        self.emit = self._out.append
        self.emit(ev.HandStarted(number, ident, game.id, game.title, button, dealt_in, stakes))
        self._steps = iter(game.steps)

    # ------------------------------------------------------------- the outside

    def start(self) -> list[AnyEvent]:
        """Deal; the events up to the first decision."""
        self._next_step()
        happened = self._out[:]
        self._out.clear()
        return happened

    def act(self, seat: Seat, action: Action, cause: Cause = "player") -> list[AnyEvent]:
        """Take a seat's answer to its request; the events it causes. Raises IllegalAction."""
        player = self.index.get(seat, -1)
        request = self.requests.get(player)
        if request is None:
            raise IllegalAction("not_asked", "It is not your turn.")
        if reason := refusal(request.options, action):
            raise IllegalAction("illegal", f"{reason[0].upper()}{reason[1:]}{_because(request, action)}.")
        del self.requests[player]
        try:
            self._flow.send((player, action, cause))
        except StopIteration:
            self._next_step()
        happened = self._out[:]
        self._out.clear()
        return happened

    def time_up(self, seat: Seat, cause: Cause = "timeout") -> list[AnyEvent]:
        """Do for a seat what `rules.md` 10 says when its clock runs out. Raises IllegalAction if it is not asked."""
        return self.act(seat, self.default(seat), cause)

    def default(self, seat: Seat) -> Action:
        """What is done for a seat that does not answer (`rules.md` 10). Raises IllegalAction if it is not asked."""
        player = self.index.get(seat)
        request = self.requests.get(player) if player is not None else None
        if request is None or player is None:
            raise IllegalAction("not_asked", "It is not that player's turn.")
        return self.game.default(self, player, request)

    def stacks(self) -> tuple[tuple[Seat, Chips], ...]:
        """(seat, chips) of everybody dealt in, in dealing order."""
        return tuple(zip(self.seats, self.chips, strict=True))

    # ---------------------------------------------------------- for the steps

    def ask(
        self, player: int, decision: Decision, options: tuple[Option, ...], call: Chips = 0, note: str = ""
    ) -> None:
        """Request a decision."""
        request = ev.ActionRequested(self.seats[player], decision, options, call, self.seconds[decision], note)
        self.requests[player] = request
        self.emit(request)

    def able(self) -> int:
        """The live players that still have chips, as a bit mask."""
        chips = self.chips
        mask = 0
        for i in self.order:
            if chips[i]:
                mask |= 1 << i
        return mask

    def close_round(self) -> None:
        """Give back what nobody called and gather the bets into pots (`rules.md` 4.6)."""
        put, order = self.put, self.order
        live = put if len(order) == len(put) else [put[i] for i in order]
        self.bet = [0] * len(put)
        seats = self.seats
        if len(live) > 1 and live.count(live[0]) == len(live):
            total = sum(put)  # the usual case: all called, and there is one pot
            pots: Pots = [(total, tuple(order))] if total else []
            if pots != self.pots:
                self.pots = pots
                self.emit(ev.PotsGathered(((total, tuple([seats[i] for i in order])),)))
            return
        self._return_uncalled()
        pots = build_pots(put, order)
        if pots != self.pots:
            self.pots = pots
            gathered = [(amount, tuple([seats[i] for i in players])) for amount, players in pots]
            self.emit(ev.PotsGathered(tuple(gathered)))

    def _return_uncalled(self) -> None:
        player, excess = uncalled(self.put, self.order)
        if excess:
            self.chips[player] += excess
            self.put[player] -= excess
            why = "nobody could call it" if len(self.order) > 1 else "nobody called it"
            self.emit(ev.BetReturned(self.seats[player], excess, why))

    def holding(self, player: int) -> list[Card]:
        """All cards that play for a player."""
        cards = self.down[player] + self.up[player]
        return cards + self.community if self.community else cards

    # -------------------------------------------------------------- the inside

    def _next_step(self) -> None:
        """Run steps until one waits for an answer, or to the end of the hand."""
        while len(self.order) > 1:
            step = next(self._steps, None)
            if step is None:
                break
            flow = step.run(self)
            if flow:
                for _ in flow:  # as far as its first wait
                    self._flow = flow
                    return
        else:
            award_unopposed(self)
        self.emit(ev.HandEnded(self.number, self.stacks()))
        self.over = True


@lru_cache(64)
def _seconds(clocks: Clocks) -> dict[str, int | None]:
    return {decision: clocks.seconds(decision) for decision in get_args(Decision)}


_UNTIMED = _seconds(Clocks(bet=0, choose=0, arrange=0, declare=0))


def _because(request: ev.ActionRequested, action: Action) -> str:
    wanted_more = action.kind in ("bet", "raise", "complete")
    return f" ({request.note})" if request.note and wanted_more else ""
