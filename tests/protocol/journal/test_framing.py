"""The record format: what is written is read, and no damage is mistaken for anything else."""

import itertools
import random
import re
import time
import zlib
from hashlib import blake2b

import pytest
from hypothesis import given
from hypothesis import strategies as st

from protocol.journal.framing import (
    FRONT_BYTES,
    HEAD_BYTES,
    MAGIC,
    MAX_PAYLOAD,
    encode_batch,
    encode_file,
    encode_record,
    front,
    scan,
    scan_more,
    start_digest,
)
from tests.support.paths import ROOT

SALT = bytes(range(16))
PAYLOADS = [b"header", b"a", b"bb" * 20, b"ccc" * 7, b"d" * 33]


def journal(payloads: list[bytes], salt: bytes = SALT) -> bytes:
    """A file in which each record was synced by itself."""
    data, digest = front(salt), start_digest(front(salt))
    for payload in payloads:
        record, digest = encode_record(salt, digest, payload, first=True)
        data += record
    return data


FILE = journal(PAYLOADS)


def test_what_is_written_is_read() -> None:
    found = scan(FILE)
    assert (found.verdict, found.why) == ("clean", "")
    assert found.records == PAYLOADS
    assert found.good == found.size == len(FILE)
    assert found.salt == SALT
    assert [FILE[at + HEAD_BYTES :][: len(p)] for at, p in zip(found.offsets, PAYLOADS, strict=True)] == PAYLOADS
    record, digest = encode_record(SALT, found.digest, b"more", first=True)
    assert scan(FILE + record).records == [*PAYLOADS, b"more"]
    assert scan(FILE + record).digest == digest


def test_record_is_as_the_document_says() -> None:
    prev = start_digest(front(SALT))
    assert prev == blake2b(b"RYOLOG01" + SALT, digest_size=16).digest()
    record, digest = encode_record(SALT, prev, b"abc", first=True)
    assert record[:4] == bytes.fromhex("03000080")
    assert digest == blake2b(prev + record[:4] + b"abc", digest_size=16).digest()
    assert record[4:8] == zlib.crc32(SALT + record[:4] + digest).to_bytes(4, "little")
    assert record[8:] == digest + b"abc"
    assert encode_record(SALT, prev, b"abc", first=False)[0][:4] == bytes.fromhex("03000000")


def test_batch_carries_one_flag() -> None:
    data, digest = encode_batch(SALT, start_digest(front(SALT)), PAYLOADS, first=True)
    assert front(SALT) + data == encode_file(SALT, PAYLOADS)
    found = scan(front(SALT) + data)
    assert (found.records, found.digest) == (PAYLOADS, digest)
    flags = [bool((front(SALT) + data)[at + 3] & 0x80) for at in found.offsets]
    assert flags == [True, False, False, False, False]


@pytest.mark.parametrize("size", [0, MAX_PAYLOAD + 1])
def test_record_of_no_or_too_many_bytes_is_refused(size: int) -> None:
    with pytest.raises(ValueError, match="a record holds 1 to 1048576 bytes"):
        encode_record(SALT, SALT, bytes(size), first=True)
    assert scan(encode_file(SALT, [b"h", bytes(MAX_PAYLOAD)])).verdict == "clean"


@pytest.mark.parametrize("size", [0, 15, 17])
def test_salt_of_another_length_is_refused(size: int) -> None:
    with pytest.raises(ValueError, match="a salt has 16 bytes"):
        front(bytes(size))


def test_length_in_a_damaged_header_is_never_believed() -> None:
    """A header that says 1 GiB and whose checksum is right is damage all the same: nothing is allocated for it."""
    word = (1 << 30).to_bytes(4, "little")
    record = word + zlib.crc32(SALT + word + bytes(16)).to_bytes(4, "little") + bytes(16)
    found = scan(FILE + record + bytes(1000))
    assert (found.verdict, found.records) == ("torn", PAYLOADS)
    assert "no valid header" in found.why


def test_fault_51_every_truncation_is_clean_or_torn_behind_the_header_record() -> None:
    second = scan(FILE).offsets[1]
    for size in range(second, len(FILE)):
        found = scan(FILE[:size])
        assert found.records == PAYLOADS[: len(found.records)]
        assert found.verdict == ("clean" if size == found.good else "torn"), size
        assert (found.why == "") == (found.verdict == "clean")
        for tail in (bytes(3), bytes(700), b"\xff" * 40):
            padded = scan(FILE[:size] + tail)
            assert padded.verdict == "torn", (size, tail)
            assert padded.records == found.records


