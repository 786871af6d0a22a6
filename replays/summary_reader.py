"""Reads the summaries of the hands of a journal file: fast, and on from where it stopped last time.

A session's file only grows. So it is enough to know the place behind the last hand that is over, the chain digest there
and who sat where: whatever follows is read from there, and the chain shows that it is the same file.
"""

import gc
import os
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import cache, reduce
from operator import or_
from pathlib import Path
from typing import Any, BinaryIO, cast, get_args

import msgspec
from msgspec.structs import replace

from protocol.commands import AnyCommand
from protocol.events import EVENTS
from protocol.journal.framing import DIGEST_BYTES, FRONT_BYTES, HEAD_BYTES, MAGIC, Scan, scan, scan_more
from protocol.journal.records import StepRecord
from protocol.view import TableView
from replays.hand_summaries import NOTED, HandSummary, SummaryMaker, without_cards
from replays.recording import behind_damage, decode_header, named_damage, readable_step, refuse_damage


def _only_named(kind: type[msgspec.Struct]) -> type[msgspec.Struct]:
    """A struct for values of that kind of which nothing is read but the name of the kind."""
    config = kind.__struct_config__
    return msgspec.defstruct(kind.__name__, [], tag=config.tag, tag_field=config.tag_field, gc=False)


@cache
def _noted_steps() -> msgspec.msgpack.Decoder[StepRecord]:
    """Reads of a step what a summary notes and nothing else, in a tenth of the time: most events are only counted.

    What it refuses is read the slow way, which says why.
    """
    events = [kind if kind in NOTED else _only_named(kind) for kind in EVENTS.values()]
    either: Any = reduce(or_, events)
    command: Any = reduce(or_, map(_only_named, get_args(AnyCommand)))
    fields: list[Any] = [
        ("at", int),
        ("command", command | None),
        ("events", tuple[either, ...]),
        ("view", TableView | None, None),
    ]
    step = msgspec.defstruct("NotedStep", fields, tag="step", tag_field="record", gc=False)
    return cast("msgspec.msgpack.Decoder[StepRecord]", msgspec.msgpack.Decoder(step))


class Mark(msgspec.Struct, frozen=True):
    """A place in a file from which reading can go on.

    Fields:
        salt: of the file.
        good: bytes before the place; records: records before it; last: where the last of them begins; digest: its chain
            digest.
        position: events before it; table: with who sits where, without cards.
        session: 16 bytes that name the session.
        hand: id of the last hand that is over; corrected: chips that a host has given or taken since then, by name.
    """

    salt: bytes
    good: int
    records: int
    last: int
    digest: bytes
    position: int
    table: TableView = msgspec.field(default_factory=TableView)
    session: bytes = b""
    hand: str = ""
    corrected: dict[str, int] = msgspec.field(default_factory=dict)


STRIDE = 16
"""Hands between two places at which the file can be opened."""


@dataclass(slots=True)
class ReadSummaries:
    """What was read.

    Fields:
        hands: from the mark on, or all of them.
        places: where every so many of these hands begin, so that the file need not be read from its start.
        resumed: whether reading went on from the mark; otherwise what was known of the file is not true any more.
        mark: behind the last hand that is over.
        trouble: what is damaged, as a sentence; the hands are the good ones before it and behind it.
    """

    hands: list[HandSummary] = field(default_factory=list)
    places: list[Mark] = field(default_factory=list)
    resumed: bool = False
    mark: Mark | None = None
    trouble: str = ""


@contextmanager
def without_collector() -> Iterator[None]:
    """Keeps the collector of garbage from looking, again and again, at all that is read: there is none among it.

    It would take a tenth of the time of a long file.
    """
    was_on = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was_on:
            gc.enable()


