"""The codec: what was encoded comes back; whatever else arrives, nothing but BadMessage comes out."""

import contextlib
import random
import tracemalloc
from typing import Any

import msgpack
import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from protocol.events import EVENTS, Acted, AnyEvent
from protocol.wire import codec
from protocol.wire.codec import BadMessage, decode_from_client, decode_from_server, encode_value, to_event, unpack
from protocol.wire.messages import FROM_CLIENT, FROM_SERVER, Act, Events, GoOn, Hello, Join, Message, Ping
from tests.support.limits import length
from tests.support.strategies import values

# ------------------------------------------------------------------- there and back


@pytest.mark.slow
@pytest.mark.parametrize("kind", FROM_CLIENT.values(), ids=FROM_CLIENT)
def test_every_message_of_a_client_comes_back(kind: type[Message]) -> None:
    @settings(max_examples=length(10, 100))
    @given(values(kind))
    def check(message: Any) -> None:
        assert decode_from_client(encode_value(message)) == message

    check()


@pytest.mark.slow
@pytest.mark.parametrize("kind", FROM_SERVER.values(), ids=FROM_SERVER)
def test_every_message_of_the_server_comes_back(kind: type[Message]) -> None:
    if kind is Events:  # its events are tried one by one below
        return

    @settings(max_examples=length(6, 100))
    @given(values(kind))
    def check(message: Any) -> None:
        assert decode_from_server(encode_value(message)) == message

    check()


@pytest.mark.slow
@pytest.mark.parametrize("kind", EVENTS.values(), ids=EVENTS)
def test_every_event_comes_back_alone_and_in_its_message(kind: type[AnyEvent]) -> None:
    @settings(max_examples=length(8, 100))
    @given(st.lists(values(kind), min_size=1, max_size=3))
    def check(events: list[Any]) -> None:
        message = Events(7, 1_767_225_600_000, tuple(events))
        assert decode_from_server(encode_value(message)) == message
        assert to_event(msgspec.msgpack.decode(encode_value(events[0]))) == events[0]

    check()


@settings(max_examples=100)
@given(st.one_of(st.one_of([values(kind) for kind in FROM_CLIENT.values()]), values(Acted)))
def test_the_other_msgpack_library_reads_the_same_values(message: Any) -> None:
    # msgspec writes and msgpack reads: they must agree on every byte.
    body = encode_value(message)
    read = msgpack.unpackb(body, strict_map_key=True)
    assert read == msgspec.msgpack.decode(body)
    assert msgspec.msgpack.decode(msgpack.packb(read)) == read


def test_defaults_are_left_out_and_filled_in() -> None:
    assert encode_value(GoOn()) == b"\x81\xa4type\xa5go_on"
    assert encode_value(Ping()) == b"\x81\xa4type\xa4ping"
    assert decode_from_client(b"\x81\xa4type\xa4ping") == Ping(0)


def test_fault_34_unknown_keys_are_ignored_in_both_directions() -> None:
    more = {"type": "ping", "n": 3, "later": [1, {"x": None}], "": b""}
    assert decode_from_client(msgpack.packb(more)) == Ping(3)
    event = {"event": "went_on", "seat": 2, "later": 1}
    frame = {"type": "events", "seq": 1, "at": 0, "events": [event], "later": True}
    message = decode_from_server(msgpack.packb(frame))
    assert isinstance(message, Events)
    assert len(message.events) == 1


# --------------------------------------------------------------------- whatever arrives


def only_bad_message(body: bytes) -> None:
    """Decodes both ways; any other exception goes through."""
    for decode in (decode_from_client, decode_from_server):
        with contextlib.suppress(BadMessage):
            decode(body)


@settings(max_examples=length(200, 3000))
@given(st.binary(max_size=200))
def test_fault_32_any_bytes_raise_nothing_but_BadMessage(body: bytes) -> None:
    only_bad_message(body)


KEYS = st.one_of(
    st.text(max_size=4), st.integers(-(2**63), 2**64 - 1), st.binary(max_size=3), st.none(), st.booleans(), st.floats()
)
PLAIN = st.recursive(
    st.one_of(
        st.none(), st.booleans(), st.integers(-(2**63), 2**64 - 1), st.floats(), st.text(max_size=5),
        st.binary(max_size=5), st.builds(msgpack.ExtType, st.integers(0, 127), st.binary(max_size=4)),
        st.builds(msgpack.Timestamp, st.integers(0, 2**33)),
    ),
    lambda inner: st.one_of(st.lists(inner, max_size=4), st.dictionaries(KEYS, inner, max_size=4)),
    max_leaves=8,
)  # fmt: skip
NAMES = st.sampled_from([*FROM_CLIENT, *FROM_SERVER])


