"""The hands that a player saw, as files on the player's own machine, in the format of the host's journals.

There is one file for each session of a table and each viewer: ``hands/20260715-190000-main.5e55a0b1.seat3.ryo`` holds
what seat 3 saw, ``...watching.ryo`` what a spectator saw. The hands come from a server that nobody has to trust: they
are checked before they are kept, their size is bounded, and no text of the server becomes a file name unchanged.
"""

import re
from collections.abc import Sequence
from pathlib import Path

from protocol.events import AnyEvent, HandEnded, HandStarted, HandVoided, TableOpened
from protocol.journal.framing import MAX_PAYLOAD, scan
from protocol.journal.records import Header, StepRecord, decode_record, encode_record
from protocol.versions import JOURNAL_FORMAT, PROGRAM
from protocol.wire.codec import BadMessage
from protocol.wire.messages import HandRecord
from server.storage.file_names import SUFFIX, file_name
from server.storage.journal_errors import JournalError
from server.storage.journal_file import Journal

MOST_BYTES = 64 << 20
"""Bytes that are kept in one visit: some thousand hands. A server that sends more is not a card room."""
_LATEST = 253_402_300_799_000
"""The last second that a date can represent, in UTC milliseconds."""


class NotKept(Exception):
    """A hand that is not kept; the text is a sentence for the player, empty if there is nothing to tell."""


class HandStore:
    """The files in one directory; `close` closes those that are open. All methods block; one thread may call them."""

    def __init__(self, folder: Path, most_bytes: int = MOST_BYTES) -> None:
        self._folder = folder
        self._open: dict[str, tuple[Journal, int]] = {}
        self._room = most_bytes

    def keep(self, parts: Sequence[HandRecord]) -> Path | None:
        """Appends a hand, given as all parts of its record; it is on the disk when this returns.

        Returns the file, or None if the hand, or a later one, is there already. Raises NotKept.
        """
        steps = steps_of(parts)
        head = _header(parts[0])
        if self._is_recorded_by_host(head):
            return None
        payloads = [encode_record(step) for step in steps]
        size = sum(map(len, payloads))
        if max(map(len, payloads)) > MAX_PAYLOAD or size > self._room:
            raise NotKept("The server sends more than a card game has to say; no more hands are kept.")
        name = recording_name(head)
        try:
            journal, next_seq = self._opened(name, head)
            if steps[0].seq < next_seq:
                return None
            for payload in payloads:
                journal.append(payload)
            journal.commit()
        except JournalError as error:
            self._forget(name)
            raise NotKept(f"The last hand could not be kept: {error}") from error
        self._open[name] = journal, steps[-1].seq + len(steps[-1].events)
        self._room -= size
        return Path(journal.path)

    def close(self) -> None:
        """Closes the files. May be called twice."""
        for journal, _ in self._open.values():
            journal.close()
        self._open.clear()

    def _opened(self, name: str, head: Header) -> tuple[Journal, int]:
        """The file to append to, and the number of the first event that is not in it. Raises JournalError, NotKept."""
        if name not in self._open:
            path = self._folder / name
            if path.exists():
                journal, found = Journal.open(path)
                try:
                    next_seq = _next_seq(found.records, head)
                except NotKept:
                    journal.close()
                    raise
            else:
                journal, next_seq = Journal.create(self._folder, name, encode_record(head)), 1
            self._open[name] = journal, next_seq
        return self._open[name]

    def _forget(self, name: str) -> None:
        if (opened := self._open.pop(name, None)) is not None:
            opened[0].close()

    def _is_recorded_by_host(self, head: Header) -> bool:
        """Whether the host's journal of this session, which holds everything, is in the same directory."""
        try:
            with (self._folder / file_name(head.table, head.started)).open("rb") as file:
                first = decode_record(scan(file.read(1 << 16)).records[0])
        except (OSError, BadMessage, IndexError):
            return False
        return isinstance(first, Header) and first.session == head.session and first.viewer is None


def steps_of(parts: Sequence[HandRecord]) -> list[StepRecord]:
    """The steps of a hand, as they are written to a file. Raises NotKept if they are not one whole hand."""
    view = parts[0].view
    if view is None or not view.is_whole():
        raise NotKept("")
    table = view.copy()
    steps: list[StepRecord] = []
    events: list[AnyEvent] = []
    for step in [step for part in parts for step in part.steps]:
        if step.seq != table.seq + 1 or not step.events:
            raise NotKept("")
        try:
            table.apply_all(step.events)
        except (LookupError, ValueError, AttributeError, TypeError) as error:
            raise NotKept("") from error
        events += step.events
        steps.append(StepRecord(step.seq, step.at, None, step.events, None if steps else view))
    started = [event.hand for event in events if isinstance(event, HandStarted)]
    over = [event.hand for event in events if isinstance(event, HandEnded | HandVoided)]
    if not started == over == [parts[0].hand] or any(isinstance(event, TableOpened) for event in events):
        raise NotKept("")
    return steps


def recording_name(head: Header) -> str:
    """The name of the file: when the session began, the table, the session, and the viewer."""
    viewer = f"seat{head.viewer}" if head.viewer else "watching"
    return f"{file_name(head.table, head.started).removesuffix(SUFFIX)}.{head.session[:4].hex()}.{viewer}{SUFFIX}"


def _header(part: HandRecord) -> Header:
    """The header of the file that the hand belongs to. Raises NotKept for values that are not possible."""
    if len(part.session) != 16 or not 0 <= part.started <= _LATEST or not 0 <= part.viewer < 100:
        raise NotKept("")
    return Header(
        format=JOURNAL_FORMAT,
        rules=part.rules,
        program=PROGRAM,
        session=part.session,
        table=re.sub(r"[^a-z0-9-]", "-", part.table)[:32] or "table",
        started=part.started,
        viewer=part.viewer,
    )


def _next_seq(records: Sequence[bytes], head: Header) -> int:
    """The number of the first event after those in the file. Raises NotKept for a file of another session or viewer."""
    try:
        first, last = decode_record(records[0]), decode_record(records[-1])
    except BadMessage as error:
        raise NotKept(f"The last hand could not be kept: {error}.") from error
    if not isinstance(first, Header) or (first.session, first.viewer) != (head.session, head.viewer):
        raise NotKept("The last hand could not be kept: there is another recording of the same name.")
    return 1 if isinstance(last, Header) else last.seq + len(last.events)
