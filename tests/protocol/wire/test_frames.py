"""Frames: however the stream is cut, the same bodies; a bad length ends it before anything is allocated."""

import tracemalloc
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from protocol.wire.frames import CLIENT_CAP, HELLO_CAP, SERVER_CAP, BadFrame, FrameDecoder, frame

BODIES = st.lists(st.binary(min_size=1, max_size=50), max_size=12)


def test_fault_3_one_byte_pieces_and_all_in_one_piece_are_the_same() -> None:
    bodies = [b"a", b"bc" * 200, b"\0" * 7, b"\x81\xa1a\x01"]
    stream = b"".join(map(frame, bodies))
    one = FrameDecoder(1000)
    assert [body for byte in stream for body in one.feed(bytes([byte]))] == bodies
    assert FrameDecoder(1000).feed(stream) == bodies


@given(bodies=BODIES, cuts=st.lists(st.integers(0, 700), max_size=20))
def test_fault_1_any_cuts_give_the_same_bodies_and_a_part_waits(bodies: list[bytes], cuts: list[int]) -> None:
    stream = b"".join(map(frame, bodies))
    decoder = FrameDecoder(100)
    bounds = [0, *sorted(cut for cut in cuts if cut < len(stream)), len(stream)]
    out: list[bytes] = []
    for a, b in pairwise(bounds):
        out += decoder.feed(stream[a:b])
    assert out == bodies
    assert not decoder.within_frame


@given(body=st.binary(min_size=1, max_size=50), data=st.data())
def test_an_unfinished_frame_is_known_as_one(body: bytes, data: st.DataObject) -> None:
    whole = frame(body)
    decoder = FrameDecoder(100)
    cut = data.draw(st.integers(1, len(whole) - 1))
    assert decoder.feed(whole[:cut]) == []
    assert decoder.within_frame
    assert decoder.feed(whole[cut:]) == [body]
    assert not decoder.within_frame


@pytest.mark.parametrize("cap", [HELLO_CAP, CLIENT_CAP, SERVER_CAP])
def test_the_cap_is_the_largest_body(cap: int) -> None:
    assert FrameDecoder(cap).feed(frame(b"x" * cap)) == [b"x" * cap]
    with pytest.raises(BadFrame, match=str(cap + 1)):
        FrameDecoder(cap).feed(frame(b"x" * (cap + 1)))


@pytest.mark.parametrize("length", [0, CLIENT_CAP + 1, 2**31, 2**32 - 1])
@pytest.mark.parametrize("before", [b"", frame(b"fine")], ids=["alone", "after a good one"])
def test_fault_31_zero_and_huge_lengths_end_the_stream_at_once(length: int, before: bytes) -> None:
    decoder = FrameDecoder(CLIENT_CAP)
    with pytest.raises(BadFrame, match=f"a frame of {length} bytes"):
        decoder.feed(before + length.to_bytes(4, "big"))


def test_trap_A25_a_frame_length_of_four_gigabytes_allocates_nothing() -> None:
    tracemalloc.start()
    try:
        with pytest.raises(BadFrame):
            FrameDecoder(SERVER_CAP).feed(b"\xff\xff\xff\xff")
        assert tracemalloc.get_traced_memory()[1] < 100_000
    finally:
        tracemalloc.stop()


def test_a_length_over_the_cap_is_noticed_before_its_body_comes() -> None:
    decoder = FrameDecoder(HELLO_CAP)
    assert decoder.feed(b"\0\0\x04") == []
    with pytest.raises(BadFrame):
        decoder.feed(b"\x01")


def test_the_cap_may_grow_after_the_handshake() -> None:
    decoder = FrameDecoder(HELLO_CAP)
    decoder.cap = CLIENT_CAP
    assert decoder.feed(frame(b"x" * 2000)) == [b"x" * 2000]
