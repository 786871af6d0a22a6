"""The client's side of a seat: what is known, what is asked, and what is sent.

`ClientSession` keeps one seat at one table. It applies the server's events to its replica of the table, notices a
missing event, connects again after a break (`client.connection.reconnect`), and sends actions so that each is done at
most once. It shows nothing: the full screen, the line mode and the bots listen to it through lists of callbacks.

All methods except `run` are synchronous and never wait, so key handlers may call them. Callbacks are called inside the
task of `run` and must be as quick.
"""

import time
from collections.abc import Callable, Sequence
from typing import assert_never

import trio

from client.connection.connection import Connection, Dial
from client.connection.reconnect import PAUSES, Reconnector
from client.connection.seat_request import SeatRequest, pick_table
from client.connection.session_port import Status
from client.connection.table_replica import TableReplica
from client.errors import LONGEST, ConnectionLost, JoinRefused
from protocol.actions import Action, refusal
from protocol.cards import Card
from protocol.events import AnyEvent, Chips, PlayerLeft, Seat
from protocol.sanitize import clean
from protocol.seat_view import Pending
from protocol.view import TableView
from protocol.wire import messages as msg
from protocol.wire.codec import CLIENT_TEXT
from protocol.wire.padding import action_padding

LAST_ANSWER = 3.0
"""Seconds that the connection is kept after the own seat was given back, while an answer is still expected."""
PING = 1
"""Number of a ping whose answer is told; pings that keep the connection alive have none."""
_TEMPORARY = frozenset({"storage", "busy", "closed"})
"""Codes of refusals of the own seat that will not last; the client tries again."""


