"""One evening at one table: seats, chips, the button, one hand after another.

`TableState.apply` turns a command into events and folds them; the same commands always give the same events, so
a server resumes after a crash, and a verifier checks a journal, by applying its commands again.
"""

from collections.abc import Callable, Mapping, Sequence
from typing import cast

from protocol import commands as cmd
from protocol import events as ev
from protocol.actions import Option, refusal
from protocol.cards import DECK
from protocol.commands import AnyCommand
from protocol.events import AnyEvent, Cause, Chips, Seat
from protocol.journal.records import Checkpoint
from protocol.table_rules import GameOffer, TableRules
from protocol.view import SeatView, TableView
from server.engine.errors import IllegalAction
from server.engine.games.catalogue import GAMES
from server.engine.games.game import Game
from server.engine.games.house_games import BadGame, load_game
from server.engine.hand import Hand
from server.engine.voluntary_show import shown_after

NO_CHIPS = "out of chips"
MISSED = "did not answer in time"


class ChipsLost(AssertionError):
    """Chips have appeared or vanished: a bug. The table must stop."""


class TableState:
    """The authority's side of a table.

    Attributes:
        view: everything, as the all-seeing viewer sees it after the last event.
        hand: the running hand.
        tokens: digest of the seat token of each taken seat.
        last_ids: id of the last action done for each seat.
        pending: event number of the open request of each seat that is asked.
        leaving: seats that are given back when the hand is over.
    """

    def __init__(self, games: Mapping[str, Game] = GAMES) -> None:
        self.games = games
        self.view = TableView()
        self.hand: Hand | None = None
        self.tokens: dict[Seat, bytes] = {}
        self.last_ids: dict[Seat, int] = {}
        self.pending: dict[Seat, int] = {}
        self.leaving: set[Seat] = set()
        self._ordered: dict[Seat, Chips] = {}
        self._missed: dict[Seat, int] = {}
        self._late: set[Seat] = set()
        self._broke: set[Seat] = set()
        self._chips = 0
        self._game = 0
        self._hands_of_game = 0
        self._picked_for = 0
        self._out: list[AnyEvent] = []

    # --------------------------------------------------------------- questions

    @property
    def seq(self) -> int:
        """Number of the last event."""
        return self.view.seq

    @property
    def rules(self) -> TableRules:
        """The house rules; the table must be open."""
        assert self.view.rules is not None
        return self.view.rules

    def ready(self) -> list[Seat]:
        """The seats that would be dealt in, in order of their numbers."""
        return [seat.seat for seat in self.view.seats if self._is_ready(seat)]

    def can_deal(self) -> bool:
        """Whether StartHand would be accepted."""
        return self._free() and not self.wants_game()

    def wants_game(self) -> bool:
        """Whether the next dealer has to be asked for a game first."""
        return self._free() and self.rules.change == "dealer" and self._picked_for != self.view.hand + 1

    def next_button(self) -> Seat:
        """The dealer of the next hand: the next ready seat clockwise."""
        ready = self.ready()
        return next((seat for seat in ready if seat > self.view.button), ready[0])

    def _free(self) -> bool:
        return self.hand is None and not self.pending and self.view.rules is not None and len(self.ready()) >= 2

    def _is_ready(self, seat: SeatView) -> bool:
        return bool(seat.name) and not seat.away and seat.chips > 0 and seat.seat not in self.leaving

    # -------------------------------------------------------------- checkpoints

    @property
    def between_hands(self) -> bool:
        """Whether the table is open, no hand is running and nobody is asked anything."""
        return self.hand is None and not self.pending and self.view.rules is not None

    def checkpoint(self) -> Checkpoint:
        """All of it as one value; it must be `between_hands`."""
        # Chips that were ordered and seats that are being given back belong to a hand, and there is none.
        assert self.between_hands
        assert not self._ordered
        assert not self.leaving
        return Checkpoint(
            self.view.copy(),
            tuple(sorted(self.tokens.items())),
            tuple(sorted(self.last_ids.items())),
            tuple(sorted(self._missed.items())),
            tuple(sorted(self._broke)),
            self._game,
            self._hands_of_game,
            self._picked_for,
        )

    @classmethod
    def restored(cls, checkpoint: Checkpoint, games: Mapping[str, Game] = GAMES) -> "TableState":
        """The table that goes on from there. Raises ValueError with a sentence if there can be no such table."""
        state = cls(games)
        view = state.view = checkpoint.view.copy()
        if view.rules is None or view.playing or not view.is_whole() or len(view.seats) != view.rules.seats:
            raise ValueError("The table to go on from is not one between two hands.")
        try:
            state._know_games(view.rules)
        except IllegalAction as error:
            raise ValueError(error.text) from None
        state.tokens, state.last_ids = dict(checkpoint.tokens), dict(checkpoint.last_ids)
        state._missed, state._broke = dict(checkpoint.missed), set(checkpoint.broke)
        state._game, state._hands_of_game = checkpoint.game, checkpoint.hands_of_game
        state._picked_for = checkpoint.picked_for
        state._chips = view.chips()
        return state

    # ------------------------------------------------------------------- apply

    def apply(self, command: AnyCommand) -> tuple[AnyEvent, ...]:
        """Decide and fold one command. Raises IllegalAction, and then nothing has changed."""
        self._out = []
        if self.view.rules is None and type(command) is not cmd.OpenTable:
            raise IllegalAction("not_open", "The table is not open yet.")
        _DO[type(command)](self, command)
        if self.view.chips() != self._chips:
            raise ChipsLost(f"{self.view.chips()} chips on the table instead of {self._chips}")
        return tuple(self._out)

    def _emit(self, event: AnyEvent) -> None:
        view = self.view
        view.apply(event)
        self._out.append(event)
        if type(event) is ev.ActionRequested:
            self.pending[event.seat] = view.seq

    def _open_table(self, command: cmd.OpenTable) -> None:
        if self.view.rules is not None:
            raise IllegalAction("open", "The table is open already.")
        self._know_games(command.rules)
        for offer in command.rules.games:
            if problem := offer.stakes.problem():
                raise IllegalAction("stakes", f"{offer.title} cannot be played for these stakes: {problem}.")
        self._emit(ev.TableOpened(command.table, command.rules))

    def _know_games(self, rules: TableRules) -> None:
        try:
            house = {offer.id: load_game(offer.definition) for offer in rules.games if offer.definition}
        except BadGame as error:
            raise IllegalAction("game", f"A house game cannot be played: {error}.") from None
        self.games = {**self.games, **house}
        unknown = [offer.id for offer in rules.games if offer.id not in self.games]
        if unknown or not rules.games:
            raise IllegalAction("game", f"Unknown game: {', '.join(unknown) or 'none is named'}.")

    # -------------------------------------------------------------- the seats

    def _sit_down(self, command: cmd.SitDown) -> None:
        rules = self.rules
        taken = self.view.players()
        if not command.name:
            raise IllegalAction("no_name", "A player needs a name.")
        if any(seat.name.casefold() == command.name.casefold() for seat in taken):
            raise IllegalAction("name_taken", f"The name {command.name} is taken at this table.")
        if not rules.buy_in_least <= command.chips <= rules.buy_in_most:
            raise IllegalAction(
                "buy_in", f"Sit down with {rules.buy_in_least} to {rules.buy_in_most} chips, not {command.chips}."
            )
        free = [seat.seat for seat in self.view.seats if not seat.name]
        if not free:
            raise IllegalAction("full", "Every seat is taken.")
        if command.seat is not None and command.seat not in free:
            raise IllegalAction("seat_taken", f"Seat {command.seat} is not free.")
        seat = command.seat or free[0]
        self._chips += command.chips
        self.tokens[seat] = command.token
        self._emit(ev.PlayerSeated(seat, command.name, command.chips, command.bot, command.token))

    def _stand_up(self, command: cmd.StandUp) -> None:
        seat = self._taken(command.seat)
        if self._dealt_in(seat.seat):
            if seat.seat in self.leaving:
                raise IllegalAction("leaving", "The seat is given back when the hand is over.")
            self.leaving.add(seat.seat)
            self._emit(ev.PlayerAway(seat.seat, "leaves after this hand"))
            self._settle()
        else:
            self._leave(seat.seat, command.why)

    def _leave(self, number: Seat, why: str) -> None:
        seat = self.view.seat(number)
        self._chips -= seat.chips
        for book in (self.tokens, self.last_ids, self.pending, self._ordered, self._missed):
            book.pop(number, None)
        self.leaving.discard(number)
        self._broke.discard(number)
        self._emit(ev.PlayerLeft(number, seat.name, seat.chips, why))

    def _sit_out(self, command: cmd.SitOut) -> None:
        seat = self._taken(command.seat)
        if seat.away:
            raise IllegalAction("away", "You are sitting out already.")
        self._emit(ev.PlayerAway(seat.seat, command.why))

    def _sit_in(self, command: cmd.SitIn) -> None:
        seat = self._taken(command.seat)
        if not seat.away:
            raise IllegalAction("not_away", "You are not sitting out.")
        if seat.seat in self.leaving:
            raise IllegalAction("leaving", "The seat is given back when the hand is over.")
        if not seat.chips and not self._dealt_in(seat.seat):
            raise IllegalAction("no_chips", "You have no chips; buy some first.")
        self._missed.pop(seat.seat, None)
        self._emit(ev.PlayerBack(seat.seat))

    def _top_up(self, command: cmd.TopUp) -> None:
        seat = self._taken(command.seat)
        most = self.rules.buy_in_most
        after = seat.chips + self._ordered.get(seat.seat, 0) + command.amount
        if command.amount < 1 or after > most:
            raise IllegalAction("buy_in", f"A stack can be filled up to {most} chips; you have {seat.chips}.")
        if self._dealt_in(seat.seat):
            self._ordered[seat.seat] = self._ordered.get(seat.seat, 0) + command.amount
            self._emit(ev.ChipsOrdered(seat.seat, command.amount))
        else:
            self._add_chips(seat.seat, command.amount)

    def _add_chips(self, number: Seat, amount: Chips) -> None:
        self._chips += amount
        self._emit(ev.ChipsAdded(number, amount, self.view.seat(number).chips + amount))
        if number in self._broke:
            self._broke.discard(number)
            self._emit(ev.PlayerBack(number))

    def _say(self, command: cmd.Say) -> None:
        self._emit(ev.Said(command.name, command.text, command.seat))

    def _connection(self, command: cmd.Connection) -> None:
        if self._taken(command.seat).online != command.online:
            self._emit(ev.ConnectionChanged(command.seat, command.online))

    def _go_on(self, command: cmd.GoOn) -> None:
        seat = self._taken(command.seat)
        if self.hand is None and not seat.went_on:
            self._emit(ev.WentOn(command.seat))

    def _show(self, command: cmd.Show) -> None:
        seat = self._taken(command.seat)
        if self.hand is not None or not self.view.awards:
            raise IllegalAction("not_now", "Cards are shown when a hand is over.")
        self._emit(shown_after(self.games[self.view.game], self.view, seat, command.cards))

    def _taken(self, number: Seat) -> SeatView:
        if not 1 <= number <= len(self.view.seats) or not self.view.seat(number).name:
            raise IllegalAction("not_seated", "You have no seat at this table.")
        return self.view.seat(number)

    def _dealt_in(self, number: Seat) -> bool:
        return self.hand is not None and number in self.hand.index

    # -------------------------------------------------------------- the games

    def _offer(self) -> GameOffer:
        return self.rules.games[self._game]

    def _ask_game(self, command: cmd.AskGame) -> None:
        if not self.wants_game():
            raise IllegalAction("not_now", "No game is to be chosen now.")
        games = tuple([offer.id for offer in self.rules.games])
        dealer = self.next_button()
        self._emit(
            ev.ActionRequested(dealer, "game", (Option("game", games=games),), 0, self.rules.clocks.seconds("game"), "")
        )

    def _pick_game(self, number: int, seat: Seat | None = None) -> None:
        self._game = number
        self._hands_of_game = 0
        offer = self._offer()
        self._emit(ev.GamePicked(offer.id, offer.title, seat))

    def _rotate(self) -> None:
        change = self.rules.change
        played = self._hands_of_game
        if len(self.rules.games) > 1 and (
            (change == "hand" and played) or (change == "orbit" and played >= len(self.ready()))
        ):
            self._pick_game((self._game + 1) % len(self.rules.games))

    # --------------------------------------------------------------- the hand

    def _start_hand(self, command: cmd.StartHand) -> None:
        if not self.can_deal():
            raise IllegalAction("not_now", "No hand can be dealt now.")
        if sorted(command.deck) != list(DECK):
            raise IllegalAction("deck", "A deck has each of the 52 cards once.")
        if command.button is not None and command.button not in self.ready():
            raise IllegalAction("button", "The dealer must be one of those who are dealt in.")
        self._rotate()
        self._hands_of_game += 1
        offer = self._offer()
        game = self.games[offer.id]
        button = command.button or self.next_button()
        ready = self.ready()
        clockwise = [seat for seat in ready if seat > button] + [seat for seat in ready if seat <= button]
        # With more players than the game takes, those nearest before the dealer wait; the dealer plays.
        dealt_in = [*clockwise[: min(len(clockwise), game.most_players) - 1], button]
        self._late = set()
        self.hand = Hand(
            game,
            offer.stakes,
            [(seat, self.view.seat(seat).chips) for seat in dealt_in],
            button,
            command.deck,
            number=self.view.hand + 1,
            ident=command.id,
            clocks=self.rules.clocks,
            show=self.rules.show,
        )
        self._play(self.hand.start())

    def _act(self, command: cmd.Act) -> None:
        seat = self._taken(command.seat)
        if command.id and command.id <= self.last_ids.get(seat.seat, 0):
            raise IllegalAction("done", "That has been done already.")
        asked = self.pending.get(seat.seat)
        if asked is None:
            raise IllegalAction("not_asked", "It is not your turn.")
        if command.answers != asked:
            raise IllegalAction("stale", "That answered an older question; you are asked again.")
        self._decide(seat.seat, command, "player")
        if command.id:
            self.last_ids[seat.seat] = command.id

    def _time_up(self, command: cmd.TimeUp) -> None:
        if self.pending.get(command.seat) != command.answers:
            raise IllegalAction("stale", "That question is no longer open.")
        self._late.add(command.seat)
        self._decide(command.seat, None, "timeout")

    def _decide(self, number: Seat, command: cmd.Act | None, cause: Cause) -> None:
        if self.hand is None:
            self._decide_game(number, command)
            return
        if command is None:
            events = self.hand.time_up(number, cause)
        else:
            events = self.hand.act(number, command.action, cause)
        del self.pending[number]
        self._play(events)

    def _decide_game(self, number: Seat, command: cmd.Act | None) -> None:
        pending = self.view.seat(number).pending
        assert pending is not None
        options = pending.request.options
        games = options[0].games
        game: str | None = self._offer().id
        if command is not None:
            if reason := refusal(options, command.action):
                raise IllegalAction("illegal", f"{reason[0].upper()}{reason[1:]}.")
            game = command.action.game
        assert game is not None
        del self.pending[number]
        self._picked_for = self.view.hand + 1
        self._pick_game(games.index(game), number)

    def _play(self, events: Sequence[AnyEvent]) -> None:
        for event in events:
            self._emit(event)
        self._settle()

    def _settle(self) -> None:
        """Decide at once for those who have left, and tidy up when the hand is over."""
        hand = self.hand
        if hand is None:
            return
        while not hand.over:
            gone = next((seat for seat in self.pending if seat in self.leaving), None)
            if gone is None:
                return
            del self.pending[gone]
            for event in hand.time_up(gone, "left"):
                self._emit(event)
        self.hand = None
        self._after_hand(hand.seats)

    def _after_hand(self, seats: Sequence[Seat]) -> None:
        for number in sorted(seats):
            if number in self.leaving:
                self._leave(number, "")
                continue
            ordered = self._ordered.pop(number, 0)
            room = self.rules.buy_in_most - self.view.seat(number).chips
            if min(ordered, room) > 0:
                self._add_chips(number, min(ordered, room))
            missed = self._missed.get(number, 0) + 1 if number in self._late else 0
            self._missed[number] = missed
            seat = self.view.seat(number)
            if not seat.away and not seat.chips:
                self._broke.add(number)  # who sits out by his own will does not come back by buying chips
                self._emit(ev.PlayerAway(number, NO_CHIPS))
            elif not seat.away and missed >= self.rules.misses:
                self._emit(ev.PlayerAway(number, MISSED))

    def _void_hand(self, command: cmd.VoidHand) -> None:
        hand = self.hand
        if hand is None:
            raise IllegalAction("not_now", "No hand is running.")
        stacks = tuple([(seat, self.view.seat(seat).stack) for seat in hand.seats])
        self.hand = None
        self.pending.clear()
        self._emit(ev.HandVoided(hand.number, stacks, command.why))
        self._after_hand(hand.seats)


_DO = cast(
    "dict[type[AnyCommand], Callable[[TableState, AnyCommand], None]]",
    {
        cmd.OpenTable: TableState._open_table,
        cmd.SitDown: TableState._sit_down,
        cmd.StandUp: TableState._stand_up,
        cmd.SitOut: TableState._sit_out,
        cmd.SitIn: TableState._sit_in,
        cmd.TopUp: TableState._top_up,
        cmd.Say: TableState._say,
        cmd.Connection: TableState._connection,
        cmd.GoOn: TableState._go_on,
        cmd.Show: TableState._show,
        cmd.AskGame: TableState._ask_game,
        cmd.StartHand: TableState._start_hand,
        cmd.Act: TableState._act,
        cmd.TimeUp: TableState._time_up,
        cmd.VoidHand: TableState._void_hand,
    },
)
