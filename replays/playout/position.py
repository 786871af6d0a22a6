"""From what a seat has seen of a running hand to the light table that stands where the hand stands."""

from collections.abc import Iterable
from typing import TypeVar

from protocol import events as ev
from protocol.actions import WAGERS
from protocol.events import ActionRequested, AnyEvent, Seat
from protocol.view import TableView
from replays.playout.betting_round import FOLD, STAY, BettingRound
from replays.playout.light_table import LightTable
from replays.playout.playing import choosing_order, close_round, follow, take
from server.engine.games.game import Game
from server.engine.steps.betting import Bet
from server.engine.steps.vocabulary import Ante, BringBack, Choose, Deal, Declare, Draw, Pass, Roll, Step

S = TypeVar("S", bound=Step)


class Unknown(Exception):
    """The events are no hand of this game, or stop before a decision of the seat."""


class Position:
    """Where a hand stands, as one seat has seen it.

    Args:
        view: the table as the seat sees it; seat: which.
        request: what the seat is asked.
        events: of the hand, from `HandStarted` on, as the seat has seen them.
        game: what is played.

    Raises Unknown.

    Attributes:
        table: the light table. Cards that are hidden from the seat are missing in it: `down` of the other players is
            empty, and so is `stock`.
        seats: of the players, in dealing order; hero: the number of the seat's own player.
    """

    def __init__(
        self, view: TableView, seat: Seat, request: ActionRequested, events: Iterable[AnyEvent], game: Game
    ) -> None:
        self._chosen: set[int] = set()  # players who have turned a card in the step that runs
        self._draws = False
        self._begun = False
        self.table = LightTable(game.steps, game.stakes, (), game.shortage_opener)
        self.seats: tuple[Seat, ...] = ()
        try:
            for event in events:
                self._follow(event)
        except (ValueError, KeyError, AssertionError) as error:
            raise Unknown(str(error)) from None
        if seat not in self.seats:
            raise Unknown("the seat was not dealt in")
        self.hero = self.seats.index(seat)
        self._stand(view, request)
        self.table.down[self.hero] = [card for card in view.seat(seat).down if card is not None]

    # ------------------------------------------------------------------ events

    def _follow(self, event: AnyEvent) -> None:
        """What an event changes."""
        table = self.table
        match event:
            case ev.HandStarted():
                self.seats = tuple([seat for seat, _ in event.stacks])
                chips = [amount for _, amount in event.stacks]
                self.table = LightTable(table.steps, event.stakes, chips, table.shortage_opener)
                self.table.at = -1
            case ev.AntesPosted():
                self._next(Ante)
                for seat, amount in event.antes:
                    i = self.seats.index(seat)
                    table.chips[i] -= amount
                    table.put[i] += amount
            case ev.CardsDealt():
                self._dealt(event)
            case ev.CommunityDealt():
                self._next(Deal)
                table.community.append(event.card)
                table.deck_left -= 1
            case ev.WildsNamed():
                table.wilds = event.ranks
            case ev.CardsTurned():
                self._turned(event)
            case ev.RoundOpened():
                self._round_opened(event)
            case ev.RoundSkipped():
                self._next(Bet)
            case ev.Acted():
                self._acted(event)
            case ev.BetReturned():
                i = self.seats.index(event.seat)
                table.chips[i] += event.amount
                table.put[i] -= event.amount
            case ev.BroughtBack():
                self._next(BringBack)
                for seat in event.seats:
                    i = self.seats.index(seat)
                    table.before[i], table.up[i], table.board[i] = table.up[i], [], 0
            case ev.CardsPassed():
                self._next(Pass)
            case ev.CardsDiscarded():
                self._next(Draw)
            case ev.Declared():
                self._next(Declare)
                for seat, direction in event.declarations:
                    table.declared[self.seats.index(seat)] = direction
                table.odd_man = self.seats.index(event.odd_man) if event.odd_man else None
            case _:
                pass
        self._draws = isinstance(event, ev.CardsDiscarded)

    def _next(self, kind: type[S]) -> S:
        """Go on to the next step of that kind."""
        table = self.table
        for at in range(table.at + 1, len(table.steps)):
            step = table.steps[at]
            if isinstance(step, kind):
                table.at = at
                self._chosen = set()
                return step
        raise ValueError(f"the game has no such step now: {kind.__name__}")

    def _dealt(self, event: ev.CardsDealt) -> None:
        table = self.table
        step = None if self._draws else self._next(Deal)
        table.deck_left -= sum([len(down) + len(up) for _, down, up in event.cards])
        for place in range(max([len(up) for _, _, up in event.cards], default=0)):
            for seat, _, up in event.cards:
                table.show(self.seats.index(seat), up[place])
                if step is not None and step.wild_after is not None:
                    follow(table, step.wild_after, up[place])

    def _turned(self, event: ev.CardsTurned) -> None:
        table = self.table
        if event.how == "roll":
            self._next(Roll)
        elif not self._in_turn():
            self._next(Choose)
        for seat, card in event.cards:
            i = self.seats.index(seat)
            table.show(i, card)
            self._chosen.add(i)

    def _in_turn(self) -> bool:
        """Whether the step that runs is one in which players turn a card one after the other, and not over."""
        step = self.table.steps[self.table.at]
        return isinstance(step, Choose) and not step.together and not self._chosen.issuperset(self.table.live)

    def _round_opened(self, event: ev.RoundOpened) -> None:
        table = self.table
        step = self._next(Bet)
        table.opener = self.seats.index(event.opener)
        able = table.able()
        boards = [table.board[i] for i in table.live]
        table.round = BettingRound(step, table.stakes, table.opener, able, boards, table.odd_man)
        table.turn, table.pending = self.seats.index(event.first), able

    def _acted(self, event: ev.Acted) -> None:
        table, i = self.table, self.seats.index(event.seat)
        if table.round is None or table.turn != i:
            raise ValueError("a player acts out of turn")
        table.round.may_wager(i, table.round.match - table.bet[i])  # asking can lift the cap
        choice = FOLD if event.action == "fold" else event.to if event.action in WAGERS else STAY
        if not take(table, i, choice):
            close_round(table)

    # ----------------------------------------------------------------- the step

    def _stand(self, view: TableView, request: ActionRequested) -> None:
        """Go to the step in which the seat is asked."""
        table = self.table
        match request.decision:
            case "bet":
                if table.round is None or table.turn != self.hero:
                    raise Unknown("it is not the seat's turn to bet")
            case "choose":
                if not self._in_turn():
                    self._next(Choose)
                step = table.steps[table.at]
                assert isinstance(step, Choose)
                if not step.together:
                    order = [i for i in choosing_order(table, step) if i not in self._chosen]
                    table.waiting = tuple(order[order.index(self.hero) :])
            case "arrange":
                arranged = [i for i in table.live if len(view.seat(self.seats[i]).down) <= view.keep]
                table.waiting = tuple([i for i in table.live if i not in arranged])
            case "pass":
                self._next(Pass)
            case "discard":
                self._next(Draw)
            case "declare":
                self._next(Declare)
            case _:
                raise Unknown(f"no game asks for this: {request.decision}")