class ClientSession:
    """One seat at one table, or the place of a spectator.

    What to read:
        view: the table as this client may see it, after the last event that arrived.
        seat: the own seat number; 0 for a spectator, and before a seat is given.
        table: id of the table; empty while it is not known.
        status: ``connecting`` at first, ``online``, ``reconnecting`` after a break, ``closed`` at the end.
        trouble: why there is no connection, or why the server ended the session, in a sentence; else empty.
        clocks: for every running decision clock the seat and the time at which it ends, on the scale of `now`
            (`seconds_left` and `bank_left` do the sums).
        watching: the number of spectators.
        paused: whether no clock runs, because nobody is there to play for.
        left_with: the chips with which the own seat was given back; None while it is not.
        pending: the open request to the own seat; None if there is none, while an answer is on its way, and while a
            host wants the table to stand still.

    What to listen to (append a callable; all are called inside the task of `run`):
        on_event: ``(event)``, at once after each event, when `view` stands directly behind it. For telling stories.
        on_change: ``(events)``, once for each message from the server that changed something, with the events that
            were just applied. It is called with an empty list for a new `status`, for a snapshot (`view` is then
            another object), and when `pending` was reopened or closed. For redrawing and for deciding.
        on_notice: ``(text)``, a sentence for this player alone: a refusal, a broken connection, a server that stops.
        on_record: ``(answer)``, for each answer to `get_hand`: a part of the record, or why there is none.

    What to set:
        waits: whether an answer is still expected; for its sake the connection is kept for a moment after the seat was
            given back.
    """

    def __init__(
        self,
        dial: Dial,
        request: SeatRequest,
        *,
        pauses: Sequence[float] = PAUSES,
        now: Callable[[], float] = time.monotonic,
    ) -> None:
        self.status: Status = "connecting"
        self.trouble = ""
        self.left_with: Chips | None = None
        self.on_event: list[Callable[[AnyEvent], None]] = []
        self.on_change: list[Callable[[Sequence[AnyEvent]], None]] = []
        self.on_notice: list[Callable[[str], None]] = []
        self.on_record: list[Callable[[msg.HandRecord | msg.Rejected], None]] = []
        self.waits: Callable[[], bool] = lambda: False
        self.now = now
        self._request = request
        self._replica = TableReplica(request.table, now)
        self._reconnector = Reconnector(dial, self, pauses)
        self._last_id = 0
        self._unsettled: msg.Act | None = None
        self._features: tuple[str, ...] = ()
        self._pinged: float | None = None

    # ------------------------------------------------------------- what to read

    @property
    def view(self) -> TableView:
        """The table as this client may see it."""
        return self._replica.view

    @property
    def seat(self) -> Seat:
        """The own seat number; 0 for a spectator, and before a seat is given."""
        return self._replica.seat

    @property
    def table(self) -> str:
        """Id of the table; empty while it is not known."""
        return self._replica.table

    @property
    def clocks(self) -> dict[Seat, float]:
        """For every running decision clock the seat and the time at which it ends."""
        return self._replica.clocks

    @property
    def pending(self) -> Pending | None:
        """The request that waits for this player's answer, with its number; None if none does now."""
        if self._unsettled is not None or self._reconnector.end_by is not None or self.view.stands_still:
            return None
        return self._replica.own_request

    def seconds_left(self, seat: Seat) -> float | None:
        """Seconds left to that seat without its time bank, never below 0; None where no clock runs."""
        return self._replica.seconds_left(seat)

    def bank_left(self, seat: Seat) -> float:
        """Seconds of the time bank that follow when the clock of the seat is at 0, or that are left of them then."""
        return self._replica.bank_left(seat)

    @property
    def place(self) -> int:
        """The place on the waiting list, from 1; 0 for somebody who does not wait for a seat."""
        return self._replica.place

    @property
    def watching(self) -> int:
        """The number of spectators."""
        return self._replica.watching

    @property
    def spectators(self) -> tuple[str, ...]:
        """The names of the first spectators who have one."""
        return self._replica.spectators

    @property
    def paused(self) -> bool:
        """Whether no clock runs and no hand is dealt, because nobody is there to play for, or a host wants it."""
        return self._replica.paused

    def rises_in(self) -> float | None:
        """Seconds until the level of the limits is over, never below 0; None where they do not rise by minutes."""
        return self._replica.rises_in()

    @property
    def break_left(self) -> float | None:
        """Seconds left of a break that runs; None if none does."""
        return self._replica.break_left

    @property
    def break_in(self) -> float | None:
        """Seconds until the next break that is planned, never below 0; None if none is."""
        return self._replica.break_in

    # --------------------------------------------------------------- what to do

    def act(self, action: Action) -> str:
        """Answers the open request. Returns why that is not possible, in a sentence, or "" when it was sent."""
        pending = self.pending
        if self.view.stands_still:
            return "the table is paused"
        if pending is None:
            return "your last action is on its way" if self._unsettled is not None else "it is not your turn"
        reason = refusal(pending.request.options, action)
        if reason:
            return reason
        if self.status != "online":
            return "not connected; wait until the connection is back"
        self._last_id += 1
        self._unsettled = msg.Act(self._last_id, pending.seq, action, action_padding(action))
        self._send(self._unsettled)
        self._changed(())
        return ""

    def say(self, text: str) -> None:
        """Sends a chat message, cut to what the wire takes."""
        self._send(msg.Say(text.encode(errors="replace")[:CLIENT_TEXT].decode(errors="ignore")))

    def sit_out(self) -> None:
        """Asks not to be dealt in from the next hand on."""
        self._send(msg.SitOut())

    def sit_in(self) -> None:
        """Asks to be dealt in again."""
        self._send(msg.SitIn())

    def stand_up(self) -> None:
        """Gives the seat back for good; `run` ends when it is free."""
        self._send(msg.StandUp())

    def move_seat(self, to: Seat) -> None:
        """Asks for another seat; the own one takes that back. A snapshot follows, or a notice."""
        if self.status == "online" and msg.MOVES not in self._features:
            self._notice("This server is of an older version; nobody changes seats there.")
        else:
            self._send(msg.MoveSeat(to))

    def top_up(self, amount: Chips) -> None:
        """Buys chips."""
        self._send(msg.TopUp(amount))

    def go_on(self) -> None:
        """Tells the server that the result has been read."""
        self._send(msg.GoOn())

    def show(self, cards: tuple[Card, ...] = ()) -> None:
        """Shows these hidden cards of the hand that is over; all of them if none are named."""
        self._send(msg.Show(cards))

    def host_word(self, text: str) -> None:
        """Says a word of the host, with its arguments; the answer is a notice."""
        self._send_to_host(msg.HostWord(text))

    def claim_host(self, key: str) -> None:
        """Asks to be a host, because the player knows the host key."""
        self._send_to_host(msg.ClaimHost(key))

    def _send_to_host(self, message: msg.HostWord | msg.ClaimHost) -> None:
        if self.status == "online" and msg.HOSTS not in self._features:
            self._notice("This server is of an older version; it knows no hosts at the table.")
        else:
            self._send(message)

    def ping(self) -> None:
        """Measures the time to the server and back; the answer is a notice."""
        if self._pinged is None:
            self._pinged = self.now()
            self._send(msg.Ping(PING))

    def get_hand(self, hand: int, after: int = 0, *, running: bool = False) -> bool:
        """Asks for the record of a hand that is over; `on_record` gets the answer. False if that cannot be sent now.

        `running`: it may be the hand that is being played.
        """
        return self.status == "online" and not self._reconnector.send(msg.GetHand(hand, after, running))

    def close(self) -> None:
        """Closes the connection; the seat is kept. `run` returns."""
        self.trouble = ""
        self._reconnector.close()

    async def run(self) -> None:
        """Connects, takes the seat, and keeps it until the session is over.

        Returns after `close`, after the own seat was given back, or when the server ends the session for good. Raises
        CannotConnect if the first connection fails, VersionMismatch, and JoinRefused if the seat is not given. A
        connection that breaks later is made again, for as long as it takes.
        """
        try:
            await self._reconnector.run()
        finally:
            self.clocks.clear()
            self._set_status("closed", self.trouble)

    # ------------------------------------------- called by the Reconnector

    async def take_seat(self, connection: Connection) -> None:
        """Asks for the seat, and for the events since the last one that is known. Raises JoinRefused."""
        self._features = connection.features
        self._pinged = None  # an answer to the connection before will not come any more
        replica = self._replica
        if not replica.table:
            replica.table = await pick_table(connection, self._request)
        seen = replica.take_resume_point()
        proofs = self._request.proofs(connection, replica.table)
        await connection.send(self._request.message(replica.table, seen, replica.session, replica.receipt, proofs))

    def lost(self, reason: str) -> None:
        """The connection broke."""
        self._set_status("reconnecting", reason)

    def received(self, message: msg.FromServer) -> None:
        """Handles a message from the server. Raises ConnectionLost and JoinRefused."""
        match message:
            case msg.Events():
                self._accepted()
                self._apply(message)
            case msg.Joined():
                self._replica.join(message)
                self._accepted()
                if message.place:
                    self._notice(f"Every seat is taken: you watch, and are number {message.place} on the waiting list.")
                self._settle(message.last_id)
                if self._unsettled is not None:
                    self._send(self._unsettled)  # done at most once: the id is the same
            case msg.Snapshot():
                self._load(message)
            case msg.TimeLeft():
                self._replica.set_time_left(message)
                self._changed(())
            case msg.Done():
                self._settle(message.id)
            case msg.HandRecord():
                self._recorded(message)
            case msg.Rejected() if message.hand:
                self._recorded(message)
            case msg.Rejected():
                self._rejected(message)
            case msg.HostAnswer():
                for line in message.text.splitlines():
                    self._notice(line)
            case msg.Bye():
                self._bye(message)
            case msg.Pong() if message.n == PING and self._pinged is not None:
                self._notice(f"To the server and back in {1000 * (self.now() - self._pinged):.0f} ms.")
                self._pinged = None
            case msg.Welcome() | msg.Refused() | msg.Tables() | msg.Pong():
                pass
            case _:
                assert_never(message)
        if self._reconnector.end_by is not None and not self.waits():
            self._reconnector.stop()

    # ----------------------------------------------------------------- messages

    def _accepted(self) -> None:
        """The server has given the seat; from here on a break does not end the session."""
        self._reconnector.accepted = True
        self._set_status("online", "")

    def _load(self, message: msg.Snapshot) -> None:
        self._replica.load(message)
        self._reconnector.accepted = True
        self._set_status("online", "", tell=False)
        self._settle(message.last_id, tell=False)
        if message.notice:
            self._notice(message.notice)
        self._changed(())

    def _apply(self, message: msg.Events) -> None:
        applied = []
        for event in self._replica.apply(message):
            applied.append(event)
            if isinstance(event, PlayerLeft) and event.seat == self.seat and not self._request.watch:
                self._reconnector.end_by = trio.current_time() + LAST_ANSWER
                self.left_with = event.chips
            for callback in self.on_event:
                callback(event)
        if self._unsettled is not None:
            request = self._replica.own_request
            if request is None or request.seq != self._unsettled.answers:
                self._unsettled = None
        if applied:
            self._changed(applied)

    def _settle(self, done: int, *, tell: bool = True) -> None:
        """Everything up to action number `done` has been done."""
        self._last_id = max(self._last_id, done)
        if self._unsettled is not None and self._unsettled.id <= done:
            self._unsettled = None
            if tell:
                self._changed(())

    def _rejected(self, message: msg.Rejected) -> None:
        if not self._reconnector.accepted and message.code != "log_behind":  # after this one the seat still comes
            if message.code in _TEMPORARY and self.view.table:
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
        if not self._reconnector.accepted:
            raise JoinRefused(message.code, message.text)
        self._reconnector.stop()
        self.trouble = clean(message.text, LONGEST)
        self._notice(message.text)

    # ------------------------------------------------------- sending and telling

    def _send(self, message: msg.FromClient) -> None:
        """Queues a message. The player is told about one that cannot be sent now; it is never kept for later."""
        if reason := self._reconnector.send(message):
            self._notice(reason)

    def _set_status(self, status: Status, trouble: str, *, tell: bool = True) -> None:
        if status == self.status and trouble == self.trouble:
            return
        broken = status == "reconnecting" and self.status != "reconnecting"
        back = status == "online" and self.status == "reconnecting"
        self.status, self.trouble = status, trouble
        if back:
            self._notice("Connected again.")
        if broken:
            self._notice(f"{trouble} Trying to come back ...")
        if tell:
            self._changed(())

    def _changed(self, events: Sequence[AnyEvent]) -> None:
        for callback in tuple(self.on_change):  # a callback may remove itself
            callback(events)

    def _notice(self, text: str) -> None:
        text = clean(text, LONGEST)
        for callback in self.on_notice:
            callback(text)
