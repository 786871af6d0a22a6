"""Bytes that programs of earlier versions sent are read for as long as their version is spoken, and some for ever."""

from typing import Any

import msgpack
import msgspec
import pytest

from protocol.events import EVENTS
from protocol.versions import PROTOCOL
from protocol.wire.codec import decode_from_client, decode_from_server
from protocol.wire.frames import SERVER_CAP, FrameDecoder
from protocol.wire.messages import FROM_CLIENT, FROM_SERVER, Events
from tests.support.paths import GOLDEN

SPOKEN = range(PROTOCOL[0], PROTOCOL[1] + 1)


def bodies(version: int) -> list[bytes]:
    return FrameDecoder(SERVER_CAP).feed((GOLDEN / f"wire-{version}.bin").read_bytes())


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
    last = decode_from_server(read[-1])
    assert isinstance(last, Events)
    assert [type(event) for event in last.events] == list(EVENTS.values())


@pytest.mark.parametrize("name", ["hello", "welcome", "refused"])
def test_the_handshake_is_frozen(name: str) -> None:
    # Bytes of the first version; no version may ever read them differently.
    body = next(body for body in bodies(1) if msgpack.unpackb(body)["type"] == name)
    decode = decode_from_client if name == "hello" else decode_from_server
    assert msgspec.msgpack.encode(decode(body)) == body
