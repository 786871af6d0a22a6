"""Probes and answers of a search on the local network: what is written is read, and nothing else is."""

import contextlib

import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from msgspec.structs import replace

from protocol.sanitize import clean
from protocol.versions import PROTOCOL
from protocol.wire.codec import BadMessage, encode_value
from protocol.wire.discovery import (
    DATAGRAM,
    LONGEST_NAME,
    MOST_TABLES,
    NONCE,
    Answer,
    Probe,
    TableHint,
    decode_answer,
    decode_probe,
    encode_answer,
    encode_probe,
)
from tests.support.paths import GOLDEN
from tests.support.strategies import values

NONCE_1 = bytes(range(16))
KEY = "abcdefghijklmnopqrstuvwxyz234567abcdefghijklmnopqrst"
KITCHEN = TableHint("main", "Kitchen table", "Barney's Poker", 7, 5, password=True)
ANSWER = Answer(NONCE_1, 7719, (1, 1), "0.1.0", KEY, (KITCHEN,))


def test_a_probe_has_512_bytes_and_is_read() -> None:
    datagram = encode_probe(NONCE_1)
    assert len(datagram) == DATAGRAM
    probe = decode_probe(datagram)
    assert (probe.nonce, probe.protocol) == (NONCE_1, PROTOCOL)


def test_reliability_2_a_short_probe_is_none_so_that_no_answer_is_longer() -> None:
    short = encode_value(Probe(NONCE_1))
    for datagram in (short, short + bytes(DATAGRAM - len(short)), encode_probe(NONCE_1) + b"\0", b"", bytes(DATAGRAM)):
        with pytest.raises(BadMessage):
            decode_probe(datagram)
    with pytest.raises(BadMessage):
        decode_probe(encode_probe(NONCE_1[:-1]))


def test_an_answer_is_read_as_it_was_written() -> None:
    assert decode_answer(encode_answer(ANSWER), NONCE_1) == ANSWER


def test_the_answer_to_another_probe_is_none() -> None:
    with pytest.raises(BadMessage):
        decode_answer(encode_answer(ANSWER), bytes(NONCE))


@given(
    st.lists(st.tuples(st.text(st.characters(codec="utf-8")), st.text(st.characters(codec="utf-8"))), max_size=40)
)  # fmt: skip
@example([("\U0001f0a1" * 99, "\U0001f0a1" * 99)])
@example([("Kitchen", "Razz")] * 40)
def test_an_answer_is_never_longer_than_a_probe_and_says_what_it_leaves_out(names: list[tuple[str, str]]) -> None:
    tables = tuple([TableHint(f"t{i}", name, game, 8, 8) for i, (name, game) in enumerate(names)])
    datagram = encode_answer(replace(ANSWER, tables=tables))
    assert len(datagram) <= DATAGRAM
    answer = decode_answer(datagram, NONCE_1)
    assert [table.table for table in answer.tables] == [table.table for table in tables[: len(answer.tables)]]
    assert len(answer.tables) + answer.more == len(names)
    assert not names or answer.tables, "one table has always room"


def test_the_most_tables_that_are_tried_are_more_than_fit() -> None:
    short = tuple([TableHint(chr(97 + i), "a", "", 2, 2) for i in range(MOST_TABLES)])
    assert decode_answer(encode_answer(replace(ANSWER, tables=short)), NONCE_1).more > 0
    assert decode_answer(encode_answer(replace(ANSWER, tables=short, more=10**6)), NONCE_1).more == 9999


@pytest.mark.parametrize(
    "wrong",
    [
        replace(ANSWER, port=0),
        replace(ANSWER, port=65536),
        replace(ANSWER, port=-1),
        replace(ANSWER, fp=KEY[:-1]),
        replace(ANSWER, fp=KEY.upper()),
        replace(ANSWER, protocol=(2, 1)),
        replace(ANSWER, protocol=(0, 1)),
        replace(ANSWER, more=-1),
        replace(ANSWER, more=2**40),
        replace(ANSWER, tables=(replace(KITCHEN, free=8),)),
        replace(ANSWER, tables=(replace(KITCHEN, seats=2**40),)),
        replace(ANSWER, tables=(replace(KITCHEN, free=-1),)),
        replace(ANSWER, tables=(replace(KITCHEN, table="../main"),)),
        replace(ANSWER, tables=(replace(KITCHEN, table=""),)),
        Probe(NONCE_1),
    ],
)
def test_fault_16_an_answer_that_cannot_be_true_is_none(wrong: object) -> None:
    with pytest.raises(BadMessage):
        decode_answer(encode_value(wrong), NONCE_1)


@pytest.mark.parametrize("text", ["\x1b[2J\x1b]0;owned\x07", "Kit\u202echen", "Kit\nchen", "a" * 400])
def test_fault_16_texts_of_an_answer_cannot_control_a_terminal(text: str) -> None:
    table = TableHint("main", text, text, 2, 2)
    cut = replace(ANSWER, server=text[:100], tables=(replace(table, name=text[:100], game=text[:100]),))
    answer = decode_answer(encode_value(cut), NONCE_1)
    for told in (answer.server, answer.tables[0].name, answer.tables[0].game):
        assert told == clean(told, LONGEST_NAME)
        assert told.isprintable()


def test_a_table_without_a_visible_name_is_called_by_its_id() -> None:
    datagram = encode_value(replace(ANSWER, tables=(replace(KITCHEN, name="\u200b\u200b"),)))
    assert decode_answer(datagram, NONCE_1).tables[0].name == "main"


@given(st.binary(max_size=600) | values(Answer).map(encode_value) | values(Probe).map(encode_value))
def test_fault_16_any_bytes_raise_nothing_but_BadMessage(datagram: bytes) -> None:
    for decode in (decode_probe, lambda data: decode_answer(data, NONCE_1)):
        with contextlib.suppress(BadMessage):
            decode(datagram)


@given(st.integers(0, DATAGRAM - 1), st.integers(1, 255))
def test_fault_16_damaged_datagrams_raise_nothing_but_BadMessage(place: int, change: int) -> None:
    for good in (encode_probe(NONCE_1), encode_answer(ANSWER).ljust(DATAGRAM, b"\0")):
        datagram = bytearray(good)
        datagram[place] ^= change
        for decode in (decode_probe, lambda data: decode_answer(data, NONCE_1)):
            with contextlib.suppress(BadMessage):
                decode(bytes(datagram))


def test_unknown_keys_are_ignored() -> None:
    value = {
        "type": "server",
        "nonce": NONCE_1,
        "port": 1,
        "protocol": [1, 1],
        "tables": [{"table": "a", "new": 1}],
        "new": 2,
    }
    assert decode_answer(encode_value(value), NONCE_1) == Answer(NONCE_1, 1, (1, 1), tables=(TableHint("a", "a"),))


def test_the_datagrams_of_version_1_are_read_as_ever() -> None:
    data = (GOLDEN / "discovery-1.bin").read_bytes()
    assert decode_probe(data[:DATAGRAM]) == Probe(NONCE_1, (1, 1), decode_probe(data[:DATAGRAM]).pad)
    assert decode_answer(data[DATAGRAM:], NONCE_1) == ANSWER
    assert encode_answer(ANSWER) == data[DATAGRAM:]
