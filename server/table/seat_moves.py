"""Changes of seats: a player moves to a free seat between two hands, with their chips.

What a player asks for during a hand, or while its result still stands, waits until the next hand is about to be dealt.
For the engine and the journal a move is two commands that every version knows: the player stands up, the table keeps
the chips for their seat token, and with that token they sit down again. The player alone is told otherwise: they get
their new seat and a snapshot, because a client would take the first of the two events for the end of its session.
"""

from collections.abc import Callable

from protocol import commands as cmd
from protocol.events import Seat
from protocol.wire.messages import HostAnswer, RejectCode, Rejected
from server.table.audience import Audience
from server.table.dealer import Dealer
from server.table.guest import Guest
from server.table.pipeline import Pipeline


class SeatMoves:
    """The moves at one table that are asked for and not yet done. `begin` has to be called first.

    Args:
        take_seat: gives a connected player the seat that is theirs now, and tells them.
    """

    def __init__(self, audience: Audience, dealer: Dealer, take_seat: Callable[[Guest, Seat], None]) -> None:
        self._audience, self._dealer, self._take_seat = audience, dealer, take_seat
        self._asked: dict[Seat, Seat] = {}
        self._pipeline: Pipeline

    def begin(self, pipeline: Pipeline) -> None:
        """Goes on with that pipeline. Nobody has asked for anything."""
        self._pipeline = pipeline
        self._asked.clear()

    def ask(self, guest: Guest, seat: Seat, to: Seat) -> None:
        """The player of `seat` wants another one. The last word counts; the own seat takes it back."""
        if self._pipeline.halted is not None:
            return
        if to == seat:
            self._asked.pop(seat, None)
            self._pipeline.answer(guest, HostAnswer(f"You stay in seat {seat}."))
        elif refusal := self._refusal(seat, to):
            self._pipeline.answer(guest, Rejected.of(*refusal))
        else:
            self._asked[seat] = to
            if not self._is_time():
                text = f"You move to seat {to} before the next hand; /move {seat} takes that back."
                self._pipeline.answer(guest, HostAnswer(text))

    def forget(self, seat: Seat) -> None:
        """The player of that seat has left it."""
        self._asked.pop(seat, None)

    def do(self) -> None:
        """Does what has been asked for, if it is time for it. Who is not connected moves when they are back."""
        if not self._asked or not self._is_time():
            return
        for seat in sorted(self._asked.keys() & self._audience.seated.keys()):
            to, guest = self._asked.pop(seat), self._audience.seated[seat]
            if refusal := self._refusal(seat, to):
                self._pipeline.answer(guest, Rejected.of(*refusal))
            else:
                self._move(guest, seat, to)

    def _is_time(self) -> bool:
        """Whether players may move now: no hand runs, its result is read, and no game is chosen for the next dealer."""
        state = self._pipeline.state
        chosen = state.rules.change == "dealer" and state.can_deal()
        return state.between_hands and not chosen and not self._dealer.result_stands

    def _refusal(self, seat: Seat, to: Seat) -> tuple[RejectCode, str] | None:
        """Why the player of `seat` may not move to `to`; None if they may."""
        state = self._pipeline.state
        seats = state.view.seats
        if not 1 <= to <= len(seats):
            return "seat_taken", f"There is no seat {to}; the table has {len(seats)}."
        if name := seats[to - 1].name:
            return "seat_taken", f"{name} sits in seat {to}."
        rival = next((other for other, wanted in self._asked.items() if wanted == to and other != seat), None)
        if rival is not None:
            return "seat_taken", f"{state.view.name(rival)} moves to seat {to}."
        if seat in state.leaving:
            return "leaving", "Your seat is given back when the hand is over."
        if not state.between_hands:
            return None  # the rest is known when the hand is over
        if not seats[seat - 1].chips:
            return "no_chips", "You have no chips; buy some first."
        button, ready = state.view.button, state.ready()
        if seat == button and seat in ready:
            after = sorted({*ready, to} - {seat})
            if len(after) > 1 and next((one for one in after if one > button), after[0]) == to:
                return "not_now", f"In seat {to} you would be the dealer again at once. Move after the next hand."
        return None

    def _move(self, guest: Guest, seat: Seat, to: Seat) -> None:
        pipeline = self._pipeline
        player, token = pipeline.state.view.seat(seat), pipeline.state.tokens[seat]
        name, chips, bot, away = player.name, player.chips, player.bot, player.away
        bank = self._dealer.take_bank(seat)
        del self._audience.seated[seat]  # others are told the events, the player is not
        pipeline.decide(cmd.StandUp(seat, f"moves to seat {to}", keep=True))
        pipeline.decide(cmd.SitDown(name, chips, token, to, bot))
        if away:
            pipeline.decide(cmd.SitOut(to))
        self._dealer.give_bank(to, bank)
        self._take_seat(guest, to)
