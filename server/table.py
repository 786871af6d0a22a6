"""A table: one command at a time, on the disk before it is shown.

    wish -> decide (the engine; refused: the asker alone is told)
         -> append the step to the journal
         -> write and sync                                    durable
         -> the step's bytes into everybody's outbox          visible
         -> clocks, next hand

Whoever has a wish calls `do`. If nothing is going on the work is done at once, in the caller's task; while a batch is
on its way to the disk it queues, and is done when that batch has been shown. So there is never more than one command at
work, nothing is ever decided on what is not yet durable *and shown* to others, and a snapshot shows no more than
that: every answer waits for the batch in which it was given.
"""

import os
from collections import deque
from collections.abc import Callable
from functools import partial
from hmac import compare_digest
from math import inf
from typing import Literal, TypeAlias, assert_never

import structlog
import trio

from protocol import commands as cmd
from protocol import messages as msg
from protocol.codec import encode_value
from protocol.commands import AnyCommand
from protocol.events import ActionRequested, AnyEvent, HandEnded, HandVoided, PlayerLeft, Seat
from protocol.frames import frame
from protocol.messages import Done, Rejected
from protocol.records import Step
from protocol.tables import TableRules
from protocol.view import hide
from server.audience import Audience, Guest, Send, Spectators, together
from server.clocks import TableClocks
from server.commit import Committer
from server.deck import Shuffler
from server.encoding import EncodedStep
from server.engine.errors import IllegalAction
from server.handrecords import MOST_JOURNAL_BYTES, PlayedHands, search_files
from server.journal import JournalError, SyncFailed, WriteFailed, has_room
from server.machine import Machine
from server.names import BadName, clean_name, name_key
from server.recovery import RECENT_STEPS, Session, hand_id, token_digest
from server.rotation import ROTATE_BYTES, NextFile

Durability: TypeAlias = Literal["action", "hand", "none"]
"""When a step is on the disk: before it is shown; when its hand is over; when the system gets round to it."""

Wish: TypeAlias = msg.Say | msg.SitOut | msg.SitIn | msg.StandUp | msg.TopUp | msg.GoOn | msg.Show

TOKEN_BYTES = 32
CONGESTED = 512
"""Waiting wishes from which on a table takes no more."""
WRITE_BEHIND_BYTES = 64 * 1024
RETRY = 5.0
"""Seconds between attempts to go on after the disk was full."""
BREACH = "This table has stopped because of a fault in the program. What was played is in its journal."
STORAGE = "This table has stopped because the server's disk takes no more. It goes on when there is room."
LOST = (
    "This table has stopped: several players have seen more of it than the server's journal holds. The host can put "
    "the right journal back, or start the server again to go on from what there is."
)
WITNESSES = 2
"""Players who must say so before the table stops: one could be lying. Who sits there alone is believed."""
LOG_BEHIND = (
    "You have seen more of this table than the server's journal holds: it has lost something. Tell the host; "
    "the table goes on from what the journal holds."
)

CLOSED = "The table is closed."
WHY_HALTED = {"breach": BREACH, "storage": STORAGE, "lost": LOST, "closed": CLOSED}