@pytest.mark.slow
@settings(max_examples=length(100, 4000))
@given(name=NAMES, fields=st.dictionaries(KEYS, PLAIN, max_size=4), data=st.data())
def test_fault_32_any_values_under_a_known_name_raise_nothing_but_BadMessage(
    name: str, fields: dict[Any, Any], data: st.DataObject
) -> None:
    kind = {**FROM_CLIENT, **FROM_SERVER}[name]
    keys = [field.encode_name for field in msgspec.structs.fields(kind)]
    wrong = data.draw(st.dictionaries(st.sampled_from(keys), PLAIN)) if keys else {}
    only_bad_message(msgpack.packb({"type": name, **fields, **wrong}))


@pytest.mark.slow
@settings(max_examples=length(80, 2000))
@given(st.data())
def test_a_damaged_message_is_a_message_or_BadMessage(data: st.DataObject) -> None:
    body = bytearray(encode_value(data.draw(values(data.draw(st.sampled_from([*FROM_CLIENT.values()]))))))
    for _ in range(data.draw(st.integers(1, 4))):
        body[data.draw(st.integers(0, len(body) - 1))] = data.draw(st.integers(0, 255))
    only_bad_message(bytes(body))


ANNOUNCED = {
    "array32": "dd 7f ff ff ff",
    "map32": "df 7f ff ff ff",
    "bin32": "c6 7f ff ff ff",
    "str32": "db 7f ff ff ff",
    "ext32": "c9 7f ff ff ff 00",
    "array32 within": "81 a4 74 79 70 65 dd 7f ff ff ff",
}


@pytest.mark.parametrize("announced", ANNOUNCED.values(), ids=ANNOUNCED)
def test_trap_A25_a_header_that_announces_gigabytes_costs_nothing(announced: str) -> None:
    body = bytes.fromhex(announced)
    tracemalloc.start()
    try:
        for decode in (decode_from_client, decode_from_server):
            with pytest.raises(BadMessage):
                decode(body)
        assert tracemalloc.get_traced_memory()[1] < 200_000
    finally:
        tracemalloc.stop()


@pytest.mark.parametrize("byte", [b"\x91", b"\x81\xa1a", b"\x81\x91"], ids=["arrays", "maps", "keys"])
@pytest.mark.parametrize("times", [7, 30, 600, 200_000])
def test_trap_A25_deep_nesting_is_refused(byte: bytes, times: int) -> None:
    for end in (b"", b"\xc0"):
        with pytest.raises(BadMessage):
            decode_from_client(byte * times + end)
    with pytest.raises(BadMessage):
        decode_from_client(b"\x82\xa4type\xa4ping\xa1x" + b"\x91" * times + b"\xc0")


def test_depth_is_counted_exactly() -> None:
    def nested(levels: int) -> bytes:
        value: object = 1
        for _ in range(levels - 1):
            value = [value]
        return msgspec.msgpack.encode({"type": "ping", "x": value})

    assert decode_from_client(nested(codec.CLIENT_DEPTH)) == Ping()
    with pytest.raises(BadMessage, match="nested deeper than 6"):
        decode_from_client(nested(codec.CLIENT_DEPTH + 1))


ODD_KEYS: list[bytes] = [
    b"\x81\xc0\x01",  # nil
    b"\x81\x01\x01",  # an integer
    b"\x81\xc3\x01",  # true
    b"\x81\x90\x01",  # a list
    b"\x81\x80\x01",  # a map
    b"\x81\xcb\x7f\xf8\0\0\0\0\0\0\x01",  # not a number
    b"\x81\xc4\x04type\xa4ping",  # bytes instead of text
    b"\x81\xd4\x05\x00\x01",  # an extension
    b"\x81\xd6\xff\0\0\0\0\x01",  # a timestamp
    b"\x82\xa4type\xa4ping\xc0\x01",  # beside a good one
]


@pytest.mark.parametrize("body", ODD_KEYS, ids=bytes.hex)
def test_trap_A26_odd_keys_are_a_decode_error_and_nothing_else(body: bytes) -> None:
    with pytest.raises(BadMessage):
        decode_from_client(body)


