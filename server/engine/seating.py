"""The seats of a table: who sits where, with what chips, and who is dealt in.

The view of the table holds what everybody may know of a seat. `Seating` adds the books that only the authority keeps,
and takes the commands that are about one seat: sit down and stand up, sit out and in, buy chips.

Whatever a player asks for during a hand in which they were dealt in waits until that hand is over: bought chips
arrive then, and the seat of a player who leaves is given back then.
"""

from collections.abc import Callable, Sequence

from protocol import commands as cmd
from protocol import events as ev
from protocol.events import AnyEvent, Chips, Seat
from protocol.seat_view import SeatView
from protocol.table_rules import TableRules
from protocol.view import TableView
from server.engine.errors import IllegalAction

NO_CHIPS = "out of chips"
MISSED = "did not answer in time"


class Seating:
    """The books of the seats.

    Args:
        view: the whole table; `emit` changes it.
        emit: makes an event happen.

    Attributes (by seat):
        tokens: digest of the seat token of each taken seat.
        last_ids: id of the last action done for each seat.
        pending: event number of the open request of each seat that is asked.
        leaving: seats that are given back when the hand is over; ordered: chips that arrive then.
        late: seats that have let a clock run out during this hand; missed: in how many hands in a row they have.
        broke: seats that sit out because they are out of chips; they are back once they have bought some.
        chips: all chips that should be on the table.
        kept: name and chips of players who were not there when their seat was freed, by the digest of their token.
        hosts: digests of the seat tokens of the hosts; a player who stands up for good is no host any more.
        left_with: chips of players who have stood up with more than the usual buy-in, by the digest of their token.
    """

    def __init__(self, view: TableView, emit: Callable[[AnyEvent], None]) -> None:
        self.tokens: dict[Seat, bytes] = {}
        self.last_ids: dict[Seat, int] = {}
        self.pending: dict[Seat, int] = {}
        self.leaving: set[Seat] = set()
        self.ordered: dict[Seat, Chips] = {}
        self.late: set[Seat] = set()
        self.missed: dict[Seat, int] = {}
        self.broke: set[Seat] = set()
        self.chips: Chips = view.chips()
        self.kept: dict[bytes, tuple[str, Chips]] = {}
        self.left_with: dict[bytes, Chips] = {}
        self.hosts: set[bytes] = set()
        self._keep_for: set[Seat] = set()
        self._view = view
        self._emit = emit

    @property
    def _rules(self) -> TableRules:
        assert self._view.rules is not None
        return self._view.rules

    # --------------------------------------------------------------- questions

    def ready(self) -> list[Seat]:
        """The seats that would be dealt in, in order of their numbers."""
        return [
            seat.seat
            for seat in self._view.seats
            if seat.name and not seat.away and seat.chips > 0 and seat.seat not in self.leaving
        ]

    def taken(self, number: Seat) -> SeatView:
        """The seat of a player. Raises IllegalAction if nobody sits there."""
        seats = self._view.seats
        if not 1 <= number <= len(seats) or not seats[number - 1].name:
            raise IllegalAction("not_seated", "You have no seat at this table.")
        return seats[number - 1]

    def _in_hand(self, seat: SeatView) -> bool:
        """Whether the seat was dealt into the running hand; it may have folded."""
        return self._view.playing and seat.hand != "out"

    # ---------------------------------------------------------------- commands

    def sit_down(self, command: cmd.SitDown) -> Seat:
        """Take a seat with chips; its number."""
        rules = self._rules
        if not command.name:
            raise IllegalAction("no_name", "A player needs a name.")
        if any(seat.name.casefold() == command.name.casefold() for seat in self._view.players()):
            raise IllegalAction("name_taken", f"The name {command.name} is taken at this table.")
        own = self.kept.get(command.token) == (command.name, command.chips)
        if not own and not rules.buy_in_least <= command.chips <= rules.buy_in_most:
            raise IllegalAction(
                "buy_in", f"Sit down with {rules.buy_in_least} to {rules.buy_in_most} chips, not {command.chips}."
            )
        free = [seat.seat for seat in self._view.seats if not seat.name]
        if not free:
            raise IllegalAction("full", "Every seat is taken.")
        if command.seat is not None and command.seat not in free:
            raise IllegalAction("seat_taken", f"Seat {command.seat} is not free.")
        seat = command.seat or free[0]
        self.chips += command.chips
        self.tokens[seat] = command.token
        self.kept.pop(command.token, None)
        self.left_with.pop(command.token, None)
        self._emit(ev.PlayerSeated(seat, command.name, command.chips, command.bot, command.token))
        return seat

    def stand_up(self, command: cmd.StandUp) -> None:
        """Give the seat back, now or when the hand is over."""
        seat = self.taken(command.seat)
        if not self._in_hand(seat):
            self._leave(seat.seat, command.why, keep=command.keep)
            return
        if seat.seat in self.leaving:
            raise IllegalAction("leaving", "The seat is given back when the hand is over.")
        self.leaving.add(seat.seat)
        if command.keep:
            self._keep_for.add(seat.seat)
        self._emit(ev.PlayerAway(seat.seat, "leaves after this hand"))

    def _leave(self, number: Seat, why: str, *, keep: bool) -> None:
        seat = self._view.seat(number)
        token = self.tokens.get(number)
        if token and keep and seat.chips:
            self.kept[token] = seat.name, seat.chips
        elif token and seat.chips > self._rules.buy_in:
            self.left_with[token] = seat.chips
        if token and not keep:
            self.hosts.discard(token)
        self.chips -= seat.chips
        for book in (self.tokens, self.last_ids, self.pending, self.ordered, self.missed):
            book.pop(number, None)
        self.leaving.discard(number)
        self._keep_for.discard(number)
        self.broke.discard(number)
        self._emit(ev.PlayerLeft(number, seat.name, seat.chips, why))

    def give_back(self, command: cmd.GiveBack) -> None:
        """A seat whose player is not there, or kept chips, belong to another token from now on."""
        lost, token = command.lost, command.token
        if token in self.kept or token in self.tokens.values():
            raise IllegalAction("seat_taken", "That token has a seat, or chips, of its own.")
        seat = min([seat for seat, owner in self.tokens.items() if owner == lost], default=None)
        if seat is None and lost not in self.kept:
            raise IllegalAction("not_seated", "Nothing belongs to that token.")
        if seat is not None and self._view.seat(seat).online:
            raise IllegalAction("seat_taken", "The player of that seat is there.")
        if seat is not None:
            self.tokens[seat] = token
        else:
            self.kept[token] = self.kept.pop(lost)
        if lost in self.hosts:
            self.hosts.remove(lost)
            self.hosts.add(token)
        self._emit(ev.Said("", command.why))

    def sit_out(self, command: cmd.SitOut) -> None:
        """Be dealt in no more."""
        seat = self.taken(command.seat)
        if seat.away:
            raise IllegalAction("away", "You are sitting out already.")
        self._emit(ev.PlayerAway(seat.seat, command.why))

    def sit_in(self, command: cmd.SitIn) -> None:
        """Be dealt in again."""
        seat = self.taken(command.seat)
        if not seat.away:
            raise IllegalAction("not_away", "You are not sitting out.")
        if seat.seat in self.leaving:
            raise IllegalAction("leaving", "The seat is given back when the hand is over.")
        if not seat.chips and not self._in_hand(seat):
            raise IllegalAction("no_chips", "You have no chips; buy some first.")
        self.missed.pop(seat.seat, None)
        self._emit(ev.PlayerBack(seat.seat))

    def top_up(self, command: cmd.TopUp) -> None:
        """Buy chips, which arrive now or when the hand is over."""
        seat = self.taken(command.seat)
        most = self._rules.buy_in_most
        after = seat.chips + self.ordered.get(seat.seat, 0) + command.amount
        if command.amount < 1 or after > most:
            raise IllegalAction("buy_in", f"A stack can be filled up to {most} chips; you have {seat.chips}.")
        if self._in_hand(seat):
            self.ordered[seat.seat] = self.ordered.get(seat.seat, 0) + command.amount
            self._emit(ev.ChipsOrdered(seat.seat, command.amount))
        else:
            self._add_chips(seat.seat, command.amount)

    def _add_chips(self, number: Seat, amount: int, why: str = "") -> None:
        self.chips += amount
        self._emit(ev.ChipsAdded(number, amount, self._view.seat(number).chips + amount, why))
        if number in self.broke:
            self.broke.discard(number)
            self._emit(ev.PlayerBack(number))

    def correct(self, command: cmd.CorrectStack) -> None:
        """A host gives chips to a player, or takes some."""
        seat = self.taken(command.seat)
        if not command.amount or seat.chips + command.amount < 0:
            raise IllegalAction("buy_in", f"{seat.name} has {seat.chips} chips.")
        self._add_chips(seat.seat, command.amount, command.why)
        if not seat.chips and not seat.away:
            self.broke.add(seat.seat)
            self._emit(ev.PlayerAway(seat.seat, NO_CHIPS))

    def connection(self, command: cmd.Connection) -> None:
        """A player's connection was lost, or is back."""
        if self.taken(command.seat).online != command.online:
            self._emit(ev.ConnectionChanged(command.seat, command.online))

    def go_on(self, command: cmd.GoOn) -> None:
        """A player has read the result; nothing happens during a hand or the second time."""
        seat = self.taken(command.seat)
        if not self._view.playing and not seat.went_on:
            self._emit(ev.WentOn(command.seat))

    # ------------------------------------------------------------ between hands

    def after_hand(self, dealt_in: Sequence[Seat]) -> None:
        """Free the seats of those who leave, hand out ordered chips, and let those sit out who must (`rules.md` 10)."""
        for number in sorted(dealt_in):
            if number in self.leaving:
                self._leave(number, "", keep=number in self._keep_for)
                continue
            ordered = self.ordered.pop(number, 0)
            room = self._rules.buy_in_most - self._view.seat(number).chips
            if min(ordered, room) > 0:
                self._add_chips(number, min(ordered, room))
            missed = self.missed.get(number, 0) + 1 if number in self.late else 0
            self.missed[number] = missed
            seat = self._view.seat(number)
            if not seat.away and not seat.chips:
                self.broke.add(number)  # a player who chose to sit out is not back by buying chips
                self._emit(ev.PlayerAway(number, NO_CHIPS))
            elif not seat.away and missed >= self._rules.misses:
                self._emit(ev.PlayerAway(number, MISSED))
