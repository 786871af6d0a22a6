"""Who comes to a table and who goes: sitting down, coming back to a seat, watching, connections that end."""

from protocol import commands as cmd
from protocol.events import PlayerLeft, Seat
from protocol.view import hide
from protocol.visibility import Viewer
from protocol.wire import messages as msg
from protocol.wire.frames import encode_frame
from protocol.wire.messages import Rejected
from server.admission.player_names import BadName, clean_name, name_key
from server.admission.seat_tokens import TOKEN_BYTES, seat_of, token_digest
from server.table.audience import Audience
from server.table.dealer import Dealer
from server.table.guest import Guest
from server.table.pipeline import WHY_HALTED, Pipeline
from server.table.table_setup import TableSetup

LOG_BEHIND = "The server's journal has lost something of this table that you have seen. Tell the host."


class Seats:
    """The seats of a table and its spectators. `begin` has to be called first.

    `join`, `watch`, `gone` and `catch_up` are jobs for the pipeline.
    """

    def __init__(self, setup: TableSetup, audience: Audience, dealer: Dealer) -> None:
        self._audience, self._dealer = audience, dealer
        self._log, self._most_spectators = setup.log, setup.most_spectators
        # Where the disk may be behind what is shown, a crash can lose what players have seen, by the host's choice.
        self._loss_stops = setup.settings.durability == "action"
        self._loss_proven = False
        self._owners: dict[Guest, bytes] = {}
        self._pipeline: Pipeline
        self._table = self._session = ""

    def begin(self, pipeline: Pipeline) -> None:
        """Goes on with that pipeline. Nobody is connected yet."""
        self._pipeline = pipeline
        self._table, self._session = pipeline.state.view.table, str(pipeline.journal.header.started)
        for player in pipeline.state.view.players():
            if player.online:
                pipeline.do(self._disconnect, player.seat)

    def knows(self, token: bytes) -> bool:
        """Whether a seat here belongs to that token."""
        return len(token) == TOKEN_BYTES and seat_of(token_digest(token), self._pipeline.state.tokens) is not None

    def has_player(self, name: str) -> bool:
        """Whether somebody here has that name, or one that looks like it."""
        key = name_key(name)
        return any(name_key(player.name) == key for player in self._pipeline.state.view.players())

    def owner(self, guest: Guest) -> bytes | None:
        """The digest of the token with which the guest sat down here, even if they have given the seat back."""
        return self._owners.get(guest)

    # -------------------------------------------------------------------- coming

    def join(self, guest: Guest, message: msg.Join) -> None:
        """Sit down, or come back: the same token is the same seat."""
        if not self._may_enter(guest):
            return
        if len(message.token) != TOKEN_BYTES:
            self._reject(guest, Rejected.of("bad_token", f"A seat token has {TOKEN_BYTES} bytes."))
            return
        same = self._compare(guest, message)
        digest = token_digest(message.token)
        seat = seat_of(digest, self._pipeline.state.tokens)
        if seat is not None:
            self._come_back(guest, seat, message.seen if same else 0)
        else:
            self._sit_down(guest, digest, message)

    def _compare(self, guest: Guest, message: msg.Join | msg.Watch) -> bool:
        """Whether the guest has proof of having seen what the journal holds. Proof of a loss stops the table."""
        if message.session != self._session or not message.receipt:
            return False
        proof = self._pipeline.proof(message.seen, message.receipt)
        if proof == "lost":
            seq = self._pipeline.state.seq
            self._log.error("table.log_behind", table=self._table, seen=message.seen, seq=seq)
            self._reject(guest, Rejected.of("log_behind", LOG_BEHIND))
            self._loss_proven = self._loss_stops
        return proof == "same"

    def _sit_down(self, guest: Guest, digest: bytes, message: msg.Join) -> None:
        try:
            name = clean_name(message.name)
        except BadName as error:
            self._reject(guest, Rejected.of("bad_name", str(error)))
            return
        if self.has_player(name):
            self._reject(guest, Rejected.of("name_taken", f"Somebody here is called {name} already."))
            return
        pipeline = self._pipeline
        chips = message.chips or pipeline.state.rules.buy_in
        wanted = None if message.seat == msg.NO_SEAT else message.seat
        if not pipeline.attempt(guest, cmd.SitDown(name, chips, digest, wanted, message.bot)):
            return
        seat = seat_of(digest, pipeline.state.tokens)
        assert seat is not None
        self._log.info("table.joined", table=self._table, seat=seat, player=name, bot=message.bot)
        self._take_seat(guest, seat)
        pipeline.answer(guest, msg.Joined(self._table, seat))
        pipeline.answer(guest, self._snapshot(seat))

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
        missed = pipeline.missed(seen)
        if missed is None:
            pipeline.answer(guest, self._snapshot(seat))
        else:
            pipeline.send_missed(guest, missed)
            pipeline.answer(guest, msg.TimeLeft(self._dealer.clocks_left()))
        if not state.view.seat(seat).online:
            pipeline.decide(cmd.Connection(seat, True))
        self._log.info("table.back", table=self._table, seat=seat)

    def _take_seat(self, guest: Guest, seat: Seat) -> None:
        state = self._pipeline.state
        self._audience.spectators.remove(guest)
        guest.table, guest.seat = self._table, seat
        guest.bot = state.view.seat(seat).bot
        self._audience.seated[seat] = guest
        self._owners[guest] = state.tokens[seat]
        self._dealer.presence_changed()

    def watch(self, guest: Guest, message: msg.Watch) -> None:
        """Follow the table as a spectator."""
        spectators = self._audience.spectators
        if not self._may_enter(guest):
            return
        if not self._pipeline.state.rules.spectators:
            self._reject(guest, Rejected.of("no_spectators", "This table has no room for spectators."))
            return
        if guest not in spectators and len(spectators) >= self._most_spectators:
            self._reject(guest, Rejected.of("too_many", "As many watch this table as may."))
            return
        guest.table, guest.seat = self._table, None
        spectators.add(guest)
        self._compare(guest, message)
        self._dealer.presence_changed()
        self._pipeline.answer(guest, self._snapshot(None))

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
        self._pipeline.answer(guest, refusal)

    # --------------------------------------------------------------------- going

    def gone(self, guest: Guest) -> None:
        """The guest's connection has ended. Twice is fine."""
        self._audience.spectators.remove(guest)
        self._owners.pop(guest, None)
        seat = guest.seat
        if seat is not None and self._audience.seated.get(seat) is guest:
            del self._audience.seated[seat]
            guest.seat = None
            self._disconnect(seat)
            self._log.info("table.gone", table=self._table, seat=seat)
        self._dealer.presence_changed()

    def _disconnect(self, seat: Seat) -> None:
        """Notes that the seat's player has no connection."""
        if self._pipeline.halted is None and self._pipeline.state.view.seat(seat).online:
            self._pipeline.decide(cmd.Connection(seat, False))

    def seat_freed(self, event: PlayerLeft) -> None:
        """A player has stood up: they may stay and watch."""
        guest = self._audience.seated.pop(event.seat, None)
        self._log.info("table.left", table=self._table, seat=event.seat, player=event.name)
        if guest is not None:
            guest.seat = None
            self._audience.spectators.add(guest)

    # ------------------------------------------------------- what they are shown

    def catch_up(self, guest: Guest) -> None:
        """A spectator who was lost can follow again: a snapshot, and whatever comes after it."""
        here = guest.table == self._table and guest.seat is None and guest.closed is None
        if here and self._pipeline.halted is None:
            self._audience.spectators.add(guest)
            self._pipeline.answer(guest, self._snapshot(None))

    def shown(self) -> None:
        """What was decided is visible to the players: spectators may be sent it, too."""
        spectators = self._audience.spectators
        spectators.show()
        if spectators.far_behind:
            spectators.start_over(encode_frame(self._snapshot(None)))
        pipeline = self._pipeline
        if pipeline.halted is None and self._loss_proven:
            self._log.error("table.lost", table=self._table, journal=pipeline.journal.path)
            pipeline.halt("lost")

    def _snapshot(self, viewer: Viewer) -> msg.Snapshot:
        """The table as that viewer may see it."""
        state = self._pipeline.state
        last_id = 0 if viewer is None else state.last_ids.get(viewer, 0)
        seat = msg.NO_SEAT if viewer is None else viewer
        clocks, receipt = self._dealer.clocks_left(), self._pipeline.receipt
        return msg.Snapshot(hide(state.view, viewer), seat, clocks, last_id, self._session, receipt)
