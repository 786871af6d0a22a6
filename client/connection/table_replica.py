"""The client's replica of a table: the view and the clocks, kept in step with what the server sends.

It does no I/O. A message that cannot be true raises ConnectionLost: the client then connects again and asks for what it
is missing, or for the whole view if the replica itself may be wrong.
"""

from collections.abc import Callable, Iterator

from client.connection.event_check import plausible
from client.errors import ConnectionLost
from protocol.events import AnyEvent, Seat
from protocol.seat_view import Pending
from protocol.table_rules import BANKED
from protocol.view import TableView
from protocol.wire import messages as msg


class TableReplica:
    """A table as one client may see it.

    Attributes:
        view: the table after the last event that arrived.
        seat: the client's own seat; 0 for a spectator, and before a seat is given.
        table: id of the table; empty while it is not known.
        session: id of the table's session on the server; empty before the first snapshot.
        receipt: what the server gave with the last step or snapshot, to be given back when the client comes again.
        clocks: for every running decision clock the seat and the time at which it ends, on the scale of `now`; with the
            part of the time bank that the player may use.
        banks: seconds left of every time bank that is not full, by seat; those in use as they were when they were told.
        watching: the number of spectators; spectators: the names of the first of them.
        paused: whether no clock runs, because nobody is there to play for, or a host wants it.
        rises_at: when the level of the limits is over, on the scale of `now`; None where they do not rise by minutes.
        place: the place on the waiting list, from 1; 0 for somebody who does not wait for a seat.
    """

    def __init__(self, table: str, now: Callable[[], float]) -> None:
        self.view = TableView()
        self.seat: Seat = 0
        self.table = table
        self.session = ""
        self.receipt = b""
        self.clocks: dict[Seat, float] = {}
        self.banks: dict[Seat, float] = {}
        self.watching = 0
        self.spectators: tuple[str, ...] = ()
        self.place = 0
        self.paused = False
        self.rises_at: float | None = None
        self._break_ends: float | None = None
        self._break_begins: float | None = None
        self._clock = now
        self._told = 0.0  # when clocks were told that stand still
        self._needs_snapshot = False

    def _now(self) -> float:
        """The time of the clocks: it stands still with them."""
        return self._told if self.paused else self._clock()

    @property
    def own_request(self) -> Pending | None:
        """The open request to the own seat; None if there is none."""
        if not 0 < self.seat <= len(self.view.seats):
            return None
        return self.view.seats[self.seat - 1].pending

    def seconds_left(self, seat: Seat) -> float | None:
        """Seconds left to that seat without its time bank, never below 0; None where no clock runs."""
        ends = self.clocks.get(seat)
        return None if ends is None else max(0.0, ends - self._bank(seat) - self._now())

    def bank_left(self, seat: Seat) -> float:
        """Seconds of the time bank that follow when the clock of the seat is at 0, or that are left of them then."""
        ends = self.clocks.get(seat)
        return 0.0 if ends is None else min(self._bank(seat), max(0.0, ends - self._now()))

    @property
    def break_left(self) -> float | None:
        """Seconds left of a break that runs; None if none does."""
        return None if self._break_ends is None else max(0.0, self._break_ends - self._clock())

    @property
    def break_in(self) -> float | None:
        """Seconds until the next break that is planned, never below 0; None if none is."""
        if self._break_begins is None or not self.view.next_break:
            return None
        return max(0.0, self._break_begins - self._clock())

    def _bank(self, seat: Seat) -> float:
        """The part of the running clock that is time bank: none while the player is not there (`rules.md` 10)."""
        player = self.view.seats[seat - 1] if 0 < seat <= len(self.view.seats) else None
        rules = self.view.rules
        if player is None or player.pending is None or rules is None or not player.online:
            return 0.0
        if player.pending.request.decision not in BANKED:
            return 0.0
        return self.banks.get(seat, float(rules.clocks.bank))

    def rises_in(self) -> float | None:
        """Seconds until the level of the limits is over, never below 0; None where they do not rise by minutes."""
        return None if self.rises_at is None else max(0.0, self.rises_at - self._now())

    def take_resume_point(self) -> int:
        """Number of the last event that is known, for the next request for the seat; 0 to get a snapshot."""
        seen = 0 if self._needs_snapshot else self.view.seq
        self._needs_snapshot = False
        return seen

    # --------------------------------------------------------------- from the server

    def join(self, message: msg.Joined) -> None:
        """The seat is given, or a place on the waiting list; what is missing will follow. Raises ConnectionLost."""
        if self.view.seats and not _fits(self.view, message.seat):
            self._needs_snapshot = True
            raise ConnectionLost("The server gave a seat that does not exist.")
        self.table, self.seat, self.place = message.table, message.seat, message.place

    def load(self, message: msg.Snapshot) -> None:
        """The whole view takes the place of the old one. Raises ConnectionLost."""
        if not _fits(message.view, message.seat):
            raise ConnectionLost("The server sent a table that is not possible.")
        self.view, self.seat = message.view, message.seat
        self.session, self.receipt = message.session, message.receipt
        self.table = message.view.table or self.table
        self.set_time_left(message)

    def set_time_left(self, message: msg.TimeLeft | msg.Snapshot) -> None:
        """All running clocks and time banks, and how many watch."""
        now = self._clock()
        self.clocks = {seat: now + tenths / 10 for seat, tenths in message.clocks}
        self.banks = {seat: tenths / 10 for seat, tenths in message.banks}
        self.watching, self.spectators = message.watching, message.spectators
        self.paused, self._told = message.paused, now
        self.rises_at = None if message.rises_in < 0 else now + message.rises_in
        self._break_ends = now + message.break_left / 10 if message.break_left else None
        self._break_begins = None if message.break_in < 0 else now + message.break_in

    def apply(self, message: msg.Events) -> Iterator[AnyEvent]:
        """Applies the events that are new, and yields each when the view stands directly behind it.

        Raises ConnectionLost for a gap in the numbers, and for an event that is not possible at this table.
        """
        if not self.view.table and message.seq > 1:
            raise ConnectionLost("The server did not send the table first.")
        if message.seq > self.view.seq + 1:
            raise ConnectionLost("An event was lost on the way; asking for what is missing.")
        for event in message.events[max(0, self.view.seq + 1 - message.seq) :]:
            try:
                if not plausible(event, len(self.view.seats)):
                    raise ValueError("no such seat or card")
                self.view.apply(event)
            except (IndexError, ValueError, KeyError):
                self._needs_snapshot = True
                raise ConnectionLost("The table got out of step; asking for all of it again.") from None
            self._update_clocks()
            if self.view.seq == message.seq + len(message.events) - 1:
                self.receipt = message.receipt
            yield event

    def _update_clocks(self) -> None:
        """A clock starts with a request that has one, and ends with the request."""
        for seat in self.view.seats:
            if seat.pending is None:
                self.clocks.pop(seat.seat, None)
            elif seat.pending.seq == self.view.seq and seat.pending.request.seconds is not None:
                self.clocks[seat.seat] = self._now() + seat.pending.request.seconds + self._bank(seat.seat)


def _fits(view: TableView, seat: Seat) -> bool:
    """Whether the seats are numbered as they must be and the own one is among them."""
    return 0 <= seat <= len(view.seats) and view.is_whole()