@pytest.mark.parametrize(
    "body",
    [
        b"", b"\xc0", b"\xc1", b"\x90", b"\x01", b"\x80", b"\xa4ping", b"\x81\xa4type\xa4pong",
        b"\x81\xa4type\xa4PING", b"\x81\xa4type\xc0", b"\x81\xa4type\x91\xa4ping",
        b"\x81\xa4type\xa4ping\x00", b"\x81\xa4type", b"\x81\xa4type\xa4\xff\xff\xff\xff",
    ],
    ids=bytes.hex,
)  # fmt: skip
def test_fault_32_what_is_not_a_message_is_refused(body: bytes) -> None:
    with pytest.raises(BadMessage):
        decode_from_client(body)


@pytest.mark.parametrize("n", [True, False, 2.0, -0.0, float("nan"), float("inf"), "1", None, [1], {}, b"1"], ids=repr)
def test_fault_33_true_is_not_one_and_a_float_is_no_number_of_chips(n: object) -> None:
    with pytest.raises(BadMessage):
        decode_from_client(msgpack.packb({"type": "ping", "n": n}))
    with pytest.raises(BadMessage):
        decode_from_client(msgpack.packb({"type": "act", "id": n, "answers": 1, "action": {"kind": "fold"}}))


@pytest.mark.parametrize("flag", [0, 1, "true", None])
def test_fault_33_a_number_is_no_flag(flag: object) -> None:
    with pytest.raises(BadMessage):
        decode_from_client(msgpack.packb({"type": "join", "name": "A", "token": b"", "bot": flag}))


def test_numbers_beyond_64_bits_cannot_be_written_and_the_largest_can() -> None:
    assert decode_from_client(encode_value(Ping(2**64 - 1))) == Ping(2**64 - 1)
    with pytest.raises(OverflowError):
        encode_value(Ping(2**64))


@pytest.mark.parametrize("action", [None, [], "fold", {}, {"kind": "cheat"}, {"kind": "fold", "cards": [1.0]}])
def test_trap_A10_an_action_is_one_action(action: object) -> None:
    with pytest.raises(BadMessage):
        decode_from_client(msgpack.packb({"type": "act", "id": 1, "answers": 1, "action": action}))


def test_trap_A10_two_actions_in_one_frame_are_refused() -> None:
    fold = encode_value(Act(1, 1, codec.to_type({"kind": "fold"}, Act.__annotations__["action"])))
    with pytest.raises(BadMessage):
        decode_from_client(fold + fold)


def test_bounds_of_a_clients_message() -> None:
    good = {"type": "join", "name": "A" * codec.CLIENT_TEXT, "token": b"t" * codec.CLIENT_TEXT}
    assert isinstance(decode_from_client(msgpack.packb(good)), Join)
    for wrong in (
        {"name": "A" * (codec.CLIENT_TEXT + 1)},
        {"token": b"t" * (codec.CLIENT_TEXT + 1)},
        {"more": [0] * (codec.CLIENT_ITEMS + 1)},
        {"more": {str(n): n for n in range(codec.CLIENT_ITEMS + 1)}},
    ):
        with pytest.raises(BadMessage, match="within bounds"):
            decode_from_client(msgpack.packb({**good, **wrong}))


def test_a_server_message_is_no_client_message_and_the_other_way_round() -> None:
    for name in FROM_SERVER:
        with pytest.raises(BadMessage, match="unknown message type"):
            decode_from_client(msgpack.packb({"type": name}))
    for name in FROM_CLIENT:
        with pytest.raises(BadMessage, match="unknown message type"):
            decode_from_server(msgpack.packb({"type": name}))


def test_an_unknown_event_is_named_and_its_name_cut_short() -> None:
    for name in ("x" * 500, None, 7):
        with pytest.raises(BadMessage, match="unknown event") as caught:
            to_event({"event": name})
        assert len(str(caught.value)) < 80
    with pytest.raises(BadMessage, match="unknown event"):
        to_event([1])


def test_the_frozen_handshake_is_read_from_any_version() -> None:
    # Bytes as they were in the first version; they must never change.
    body = bytes.fromhex("82a474797065a568656c6c6fa870726f746f636f6c920101")
    assert decode_from_client(body) == Hello((1, 1))
    assert encode_value(Hello((1, 1))) == body


def test_random_garbage_in_bulk() -> None:
    dice = random.Random(1)
    for _ in range(3000):
        only_bad_message(dice.randbytes(dice.randrange(40)))


def test_the_bounds_are_those_given() -> None:
    assert unpack(msgpack.packb({"a": [1, 2]}), items=2, text=1, depth=2) == {"a": [1, 2]}
    with pytest.raises(BadMessage):
        unpack(msgpack.packb({"a": [1, 2, 3]}), items=2, text=1, depth=2)
    with pytest.raises(BadMessage):
        unpack(msgpack.packb({"a": [[1]]}), items=2, text=1, depth=2)
