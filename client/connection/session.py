"""The client's side of a seat: what is known, what is asked, and what is sent.

`ClientSession` keeps one place at one table alive. It folds the server's events into `view`, notices a missing
event, comes back by itself after a broken line, and sends actions so that each is done at most once. It draws
nothing: the full screen, the line mode and the bots listen to it through the lists of callbacks.

All methods but `run` are synchronous and never wait, so that key handlers may call them; what is to be sent goes
through a queue to the task that `run` runs. Callbacks run inside that task and must be as quick.
"""

import time
from collections.abc import Callable, Sequence
from typing import Literal, TypeAlias, assert_never

import trio

from client.connection.connection import Connection, Dial, connect
from client.connection.event_check import plausible
from client.connection.seat_request import SeatRequest, pick_table
from client.errors import LONGEST, CannotConnect, ClientError, ConnectionLost, JoinRefused
from protocol.actions import Action, refusal
from protocol.cards import Card
from protocol.events import AnyEvent, Chips, PlayerLeft, Seat
from protocol.sanitize import clean
from protocol.view import Pending, TableView
from protocol.wire import messages as msg

__all__ = ["ClientSession", "SeatRequest", "Status"]

Status: TypeAlias = Literal["connecting", "online", "reconnecting", "closed"]

PAUSES = (0.25, 0.5, 1.0, 2.0, 4.0, 5.0)
"""Seconds before each attempt to come back; the last one repeats."""
SILENCE = 25.0
"""Seconds without a word after which the line counts as broken."""
STEADY = 5.0
"""Seconds after which a connection counts as a good one, and the pauses begin again at the first."""
LAST_WORDS = 3.0
"""Seconds that the line is kept after the own seat was given back, while an answer is still expected."""
_FOR_NOW = frozenset({"storage", "busy", "closed"})
"""Refusals of a seat one has that will not last; one comes again."""
PING = 1
"""Number of a ping whose answer is told; those that keep the line alive have none."""
_QUEUE = 64
"""Messages that may wait to be sent; more only pile up when the line is stuck."""