class Table:
    """One table of a server.

    Args:
        session: its state and journal.
        commit: the way to the disk.
        shuffler: where decks come from.
        durability: when a step must be on the disk.
        wake: told the time (`trio.current_time`) at which `tick` wants to be called, whenever that moves forward.
        start: seconds from the moment enough players are there to the first deal.
        least: players that must be ready for a hand.
        bots_alone: whether bots play on while no person is at the table.
        machine: disk and clock.
        rotate_bytes: length of a journal from which on the next hand begins a new file.
        later: serves spectators a few at a time (`Usher.call`); None: all of them at once.

    Attributes:
        halted: why the table takes no wishes any more (`breach`, `storage`, `lost`); empty while it plays.
        folder: where its journals are.
        due: when `tick` wants to be called.
    """

    def __init__(
        self,
        session: Session,
        commit: Committer,
        shuffler: Shuffler,
        *,
        durability: Durability = "action",
        wake: Callable[[float], None] = lambda when: None,
        log: structlog.typing.FilteringBoundLogger,
        start: float = 0.0,
        least: int = 2,
        bots_alone: bool = True,
        most_watchers: int = 200,
        machine: Machine | None = None,
        rotate_bytes: int = ROTATE_BYTES,
        later: Callable[[Spectators], None] | None = None,
    ) -> None:
        self._machine = machine or Machine()
        self.guests = Audience(later)
        self.state = session.state
        self.due = inf
        self.halted = ""
        self._session = session
        self._name = str(session.started)
        # The journal has lost something: what clients have seen and what it holds may differ at the same numbers.
        self._doubtful = False
        self._witnesses: set[bytes] = set()
        self._journal = session.journal
        self._commit, self._shuffler, self._durability = commit, shuffler, durability
        self._wake, self._log = wake, log
        self._start, self._least, self._bots_alone = start, least, bots_alone
        self._most_watchers = most_watchers
        self._rotate_bytes = rotate_bytes
        self._rotated_after = -1
        self._following: NextFile | None = None
        rules: TableRules = session.state.rules
        self.rules = rules
        self.id = session.state.view.table
        self._clocks = TableClocks(rules.clocks)
        self.folder = os.path.dirname(session.journal.path)
        self._recent: deque[Step] = deque(session.recent, RECENT_STEPS)
        self._at = session.recent[-1].at if session.recent else 0
        self._played = PlayedHands()
        self._owners: dict[Guest, bytes] = {}
        self._searching = False
        self._queue: deque[tuple[Callable[..., None], tuple[object, ...]]] = deque()
        self._busy = self._writing = False
        self._out: list[tuple[Send, bytes]] = []
        self._unwritten = 0
        self._hand_over = False
        self._held: float | None = trio.current_time()
        self._deal_at = 0.0
        self._ready = False
        self._settled: trio.Event | None = None
        self._begin()

    def _begin(self) -> None:
        """Nobody is connected yet; open requests have their time again, once somebody is."""
        self._clocks.restart(self.state.pending, self._request, trio.current_time())
        for player in self.state.view.players():
            if player.online:
                self.do(self._disconnect, player.seat)

    # ------------------------------------------------------------- one at a time

    def do(self, job: Callable[..., None], *args: object) -> None:
        """Does the job now, or when its turn has come. Never raises for what the job does."""
        if self._busy:
            self._queue.append((job, args))
            return
        self._busy = True
        try:
            job(*args)
        except Exception as error:
            self._breach(error)
        self._settle()

    def _settle(self) -> None:
        """Everything that follows until the table is at rest, or on its way to the disk."""
        queue = self._queue
        while True:
            try:
                while queue:
                    job, args = queue.popleft()
                    job(*args)
                if not self.halted:
                    if self._rotate():
                        return
                    self._go_on()
                    if self._unwritten and not self._write():
                        return
                self._show()
            except Exception as error:
                self._breach(error)
            if not queue:
                self._busy = False
                if self._settled is not None:
                    self._settled.set()
                return

    def _write(self) -> bool:
        """Hands what was appended to the disk. False: on its way, `_written` goes on from there."""
        over, self._hand_over = self._hand_over, False
        if self._durability == "action" or (over and self._durability == "hand"):
            self._unwritten = 0
            self._writing = True
            self._commit.submit(self._journal, self._journal.take(), self._written)
            return False
        if self._durability == "hand" or over or self._unwritten > WRITE_BEHIND_BYTES:
            self._unwritten = 0
            try:
                self._journal.write(self._journal.take())
            except JournalError as error:
                self._storage_failed(error)
        return True

    def _rotate(self) -> bool:
        """Goes on in a new file between two hands, once this one is too long; True: on its way, see `_rotated`."""
        state = self.state
        if self._journal.size + self._unwritten < self._rotate_bytes or not state.between_hands:
            return False
        if state.view.hand == self._rotated_after:
            return False  # it was tried after this hand already
        self._rotated_after = state.view.hand
        self._unwritten, self._hand_over = 0, False
        batch = self._journal.take()
        following = NextFile(self._journal, self._session.header, state.checkpoint(), self._machine.fs)
        self._following, self._writing = following, True
        self._commit.submit(following, batch, partial(self._rotated, following))
        return True

    def _rotated(self, following: NextFile, error: JournalError | None) -> None:
        """The last batch is durable, or could not be written; and there is a new file, or we stay in the old one."""
        self._following = None
        if following.journal is not None:
            self._journal.close()
            self._journal = following.journal
            self._session.journal, self._session.header = following.journal, following.header
            self._log.info("table.next_file", table=self.id, journal=self._journal.path)
        elif error is not None and not isinstance(error, WriteFailed):
            self._log.warning("table.no_next_file", table=self.id, error=str(error))
            error = None
        self._written(error)

    def _written(self, error: JournalError | None) -> None:
        """The batch is durable, or could not be written."""
        self._writing = False
        if self.halted:
            self._journal.close()
        elif error is None:
            try:
                self._show()
            except Exception as fault:
                self._breach(fault)
        else:
            self._storage_failed(error)
        self._settle()

    def _show(self) -> None:
        """What was decided becomes visible; clocks start now."""
        out = self._out
        if out:
            self._out = []
            if len(out) > len(self.guests.seated):
                out = together(out)
            for send, data in out:
                send(data)
        if not self.halted and self._log_lost():
            self._log.error("table.lost", table=self.id, journal=self._journal.path)
            self._halt("lost", LOST)
        state = self.state
        if not self.halted:
            now = trio.current_time()
            if self._held is None:
                self._clocks.follow(state.pending, self._request, now)
            self._set_due(now)
        watching = self.guests.watching
        watching.show()
        if watching.far_behind:
            watching.start_over(frame(encode_value(self._seen_by(0))))

    def _breach(self, error: Exception) -> None:
        """Our own mistake: this table stops, the others play on."""
        self._log.error("table.breach", table=self.id, error=f"{type(error).__name__}: {error}", exc_info=error)
        self._halt("breach", BREACH)

    def _storage_failed(self, error: JournalError) -> None:
        """Nothing of the batch is in the file and nobody was told of it: forget it, and wait for room."""
        if isinstance(error, SyncFailed):
            self._commit.fail(error)
        self._log.error("table.storage", table=self.id, error=str(error))
        self._halt("storage", STORAGE, again=True)

    def revive(self, session: Session) -> None:
        """Goes on with what its journal holds, after a halt for want of room."""
        self._session, self._journal, self.state = session, session.journal, session.state
        self._recent = deque(session.recent, RECENT_STEPS)
        self._rotated_after = -1
        self._played = PlayedHands()  # what was not written did not happen
        self.halted, self._held, self._ready = "", trio.current_time(), False
        self._log.info("table.revived", table=self.id)
        self._begin()

    @property
    def journal_path(self) -> str:
        """The file in which this session is kept."""
        return self._journal.path

    def _halt(self, code: str, text: str, *, again: bool = False) -> None:
        self.halted = code
        self._out.clear()
        self.guests.watching.forget()
        self.guests.watching.flush()
        self._unwritten = 0
        if not self._writing:  # else the disk still works on it
            self._journal.close()
        for guest in self.guests.everybody():
            guest.part(code, text, again=again)
        self.due = inf

    # ---------------------------------------------------------- asked by sessions

    @property
    def congested(self) -> bool:
        """Whether more wishes wait than is good: a disk that hangs, or somebody who floods."""
        return len(self._queue) >= CONGESTED

    def act(self, guest: Guest, message: msg.Act) -> None:
        """A player's answer to a request."""
        self.do(self._act, guest, message)

    def wish(self, guest: Guest, message: Wish) -> None:
        """What else a seated player may ask for."""
        self.do(self._wish, guest, message)

    def join(self, guest: Guest, message: msg.Join) -> None:
        """Sit down, or come back: the same token is the same seat."""
        self.do(self._join, guest, message)

    def watch(self, guest: Guest, message: msg.Watch) -> None:
        """Follow the table as a spectator."""
        self.do(self._watch, guest, message)

    def get_hand(self, guest: Guest, message: msg.GetHand, start: Callable[..., None]) -> None:
        """A guest wants the record of a hand; `start` starts a task, for what has to be read from the disk."""
        self.do(self._get_hand, guest, message, start)

    def gone(self, guest: Guest) -> None:
        """The guest's connection has ended. Twice is fine."""
        self.do(self._gone, guest)

    def lose(self, guest: Guest) -> None:
        """A spectator cannot follow: he is sent nothing any more, until `catch_up`."""
        self.guests.watching.remove(guest)

    def catch_up(self, guest: Guest) -> None:
        """He can again: a fresh snapshot, and whatever comes after it."""
        self.do(self._catch_up, guest)

    def tick(self) -> None:
        """To be called at `due`: clocks that have run out, the next hand."""
        self.due = inf
        self.do(self._tick)

    def shift(self, seconds: float) -> None:
        """The process stood still for so long: nobody's clock ran (fault 74)."""
        self._clocks.shift(seconds)
        self._set_due(trio.current_time())

    def knows(self, token: bytes) -> bool:
        """Whether a seat here belongs to that token."""
        return len(token) == TOKEN_BYTES and self._seat_of(token_digest(token)) > 0

    def has_player(self, name: str) -> bool:
        """Whether somebody here has that name, or one that looks like it."""
        key = name_key(name)
        return any(name_key(player.name) == key for player in self.state.view.players())

    def info(self) -> msg.TableInfo:
        """The table's line in the lobby."""
        view = self.state.view
        names = tuple([player.name for player in view.players()])
        return msg.TableInfo(self.id, self.rules, names, len(self.guests.watching), view.hand)

    async def settled(self) -> None:
        """Returns when nothing waits or is on its way to the disk."""
        if self._busy:
            self._settled = self._settled or trio.Event()
            await self._settled.wait()

    def close(self) -> None:
        """Writes what `durability` let wait, and frees the journal. Nothing may be on its way to the disk any more."""
        self._writing = False
        if self._following is not None and self._following.journal is not None:
            self._following.journal.close()
        if not self.halted:
            if self._unwritten and not self._busy:
                self._journal.commit()
            self._halt("closed", CLOSED, again=True)

    # ------------------------------------------------------------------ commands

    def _step(self, command: AnyCommand) -> tuple[AnyEvent, ...]:
        """Decides a command and everything it causes. Raises IllegalAction with nothing changed."""
        state = self.state
        seq = state.seq + 1
        if type(command) is cmd.StartHand:
            self._played.about_to_deal(state.view, state.tokens)
        events = state.apply(command)
        if not events:
            return events  # nothing has changed
        at = self._at = max(self._at, self._machine.wall_clock())
        encoded = EncodedStep(seq, at, command, events)
        self._journal.append(encoded.record)
        self._unwritten += len(encoded.record)
        step = Step(seq, at, command, events)
        self._recent.append(step)
        self._played.add(step)
        self._out += self.guests.frames(encoded)
        for event in events:
            kind = type(event)
            if kind is HandEnded or kind is HandVoided:
                self._hand_over = True
                self._deal_at = trio.current_time() + self._pause()
            elif kind is PlayerLeft:
                self._left_seat(event)
        return events

    def _ask(self, guest: Guest, command: AnyCommand, number: int = 0) -> bool:
        """Does a guest's command; False if it was refused, which he alone is told."""
        if self.halted:
            return False
        try:
            self._step(command)
        except IllegalAction as refused:
            if refused.code == "done":
                self._answer(guest, Done(number))
            else:
                self._answer(guest, Rejected(refused.code, refused.text, number))
            return False
        return True

    def _answer(self, guest: Guest, message: msg.Message) -> None:
        """Sent with the batch, not before: whatever the answer rests on is durable by then."""
        for owed in self.guests.watching.owed(guest):
            self._out.append((guest.send, owed))
        self._out.append((guest.send, frame(encode_value(message))))

    def _act(self, guest: Guest, message: msg.Act) -> None:
        if self.guests.seated.get(guest.seat) is guest:
            self._ask(guest, cmd.Act(guest.seat, message.answers, message.action, message.id), message.id)

    def _wish(self, guest: Guest, message: Wish) -> None:
        seat = guest.seat
        if self.guests.seated.get(seat) is not guest:
            return
        match message:
            case msg.Say():
                self._ask(guest, cmd.Say(self.state.view.name(seat), message.text, seat))
            case msg.SitOut():
                self._ask(guest, cmd.SitOut(seat))
            case msg.SitIn():
                self._ask(guest, cmd.SitIn(seat))
            case msg.StandUp():
                self._ask(guest, cmd.StandUp(seat))
                self._check_held()
            case msg.TopUp():
                self._ask(guest, cmd.TopUp(seat, message.amount))
            case msg.GoOn():
                if self._ask(guest, cmd.GoOn(seat)) and self._all_went_on():
                    self._deal_at = min(self._deal_at, trio.current_time())
            case msg.Show():
                self._ask(guest, cmd.Show(seat, message.cards))
            case _:
                assert_never(message)

    # -------------------------------------------------------------------- guests

    def _join(self, guest: Guest, message: msg.Join) -> None:
        if not self._may_enter(guest):
            return
        if len(message.token) != TOKEN_BYTES:
            self._answer(guest, Rejected("bad_token", f"A seat token has {TOKEN_BYTES} bytes."))
            return
        digest = token_digest(message.token)
        seat = self._seat_of(digest)
        if seat:
            self._resume(guest, seat, message)
            return
        try:
            name = clean_name(message.name)
        except BadName as error:
            self._answer(guest, Rejected("bad_name", str(error)))
            return
        if self.has_player(name):
            self._answer(guest, Rejected("name_taken", f"Somebody here is called {name} already."))
            return
        chips = message.chips or self.rules.buy_in
        if not self._ask(guest, cmd.SitDown(name, chips, digest, message.seat or None, message.bot)):
            return
        seat = self._seat_of(digest)
        self._log.info("table.joined", table=self.id, seat=seat, player=name, bot=message.bot)
        self._take_seat(guest, seat)
        self._answer(guest, msg.Joined(self.id, seat))
        self._snapshot(guest)

    def _resume(self, guest: Guest, seat: Seat, message: msg.Join) -> None:
        last_id = self.state.last_ids.get(seat, 0)
        seen = message.seen if message.session in ("", self._name) else 0
        if seen > self.state.seq:
            self._log.error("table.log_behind", table=self.id, seat=seat, seen=seen, seq=self.state.seq)
            self._answer(guest, Rejected("log_behind", LOG_BEHIND))
            self._doubtful = True
            if message.session:
                self._witnesses.add(self.state.tokens[seat])
        older = self.guests.seated.get(seat)
        if older is not None and older is not guest:
            older.seat = 0
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

    def _log_lost(self) -> bool:
        """Whether so many have seen more than the journal holds that it must have lost something (faults 48, 65).

        Where the disk may be behind (`durability`) that can happen, and the host has chosen it.
        """
        if not self._witnesses or self._durability != "action":
            return False
        tokens = self.state.tokens.values()
        return len(self._witnesses.intersection(tokens)) >= min(WITNESSES, len(tokens))

    def _take_seat(self, guest: Guest, seat: Seat) -> None:
        self.guests.watching.remove(guest)
        guest.seat = seat
        guest.bot = self.state.view.seat(seat).bot
        guest.table = self
        self.guests.seated[seat] = guest
        self._owners[guest] = self.state.tokens[seat]
        self._check_held()

    def _watch(self, guest: Guest, message: msg.Watch) -> None:
        if not self._may_enter(guest):
            return
        if not self.rules.spectators:
            self._answer(guest, Rejected("no_spectators", "This table has no room for spectators."))
            return
        if guest not in self.guests.watching and len(self.guests.watching) >= self._most_watchers:
            self._answer(guest, Rejected("too_many", "As many watch this table as may."))
            return
        guest.table = self
        guest.seat = 0
        self.guests.watching.add(guest)
        self._check_held()
        self._snapshot(guest)

    def _gone(self, guest: Guest) -> None:
        self.guests.watching.remove(guest)
        self._owners.pop(guest, None)
        seat = guest.seat
        if seat and self.guests.seated.get(seat) is guest:
            del self.guests.seated[seat]
            guest.seat = 0
            self._disconnect(seat)
            self._log.info("table.gone", table=self.id, seat=seat)
        self._check_held()

    def _disconnect(self, seat: Seat) -> None:
        if not self.halted and self.state.view.seat(seat).online:
            self._step(cmd.Connection(seat, False))

    def _left_seat(self, event: AnyEvent) -> None:
        """A player has stood up: he may stay and watch."""
        assert isinstance(event, PlayerLeft)
        self._clocks.leave([event.seat])
        guest = self.guests.seated.pop(event.seat, None)
        self._log.info("table.left", table=self.id, seat=event.seat, player=event.name)
        if guest is not None:
            guest.seat = 0
            self.guests.watching.add(guest)

    def _may_enter(self, guest: Guest) -> bool:
        """Whether he may sit down or watch here; he is told why not."""
        if guest.why:
            return False  # he has gone while his wish waited
        if self.halted:
            self._answer(guest, Rejected(self.halted, WHY_HALTED[self.halted]))
        elif guest.seat or (guest.table is not None and guest.table is not self):
            self._answer(guest, Rejected("seated", "You are at a table already; stand up first."))
        else:
            return True
        return False

    def _seat_of(self, digest: bytes) -> Seat:
        """The seat of that token, 0 for none; looks at every seat, so that the time tells nothing."""
        found = 0
        for seat, known in self.state.tokens.items():
            if compare_digest(known, digest):
                found = seat
        return found

    def _snapshot(self, guest: Guest) -> None:
        self._answer(guest, self._seen_by(guest.seat))

    def _seen_by(self, seat: Seat) -> msg.Snapshot:
        """The table as that seat may see it, 0 for a spectator."""
        view = hide(self.state.view, seat or None)
        last_id = self.state.last_ids.get(seat, 0) if seat else 0
        return msg.Snapshot(view, seat, self._clocks_left(), last_id, self._name)

    def _clocks_left(self) -> tuple[tuple[Seat, int], ...]:
        return self._clocks.left(trio.current_time() if self._held is None else self._held)

    def _catch_up(self, guest: Guest) -> None:
        if guest.table is self and not guest.seat and not guest.why and not self.halted:
            self.guests.watching.add(guest)
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

    # -------------------------------------------------------------- played hands

    def _get_hand(self, guest: Guest, message: msg.GetHand, start: Callable[..., None]) -> None:
        if guest.table is not self or self.halted:
            return
        last = self.state.view.hand - (self.state.hand is not None)
        number = message.hand or last
        if number == last + 1 and self.state.hand is not None:
            self._answer(guest, Rejected("not_yet", "That hand is still being played.", hand=message.hand))
        elif not 1 <= number <= last:
            self._answer(guest, Rejected("no_hand", "There was no such hand here.", hand=message.hand))
        elif self._played.get(number) is not None:
            self._answer(guest, self._record(guest, message, number))
        elif self._searching:
            self._answer(guest, Rejected("busy", "Another old hand is being looked for.", hand=message.hand))
        else:
            self._searching = True
            start(self._search, guest, message, number)

    async def _search(self, guest: Guest, message: msg.GetHand, number: int) -> None:
        """Looks an old hand up in the session's journals, outside the event loop, one at a time."""
        path, read = self._journal.path, self._machine.fs.read_all
        older = self._rotate_bytes <= MOST_JOURNAL_BYTES
        hand = None
        try:
            if self._journal.size <= MOST_JOURNAL_BYTES:
                hand = await self._machine.work(partial(search_files, read, path, number, older=older))
        except Exception as error:  # the table plays on, whatever its file has to say
            self._log.warning("table.hand_not_read", table=self.id, hand=number, error=str(error))
        finally:
            self._searching = False
        if hand is not None:
            self._played.keep(hand)
            self.do(self._found, guest, message, number)
        else:
            self.do(self._answer, guest, Rejected("no_hand", "That hand is not at hand any more.", hand=message.hand))

    def _found(self, guest: Guest, message: msg.GetHand, number: int) -> None:
        if guest.table is self and self._played.get(number) is not None:
            self._answer(guest, self._record(guest, message, number))

    def _record(self, guest: Guest, message: msg.GetHand, number: int) -> msg.Message:
        hand = self._played.get(number)
        assert hand is not None
        viewer = hand.viewer(self._owners.get(guest))
        if not viewer and not self.rules.spectators:
            return Rejected("no_spectators", "You were not in that hand.", hand=message.hand)
        return hand.part(self._session.header, viewer, message.after)

    # ------------------------------------------------------------- clocks, dealing

    def _tick(self) -> None:
        now = trio.current_time()
        if self._held is None and not self.halted:
            for seat, seq in self._clocks.due(now):
                try:
                    self._step(cmd.TimeUp(seat, seq))
                except IllegalAction:
                    self._clocks.stop(seat)

    def _request(self, seat: Seat) -> ActionRequested:
        pending = self.state.view.seat(seat).pending
        assert pending is not None
        return pending.request

    def _set_due(self, now: float) -> None:
        due = inf
        if self._held is None and not self.halted:
            due = self._clocks.next
            if self._ready and self.state.hand is None and not self.state.pending:
                due = min(due, max(self._deal_at, now))
        self.due = due
        if due < inf:
            self._wake(due)

    def _check_held(self) -> None:
        """Clocks stand still while everybody is gone (`ux` 4.2)."""
        now = trio.current_time()
        alone = not self._somebody()
        if alone and self._held is None:
            self._held = now
        elif not alone and self._held is not None:
            self._clocks.shift(now - self._held)
            self._deal_at += now - self._held if self._deal_at else 0.0
            self._held = None
            for guest in self.guests.watching:
                self._answer(guest, msg.TimeLeft(self._clocks_left()))

    def _somebody(self) -> bool:
        """Whether somebody is there to play for."""
        seated = self.guests.seated.values()
        if any(not guest.bot for guest in seated):
            return True
        if any(not player.bot for player in self.state.view.players()):
            return False
        return bool(seated) and (self._bots_alone or bool(self.guests.watching))

    def _pause(self) -> float:
        """How long a result stands: not at all when nobody is there to read it."""
        people = self.guests.watching or any(not guest.bot for guest in self.guests.seated.values())
        return float(self.rules.clocks.result) if people else 0.0

    def _all_went_on(self) -> bool:
        seats = self.state.view.seats
        return all(
            seats[seat - 1].went_on or seats[seat - 1].hand == "out"
            for seat, guest in self.guests.seated.items()
            if not guest.bot
        )

    def _go_on(self) -> None:
        """Deals the next hand when its time has come."""
        state = self.state
        if state.hand is not None or self._held is not None or state.pending:
            return
        wants_game = state.wants_game()
        if not (wants_game or state.can_deal()) or (not state.view.hand and len(state.ready()) < self._least):
            self._ready = False
            return
        now = trio.current_time()
        if not self._ready:
            self._ready = True
            self._deal_at = max(self._deal_at, now + self._start)
        if now < self._deal_at:
            return
        if self._durability != "none" and not has_room(self.folder, self._machine.fs):
            self._log.error("table.disk_full", table=self.id)
            self._deal_at = now + RETRY
            return
        if wants_game:
            self._step(cmd.AskGame())
            return
        number = state.view.hand + 1
        self._step(cmd.StartHand(self._shuffler.deck(), hand_id(self.id, self._session.started, number)))