def test_fault_53_truncation_before_the_end_of_the_header_record_is_refused() -> None:
    """It cannot be our own crash: a journal appears by rename, with the header record already on the disk."""
    second = scan(FILE).offsets[1]
    assert {scan(FILE[:size]).verdict for size in range(FRONT_BYTES)} == {"foreign"}
    assert {scan(FILE[:size]).verdict for size in range(FRONT_BYTES, second)} == {"corrupt"}
    assert scan(b"").why == "the file is empty"


def test_fault_53_other_files_are_foreign() -> None:
    assert scan(b"#!/bin/sh\n" * 9).why == "the file does not start with RYOLOG01"
    newer = scan(b"RYOLOG02" + FILE[8:])
    assert (newer.verdict, newer.why) == ("foreign", "the file has format '02', this program reads '01'")
    assert scan(b"RYOLOG\xff\x1b" + FILE[8:]).why == r"the file has format '\xff\x1b', this program reads '01'"


def test_fault_52_every_flipped_bit_is_noticed() -> None:
    last = scan(FILE).offsets[-1]
    for bit in range(len(FILE) * 8):
        damaged = bytearray(FILE)
        damaged[bit // 8] ^= 1 << bit % 8
        found = scan(bytes(damaged))
        assert found.verdict != "clean", bit
        assert found.records == PAYLOADS[: len(found.records)]
        assert len(found.records) < len(PAYLOADS)
        if bit // 8 < len(MAGIC):
            assert found.verdict == "foreign", bit
        elif bit // 8 < last:
            assert found.verdict == "corrupt", bit


def test_fault_52_damage_is_named_by_record_and_offset() -> None:
    offsets = scan(FILE).offsets
    damaged = bytearray(FILE)
    damaged[offsets[2] + HEAD_BYTES] ^= 1
    found = scan(bytes(damaged))
    assert found.why == (
        f"record 2 at byte {offsets[2]} does not fit the chain, and a later batch starts at byte {offsets[3]}"
    )
    assert found.good == offsets[2]


def test_fault_51_sector_lost_inside_the_last_batch_is_torn() -> None:
    """A power cut may keep the end of a batch and lose its beginning; only the flag tells that from corruption."""
    whole = journal(PAYLOADS)
    batch, _ = encode_batch(SALT, scan(whole).digest, [b"x" * 600, b"y" * 600, b"z" * 600], first=True)
    lost = whole + bytes(512) + batch[512:]
    found = scan(lost)
    assert (found.verdict, found.records) == ("torn", PAYLOADS)
    synced = lost + encode_record(SALT, bytes(16), b"next", first=True)[0]
    assert scan(synced).verdict == "corrupt"


def test_chat_that_looks_like_a_record_header_does_not_fool() -> None:
    """A player who does not know the salt cannot write a header that is trusted into a payload."""
    forged = encode_record(bytes(16), bytes(16), b"forged", first=True)[0]
    cut = encode_record(SALT, scan(FILE).digest, b"chat: " + forged, first=True)[0][:-1]
    assert scan(FILE + cut).verdict == "torn"


@given(st.binary(max_size=400))
def test_arbitrary_bytes_never_raise(data: bytes) -> None:
    for buf in (data, MAGIC + data, front(SALT) + data, FILE + data):
        found = scan(buf)
        assert found.good <= found.size == len(buf)
        assert scan_more(found, buf[found.good :]).records == []


@given(st.binary(max_size=60), st.data())
def test_arbitrary_bytes_anywhere_in_a_file_never_raise(data: bytes, choose: st.DataObject) -> None:
    at = choose.draw(st.integers(0, len(FILE)))
    gone = choose.draw(st.integers(0, 60))
    found = scan(FILE[:at] + data + FILE[at + gone :])
    assert found.records == PAYLOADS[: len(found.records)]


@given(st.lists(st.binary(min_size=1, max_size=80), min_size=2, max_size=9, unique=True), st.randoms())
def test_reordered_records_are_noticed(payloads: list[bytes], rng: random.Random) -> None:
    data = journal(payloads)
    bounds = [*scan(data).offsets, len(data)]
    pieces = [data[a:b] for a, b in itertools.pairwise(bounds)]
    one, other = sorted(rng.sample(range(len(pieces)), 2))
    pieces[one], pieces[other] = pieces[other], pieces[one]
    found = scan(data[:FRONT_BYTES] + b"".join(pieces))
    assert found.records == payloads[:one]
    assert found.verdict != "clean"


def test_records_of_another_file_do_not_fit() -> None:
    """Not with another salt, and not with the same salt behind other records."""
    other = journal([b"header", b"other"], salt=bytes(16))
    assert scan(FILE + other[scan(other).offsets[1] :]).records == PAYLOADS
    twin = journal([b"header", b"other", b"third"])
    spliced = FILE + twin[scan(twin).offsets[2] :]
    assert scan(spliced).records == PAYLOADS
    assert scan(spliced).verdict == "torn"  # a splice behind the end: the file's own records are all good
    dropped = FILE[: scan(FILE).offsets[1]] + FILE[scan(FILE).offsets[2] :]
    assert (scan(dropped).verdict, scan(dropped).records) == ("corrupt", PAYLOADS[:1])


def test_growing_file_is_read_on_from_where_it_ended() -> None:
    got, found = [], scan(FILE[: FRONT_BYTES + 40])
    got += found.records
    for size in range(FRONT_BYTES + 40, len(FILE) + 1):
        earlier, found = found, scan_more(found, FILE[found.good : size])
        assert found.number == earlier.number + len(earlier.records)
        got += found.records
    assert got == PAYLOADS
    assert (found.verdict, found.digest, found.good) == ("clean", scan(FILE).digest, len(FILE))
    assert scan_more(scan(b"what"), b"more").verdict == "foreign"


@pytest.mark.slow
def test_P7_journal_of_70_000_records_is_read_in_no_time() -> None:
    """Well under a second on a slow machine, also with damage at its start and everything behind it to be searched."""
    data = encode_file(SALT, [bytes(120)] * 70_000)
    start = time.process_time()
    assert len(scan(data).records) == 70_000
    damaged = bytearray(data)
    damaged[scan(data).offsets[1]] ^= 1
    assert scan(bytes(damaged)).verdict == "torn"  # one batch only
    assert time.process_time() - start < 3


@pytest.mark.slow
def test_fault_50_file_made_to_keep_readers_busy_is_refused_soon() -> None:
    start = time.process_time()
    found = scan(FILE + b"\x00\x80" * (16 << 20))
    assert time.process_time() - start < 5
    assert (found.verdict, found.records) == ("corrupt", PAYLOADS)
    assert found.why.endswith("what follows is made to look like records")


GOLDEN = [b"\x81\xa6format\x01", b"\x92\x01\xa4ante", b"\x92\x02\xa4deal", b"\x92\x03\xa8bring-in", b"\xc0"]
"""The payloads in golden/journal-v1-frames.ryo, for ever: header; one batch of two; one batch of one; one of one."""


def test_golden_file_of_version_1_reads_as_ever() -> None:
    data = (ROOT / "tests/golden/journal-v1-frames.ryo").read_bytes()
    found = scan(data)
    assert found.verdict == "clean"
    assert found.records == GOLDEN
    assert [bool(data[at + 3] & 0x80) for at in found.offsets] == [True, True, False, True, True]
    assert found.digest.hex() == "b5c7388556293cdcb9524d0cde48c9d8"


def test_document_example_is_what_the_code_writes() -> None:
    text = (ROOT / "docs/replay-format.md").read_text(encoding="utf-8")
    example = text.split("<!-- example -->")[1]
    written = bytes.fromhex("".join(re.findall(r"^    ((?:[0-9a-f]{2} ?)+)", example, re.MULTILINE)))
    salt = bytes(range(16))
    data, digest = encode_batch(salt, start_digest(front(salt)), [b"\x81\xa6format\x01"], first=True)
    data += encode_batch(salt, digest, [b"\x92\x01\xa4ante", b"\x92\x02\xa4deal"], first=True)[0]
    assert written == front(salt) + data
    assert scan(written).digest.hex() in text
