"""Who comes to a table and who goes: sitting down, coming back to a seat, watching, connections that end."""

import contextlib
from dataclasses import dataclass

import trio
from msgspec.structs import replace

from protocol import commands as cmd
from protocol.events import PlayerLeft, Seat
from protocol.narration.phrases import counted
from protocol.wire import messages as msg
from protocol.wire.messages import Rejected
from server.admission.player_names import BadName, clean_name, taken_by
from server.admission.seat_tokens import TOKEN_BYTES, seat_of, token_digest
from server.engine.errors import IllegalAction
from server.table.audience import Audience
from server.table.dealer import Dealer
from server.table.guest import Guest
from server.table.pipeline import WHY_HALTED, Pipeline
from server.table.seat_moves import SeatMoves
from server.table.seat_owners import SeatOwners
from server.table.snapshots import Snapshots
from server.table.spectating import Spectating
from server.table.table_setup import TableSetup
from server.table.waiting_list import WaitingList

LOG_BEHIND = "The server's journal has lost something of this table that you have seen. Tell the host."

LONG_GONE = 600.0
"""Seconds without a connection after which a player's seat goes to a guest where no hand can be played."""


@dataclass(slots=True)
class Absence:
    """A player who has a seat and no connection.

    Fields:
        since: when the connection ended, or the server started (`trio.current_time`).
        hands: that have ended meanwhile.
    """

    since: float
    hands: int = 0


