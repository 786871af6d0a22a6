"""Recovery: a table's session begins in a new journal, or is resumed from its newest one.

One rule: a table resumes its newest journal if somebody has a seat or kept chips there; else a new session begins in a
new file. House rules that have changed are taken over between two hands (`server.table.rules_change`). To resume, the
engine replays every command, from the first one or from the checkpoint with which the file begins
(`server.storage.rotation`), and must give exactly the events that were recorded.
"""

import secrets
from collections.abc import Sequence
from dataclasses import dataclass, field

from protocol.commands import OpenTable
from protocol.events import HandStarted
from protocol.journal.records import Header, StepRecord, decode_record, encode_record
from protocol.table_rules import TableRules
from protocol.versions import JOURNAL_FORMAT, PROGRAM, RULES
from protocol.wire.codec import BadMessage
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
class RecordedSession:
    """A table's state, and the journal in which it continues.

    Fields:
        header: the first record of the journal.
        recent: the last steps, at most RECENT_STEPS.
        resumed: whether the session existed before.
        no_room: whether the journal could only be looked at, because the disk is full (`reopen` it when there is room).
        note: what the host should know about the recovery; empty if there is nothing to say.
    """

    journal: Journal
    state: TableState
    header: Header
    recent: list[StepRecord] = field(default_factory=list)
    resumed: bool = False
    note: str = ""
    no_room: bool = False

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


def rebuild(records: Sequence[bytes], path: str) -> tuple[Header, TableState, list[StepRecord]]:
    """Replays the commands of a journal through the engine. Raises Differs."""
    header, state, steps = None, TableState(), list[StepRecord]()
    hand = ""
    for number, payload in enumerate(records):
        where = f"{path}, record {number}{f' in hand {hand}' if hand else ''}"
        try:
            record = decode_record(payload)
            if isinstance(record, Header):
                header = record
                if record.rules != RULES or record.format != JOURNAL_FORMAT or record.viewer is not None:
                    raise Differs(f"{path} was written under other rules; it can be looked at, but not resumed.")
                if record.checkpoint is not None:
                    try:
                        state = TableState.restored(record.checkpoint)
                    except ValueError as error:
                        raise Differs(f"{where}: {error}") from None
                continue
            if header is None or record.command is None or record.seq != state.seq + 1:
                raise Differs(f"{where}: the step does not follow the one before.")
            events = state.apply(record.command)
        except (BadMessage, IllegalAction) as error:
            raise Differs(f"{where}: {error}.") from error
        if events != record.events:
            raise Differs(f"{where}: the rules now give other events for the same command.")
        for event in events:
            if isinstance(event, HandStarted):
                hand = event.id
        steps.append(record)
    if header is None or not (steps or header.checkpoint):
        raise Differs(f"{path} holds no session.")
    return header, state, steps


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
        header, state, steps = rebuild(error.scan.records, path)
        return RecordedSession(
            Journal.closed(path, error.scan), state, header, steps[-RECENT_STEPS:], True, str(error), True
        )
    if newest(directory, table, fs) != path:  # the process that held the lock until now has begun the next file
        journal.close()
        return resume(directory, table, rules, now, fs)
    if len(found.records) == 1 and not _has_checkpoint(found.records[0]):
        journal.close()  # a crash between the header and the first step: nobody has sat down
        return begin(directory, table, rules, now, fs)
    try:
        header, state, steps = rebuild(found.records, path)
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
    if not state.view.players() and not state.kept:
        journal.close()
        return begin(directory, table, rules, now, fs)
    note = ""
    if found.verdict == "torn":
        note = f"{found.size - found.good} bytes of an unfinished record were cut from the end of {path}."
    return RecordedSession(journal, state, header, steps[-RECENT_STEPS:], True, note)


def reopen(path: str, fs: FileSystem | None = None) -> RecordedSession:
    """Resumes the session of this file after its disk was full. Raises JournalError."""
    journal, found = Journal.open(path, fs)
    try:
        header, state, steps = rebuild(found.records, path)
    except BaseException:
        journal.close()
        raise
    return RecordedSession(journal, state, header, steps[-RECENT_STEPS:], True)


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
