"""The pipeline of a table: one command at a time, durable before it is visible.

    command -> decide (the engine; a refusal is told to the asker alone)
            -> append the step to the journal
            -> write and sync                                    durable
            -> the step's bytes into everybody's outbox          visible
            -> clocks, next hand

`Pipeline.do` takes every job of the table. While the pipeline is at rest, a job is done at once, in the caller's task.
While a batch is on its way to the disk, jobs queue; they are done when that batch has been shown. So there is never
more than one command at work, nothing is decided on what is not yet durable *and shown* to others, and a snapshot
shows no more than that: every answer waits for the batch in which it was given.
"""

from collections import deque
from collections.abc import Callable
from hmac import compare_digest
from typing import Literal, Protocol, TypeVarTuple

import trio

from protocol import commands as cmd
from protocol.commands import AnyCommand
from protocol.events import AnyEvent, PlayerLeft, PlayerSeated, Seat
from protocol.journal.records import StepRecord
from protocol.wire.frames import encode_frame
from protocol.wire.messages import Done, HaltCode, Message, Rejected
from server.engine.errors import IllegalAction
from server.storage.journal_errors import JournalError, SyncFailed
from server.storage.recovery import RECENT_STEPS, RecordedSession
from server.table.audience import Audience, together
from server.table.encoded_step import EncodedStep
from server.table.guest import Guest, Send
from server.table.hand_history import ENDS, PlayedHands
from server.table.journal_writer import JournalWriter
from server.table.receipts import Receipts
from server.table.table_setup import TableSetup

Ts = TypeVarTuple("Ts")

CONGESTED = 512
"""Waiting jobs from which on a table takes no more."""
WHY_HALTED: dict[HaltCode, str] = {
    "breach": "This table has stopped because of a fault in the program. What was played is in its journal.",
    "storage": "This table has stopped because the server's disk takes no more. It goes on when there is room.",
    "lost": "This table has stopped: the server's journal has lost something that players have seen. The host can put "
    "the right journal back, or go on from what there is: ryo serve --accept-loss",
    "closed": "The table is closed.",
}
"""What everybody is told, by code."""
_FOLLOWED = ENDS | {PlayerLeft}
"""Events after which more has to be done than to tell everybody."""


class Observer(Protocol):
    """What a table does when its pipeline has come to a certain point."""

    def at_rest(self) -> None:
        """Every job is done: what the table does by itself."""

    def shown(self) -> None:
        """Everything that was decided is visible to the players."""

    def hand_over(self) -> None:
        """A hand has just ended."""

    def seat_freed(self, event: PlayerLeft) -> None:
        """A player has just given their seat back."""

    def rules_changed(self) -> None:
        """The house rules have just changed: everybody needs a snapshot."""


