"""Values to bytes and back.

`msgspec` writes MessagePack. `msgpack` reads it into plain values within bounds, and `msgspec.convert` turns these
strictly into the type that the key ``type`` names. Whatever arrives, no other exception than `BadMessage` is raised.
"""

from typing import Any, TypeVar, cast

import msgpack
import msgspec

from protocol.events import EVENTS, AnyEvent, Said
from protocol.facts import FACTS
from protocol.view import TableView
from protocol.wire.messages import (
    FROM_CLIENT,
    FROM_SERVER,
    Events,
    FromClient,
    FromServer,
    HandRecord,
    Message,
    PlayedStep,
    Told,
)

T = TypeVar("T")

CLIENT_ITEMS = 64
"""Longest array or map in a client's message."""
CLIENT_TEXT = 1024
"""Longest string or byte string in a client's message, in bytes."""
CLIENT_DEPTH = 6
"""How deep a client's message may nest."""

SERVER_ITEMS = 4096
SERVER_TEXT = 65536
SERVER_DEPTH = 12


class BadMessage(ValueError):
    """The bytes are not a message of this protocol; the text says why."""


_encoder = msgspec.msgpack.Encoder()
encode_value = _encoder.encode
"""Any message, event or record as MessagePack."""


def _depth_within(value: object, limit: int) -> bool:
    """Whether lists and maps nest at most `limit` deep. Looks no deeper than that."""
    level: list[Any] = [value]
    for _ in range(limit + 1):
        deeper: list[Any] = []
        for item in level:
            if type(item) is dict:
                deeper += item.values()
            elif type(item) is list:
                deeper += item
        if not deeper:
            return True
        level = deeper
    return False


def unpack(body: bytes, *, items: int, text: int, depth: int | None = None, what: str = "a message") -> dict[str, Any]:
    """The map in `body` as plain values. Raises BadMessage.

    Args:
        items: the most items in a list or map.
        text: the most bytes in a string or byte string.
        depth: how deep lists and maps may nest; None for any depth.
        what: the name of the map in the text of the error.
    """
    try:
        value = msgpack.unpackb(
            body,
            strict_map_key=True,
            max_array_len=items,
            max_map_len=items,
            max_str_len=text,
            max_bin_len=text,
            max_ext_len=0,
        )
    except (ValueError, TypeError, msgpack.UnpackException, RecursionError) as error:
        raise BadMessage(f"not MessagePack within bounds ({type(error).__name__})") from None
    if type(value) is not dict:
        raise BadMessage(f"{what} must be a map")
    if depth is not None and not _depth_within(value, depth):
        raise BadMessage(f"nested deeper than {depth}")
    return value


def to_type(value: object, kind: type[T]) -> T:
    """Plain values as `kind`, strictly. Raises BadMessage, which names the place that does not fit."""
    try:
        return msgspec.convert(value, kind, strict=True)
    except (msgspec.ValidationError, RecursionError, OverflowError) as error:
        raise BadMessage(str(error) or type(error).__name__) from None


def _kind(value: dict[str, Any], kinds: dict[str, type[Message]]) -> type[Message]:
    name = value.get("type")
    kind = kinds.get(name) if isinstance(name, str) else None
    if kind is None:
        raise BadMessage(f"unknown message type {name!r:.40}")
    return kind


def decode_from_client(body: bytes) -> FromClient:
    """A client's message. Raises BadMessage."""
    value = unpack(body, items=CLIENT_ITEMS, text=CLIENT_TEXT, depth=CLIENT_DEPTH)
    return cast("FromClient", to_type(value, _kind(value, FROM_CLIENT)))


def to_event(value: object) -> AnyEvent:
    """One event from plain values. Raises BadMessage."""
    name = value.get("event") if isinstance(value, dict) else None
    kind = EVENTS.get(name) if isinstance(name, str) else None
    if kind is None:
        raise BadMessage(f"unknown event {name!r:.40}")
    if kind is Said and isinstance(value, dict):
        value = _with_known_fact(value)
    return to_type(value, kind)


def _with_known_fact(said: dict[str, Any]) -> dict[str, Any]:
    """Without a fact of a newer version: the sentence tells it all the same."""
    fact = said.get("fact")
    known = isinstance(fact, dict) and isinstance(fact.get("fact"), str) and fact["fact"] in FACTS
    return said if known else {key: value for key, value in said.items() if key != "fact"}


class _EventsFrame(msgspec.Struct):
    seq: int
    at: int
    events: list[Any]
    receipt: bytes = b""
    pad: bytes = b""


class _ToldFrame(_EventsFrame):
    told: Told | None = None


class _RecordFrame(msgspec.Struct):
    session: bytes
    table: str
    started: int
    rules: int
    hand: int
    viewer: int
    steps: list[_EventsFrame]
    view: TableView | None = None
    more: bool = False
    told: tuple[Told, ...] = ()


def decode_from_server(body: bytes) -> FromServer:
    """A server's message. Raises BadMessage."""
    value = unpack(body, items=SERVER_ITEMS, text=SERVER_TEXT, depth=SERVER_DEPTH)
    kind = _kind(value, FROM_SERVER)
    if kind is Events:
        # One event at a time, because converting to the whole union would try all kinds for every event.
        frame = to_type(value, _ToldFrame)
        events = tuple([to_event(event) for event in frame.events])
        return Events(frame.seq, frame.at, events, frame.receipt, frame.pad, frame.told)
    if kind is HandRecord:
        record = to_type(value, _RecordFrame)
        steps = tuple(
            [PlayedStep(step.seq, step.at, tuple([to_event(event) for event in step.events])) for step in record.steps]
        )
        return HandRecord(
            record.session, record.table, record.started, record.rules, record.hand, record.viewer, steps,
            record.view, record.more, record.told,
        )  # fmt: skip
    return cast("FromServer", to_type(value, kind))
