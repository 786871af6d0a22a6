"""One command at a time, on the disk before it is shown: the core of a table.

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

from abc import ABC, abstractmethod
from collections import deque
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from math import inf

import structlog
import trio

from protocol import commands as cmd
from protocol.commands import AnyCommand
from protocol.events import AnyEvent, HandEnded, HandVoided, PlayerLeft
from protocol.journal.records import Step
from protocol.wire import messages as msg
from protocol.wire.frames import encode_frame
from protocol.wire.messages import Done, HaltCode, Rejected
from server.config.durability import Durability
from server.engine.errors import IllegalAction
from server.storage.group_commit import GroupCommit
from server.storage.journal_errors import JournalError, SyncFailed, WriteFailed
from server.storage.recovery import RECENT_STEPS, TableSession
from server.storage.rotation import NextFile
from server.storage.system import System
from server.table.audience import Audience, together
from server.table.encoded_step import EncodedStep
from server.table.fan_out import Spectators
from server.table.guest import Guest, Send
from server.table.hand_history import PlayedHands
from server.table.shuffler import Shuffler

WRITE_BEHIND_BYTES = 64 * 1024
WHY_HALTED: dict[HaltCode, str] = {
    "breach": "This table has stopped because of a fault in the program. What was played is in its journal.",
    "storage": "This table has stopped because the server's disk takes no more. It goes on when there is room.",
    "lost": "This table has stopped: several players have seen more of it than the server's journal holds. The host "
    "can put the right journal back, or start the server again to go on from what there is.",
    "closed": "The table is closed.",
}
"""What is told to everybody, by code."""


@dataclass(frozen=True, slots=True)
class Setup:
    """What a table works with.

    Fields:
        commit: the way to the disk.
        shuffler: where decks come from.
        durability: when a step must be on the disk.
        wake: told the time (`trio.current_time`) at which `tick` wants to be called, whenever that moves forward.
        start: seconds from the moment enough players are there to the first deal.
        least: players that must be ready for a hand.
        bots_alone: whether bots play on while no person is at the table.
        most_spectators: how many may watch.
        machine: disk and clock.
        rotate_bytes: length of a journal from which on the next hand begins a new file.
        schedule: serves spectators a few at a time (`FanOut.schedule`); None: all of them at once.
    """

    commit: GroupCommit
    shuffler: Shuffler
    durability: Durability
    wake: Callable[[float], None]
    log: structlog.typing.FilteringBoundLogger
    start: float
    least: int
    bots_alone: bool
    most_spectators: int
    machine: System
    rotate_bytes: int
    schedule: Callable[[Spectators], None] | None


class Ledger(ABC):
    """A table's state, its journal, and the order in which things are done."""

    def __init__(self, session: TableSession, setup: Setup) -> None:
        self.state = session.state
        self.id = session.state.view.table
        self.audience = Audience(setup.schedule)
        self.halted: HaltCode | None = None
        self.due = inf
        self._session, self._journal = session, session.journal
        self._commit, self._durability, self._rotate_bytes = setup.commit, setup.durability, setup.rotate_bytes
        self._machine, self._log = setup.machine, setup.log
        self._recent: deque[Step] = deque(session.recent, RECENT_STEPS)
        self._at = session.recent[-1].at if session.recent else 0
        self._played = PlayedHands()
        self._queue: deque[tuple[Callable[..., None], tuple[object, ...]]] = deque()
        self._out: list[tuple[Send, bytes]] = []
        self._busy = self._writing = self._hand_over = False
        self._unwritten = 0
        self._rotated_after = -1
        self._following: NextFile | None = None
        self._settled: trio.Event | None = None

    # ------------------------------------------------- what the other modules add

    @abstractmethod
    def _go_on(self) -> None:
        """Everything asked for has been done: what the table does by itself."""

    @abstractmethod
    def _shown(self) -> None:
        """Everything decided is visible to the players."""

    @abstractmethod
    def _hand_is_over(self) -> None:
        """The hand has just ended."""

    @abstractmethod
    def _left_seat(self, event: PlayerLeft) -> None:
        """A player has just given his seat back."""

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

    async def settled(self) -> None:
        """Returns when nothing waits or is on its way to the disk."""
        if self._busy:
            self._settled = self._settled or trio.Event()
            await self._settled.wait()

    # ------------------------------------------------------------------ the disk

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
            if len(out) > len(self.audience.seated):
                out = together(out)
            for send, data in out:
                send(data)
        self._shown()

    # ------------------------------------------------------------ standing still

    def _breach(self, error: Exception) -> None:
        """Our own mistake: this table stops, the others play on."""
        self._log.error("table.breach", table=self.id, error=f"{type(error).__name__}: {error}", exc_info=error)
        self._halt("breach")

    def _storage_failed(self, error: JournalError) -> None:
        """Nothing of the batch is in the file and nobody was told of it: forget it, and wait for room."""
        if isinstance(error, SyncFailed):
            self._commit.fail(error)
        self._log.error("table.storage", table=self.id, error=str(error))
        self._halt("storage", again=True)

    def _halt(self, code: HaltCode, *, again: bool = False) -> None:
        """Nothing more is decided; what was decided and not shown is forgotten, and everybody is told why."""
        self.halted = code
        self._out.clear()
        self.audience.spectators.forget()
        self.audience.spectators.flush()
        self._unwritten = 0
        if not self._writing:  # else the disk still works on it
            self._journal.close()
        for guest in self.audience.everybody():
            guest.part(code, WHY_HALTED[code], again=again)
        self.due = inf

    def close(self) -> None:
        """Writes what `durability` let wait, and frees the journal. Nothing may be on its way to the disk any more."""
        self._writing = False
        if self._following is not None and self._following.journal is not None:
            self._following.journal.close()
        if not self.halted:
            if self._unwritten and not self._busy:
                self._journal.commit()
            self._halt("closed", again=True)

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
        self._out += self.audience.frames(encoded)
        for event in events:
            kind = type(event)
            if kind is HandEnded or kind is HandVoided:
                self._hand_over = True
                self._hand_is_over()
            elif type(event) is PlayerLeft:
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
                self._answer(guest, Rejected.of(refused.code, refused.text, action=number))
            return False
        return True

    def _answer(self, guest: Guest, message: msg.Message) -> None:
        """Sent with the batch, not before: whatever the answer rests on is durable by then."""
        for owed in self.audience.spectators.take_waiting(guest):
            self._out.append((guest.send, owed))
        self._out.append((guest.send, encode_frame(message)))
