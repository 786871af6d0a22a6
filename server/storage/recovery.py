"""Recovery: a table's session begins in a new journal, or is resumed from its newest one.

One rule: a table resumes its newest journal if somebody has a seat or kept chips there; else a new session begins in a
new file. House rules that have changed are taken over between two hands (`server.table.rules_change`). To resume, the
engine replays the commands from the last checkpoint on, which a step that starts a hand holds, and must give exactly
the events that were recorded. If it does not, or there is no such checkpoint, it replays every command, from the first
one or from the checkpoint with which the file begins (`server.storage.rotation`): that decides.
"""

import secrets
from collections.abc import Sequence
from dataclasses import dataclass, field

from protocol.commands import OpenTable, StartHand
from protocol.events import HandStarted, Seat
from protocol.journal.framing import Scan
from protocol.journal.records import (
    Checkpoint,
    Header,
    StepRecord,
    checkpoint_in,
    decode_record,
    encode_record,
    read_command,
)
from protocol.table_rules import TableRules
from protocol.versions import JOURNAL_FORMAT, PROGRAM, RULES
from protocol.view import TableView
from protocol.wire.codec import BadMessage, encode_value
from server.engine.errors import IllegalAction
from server.engine.table_state import TableState
from server.errors import EXIT_DAMAGED
from server.storage.file_names import file_name, newest, start_in_name
from server.storage.filesystem import FileSystem
from server.storage.journal_errors import JournalError, NoRoom
from server.storage.journal_file import Journal

RECENT_STEPS = 64
"""Steps kept in memory for clients that reconnect and have missed only a little."""


class Differs(JournalError):
    """The rules have changed since the journal was written: the same commands give other events now."""

    exit_code = EXIT_DAMAGED


@dataclass
class DealtHand:
    """The hand that was running when the journal ended.

    Fields:
        view: the table right before it was dealt; tokens: digests of the seats' tokens then.
        steps: those of the hand, the one that dealt it first.
    """

    view: TableView
    tokens: dict[Seat, bytes]
    steps: list[StepRecord] = field(default_factory=list)


@dataclass
class RecordedSession:
    """A table's state, and the journal in which it continues.

    Fields:
        header: the first record of the journal.
        recent: the last steps, at most RECENT_STEPS.
        resumed: whether the session existed before.
        no_room: whether the journal could only be looked at, because the disk is full (`reopen` it when there is room).
        note: what the host should know about the recovery; empty if there is nothing to say.
        to_play: bytes of steps behind the last checkpoint.
        running: the hand that is being played; None between hands.
    """

    journal: Journal
    state: TableState
    header: Header
    recent: list[StepRecord] = field(default_factory=list)
    resumed: bool = False
    note: str = ""
    no_room: bool = False
    to_play: int = 0
    running: DealtHand | None = None

    @property
    def started(self) -> int:
        """UTC milliseconds; a part of the ids of the hands."""
        return self.header.started


def begin(directory: str, table: str, rules: TableRules, now: int, fs: FileSystem | None = None) -> RecordedSession:
    """Begins a session at `now` (UTC milliseconds); it is on the disk when this returns. Raises JournalError."""
    last = newest(directory, table, fs)
    if last is not None:  # the newest session must have the last name, even if the clock was set back (fault 79)
        now = max(now, start_in_name(last) + 1000)
    header = Header(
        format=JOURNAL_FORMAT,
        rules=RULES,
        program=PROGRAM,
        session=secrets.token_bytes(16),
        table=table,
        started=now,
    )
    journal = Journal.create(directory, file_name(table, now), encode_record(header), fs)
    state = TableState()
    command = OpenTable(table, rules)
    step = StepRecord(1, now, command, state.apply(command))
    journal.append(encode_record(step))
    journal.commit()
    return RecordedSession(journal, state, header, [step])


def rebuild(
    records: Sequence[bytes], path: str, dealt: list[DealtHand] | None = None
) -> tuple[Header, TableState, list[StepRecord]]:
    """Replays all commands of a journal through the engine. `dealt` is given the last hand. Raises Differs."""
    header = _header(records, path)
    state = TableState()
    if header.checkpoint is not None:
        try:
            state = TableState.restored(header.checkpoint)
        except ValueError as error:
            raise Differs(f"{path}, record 0: {error}") from None
    steps = _played(state, records, 1, path, [] if dealt is None else dealt)
    if not (steps or header.checkpoint):
        raise Differs(f"{path} holds no session.")
    return header, state, steps


def _header(records: Sequence[bytes], path: str) -> Header:
    """The first record, of a session that can be resumed. Raises Differs."""
    try:
        header = decode_record(records[0]) if records else None
    except BadMessage as error:
        raise Differs(f"{path}, record 0: {error}.") from error
    if not isinstance(header, Header):
        raise Differs(f"{path} holds no session.")
    if header.rules != RULES or header.format != JOURNAL_FORMAT or header.viewer is not None:
        raise Differs(f"{path} was written under other rules; it can be looked at, but not resumed.")
    return header


