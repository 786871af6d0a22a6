"""The records of a journal: a header, then one step in each record.

A step is a command with all events that it caused. So a journal can be read without rules (the events), and it can be
checked with them (the commands, played through the engine again).
"""

import msgspec

from protocol.commands import AnyCommand
from protocol.events import AnyEvent, Chips, Seat
from protocol.view import TableView
from protocol.wire.codec import BadMessage, encode_value, to_event, to_type, unpack

ITEMS = 1 << 16
"""Longest array or map in a record."""


class Checkpoint(msgspec.Struct, frozen=True, omit_defaults=True):
    """The whole table between two hands: the engine continues from it as if it had decided all earlier events.

    Fields:
        view: the table with all cards.
        tokens: digest of the seat token of each taken seat.
        last_ids: id of the last action that was done for each seat.
        missed: hands in a row in which the clock of each seat ran out.
        broke: seats that sit out because they have no chips.
        game: index of the running game in the table's list; hands_of_game: hands played since it was picked.
        picked_for: number of the last hand for which a dealer has chosen the game.
        kept: digest of the seat token, name and chips of each player whose seat was freed while they were not there.
        played: seconds of play when the last hand was dealt, where the limits rise by minutes.
        left_with: digest of the seat token and chips of each player who stood up with more than the usual buy-in.
        hosts: digests of the seat tokens of the hosts.
        redeal: the last hand was void, and its dealer deals again.
    """

    view: TableView
    tokens: tuple[tuple[Seat, bytes], ...] = ()
    last_ids: tuple[tuple[Seat, int], ...] = ()
    missed: tuple[tuple[Seat, int], ...] = ()
    broke: tuple[Seat, ...] = ()
    game: int = 0
    hands_of_game: int = 0
    picked_for: int = 0
    kept: tuple[tuple[bytes, str, Chips], ...] = ()
    left_with: tuple[tuple[bytes, Chips], ...] = ()
    played: int = 0
    hosts: tuple[bytes, ...] = ()
    redeal: bool = False


class Header(msgspec.Struct, frozen=True, kw_only=True, tag="header", tag_field="record"):
    """The first record of a journal file.

    Fields:
        format: version of the records (`protocol.versions.JOURNAL_FORMAT`).
        rules: version of the engine's rules.
        program: version of the program that wrote the file.
        session: 16 random bytes that name the session.
        table: id of the table.
        started: UTC milliseconds.
        previous: last chain digest of the session's file before this one; empty in the first file.
        viewer: None in the host's journal; in a player's file the seat that sees it, 0 for a spectator.
        checkpoint: the table from which this file continues; None in the session's first file, which opens the table.
    """

    format: int
    rules: int
    program: str
    session: bytes
    table: str
    started: int
    previous: bytes = b""
    viewer: int | None = None
    checkpoint: Checkpoint | None = None

    @property
    def next_seq(self) -> int:
        """Number of the file's first event."""
        return 1 if self.checkpoint is None else self.checkpoint.view.seq + 1


class StepRecord(msgspec.Struct, frozen=True, tag="step", tag_field="record", omit_defaults=True):
    """One step: events number `seq` and on, caused by `command` at `at` (UTC milliseconds).

    In a player's file `command` is None. What happens between two hands is not in such a file, so the first step of a
    hand has the table before it, as the viewer may see it (`view`). Folding continues from there, and so do the
    numbers, with `view.seq + 1`.

    Now and then a host's step that starts a hand holds the whole table before it (`checkpoint`), from which a server
    continues. It is written only: `decode_record` leaves it out, so that nothing made of steps holds it, and
    `checkpoint_in` gives it.
    """

    seq: int
    at: int
    command: AnyCommand | None
    events: tuple[AnyEvent, ...]
    view: TableView | None = None
    checkpoint: Checkpoint | None = None


class _WithCheckpoint(msgspec.Struct, tag="step", tag_field="record"):
    checkpoint: Checkpoint | None = None


class _CommandFrame(msgspec.Struct, tag="step", tag_field="record"):
    seq: int
    at: int
    command: AnyCommand | None
    events: msgspec.Raw


_COMMAND = msgspec.msgpack.Decoder(_CommandFrame)


class _StepFrame(msgspec.Struct):
    seq: int
    at: int
    command: AnyCommand | None
    events: list[object]
    view: TableView | None = None


def encode_record(record: Header | StepRecord) -> bytes:
    """The payload of a record."""
    return encode_value(record)


def decode_record(payload: bytes) -> Header | StepRecord:
    """The record in a payload. Raises BadMessage, which says why."""
    value = unpack(payload, items=ITEMS, text=len(payload), what="a record")
    if value.get("record") == "header":
        return to_type(value, Header)
    if value.get("record") == "step":
        frame = to_type(value, _StepFrame)
        events = tuple([to_event(event) for event in frame.events])
        return StepRecord(frame.seq, frame.at, frame.command, events, frame.view)
    raise BadMessage(f"unknown record {value.get('record')!r:.40}")


def checkpoint_in(payload: bytes) -> Checkpoint | None:
    """The table before a step that starts a hand; None for most records. Raises BadMessage."""
    if b"checkpoint" not in payload:
        return None
    value = unpack(payload, items=ITEMS, text=len(payload), what="a record")
    return to_type(value, _WithCheckpoint).checkpoint if value.get("record") == "step" else None


def read_command(payload: bytes) -> tuple[int, int, AnyCommand | None, bytes]:
    """Number of the first event, time, command and the encoded events of a step. Raises BadMessage."""
    try:
        step = _COMMAND.decode(payload)
    except (msgspec.MsgspecError, RecursionError, ValueError) as error:
        raise BadMessage(str(error)) from None
    return step.seq, step.at, step.command, bytes(step.events)
