"""Bytes that programs of earlier versions sent are read for as long as their version is spoken, and some for ever."""

from typing import Any

import msgpack
import msgspec
import pytest

from protocol.events import EVENTS, Said
from protocol.facts import FACTS
from protocol.versions import PROTOCOL
from protocol.wire.codec import decode_from_client, decode_from_server, to_event
from protocol.wire.frames import SERVER_CAP, FrameDecoder
from protocol.wire.messages import FROM_CLIENT, FROM_SERVER, Events
from tests.support.paths import GOLDEN

SPOKEN = range(PROTOCOL[0], PROTOCOL[1] + 1)


def bodies(version: int) -> list[bytes]:
    """The frames of the file that was made with a version, and of those for the abilities that came later."""
    files = [GOLDEN / f"wire-{version}.bin", *sorted(GOLDEN.glob(f"wire-{version}-*.bin"))]
    return [body for file in files for body in FrameDecoder(SERVER_CAP).feed(file.read_bytes())]


def holds(read: Any, sent: Any) -> bool:
    """Whether everything that was sent is in what was read; there may be more, with its default."""
    if isinstance(sent, dict):
        return isinstance(read, dict) and all(holds(read.get(key), value) for key, value in sent.items())
    if isinstance(sent, list):
        return isinstance(read, list) and len(read) == len(sent) and all(map(holds, read, sent))
    return bool(read == sent)


def as_plain(message: object) -> Any:
    """The message with all its fields, defaults too, as plain values."""
    if isinstance(message, msgspec.Struct):
        config = message.__struct_config__
        named = {config.tag_field: config.tag} if config.tag_field else {}
        return named | {name: as_plain(getattr(message, name)) for name in message.__struct_fields__}
    return [as_plain(item) for item in message] if isinstance(message, list | tuple) else message


@pytest.mark.parametrize("version", SPOKEN)
def test_every_message_of_a_spoken_version_is_read_with_all_it_said(version: int) -> None:
    names = set()
    for body in bodies(version):
        sent = msgpack.unpackb(body)
        decode = decode_from_client if sent["type"] in FROM_CLIENT else decode_from_server
        message = decode(body)
        assert holds(as_plain(message), sent), sent["type"]
        names.add(sent["type"])
    assert {"hello", "welcome", "refused", "act", "events", "snapshot"} <= names <= {*FROM_CLIENT, *FROM_SERVER}


def test_the_newest_file_holds_every_kind_of_message_and_event() -> None:
    read = bodies(PROTOCOL[1])
    assert {msgpack.unpackb(body)["type"] for body in read} == {*FROM_CLIENT, *FROM_SERVER}
    stepwise = [decode_from_server(body) for body in read if msgpack.unpackb(body)["type"] == "events"]
    happened = [event for step in stepwise if isinstance(step, Events) for event in step.events]
    assert {type(event) for event in happened} == set(EVENTS.values())
    said = [event for event in happened if isinstance(event, Said)]
    assert all(any(isinstance(event.fact, kind) for event in said) for kind in FACTS.values())


def test_a_fact_of_a_newer_version_is_told_all_the_same() -> None:
    said = {"event": "said", "name": "", "text": "The table is blue now.", "seat": None}
    facts: list[object] = [{"fact": "painted", "colour": "blue"}, {"colour": 1}, [], "blue"]
    for fact in facts:
        assert to_event({**said, "fact": fact}) == Said("", "The table is blue now.")


@pytest.mark.parametrize("name", ["hello", "welcome", "refused"])
def test_the_handshake_is_frozen(name: str) -> None:
    # Bytes of the first version; no version may ever read them differently.
    body = next(body for body in bodies(1) if msgpack.unpackb(body)["type"] == name)
    decode = decode_from_client if name == "hello" else decode_from_server
    assert msgspec.msgpack.encode(decode(body)) == body
