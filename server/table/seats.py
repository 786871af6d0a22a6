"""Who comes to a table and who goes: sitting down, coming back to a seat, watching, connections that end."""

from abc import abstractmethod
from hmac import compare_digest

from protocol import commands as cmd
from protocol.events import PlayerLeft, Seat
from protocol.journal.records import Step
from protocol.view import hide
from protocol.visibility import Viewer
from protocol.wire import messages as msg
from protocol.wire.frames import encode_frame
from protocol.wire.messages import Rejected
from server.admission.player_names import BadName, clean_name, name_key
from server.admission.seat_tokens import token_digest
from server.storage.recovery import TableSession
from server.table.dealer import Dealing
from server.table.encoded_step import EncodedStep
from server.table.guest import Guest
from server.table.pipeline import WHY_HALTED, Setup

TOKEN_BYTES = 32
WITNESSES = 2
"""Players who must say so before the table stops: one could be lying. Who sits there alone is believed."""
LOG_BEHIND = (
    "You have seen more of this table than the server's journal holds: it has lost something. Tell the host; "
    "the table goes on from what the journal holds."
)


class Seating(Dealing):
    """A table to which guests come."""

    def __init__(self, session: TableSession, setup: Setup) -> None:
        super().__init__(session, setup)
        self._most_spectators = setup.most_spectators
        self._name = str(session.started)
        self._owners: dict[Guest, bytes] = {}
        # The journal has lost something: what clients have seen and what it holds may differ at the same numbers.
        self._doubtful = False
        self._witnesses: set[bytes] = set()

    @abstractmethod
    def _welcome(self, guest: Guest) -> None:
        """The guest is at this table from now on."""

    def knows(self, token: bytes) -> bool:
        """Whether a seat here belongs to that token."""
        return len(token) == TOKEN_BYTES and self._seat_of(token_digest(token)) is not None

    def has_player(self, name: str) -> bool:
        """Whether somebody here has that name, or one that looks like it."""
        key = name_key(name)
        return any(name_key(player.name) == key for player in self.state.view.players())

    # -------------------------------------------------------------------- coming

    def _join(self, guest: Guest, message: msg.Join) -> None:
        if not self._may_enter(guest):
            return
        if len(message.token) != TOKEN_BYTES:
            self._answer(guest, Rejected.of("bad_token", f"A seat token has {TOKEN_BYTES} bytes."))
            return
        digest = token_digest(message.token)
        seat = self._seat_of(digest)
        if seat is not None:
            self._resume(guest, seat, message)
            return
        try:
            name = clean_name(message.name)
        except BadName as error:
            self._answer(guest, Rejected.of("bad_name", str(error)))
            return
        if self.has_player(name):
            self._answer(guest, Rejected.of("name_taken", f"Somebody here is called {name} already."))
            return
        chips = message.chips or self.rules.buy_in
        if not self._ask(
            guest, cmd.SitDown(name, chips, digest, None if message.seat == msg.NO_SEAT else message.seat, message.bot)
        ):
            return
        seat = self._seat_of(digest)
        assert seat is not None
        self._log.info("table.joined", table=self.id, seat=seat, player=name, bot=message.bot)
        self._take_seat(guest, seat)
        self._answer(guest, msg.Joined(self.id, seat))
        self._snapshot(guest)

    def _resume(self, guest: Guest, seat: Seat, message: msg.Join) -> None:
        last_id = self.state.last_ids.get(seat, 0)
        seen = message.seen if message.session in ("", self._name) else 0
        if seen > self.state.seq:
            self._log.error("table.log_behind", table=self.id, seat=seat, seen=seen, seq=self.state.seq)
            self._answer(guest, Rejected.of("log_behind", LOG_BEHIND))
            self._doubtful = True
            if message.session:
                self._witnesses.add(self.state.tokens[seat])
        older = self.audience.seated.get(seat)
        if older is not None and older is not guest:
            older.seat = None
            older.part("replaced", "You have come back over another connection.")
        self._take_seat(guest, seat)
        self._answer(guest, msg.Joined(self.id, seat, last_id))
        missed = self._missed(seen)
        if missed is None:
            self._snapshot(guest)
        else:
            for step in missed:
                self._out.append((guest.send, EncodedStep(step.seq, step.at, None, step.events).own(seat)))
            self._answer(guest, msg.TimeLeft(self._clocks_left()))
        if not self.state.view.seat(seat).online:
            self._step(cmd.Connection(seat, True))
        self._log.info("table.back", table=self.id, seat=seat)

    def _take_seat(self, guest: Guest, seat: Seat) -> None:
        self.audience.spectators.remove(guest)
        guest.seat = seat
        guest.bot = self.state.view.seat(seat).bot
        self._welcome(guest)
        self.audience.seated[seat] = guest
        self._owners[guest] = self.state.tokens[seat]
        self._check_held()

    def _watch(self, guest: Guest, message: msg.Watch) -> None:
        if not self._may_enter(guest):
            return
        if not self.rules.spectators:
            self._answer(guest, Rejected.of("no_spectators", "This table has no room for spectators."))
            return
        if guest not in self.audience.spectators and len(self.audience.spectators) >= self._most_spectators:
            self._answer(guest, Rejected.of("too_many", "As many watch this table as may."))
            return
        self._welcome(guest)
        guest.seat = None
        self.audience.spectators.add(guest)
        self._check_held()
        self._snapshot(guest)

    def _may_enter(self, guest: Guest) -> bool:
        """Whether he may sit down or watch here; he is told why not."""
        if guest.closed is not None:
            return False  # he has gone while his wish waited
        if self.halted:
            self._answer(guest, Rejected.of(self.halted, WHY_HALTED[self.halted]))
        elif guest.seat is not None or (guest.table is not None and guest.table != self.id):
            self._answer(guest, Rejected.of("seated", "You are at a table already; stand up first."))
        else:
            return True
        return False

    def _seat_of(self, digest: bytes) -> Seat | None:
        """The seat of that token; looks at every seat, so that the time tells nothing."""
        found = None
        for seat, known in self.state.tokens.items():
            if compare_digest(known, digest):
                found = seat
        return found

    # --------------------------------------------------------------------- going

    def _gone(self, guest: Guest) -> None:
        self.audience.spectators.remove(guest)
        self._owners.pop(guest, None)
        seat = guest.seat
        if seat is not None and self.audience.seated.get(seat) is guest:
            del self.audience.seated[seat]
            guest.seat = None
            self._disconnect(seat)
            self._log.info("table.gone", table=self.id, seat=seat)
        self._check_held()

    def _disconnect(self, seat: Seat) -> None:
        if not self.halted and self.state.view.seat(seat).online:
            self._step(cmd.Connection(seat, False))

    def _left_seat(self, event: PlayerLeft) -> None:
        """A player has stood up: he may stay and watch."""
        self._clocks.leave([event.seat])
        guest = self.audience.seated.pop(event.seat, None)
        self._log.info("table.left", table=self.id, seat=event.seat, player=event.name)
        if guest is not None:
            guest.seat = None
            self.audience.spectators.add(guest)

    # ------------------------------------------------------- what they are shown

    def _snapshot(self, guest: Guest) -> None:
        self._answer(guest, self._seen_by(guest.seat))

    def _seen_by(self, viewer: Viewer) -> msg.Snapshot:
        """The table as that viewer may see it."""
        view = hide(self.state.view, viewer)
        last_id = 0 if viewer is None else self.state.last_ids.get(viewer, 0)
        return msg.Snapshot(view, viewer or msg.NO_SEAT, self._clocks_left(), last_id, self._name)

    def _catch_up(self, guest: Guest) -> None:
        if guest.table == self.id and guest.seat is None and guest.closed is None and self.halted is None:
            self.audience.spectators.add(guest)
            self._snapshot(guest)

    def _missed(self, seen: int) -> list[Step] | None:
        """The steps after event `seen`, if it ends a step and they are all at hand."""
        if seen <= 0 or seen > self.state.seq or self._doubtful:
            return None
        missed: list[Step] = []
        at = self.state.seq
        for step in reversed(self._recent):
            if at == seen:
                break
            at = step.seq - 1
            if step.events:
                missed.append(step)
        return missed[::-1] if at == seen else None

    def _shown(self) -> None:
        super()._shown()
        watching = self.audience.spectators
        watching.show()
        if watching.far_behind:
            watching.start_over(encode_frame(self._seen_by(None)))
        if not self.halted and self._log_lost():
            self._log.error("table.lost", table=self.id, journal=self._journal.path)
            self._halt("lost")

    def _log_lost(self) -> bool:
        """Whether so many have seen more than the journal holds that it must have lost something (faults 48, 65).

        Where the disk may be behind (`durability`) that can happen, and the host has chosen it.
        """
        if not self._witnesses or self._durability != "action":
            return False
        tokens = self.state.tokens.values()
        return len(self._witnesses.intersection(tokens)) >= min(WITNESSES, len(tokens))
