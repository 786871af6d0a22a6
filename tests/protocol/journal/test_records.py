"""Records of a journal: header and steps, there and back."""

import contextlib
from typing import Any

import msgpack
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from protocol import commands as cmd
from protocol.events import EVENTS, WentOn
from protocol.journal.records import ITEMS, Header, StepRecord, decode_record, encode_record
from protocol.wire.codec import BadMessage, encode_value
from tests.support.limits import length
from tests.support.strategies import values

HEADER = Header(format=1, rules=1, program="0.1.0", session=b"s" * 16, table="main", started=1_767_225_600_000)
COMMANDS: tuple[type[Any], ...] = cmd.AnyCommand.__args__


@pytest.mark.slow
@given(values(Header))
def test_a_header_comes_back(header: Header) -> None:
    assert decode_record(encode_record(header)) == header


@pytest.mark.parametrize("kind", COMMANDS, ids=lambda kind: kind.__name__)
def test_a_step_with_every_command_comes_back(kind: type[Any]) -> None:
    @settings(max_examples=10)
    @given(values(kind))
    def check(command: Any) -> None:
        step = StepRecord(5, 1_767_225_600_000, command, (WentOn(1), WentOn(2)))
        assert decode_record(encode_record(step)) == step

    check()


@pytest.mark.slow
@pytest.mark.parametrize("kind", EVENTS.values(), ids=EVENTS)
def test_a_players_step_with_every_event_comes_back(kind: type[Any]) -> None:
    @settings(max_examples=10)
    @given(values(kind))
    def check(event: Any) -> None:
        step = StepRecord(1, 0, None, (event,))
        assert decode_record(encode_record(step)) == step

    check()


def test_every_command_has_its_own_name() -> None:
    names = [kind.__struct_config__.tag for kind in COMMANDS]
    assert len(set(names)) == len(names)


@settings(max_examples=length(80, 2000))
@given(st.binary(max_size=100))
def test_any_bytes_raise_nothing_but_BadMessage(payload: bytes) -> None:
    with contextlib.suppress(BadMessage):
        decode_record(payload)


@pytest.mark.parametrize(
    "value",
    [
        None,
        [],
        {},
        {"record": "other"},
        {"record": None},
        {"record": "header"},
        {"record": "header", "format": True, "rules": 1, "program": "", "session": b"", "table": "", "started": 0},
        {"record": "step", "seq": 1, "at": 0, "command": None, "events": [{"event": "unheard_of"}]},
        {"record": "step", "seq": 1, "at": 0, "command": {"command": "unheard_of"}, "events": []},
        {"record": "step", "seq": 1.0, "at": 0, "command": None, "events": []},
        {"record": "step", "seq": 1, "at": 0, "events": []},
    ],
    ids=repr,
)
def test_what_is_no_record_is_refused(value: object) -> None:
    with pytest.raises(BadMessage):
        decode_record(encode_value(value))


def test_fault_50_a_payload_that_announces_too_much_is_refused() -> None:
    for announced in ("dd7fffffff", "df7fffffff"):
        with pytest.raises(BadMessage):
            decode_record(bytes.fromhex(announced))
    with pytest.raises(BadMessage):
        decode_record(
            msgpack.packb({"record": "step", "seq": 1, "at": 0, "command": None, "events": [1] * (ITEMS + 1)})
        )


def test_records_of_a_later_version_may_hold_more() -> None:
    more = {**msgpack.unpackb(encode_record(HEADER)), "later": 1}
    assert decode_record(msgpack.packb(more)) == HEADER