class ClientSession:
    """One place at one table.

    What to read:
        view: the table as this client may see it, folded up to the last event that arrived.
        seat: the own seat number; 0 while watching or not yet seated.
        status: ``connecting`` at first, ``online``, ``reconnecting`` after a broken line, ``closed`` at the end.
        trouble: why the line is down, or why the server ended the session, in a sentence; empty while all is well.
        clocks: for every running decision clock the seat and the moment at which it runs out, on the scale of
            `now` (seconds_left does the sum).
        pending: the open request to the own seat, or None; None also while an answer is on its way.

    What to listen to (append a callable; all are called inside the network task):
        on_event: ``(event)``, at once after each event, while `view` stands exactly behind it. For telling stories.
        on_change: ``(events)``, once for each message from the server that changed something, with the events
            just applied. It is called with an empty list for a new `status`, for a snapshot (`view` is then another
            object), and when `pending` was reopened or closed. For redrawing and for deciding.
        on_notice: ``(text)``, a sentence for this player alone: a refusal, a lost line, a last word of the server.
        on_record: ``(answer)``, for each answer to `get_hand`: a part of the record, or why there is none.

    What to set:
        waits: whether an answer is still expected, for whose sake a session that is over keeps its line for a moment.
    """

    def __init__(
        self,
        dial: Dial,
        place: SeatRequest,
        *,
        pauses: Sequence[float] = PAUSES,
        now: Callable[[], float] = time.monotonic,
    ) -> None:
        self.view = TableView()
        self.seat: Seat = 0
        self.status: Status = "connecting"
        self.trouble = ""
        self.clocks: dict[Seat, float] = {}
        self.on_event: list[Callable[[AnyEvent], None]] = []
        self.on_change: list[Callable[[Sequence[AnyEvent]], None]] = []
        self.on_notice: list[Callable[[str], None]] = []
        self.on_record: list[Callable[[msg.HandRecord | msg.Rejected], None]] = []
        self.waits: Callable[[], bool] = lambda: False
        self.place = place
        self.now = now
        self._dial = dial
        self._pauses = pauses
        self._table = place.table
        self._session = ""
        self._last_id = 0
        self._unsettled: msg.Act | None = None
        self._pinged: float | None = None
        self._welcomed = False
        self._stopped = False
        self._leave_by: float | None = None
        self._whole_view = False
        self._scope = trio.CancelScope()
        self._outbox: trio.MemorySendChannel[msg.FromClient] | None = None

    # ------------------------------------------------------------- what to read

    @property
    def pending(self) -> Pending | None:
        """The request that waits for this player's answer, with its number; None when nothing does."""
        if (
            not self.seat
            or self._unsettled is not None
            or self._leave_by is not None
            or self.seat > len(self.view.seats)
        ):
            return None
        return self.view.seats[self.seat - 1].pending

    @property
    def table(self) -> str:
        """Id of the table; empty while it is not known."""
        return self._table

    def seconds_left(self, seat: Seat) -> float | None:
        """Seconds left to that seat, never below 0; None where no clock runs."""
        ends = self.clocks.get(seat)
        return None if ends is None else max(0.0, ends - self.now())

    # --------------------------------------------------------------- what to do

    def act(self, action: Action) -> str:
        """Answer the open request. Returns why that is not possible, in a sentence, or "" when it was sent."""
        pending = self.pending
        if pending is None:
            return "your last action is on its way" if self._unsettled is not None else "it is not your turn"
        reason = refusal(pending.request.options, action)
        if reason:
            return reason
        if self.status != "online":
            return "not connected; wait until the line is back"
        self._last_id += 1
        self._unsettled = msg.Act(self._last_id, pending.seq, action)
        self._send(self._unsettled)
        self._changed(())
        return ""

    def say(self, text: str) -> None:
        """Chat."""
        self._send(msg.Say(text))

    def sit_out(self) -> None:
        """Not be dealt in from the next hand on."""
        self._send(msg.SitOut())

    def sit_in(self) -> None:
        """Be dealt in again."""
        self._send(msg.SitIn())

    def stand_up(self) -> None:
        """Give the seat back for good; `run` ends when it is free."""
        self._send(msg.StandUp())

    def top_up(self, amount: Chips) -> None:
        """Buy chips."""
        self._send(msg.TopUp(amount))

    def go_on(self) -> None:
        """The result has been read."""
        self._send(msg.GoOn())

    def show(self, cards: tuple[Card, ...] = ()) -> None:
        """Show these hidden cards of the hand that is over; none named: all of them."""
        self._send(msg.Show(cards))

    def ping(self) -> None:
        """Ask how long the way to the server and back takes; told as a notice."""
        if self._pinged is None:
            self._pinged = self.now()
            self._send(msg.Ping(PING))

    def get_hand(self, hand: int, after: int = 0) -> bool:
        """Ask for the record of a hand that is over; `on_record` hears the answer. False if that cannot be sent now."""
        if self._outbox is None or self.status != "online":
            return False
        try:
            self._outbox.send_nowait(msg.GetHand(hand, after))
        except (trio.WouldBlock, trio.BrokenResourceError):
            return False
        return True

    def close(self) -> None:
        """Hang up; the seat is kept. `run` returns."""
        self._stopped = True
        self.trouble = ""
        self._scope.cancel()

    # ------------------------------------------------------------------ network

    async def run(self) -> None:
        """Connect, take the place, and keep it until it is over.

        Returns after `close`, after the own seat was given back, or when the server says goodbye for good. Raises
        CannotConnect if the first connection fails, VersionMismatch, and JoinRefused when the place is not given.
        A line that breaks later is mended, with pauses that grow to five seconds, for as long as it takes.
        """
        try:
            with self._scope:
                await self._keep_alive()
        finally:
            self.clocks.clear()
            self._set_status("closed", self.trouble)

    async def _keep_alive(self) -> None:
        tries = 0
        been_there = False
        while not self._stopped:
            self._welcomed = False
            began = trio.current_time()
            try:
                await self._one_connection()
            except CannotConnect as error:
                if self._leave_by is not None:
                    return  # the seat has been given back; coming again would take another one
                been_there = been_there or self._welcomed
                if not been_there:
                    raise
                # A server that takes us in and drops us at once is not pressed harder than one that is away.
                tries = 0 if self._welcomed and trio.current_time() - began > STEADY else tries + 1
                self._set_status("reconnecting", str(error))
                await trio.sleep(self._pauses[min(max(tries - 1, 0), len(self._pauses) - 1)])

    async def _one_connection(self) -> None:
        self._pinged = None  # an answer to the line before will not come any more
        connection = await connect(self._dial)
        trouble: ClientError | None = None
        try:
            await self._take_place(connection)
            self._outbox, queue = trio.open_memory_channel[msg.FromClient](_QUEUE)
            with self._outbox, queue:
                async with trio.open_nursery() as nursery:
                    nursery.start_soon(connection.pump, queue)
                    try:
                        await self._read(connection)
                    except ClientError as error:
                        trouble = error  # raised outside, where no nursery wraps it in a group
                    nursery.cancel_scope.cancel()
        finally:
            self._outbox = None
            await connection.aclose()
        if trouble is not None:
            raise trouble

    async def _take_place(self, connection: Connection) -> None:
        if not self._table:
            self._table = await pick_table(connection, self.place)
        seen = 0 if self._whole_view else self.view.seq
        self._whole_view = False
        await connection.send(self.place.request(self._table, seen, self._session))

    async def _read(self, connection: Connection) -> None:
        while not self._stopped:
            with trio.move_on_after(SILENCE) as limit:
                if self._leave_by is not None:
                    limit.deadline = self._leave_by
                message = await connection.receive()
            if limit.cancelled_caught:
                if self._leave_by is not None:
                    self._stopped = True
                    return
                raise ConnectionLost("The server has not been heard of for a while.")
            self._handle(message)
            if self._leave_by is not None and not self.waits():
                self._stopped = True

    def _send(self, message: msg.FromClient) -> None:
        """Queue a message; what cannot be sent now is said, never kept for later."""
        if self._outbox is None:
            self._notice("Not connected; that was not sent.")
            return
        try:
            self._outbox.send_nowait(message)
        except trio.WouldBlock:
            self._notice("The line is stuck; that was not sent.")

    # ----------------------------------------------------------------- messages

    def _handle(self, message: msg.FromServer) -> None:
        match message:
            case msg.Events():
                self._arrived()
                self._fold(message)
            case msg.Joined():
                if self.view.seats and not _fits(self.view, message.seat):
                    self._whole_view = True
                    raise ConnectionLost("The server gave a seat that is not there.")
                self._table, self.seat = message.table, message.seat
                self._arrived()
                self._settle(message.last_id)
                if self._unsettled is not None:
                    self._send(self._unsettled)  # done at most once: the id is the same
            case msg.Snapshot():
                self._snapshot(message)
            case msg.TimeLeft():
                self._clocks_are(message.clocks)
                self._changed(())
            case msg.Done():
                self._settle(message.id)
            case msg.HandRecord():
                self._recorded(message)
            case msg.Rejected() if message.hand:
                self._recorded(message)
            case msg.Rejected():
                self._rejected(message)
            case msg.Bye():
                self._bye(message)
            case msg.Pong() if message.n == PING and self._pinged is not None:
                self._notice(f"To the server and back in {1000 * (self.now() - self._pinged):.0f} ms.")
                self._pinged = None
            case msg.Welcome() | msg.Refused() | msg.Tables() | msg.Pong():
                pass
            case _:
                assert_never(message)

    def _arrived(self) -> None:
        """The server has given the place; the line counts as good from here."""
        self._welcomed = True
        self._set_status("online", "")

    def _snapshot(self, message: msg.Snapshot) -> None:
        if not _fits(message.view, message.seat):
            raise ConnectionLost("The server sent a table that cannot be.")
        self.view, self.seat = message.view, message.seat
        self._session = message.session
        self._table = message.view.table or self._table
        self._clocks_are(message.clocks)
        self._welcomed = True
        self._set_status("online", "", tell=False)
        self._settle(message.last_id, tell=False)
        self._changed(())

    def _clocks_are(self, clocks: tuple[tuple[Seat, int], ...]) -> None:
        moment = self.now()
        self.clocks = {seat: moment + tenths / 10 for seat, tenths in clocks}

    def _fold(self, message: msg.Events) -> None:
        if not self.view.table and message.seq > 1:
            raise ConnectionLost("The server did not send the table first.")
        fresh = message.events[max(0, self.view.seq + 1 - message.seq) :]
        if message.seq > self.view.seq + 1:
            raise ConnectionLost("An event was lost on the way; asking for what is missing.")
        for event in fresh:
            try:
                if not plausible(event, len(self.view.seats)):
                    raise ValueError("no such seat or card")
                self.view.apply(event)
            except (IndexError, ValueError, KeyError):
                self._whole_view = True
                raise ConnectionLost("The table got out of step; asking for all of it again.") from None
            self._clock(event)
            for callback in self.on_event:
                callback(event)
        if self._unsettled is not None and not self._still_open(self._unsettled):
            self._unsettled = None
        if fresh:
            self._changed(fresh)

    def _still_open(self, act: msg.Act) -> bool:
        pending = self.view.seats[self.seat - 1].pending if self.seat else None
        return pending is not None and pending.seq == act.answers

    def _clock(self, event: AnyEvent) -> None:
        for seat in self.view.seats:
            if seat.pending is None:
                self.clocks.pop(seat.seat, None)
            elif seat.pending.seq == self.view.seq and seat.pending.request.seconds is not None:
                self.clocks[seat.seat] = self.now() + seat.pending.request.seconds
        if isinstance(event, PlayerLeft) and event.seat == self.seat and not self.place.watch:
            self._leave_by = trio.current_time() + LAST_WORDS

    def _settle(self, done: int, *, tell: bool = True) -> None:
        """Everything up to action number `done` has been done."""
        self._last_id = max(self._last_id, done)
        if self._unsettled is not None and self._unsettled.id <= done:
            self._unsettled = None
            if tell:
                self._changed(())

    def _rejected(self, message: msg.Rejected) -> None:
        if not self._welcomed and message.code != "log_behind":  # that one is only told: the seat follows
            if message.code in _FOR_NOW and self.view.table:
                raise ConnectionLost(message.text)
            raise JoinRefused(message.code, message.text)
        if self._unsettled is not None and message.id == self._unsettled.id:
            self._unsettled = None
        self._notice(message.text)
        self._changed(())

    def _recorded(self, answer: msg.HandRecord | msg.Rejected) -> None:
        for callback in self.on_record:
            callback(answer)

    def _bye(self, message: msg.Bye) -> None:
        if message.again:
            raise ConnectionLost(message.text)
        if not self._welcomed:
            raise JoinRefused(message.code, message.text)
        self._stopped = True
        self.trouble = clean(message.text, LONGEST)
        self._notice(message.text)

    # ------------------------------------------------------------------ telling

    def _set_status(self, status: Status, trouble: str, *, tell: bool = True) -> None:
        if status == self.status and trouble == self.trouble:
            return
        news = status == "reconnecting" and self.status != "reconnecting"
        back = status == "online" and self.status == "reconnecting"
        self.status, self.trouble = status, trouble
        if back:
            self._notice("Connected again.")
        if news:
            self._notice(f"{trouble} Trying to come back ...")
        if tell:
            self._changed(())

    def _changed(self, events: Sequence[AnyEvent]) -> None:
        for callback in tuple(self.on_change):  # a callback may take itself off
            callback(events)

    def _notice(self, text: str) -> None:
        text = clean(text, LONGEST)
        for callback in self.on_notice:
            callback(text)


def _fits(view: TableView, seat: Seat) -> bool:
    """Whether the seats are numbered as they must be and the own one is among them."""
    return 0 <= seat <= len(view.seats) and view.is_whole()
