"""One evening at one table: seats, chips, the button, one hand after another.

`TableState.apply` turns a command into events and folds them into the view of the table. The same commands always give
the same events, so a server resumes after a crash, and a verifier checks a journal, by applying its commands again.

The state has four parts: the seats (`seating`), the games (`game_rotation`), how the table is run (`hosting`), and the
running hand (`hand`).
"""

from collections.abc import Mapping, Sequence
from typing import assert_never

from protocol import commands as cmd
from protocol import events as ev
from protocol.cards import DECK
from protocol.commands import AnyCommand
from protocol.events import AnyEvent, Cause, Seat
from protocol.journal.records import Checkpoint
from protocol.table_rules import TableRules
from protocol.view import TableView
from server.engine.errors import IllegalAction
from server.engine.game_rotation import GameRotation
from server.engine.games.catalogue import GAMES
from server.engine.games.game import Game
from server.engine.hand import Hand
from server.engine.hosting import Hosting
from server.engine.seating import Seating
from server.engine.voluntary_show import shown_after


class ChipsLost(AssertionError):
    """Chips have appeared or vanished: a bug. The table must stop."""


class TableState:
    """The authority's side of a table.

    Args:
        games: the games that are known, by id.
        view: the table from which to go on; None for a table that is still to be opened.

    Attributes:
        view: everything, as the all-seeing viewer sees it after the last event.
        hand: the running hand.
        played: seconds of play when the last hand was dealt; 0 where the limits do not rise by minutes.
        tokens, last_ids, pending, leaving, kept, left_with: the books of the seats (`Seating`).
    """

    def __init__(self, games: Mapping[str, Game] = GAMES, view: TableView | None = None) -> None:
        self.view = TableView() if view is None else view
        self.hand: Hand | None = None
        self.played = 0
        self._rotation = GameRotation(games, self.view, self._emit)
        self._seating = seating = Seating(self.view, self._emit)
        self._hosting = Hosting(self.view, self._emit, seating)
        self.tokens, self.last_ids = seating.tokens, seating.last_ids
        self.pending, self.leaving = seating.pending, seating.leaving
        self.kept, self.left_with = seating.kept, seating.left_with
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

    @property
    def between_hands(self) -> bool:
        """Whether the table is open, no hand is running and nobody is asked anything."""
        return self.hand is None and not self.pending and self.view.rules is not None

    def ready(self) -> list[Seat]:
        """The seats that would be dealt in, in order of their numbers."""
        return self._seating.ready()

    def can_deal(self) -> bool:
        """Whether StartHand would be accepted."""
        return self._is_free() and not self._rotation.wants_choice

    def wants_game(self) -> bool:
        """Whether the next dealer has to be asked for a game first."""
        return self._is_free() and self._rotation.wants_choice

    def next_button(self) -> Seat:
        """The dealer of the next hand: the next ready seat clockwise; after a void hand the same dealer again."""
        ready = self.ready()
        if self._hosting.redeal and self.view.button in ready:
            return self.view.button
        return next((seat for seat in ready if seat > self.view.button), ready[0])

    def _is_free(self) -> bool:
        return self.between_hands and not self.view.stands_still and len(self.ready()) >= 2

    # -------------------------------------------------------------- checkpoints

    def checkpoint(self) -> Checkpoint:
        """All of it as one value; it must be `between_hands`."""
        seating, rotation = self._seating, self._rotation
        # Ordered chips and seats that are being given back belong to a hand, and there is none.
        assert self.between_hands
        assert not seating.ordered
        assert not seating.leaving
        return Checkpoint(
            self.view.copy(),
            tuple(sorted(seating.tokens.items())),
            tuple(sorted(seating.last_ids.items())),
            tuple(sorted(seating.missed.items())),
            tuple(sorted(seating.broke)),
            rotation.number,
            rotation.hands,
            rotation.picked_for,
            tuple([(token, *kept) for token, kept in sorted(seating.kept.items())]),
            tuple(sorted(seating.left_with.items())),
            self.played,
            tuple(sorted(seating.hosts)),
            self._hosting.redeal,
        )

    @classmethod
    def restored(cls, checkpoint: Checkpoint, games: Mapping[str, Game] = GAMES) -> "TableState":
        """The table that goes on from there. Raises ValueError with a sentence if there can be no such table."""
        view = checkpoint.view.copy()
        if view.rules is None or view.playing or not view.is_whole() or len(view.seats) != view.rules.seats:
            raise ValueError("The table to go on from is not one between two hands.")
        state = cls(games, view)
        seating, rotation = state._seating, state._rotation
        try:
            rotation.games = rotation.games_with(view.rules)
        except IllegalAction as error:
            raise ValueError(error.text) from None
        seating.tokens.update(checkpoint.tokens)
        seating.last_ids.update(checkpoint.last_ids)
        seating.missed.update(checkpoint.missed)
        seating.broke.update(checkpoint.broke)
        seating.kept.update({token: (name, chips) for token, name, chips in checkpoint.kept})
        seating.left_with.update(checkpoint.left_with)
        rotation.number, rotation.hands = checkpoint.game, checkpoint.hands_of_game
        rotation.picked_for = checkpoint.picked_for
        state.played = checkpoint.played
        seating.hosts.update(checkpoint.hosts)
        state._hosting.redeal = checkpoint.redeal
        return state

    # ------------------------------------------------------------------- apply

    def apply(self, command: AnyCommand) -> tuple[AnyEvent, ...]:
        """Decide and fold one command. Raises IllegalAction, and then nothing has changed."""
        self._out = []
        if self.view.rules is None and type(command) is not cmd.OpenTable:
            raise IllegalAction("not_open", "The table is not open yet.")
        self._do(command)
        if self.view.chips() != self._seating.chips:
            raise ChipsLost(f"{self.view.chips()} chips on the table instead of {self._seating.chips}")
        return tuple(self._out)

    def _do(self, command: AnyCommand) -> None:
        match command:  # the commands of a running hand come first, because there are most of them
            case cmd.Act():
                self._act(command)
            case cmd.TimeUp():
                self._time_up(command)
            case cmd.StartHand():
                self._start_hand(command)
            case cmd.AskGame():
                self._ask_game()
            case cmd.VoidHand():
                self._void_hand(command)
            case cmd.Show():
                self._show(command)
            case cmd.Say():
                self._emit(ev.Said(command.name, command.text, command.seat))
            case cmd.OpenTable():
                self._open_table(command)
            case cmd.SitDown():
                self._hosting.seated(self._seating.sit_down(command))
            case cmd.StandUp():
                self._seating.stand_up(command)
                self._settle()
            case cmd.GiveBack():
                self._seating.give_back(command)
            case cmd.SitOut():
                self._seating.sit_out(command)
            case cmd.SitIn():
                self._seating.sit_in(command)
            case cmd.TopUp():
                self._seating.top_up(command)
            case cmd.Connection():
                self._seating.connection(command)
            case cmd.GoOn():
                self._seating.go_on(command)
            case cmd.NameHost():
                self._hosting.name(command)
            case cmd.PausePlay():
                self._hosting.pause(command)
            case cmd.ResumePlay():
                self._hosting.resume(command)
                self._settle()
            case cmd.PlanBreak():
                self._hosting.plan_break(command)
            case cmd.CorrectStack():
                self._correct_stack(command)
            case _:
                assert_never(command)

    def _emit(self, *events: AnyEvent) -> None:
        view = self.view
        for event in events:
            view.apply(event)
            if type(event) is ev.ActionRequested:
                self.pending[event.seat] = view.seq
        self._out += events

    def _open_table(self, command: cmd.OpenTable) -> None:
        """Opens the table; an open one goes on with other house rules."""
        view, rules = self.view, command.rules
        if view.rules is not None:
            if command.table != view.table or rules == view.rules or not self.between_hands:
                raise IllegalAction("open", "The table is open already.")
            if any(seat.seat > rules.seats for seat in view.players()):
                raise IllegalAction("open", "Somebody sits on a seat that would be taken away.")
        games = self._rotation.games_with(rules)
        for offer in rules.games:
            if problem := offer.stakes.problem():
                raise IllegalAction("stakes", f"{offer.title} cannot be played for these stakes: {problem}.")
        self._rotation.take_over(rules, games)
        self._emit(ev.TableOpened(command.table, rules))

    def _ask_game(self) -> None:
        if not self.wants_game():
            raise IllegalAction("not_now", "No game is to be chosen now.")
        self._rotation.ask(self.next_button())

    def _show(self, command: cmd.Show) -> None:
        seat = self._seating.taken(command.seat)
        if self.hand is not None or not self.view.awards:
            raise IllegalAction("not_now", "Cards are shown when a hand is over.")
        self._emit(shown_after(self._rotation.games[self.view.game], self.view, seat, command.cards))

    # --------------------------------------------------------------- the hand

    def _start_hand(self, command: cmd.StartHand) -> None:
        if not self.can_deal():
            raise IllegalAction("not_now", "No hand can be dealt now.")
        if sorted(command.deck) != list(DECK):
            raise IllegalAction("deck", "A deck has each of the 52 cards once.")
        ready = self.ready()
        if command.button is not None and command.button not in ready:
            raise IllegalAction("button", "The dealer must be one of those who are dealt in.")
        button = command.button or self.next_button()
        game = self._rotation.next_hand(len(ready), again=self._hosting.redeal)
        self._hosting.redeal = False
        clockwise = [seat for seat in ready if seat > button] + [seat for seat in ready if seat <= button]
        # With more players than the game takes, those nearest before the dealer wait; the dealer plays.
        dealt_in = [*clockwise[: min(len(clockwise), game.most_players) - 1], button]
        self._seating.late.clear()
        self.played = command.played or self.played
        self.hand = Hand(
            game,
            self._rotation.offer.stakes,
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
        seat = self._seating.taken(command.seat)
        if command.id and command.id <= self.last_ids.get(seat.seat, 0):
            raise IllegalAction("done", "That has been done already.")
        asked = self.pending.get(seat.seat)
        if asked is None:
            raise IllegalAction("not_asked", "It is not your turn.")
        if command.answers != asked:
            raise IllegalAction("stale", "That answered an older question; you are asked again.")
        self._hosting.check_open()
        self._decide(seat.seat, command, "player")
        if command.id:
            self.last_ids[seat.seat] = command.id

    def _time_up(self, command: cmd.TimeUp) -> None:
        if self.pending.get(command.seat) != command.answers:
            raise IllegalAction("stale", "That question is no longer open.")
        self._hosting.check_open()
        self._seating.late.add(command.seat)
        self._decide(command.seat, None, "timeout")

    def _decide(self, number: Seat, command: cmd.Act | None, cause: Cause) -> None:
        """Take the answer of a seat that is asked; None does what is done for a seat that does not answer."""
        action = None if command is None else command.action
        hand = self.hand
        if hand is None:
            self._rotation.answered(number, action)
            del self.pending[number]
            return
        events = hand.time_up(number, cause) if action is None else hand.act(number, action, cause)
        del self.pending[number]
        self._play(events)

    def _play(self, events: Sequence[AnyEvent]) -> None:
        self._emit(*events)
        self._settle()

    def _settle(self) -> None:
        """Decide at once for those who have left, and tidy up when the hand is over."""
        hand = self.hand
        if hand is None:
            return
        while not hand.over:
            if self.view.stands_still:
                return
            gone = next((seat for seat in self.pending if seat in self.leaving), None)
            if gone is None:
                return
            del self.pending[gone]
            self._emit(*hand.time_up(gone, "left"))
        self.hand = None
        self._seating.after_hand(hand.seats)

    def _void_hand(self, command: cmd.VoidHand) -> None:
        hand = self.hand
        if hand is None:
            raise IllegalAction("not_now", "No hand is running.")
        stacks = tuple([(seat, self.view.seat(seat).stack) for seat in hand.seats])
        self.hand = None
        self.pending.clear()
        self._emit(ev.HandVoided(hand.number, stacks, command.why))
        self._hosting.redeal = command.redeal
        self._seating.after_hand(hand.seats)

    def _correct_stack(self, command: cmd.CorrectStack) -> None:
        if self.hand is not None:
            raise IllegalAction("not_now", "Chips are corrected between two hands.")
        self._seating.correct(command)