class Pipeline:
    """The state of a table's session, its journal, and the order in which things are done.

    Args:
        session: the state and journal to go on with.
        audience: who is told.
        observer: what follows from what was done.

    Attributes:
        state: the table as the engine knows it.
        journal: where steps are kept.
        played: the last hands.
        halted: why nothing more is decided; None while the table plays.
        receipt: of the last step; empty if there was none in this file.
    """

    def __init__(self, session: RecordedSession, setup: TableSetup, audience: Audience, observer: Observer) -> None:
        self.state = session.state
        self.journal = JournalWriter(session, setup, self._written)
        self.played = PlayedHands()
        if session.running is not None:
            self.played.go_on(session.running.view, session.running.tokens, session.running.steps)
        self.halted: HaltCode | None = None
        self._audience, self._observer = audience, observer
        self._group_commit, self._system, self._log = setup.group_commit, setup.system, setup.log
        self._counts = setup.counts
        self._table = session.state.view.table
        self._recent: deque[StepRecord] = deque(session.recent, RECENT_STEPS)
        self._at = session.recent[-1].at if session.recent else 0
        self._receipts = Receipts(setup.receipt_key, self._table, str(session.header.started))
        self.receipt = self._encoded(session.recent[-1]).receipt if session.recent else b""
        self._queue: deque[tuple[Callable[..., None], tuple[object, ...]]] = deque()
        self._out: list[tuple[Send, bytes]] = []
        self._busy = False
        self._settled: trio.Event | None = None

    # ------------------------------------------------------------- one at a time

    def do(self, job: Callable[[*Ts], None], *args: *Ts) -> None:
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

    @property
    def congested(self) -> bool:
        """Whether more jobs wait than is good: a disk that hangs, or somebody who floods."""
        return len(self._queue) >= CONGESTED

    def _settle(self) -> None:
        """Everything that follows until the table is at rest, or a batch is on its way to the disk."""
        queue = self._queue
        while True:
            try:
                while queue:
                    job, args = queue.popleft()
                    job(*args)
                if self.halted is None:
                    if self.journal.rotate(self.state):
                        return
                    self._observer.at_rest()
                    if not self._write():
                        return
                self._show()
            except Exception as error:
                self._breach(error)
            if not queue:
                self._busy = False
                if self._settled is not None:
                    self._settled.set()
                    self._settled = None
                return

    async def settled(self) -> None:
        """Returns when nothing waits or is on its way to the disk."""
        if self._busy:
            if self._settled is None:
                self._settled = trio.Event()
            await self._settled.wait()

    # ------------------------------------------------------- durable and visible

    def _write(self) -> bool:
        """Hands what was appended to the disk. False: on its way, `_written` goes on from there."""
        try:
            return self.journal.write()
        except JournalError as error:
            self._storage_failed(error)
            return True

    def _written(self, error: JournalError | None) -> None:
        """The batch is durable, or could not be written."""
        if self.halted is None:
            if error is not None:
                self._storage_failed(error)
            else:
                try:
                    self._show()
                except Exception as fault:
                    self._breach(fault)
        self._settle()

    def _show(self) -> None:
        """What was decided becomes visible; clocks start now."""
        out = self._out
        if out:
            self._out = []
            if len(out) > len(self._audience.seated):
                out = together(out)
            for send, data in out:
                send(data)
        self._observer.shown()

    # ------------------------------------------------------------ standing still

    def _breach(self, error: Exception) -> None:
        """Our own mistake: this table stops, the others play on."""
        self._log.error("table.breach", table=self._table, error=f"{type(error).__name__}: {error}", exc_info=error)
        self.halt("breach")

    def _storage_failed(self, error: JournalError) -> None:
        """The batch is not in the file: forget what has not been shown of it, and wait for room."""
        if isinstance(error, SyncFailed):
            self._group_commit.fail(error)
        self._counts.disk_errors += 1
        self._log.error("table.storage", table=self._table, error=str(error))
        self.halt("storage", again=True)

    def halt(self, code: HaltCode, *, again: bool = False) -> None:
        """Nothing more is decided. What was decided and not shown is forgotten, and everybody is told why.

        Args:
            again: whether it makes sense for them to come back.
        """
        self.halted = code
        self._out.clear()
        self._audience.spectators.forget()
        self._audience.spectators.flush()
        self.journal.discard()
        for guest in self._audience.everybody():
            guest.part(code, WHY_HALTED[code], again=again)

    def close(self) -> None:
        """Ends the session in order, when no thread works on the journal any more. Raises JournalError."""
        try:
            self.journal.close(flush=self.halted is None and not self._busy)
        finally:
            if self.halted is None:
                self.halt("closed", again=True)

    # ------------------------------------------------------------------ commands

    def decide(self, command: AnyCommand) -> tuple[AnyEvent, ...]:
        """Does a command and everything that it causes. Raises IllegalAction with nothing changed."""
        state = self.state
        seq = state.seq + 1
        checkpoint = None
        if type(command) is cmd.StartHand:
            self.played.about_to_deal(state.view, state.tokens)
            checkpoint = self.journal.checkpoint(state)
        events = state.apply(command)
        if not events:
            return events  # nothing has changed
        at = self._at = max(self._at, self._system.wall_clock())
        encoded = EncodedStep(seq, at, command, events, self._receipts, checkpoint)
        self.receipt = encoded.receipt
        self.journal.append(encoded.record)
        step = StepRecord(seq, at, command, events)
        self._recent.append(step)
        if self._audience.delayed is not None:
            self._audience.delayed.add(step, trio.current_time())
        self.played.add(step)
        if type(command) is cmd.OpenTable:  # an old client would take the event for a new session without players
            self._observer.rules_changed()
        else:
            self._out += self._audience.frames(encoded)
        if not _FOLLOWED.isdisjoint(map(type, events)):
            self._follow(events)
        return events

    def _follow(self, events: tuple[AnyEvent, ...]) -> None:
        """Does what follows from the end of a hand, and from a seat that is free again."""
        for event in events:
            if type(event) in ENDS:
                self.journal.hand_over()
                self._observer.hand_over()
            elif type(event) is PlayerLeft:
                self._observer.seat_freed(event)

    def attempt(self, guest: Guest, command: AnyCommand, number: int = 0) -> bool:
        """Does a guest's command; False if it was refused, which is told to that guest alone.

        Args:
            number: the id of the action, if the command is one.
        """
        if self.halted is not None:
            return False
        try:
            self.decide(command)
        except IllegalAction as refused:
            if refused.code == "done":
                self.answer(guest, Done(number))
            else:
                self.answer(guest, Rejected.of(refused.code, refused.text, action=number))
            return False
        return True

    def answer(self, guest: Guest, message: Message) -> None:
        """Sent with the batch, not before: whatever the answer rests on is durable by then."""
        for frame in self._audience.spectators.take_waiting(guest):
            self._out.append((guest.send, frame))
        self._out.append((guest.send, encode_frame(message)))

    def send_missed(self, guest: Guest, steps: list[StepRecord]) -> None:
        """Tells a player who has come back what has happened, in place of a snapshot."""
        assert guest.seat is not None
        for step in steps:
            self._out.append((guest.send, self._encoded(step).own(guest.seat)))

    def _encoded(self, step: StepRecord) -> EncodedStep:
        """A step as it was sent."""
        return EncodedStep(step.seq, step.at, None, step.events, self._receipts)

    def proof(self, seen: int, receipt: bytes) -> Literal["none", "same", "lost"]:
        """What a receipt proves about the step that ended with event number `seen`.

        `none`: nothing, it is not ours or too old. `same`: its bearer has seen what the journal holds. `lost`: they
        were sent a step that the journal does not hold.
        """
        digest = self._receipts.read(seen, receipt)
        if digest is None:
            return "none"
        if seen > self.state.seq:
            return "lost"
        for step in reversed(self._recent):
            last = step.seq + len(step.events) - 1
            if step.events and last <= seen:
                return "same" if last == seen and compare_digest(self._encoded(step).digest, digest) else "lost"
        return "none"

    def news(self, seen: int) -> str:
        """What was said about house rules that have changed after event number `seen`; empty if they have not."""
        after = [step for step in self._recent if step.seq > seen > 0]
        changes = [number for number, step in enumerate(after) if type(step.command) is cmd.OpenTable]
        said = [step.command for number in changes for step in after[number + 1 : number + 2]]
        return " ".join([command.text for command in said if type(command) is cmd.Say])

    def missed(self, seen: int, seat: Seat) -> list[StepRecord] | None:
        """The steps after event number `seen`; None if no step ended there, or that was too long ago.

        None, too, if the house rules have changed since, or if the player of that seat has only moved there since.
        """
        if not 0 < seen <= self.state.seq:
            return None
        missed: list[StepRecord] = []
        at = self.state.seq
        for step in reversed(self._recent):
            if at == seen:
                break
            moved = type(step.command) is cmd.SitDown and any(_seats(event, seat) for event in step.events)
            if moved or type(step.command) is cmd.OpenTable:
                return None
            at = step.seq - 1
            if step.events:
                missed.append(step)
        return missed[::-1] if at == seen else None


def _seats(event: AnyEvent, seat: Seat) -> bool:
    """Whether somebody sits down in that seat."""
    return type(event) is PlayerSeated and event.seat == seat