def _played(
    state: TableState, records: Sequence[bytes], first: int, path: str, dealt: list[DealtHand]
) -> list[StepRecord]:
    """The steps from record `first` on, played at this table. Raises Differs where other events come of them.

    `dealt` takes the last hand that was dealt, and no hand before it.
    """
    steps: list[StepRecord] = []
    hand = ""
    for number in range(first, len(records)):
        where = f"{path}, record {number}{f' in hand {hand}' if hand else ''}"
        try:
            seq, at, command, recorded = read_command(records[number])
            if command is None or seq != state.seq + 1:
                raise Differs(f"{where}: the step does not follow the one before.")
            if isinstance(command, StartHand):
                dealt[:] = [DealtHand(state.view.copy(), dict(state.tokens))]
            events = state.apply(command)
            # The bytes are compared first: events are decoded only where these are not the same.
            if encode_value(events) != recorded and events != _step(records[number]).events:
                raise Differs(f"{where}: the rules now give other events for the same command.")
        except (BadMessage, IllegalAction) as error:
            raise Differs(f"{where}: {error}.") from error
        for event in events:
            if isinstance(event, HandStarted):
                hand = event.id
        step = StepRecord(seq, at, command, events)
        steps.append(step)
        if dealt:
            dealt[0].steps.append(step)
    return steps


def _step(payload: bytes) -> StepRecord:
    """The step in a payload. Raises BadMessage."""
    record = decode_record(payload)
    if not isinstance(record, StepRecord):
        raise BadMessage("a second header")
    return record


def rebuild_from_last_checkpoint(
    records: Sequence[bytes], path: str, dealt: list[DealtHand] | None = None
) -> tuple[Header, TableState, list[StepRecord], int]:
    """The same with the last steps only, and the number of the first record that was played. Raises Differs.

    A checkpoint behind which the commands do not give the recorded events is not believed: then all are replayed.
    """
    dealt = [] if dealt is None else dealt
    found = _last_checkpoint(records)
    if found is not None:
        number, checkpoint = found
        try:
            header = _header(records, path)
            state = TableState.restored(checkpoint)
            earlier = list(map(_step, records[max(1, number - RECENT_STEPS) : number]))
            return header, state, earlier + _played(state, records, number, path, dealt), number
        except Exception:  # whatever a wrong checkpoint does: the replay of everything says what is wrong
            return *rebuild(records, path, dealt), 1
    return *rebuild(records, path, dealt), 1


def _last_checkpoint(records: Sequence[bytes]) -> tuple[int, Checkpoint] | None:
    """The last record that holds a checkpoint: its number, and the checkpoint."""
    for number in range(len(records) - 1, 0, -1):
        try:
            checkpoint = checkpoint_in(records[number])
        except BadMessage:
            return None
        if checkpoint is not None:
            return number, checkpoint
    return None


def resume(directory: str, table: str, rules: TableRules, now: int, fs: FileSystem | None = None) -> RecordedSession:
    """The table's newest session, with the house rules that it had, if it can be resumed; else a new one with `rules`.

    On a full disk the session can only be looked at (`RecordedSession.no_room`). Raises JournalError, also for damaged
    and foreign journals: the host has to decide about them.
    """
    path = newest(directory, table, fs)
    if path is None:
        return begin(directory, table, rules, now, fs)
    try:
        journal, found = Journal.open(path, fs)
    except NoRoom as error:
        session = _continued(Journal.closed(path, error.scan), error.scan)
        session.note, session.no_room = str(error), True
        return session
    if newest(directory, table, fs) != path:  # the process that held the lock until now has begun the next file
        journal.close()
        return resume(directory, table, rules, now, fs)
    if len(found.records) == 1 and not _has_checkpoint(found.records[0]):
        journal.close()  # a crash between the header and the first step: nobody has sat down
        return begin(directory, table, rules, now, fs)
    try:
        session = _continued(journal, found)
    except Differs as error:
        journal.close()
        if not _is_of_another_version(found.records):
            raise
        fresh = begin(directory, table, rules, now, fs)
        fresh.note = str(error)
        return fresh
    except BaseException:
        journal.close()
        raise
    if not session.state.view.players() and not session.state.kept:
        journal.close()
        return begin(directory, table, rules, now, fs)
    if found.verdict == "torn":
        session.note = f"{found.size - found.good} bytes of an unfinished record were cut from the end of {path}."
    return session


def _continued(journal: Journal, found: Scan) -> RecordedSession:
    """The session with which an opened journal ends. Raises Differs."""
    dealt: list[DealtHand] = []
    header, state, steps, number = rebuild_from_last_checkpoint(found.records, journal.path, dealt)
    to_play = found.good - found.offsets[number] if number < len(found.offsets) else 0
    running = dealt[0] if dealt and state.hand is not None else None
    return RecordedSession(journal, state, header, steps[-RECENT_STEPS:], True, to_play=to_play, running=running)


def reopen(path: str, fs: FileSystem | None = None) -> RecordedSession:
    """Resumes the session of this file after its disk was full. Raises JournalError."""
    journal, found = Journal.open(path, fs)
    try:
        return _continued(journal, found)
    except BaseException:
        journal.close()
        raise


def _has_checkpoint(header: bytes) -> bool:
    """Whether a file with that first record continues another file."""
    try:
        record = decode_record(header)
    except BadMessage:
        return True  # not a journal of this program: `rebuild` says so
    return isinstance(record, Header) and record.checkpoint is not None


def _is_of_another_version(records: Sequence[bytes]) -> bool:
    try:
        header = decode_record(records[0])
    except (BadMessage, IndexError):
        return False
    return isinstance(header, Header) and (header.rules, header.format) != (RULES, JOURNAL_FORMAT)
