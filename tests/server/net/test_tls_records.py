"""The records in a stream of TLS are counted, whatever pieces it comes in."""

import pytest

from server.net.tls_records import RecordCounter


def record(size: int) -> bytes:
    return b"\x17\x03\x03" + size.to_bytes(2, "big") + bytes(size)


@pytest.mark.parametrize("piece", [1, 2, 4, 5, 6, 7, 100, 10_000])
def test_fault_92_records_are_counted_in_any_pieces(piece: int) -> None:
    stream = b"".join(record(size) for size in (0, 17, 300, 0, 0, 1, 16_401, 23))
    counter = RecordCounter()
    counts = [counter.count(stream[at : at + piece]) for at in range(0, len(stream), piece)]
    assert sum(counts) == 8
    assert counter.count(record(5)[:4]) == 0
    assert counter.count(record(5)[4:] + record(1)) == 2