@without_collector()
def read_summaries(path: Path, mark: Mark | None = None) -> ReadSummaries:
    """The summaries of the hands of a file.

    Raises Unreadable for a file that is no journal or has nothing good in it, and OSError.
    """
    with path.open("rb") as file:
        if mark is not None and ends_there(file, mark):
            file.seek(mark.good)
            tail = file.read()
            known = Scan([], [], mark.good, mark.good, mark.digest, mark.salt, "clean", "", mark.records)
            found = scan_more(known, tail)
            if found.verdict != "corrupt":
                return _read(path, tail, found, mark, resumed=True)
        file.seek(0)
        content = file.read()
    found = scan(content)
    if found.verdict == "foreign" or not found.records:
        refuse_damage(path, found)
    header = decode_header(path, found)
    table = TableView() if header.checkpoint is None else without_cards(header.checkpoint.view)
    begin = FRONT_BYTES + HEAD_BYTES + len(found.records[0])
    mark = Mark(found.salt, begin, 1, FRONT_BYTES, _digest(content, FRONT_BYTES), 0, table, header.session)
    return _read(path, content, found, mark, resumed=False)


def _read(path: Path, content: bytes, found: Scan, mark: Mark, *, resumed: bool) -> ReadSummaries:
    """The hands behind the mark. `content` are the bytes in which `found` was found."""
    base = found.size - len(content)
    maker = SummaryMaker(mark.table.copy(), mark.position, mark.corrected)
    result = ReadSummaries(resumed=resumed)
    behind = mark.records - found.number
    payloads, offsets = found.records[behind:], found.offsets[behind:]

    def place(number: int, position: int, table: TableView) -> Mark:
        """Behind the record with that number, of those behind the mark."""
        if number < 0:
            return mark
        offset = offsets[number]
        end, digest = offset + HEAD_BYTES + len(payloads[number]), _digest(content, offset - base)
        return Mark(mark.salt, end, mark.records + number + 1, offset, digest, position, table, mark.session)

    last, position = -1, mark.position  # the last record behind which no hand is running, and the events up to it
    hand, corrected = mark.hand, mark.corrected
    for number, step in enumerate(_steps(payloads)):
        if step is None:
            result.trouble = f"{path}: record {mark.records + number} at byte {offsets[number]} cannot be read."
            break
        known, between = len(maker.found), not maker.running
        try:
            maker.add(step)
        except (LookupError, ValueError, AttributeError):
            result.trouble = f"{path}: record {mark.records + number} at byte {offsets[number]} does not fit the table."
            break
        if between and len(maker.found) > known and known % STRIDE == 0:
            result.places.append(place(last, position, maker.before))
        if not maker.running:
            last, position = number, maker.seq
            hand, corrected = maker.found[-1].id if maker.found else mark.hand, dict(maker.corrected)
    behind_last = place(last, position, maker.before if maker.running else maker.table)
    result.mark = replace(behind_last, hand=hand, corrected=corrected)
    if found.verdict == "corrupt" and not result.trouble:
        result.trouble = named_damage(path, found)
        before = [step for payload in found.records if (step := readable_step(payload)) is not None]
        for step in behind_damage(content, found, before):
            maker.add(step)
    result.hands = maker.found
    return result


def ends_there(file: BinaryIO, mark: Mark) -> bool:
    """Whether the file still holds what was read up to the mark: the digest there covers all that is before it."""
    if file.read(FRONT_BYTES)[len(MAGIC) :] != mark.salt or file.seek(0, os.SEEK_END) < mark.good:
        return False
    file.seek(mark.last)
    return _digest(file.read(HEAD_BYTES), 0) == mark.digest


def _digest(content: bytes, at: int) -> bytes:
    """The chain digest that the header of the record at `at` holds."""
    return content[at + HEAD_BYTES - DIGEST_BYTES : at + HEAD_BYTES]


def _steps(payloads: Sequence[bytes]) -> Iterator[StepRecord | None]:
    """The steps in payloads, with the events of which something is noted; None for something else."""
    decode = _noted_steps().decode
    for payload in payloads:
        try:
            yield decode(payload)
        except (msgspec.MsgspecError, RecursionError, ValueError):
            yield readable_step(payload)