class Seats:
    """The seats of a table and its spectators. `begin` has to be called first.

    `join`, `watch`, `gone` and `catch_up` are jobs for the pipeline.

    Attributes:
        owners: whose the seats are; spectating: what is done for those who have none.
        moves: the changes of seats.
    """

    def __init__(self, setup: TableSetup, audience: Audience, dealer: Dealer) -> None:
        self._audience, self._dealer = audience, dealer
        self._setup, self._log, self._counts = setup, setup.log, setup.counts
        # Where the disk may be behind what is shown, a crash can lose what players have seen, by the host's choice.
        self._loss_stops = setup.settings.durability == "action"
        self._loss_proven = False
        self._absent: dict[Seat, Absence] = {}
        self._owners: dict[Guest, bytes] = {}
        self._names: dict[Guest, str] = {}
        self.owners = SeatOwners(setup)
        self._snapshots = Snapshots(audience, dealer)
        self.spectating = Spectating(setup, audience, dealer, self.owners, self._snapshots)
        self.moves = SeatMoves(audience, dealer, self._moved)
        self._waiting = WaitingList()
        self._outside: set[Guest] = set()  # they have stood up, and may not watch
        self._pipeline: Pipeline
        self._table = ""

    def begin(self, pipeline: Pipeline) -> None:
        """Goes on with that pipeline. Nobody is connected yet."""
        self._pipeline = pipeline
        self.owners.begin(pipeline)
        self.moves.begin(pipeline)
        self._snapshots.begin(pipeline)
        self.spectating.begin(pipeline)
        now = trio.current_time()
        self._absent = {player.seat: Absence(now) for player in pipeline.state.view.players()}
        self._table = pipeline.state.view.table
        for player in pipeline.state.view.players():
            if player.online:
                pipeline.do(self._disconnect, player.seat)

    def owner(self, guest: Guest) -> bytes | None:
        """The digest of the token with which the guest sat down here, even if they have given the seat back."""
        return self._owners.get(guest)

    def name(self, guest: Guest) -> str:
        """The name under which the guest has sat here, waits for a seat or watches; empty if they have said none."""
        return self._names.get(guest, "") or self._audience.name(guest)

    # -------------------------------------------------------------------- coming

    def join(self, guest: Guest, message: msg.Join) -> None:
        """Sit down, or come back: the same token is the same seat."""
        if not self._may_enter(guest):
            return
        if len(message.token) != TOKEN_BYTES:
            self._reject(guest, Rejected.of("bad_token", f"A seat token has {TOKEN_BYTES} bytes."))
            return
        same = self._compare(guest, message)
        owned = self.owners.owned_by(message, guest.channel)
        digest = owned or token_digest(message.token)
        if owned is None and not self.owners.keep_promise(guest, digest, message):
            return
        seat = seat_of(digest, self._pipeline.state.tokens)
        if seat is not None:
            self._come_back(guest, seat, message.seen if same else 0)
        else:
            self._sit_down(guest, digest, message)

    def _compare(self, guest: Guest, message: msg.Join | msg.Watch) -> bool:
        """Whether the guest has proof of having seen what the journal holds. Proof of a loss stops the table."""
        if message.session != self._snapshots.session or not message.receipt:
            return False
        proof = self._pipeline.proof(message.seen, message.receipt)
        if proof == "lost":
            seq = self._pipeline.state.seq
            self._log.error("table.log_behind", table=self._table, seen=message.seen, seq=seq)
            self._reject(guest, Rejected.of("log_behind", LOG_BEHIND))
            self._loss_proven = self._loss_stops
        return proof == "same"

    def _sit_down(self, guest: Guest, digest: bytes, message: msg.Join) -> None:
        pipeline = self._pipeline
        kept = pipeline.state.kept.get(digest)
        if kept is not None:
            name, chips = kept
        else:
            try:
                name = clean_name(message.name, right_to_left=self._setup.settings.right_to_left_names)
            except BadName as error:
                self._reject(guest, Rejected.of("bad_name", str(error)))
                return
            if self.owners.has_player(name) or taken_by(name, self._waiting.names(digest)):
                self._reject(guest, Rejected.of("name_taken", self._name_taken(name)))
                return
            least = 0 if self._setup.settings.short_return else self.owners.least_return(digest)
            chips = message.chips or least or pipeline.state.rules.buy_in
            if chips < least:
                text = f"You have left this table with more today; sit down with at least {least} chips."
                self._reject(guest, Rejected.of("buy_in", text))
                return
        self._make_room()
        if message.wait and self._full and not self.spectating.no_room():
            self._wait(guest, digest, replace(message, name=name, seat=msg.NO_SEAT))
            return
        wanted = None if message.seat == msg.NO_SEAT else message.seat
        if not pipeline.attempt(guest, cmd.SitDown(name, chips, digest, wanted, message.bot)):
            return
        seat = seat_of(digest, pipeline.state.tokens)
        assert seat is not None
        self._log.info("table.joined", table=self._table, seat=seat, player=name, bot=message.bot)
        self._take_seat(guest, seat)
        pipeline.answer(guest, msg.Joined(self._table, seat))
        pipeline.answer(guest, self._snapshots.of(seat))
        self.spectating.note_same_address(guest.address)

    def _name_taken(self, name: str) -> str:
        """What a guest reads whose name somebody has; perhaps it is their own, and the key is lost (trap A35)."""
        text = (
            f"Somebody here is called {name} already, or so that it looks alike. {self.owners.free_name(name)} is free."
        )
        away = [player.name for player in self._pipeline.state.view.players() if player.seat in self._absent]
        away += [kept for kept, _ in self._pipeline.state.kept.values()]
        lost = taken_by(name, away) is not None
        return f"{text} If it is you and your key is lost, the host can give the seat back." if lost else text

    @property
    def _full(self) -> bool:
        return all(seat.name for seat in self._pipeline.state.view.seats)

    def _wait(self, guest: Guest, digest: bytes, message: msg.Join) -> None:
        """Every seat is taken: the guest watches until one is free, whichever it is."""
        self._waiting.add(guest, digest, message)
        self._owners[guest], self._names[guest] = digest, message.name
        new = guest not in self._audience.spectators
        guest.table, guest.seat = self._table, None
        self._audience.spectators.add(guest)
        self.spectating.give_name(guest, message.name)
        self._tell_places()
        if new:
            self.spectating.send_snapshot(guest)
        self._dealer.presence_changed()

    def let_in(self) -> None:
        """Gives free seats to those who wait for one, in their order."""
        while self._waiting and not self._full and (first := self._waiting.first(trio.current_time())) is not None:
            assert first.guest is not None
            self._waiting.remove(first.digest)
            self._sit_down(first.guest, first.digest, first.join)
            self._tell_places()

    def wait_no_longer(self, digest: bytes) -> None:
        """The owner of that token loses their place on the waiting list, if they have one."""
        self._waiting.remove(digest)
        self._tell_places()

    def _tell_places(self) -> None:
        for guest, place in self._waiting.untold():
            self._pipeline.answer(guest, msg.Joined(self._table, msg.NO_SEAT, place=place))

    def _come_back(self, guest: Guest, seat: Seat, seen: int) -> None:
        """The player of a seat is here again, and is known to have seen everything up to event number `seen`."""
        pipeline, state = self._pipeline, self._pipeline.state
        last_id = state.last_ids.get(seat, 0)
        older = self._audience.seated.get(seat)
        if older is not None and older is not guest:
            older.seat = None
            older.part("replaced", "You have come back over another connection.")
        self._take_seat(guest, seat)
        pipeline.answer(guest, msg.Joined(self._table, seat, last_id))
        missed = pipeline.missed(seen, seat)
        if missed is None:
            pipeline.answer(guest, self._snapshots.of(seat, pipeline.news(seen)))
        else:
            pipeline.send_missed(guest, missed)
            pipeline.answer(guest, self._dealer.time_left())
        if not state.view.seat(seat).online:
            pipeline.decide(cmd.Connection(seat, True))
        self._log.info("table.back", table=self._table, seat=seat)

    def _moved(self, guest: Guest, seat: Seat) -> None:
        """The player has changed seats and is still connected."""
        self._take_seat(guest, seat)
        self._pipeline.answer(guest, msg.Joined(self._table, seat, self._pipeline.state.last_ids.get(seat, 0)))
        self._pipeline.answer(guest, self._snapshots.of(seat, f"You sit in seat {seat} now."))
        self._log.info("table.moved", table=self._table, seat=seat, player=self._names[guest])

    def _take_seat(self, guest: Guest, seat: Seat) -> None:
        state = self._pipeline.state
        self._audience.spectators.remove(guest)
        self._audience.spectator_names.pop(guest, None)
        self._outside.discard(guest)
        self._waiting.remove(state.tokens[seat])
        guest.table, guest.seat = self._table, seat
        guest.bot = state.view.seat(seat).bot
        self._audience.seated[seat] = guest
        self._absent.pop(seat, None)
        self._owners[guest], self._names[guest] = state.tokens[seat], state.view.name(seat)
        self.owners.promises.end(state.tokens[seat])
        self._dealer.presence_changed()

    def watch(self, guest: Guest, message: msg.Watch) -> None:
        """Follow the table as a spectator."""
        spectators = self._audience.spectators
        if not self._may_enter(guest):
            return
        if guest not in spectators and (refusal := self.spectating.no_room()):
            self._reject(guest, refusal)
            return
        self._outside.discard(guest)
        guest.table, guest.seat = self._table, None
        new = guest not in spectators
        spectators.add(guest)
        self.spectating.give_name(guest, message.name)
        self._compare(guest, message)
        self._dealer.presence_changed()
        self.spectating.send_snapshot(guest)
        if new:
            self.spectating.note_same_address(guest.address)

    def _may_enter(self, guest: Guest) -> bool:
        """Whether the guest may sit down or watch here; if not, they are told why."""
        if guest.closed is not None:
            return False  # the connection has ended while the job waited
        halted = self._pipeline.halted
        if halted is not None:
            self._reject(guest, Rejected.of(halted, WHY_HALTED[halted]))
        elif guest.seat is not None or guest.table not in (None, self._table):
            self._reject(guest, Rejected.of("seated", "You are at a table already; stand up first."))
        else:
            return True
        return False

    def _reject(self, guest: Guest, refusal: Rejected) -> None:
        self._counts.refused += 1
        self._pipeline.answer(guest, refusal)

    # --------------------------------------------------------------------- going

    def gone(self, guest: Guest) -> None:
        """The guest's connection has ended. Twice is fine."""
        self._audience.spectators.remove(guest)
        self._audience.spectator_names.pop(guest, None)
        self._owners.pop(guest, None)
        self._names.pop(guest, None)
        self._outside.discard(guest)
        self._waiting.gone(guest, trio.current_time())
        seat = guest.seat
        if seat is not None and self._audience.seated.get(seat) is guest:
            del self._audience.seated[seat]
            guest.seat = None
            self._absent[seat] = Absence(trio.current_time())
            self._disconnect(seat)
            self._log.info("table.gone", table=self._table, seat=seat)
        self._dealer.presence_changed()

    def _disconnect(self, seat: Seat) -> None:
        """Notes that the seat's player has no connection."""
        if self._pipeline.halted is None and self._pipeline.state.view.seat(seat).online:
            self._pipeline.decide(cmd.Connection(seat, False))

    def seat_freed(self, event: PlayerLeft) -> None:
        """A player has stood up: they stay and watch, if there may be one more spectator."""
        guest = self._audience.seated.pop(event.seat, None)
        self._absent.pop(event.seat, None)
        self.moves.forget(event.seat)
        self._log.info("table.left", table=self._table, seat=event.seat, player=event.name)
        if guest is not None:
            guest.seat = None
            if refusal := self.spectating.no_room():
                self._outside.add(guest)
                self._reject(guest, refusal)
            else:
                self._audience.spectators.add(guest)
                self._audience.spectator_names[guest] = event.name
                if self._audience.delayed is not None:
                    self.spectating.send_snapshot(guest)

    # ------------------------------------------------------ players who are not there

    def hand_over(self) -> None:
        """A hand has been played without those who are not there."""
        for absence in self._absent.values():
            absence.hands += 1

    def minutes_absent(self, seat: Seat) -> int:
        """For how many whole minutes the player of that seat has not been there."""
        absence = self._absent.get(seat)
        return 0 if absence is None else int((trio.current_time() - absence.since) // 60)

    def free_absent(self) -> None:
        """Between hands: frees the seats of players who have not been there for too many hands."""
        most = self._setup.settings.absent_hands
        if most and self._absent and self._pipeline.state.between_hands:
            for seat in [seat for seat, absence in self._absent.items() if absence.hands >= most]:
                self.free(seat, f"not there for {counted(most, 'hand')}")

    def _make_room(self) -> None:
        """Where all seats are taken and no hand can be played, a guest gets the seat of a player who is long gone."""
        state = self._pipeline.state
        if not self._setup.settings.absent_hands or not state.between_hands or state.can_deal() or state.wants_game():
            return
        if all(seat.name for seat in state.view.seats):
            first = min(self._absent, key=lambda seat: self._absent[seat].since, default=None)
            if first is not None and trio.current_time() - self._absent[first].since > LONG_GONE:
                self.free(first, f"not there for {LONG_GONE / 60:.0f} minutes, and a guest needs the seat")

    def free(self, seat: Seat, why: str) -> None:
        """A job for the pipeline: frees a seat, now or after the hand; the owner of its token keeps the chips."""
        with contextlib.suppress(IllegalAction):  # nobody sits there, or they leave already
            self._pipeline.decide(cmd.StandUp(seat, why, keep=True))

    # ------------------------------------------------------- what they are shown

    def catch_up(self, guest: Guest) -> None:
        """A spectator who was lost can follow again: a snapshot, and whatever comes after it."""
        here = guest.table == self._table and guest.seat is None and guest.closed is None
        if here and guest not in self._outside and self._pipeline.halted is None:
            self._audience.spectators.add(guest)
            self.spectating.send_snapshot(guest)

    def shown(self) -> None:
        """What was decided is visible to the players: spectators may be sent it, too."""
        pipeline = self._pipeline
        self.spectating.shown()
        if pipeline.halted is None and self._loss_proven:
            self._log.error("table.lost", table=self._table, journal=pipeline.journal.path)
            pipeline.halt("lost")

    def rules_changed(self) -> None:
        """The house rules have changed: everybody gets a snapshot."""
        for seat, guest in self._audience.seated.items():
            self._pipeline.answer(guest, self._snapshots.of(seat))
        self.spectating.rules_changed()
