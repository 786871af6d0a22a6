"""The journal's record format, as pure functions on bytes: framing, batch flag, hash chain, verdict on damage.

    file    "RYOLOG01" | salt (16 bytes) | record*
    record  u32le length, top bit FIRST | u32le crc32(salt, those 4 bytes, digest) | digest (16) | payload
    digest  BLAKE2b-128(digest of the record before, those 4 bytes, payload)

The checksum covers the header of the record only, and says whether its length can be trusted. The digest covers the
content, the order and everything that came before. FIRST marks the first record that was written after a sync. So a
FIRST record behind a damaged place proves that the damaged place had been on the disk and acknowledged: the file is
corrupt, and nothing may be cut off. Without such a record the damage is in the batch that was written last: the tail
is torn, and the file cannot tell whether that batch had been acknowledged. The salt prevents chat that looks like a
record header.

`docs/replay-format.md` describes the same for readers in other languages. Files, syncs and locks are in
`server.storage.journal_file`.
"""

import re
from collections.abc import Iterable
from dataclasses import dataclass
from hashlib import blake2b
from struct import Struct
from typing import Literal
from zlib import crc32

MAGIC = b"RYOLOG01"
SALT_BYTES = 16
DIGEST_BYTES = 16
MAX_PAYLOAD = 1 << 20
"""Largest payload in bytes. A greater length in a header is damage, so nothing of such a size is ever allocated."""

FRONT_BYTES = len(MAGIC) + SALT_BYTES
_HEAD = Struct("<II16s")
HEAD_BYTES = _HEAD.size
_WORD = Struct("<I")
_FIRST = 1 << 31
_FAMILY = MAGIC[:6]

# A FIRST record's length word: two bytes of anything, at most 0x10 (1 MiB), and the flag alone in the top byte.
_FIRST_WORD = re.compile(rb"(?=..[\x00-\x10]\x80)", re.DOTALL)

# The length word of any record.
_WORD_SHAPE = re.compile(rb"(?=..[\x00-\x10][\x00\x80])", re.DOTALL)

# One place in 4,000 of random bytes looks like such a word; a file with so many of them was made to keep readers busy.
_MAX_TRIES = 1 << 19

Verdict = Literal["clean", "torn", "corrupt", "foreign"]


@dataclass(frozen=True, slots=True)
class Scan:
    """The records in the bytes of a journal, and what is wrong with these bytes.

    Fields:
        records: payloads of the verified records in order; the first is the header record.
        offsets: the start of each record, in bytes from the start of the file.
        good: length of the verified prefix in bytes; the `size - good` bytes after it are of no use.
        size: length of the whole file in bytes.
        digest: chain digest at `good` (empty for a foreign file).
        salt: the file's 16 bytes of salt (empty for a foreign file).
        verdict: `clean`: everything is good. `torn`: what was written last is unfinished and may be cut
            off. `corrupt`: acknowledged records are damaged; nothing may be cut off without being
            asked for. `foreign`: the file is no journal of this program.
        why: a clause that names record and offset; empty when clean.
        number: the number of `records[0]` in its file: 0, except after `scan_more`.
    """

    records: list[bytes]
    offsets: list[int]
    good: int
    size: int
    digest: bytes
    salt: bytes
    verdict: Verdict
    why: str = ""
    number: int = 0


def front(salt: bytes) -> bytes:
    """The first 24 bytes of a file. The salt must be 16 unpredictable bytes, new for each file. Raises ValueError."""
    if len(salt) != SALT_BYTES:
        raise ValueError(f"a salt has {SALT_BYTES} bytes, not {len(salt)}")
    return MAGIC + salt


def start_digest(front: bytes) -> bytes:
    """The digest that the header record chains to: BLAKE2b-128 of magic and salt."""
    return blake2b(front, digest_size=DIGEST_BYTES).digest()


def check_payload(payload: bytes) -> None:
    """Raises ValueError unless `payload` fits a record: 1 byte to 1 MiB."""
    if not 0 < len(payload) <= MAX_PAYLOAD:
        raise ValueError(f"a record holds 1 to {MAX_PAYLOAD} bytes, not {len(payload)}")


def encode_record(salt: bytes, prev_digest: bytes, payload: bytes, first: bool) -> tuple[bytes, bytes]:
    """One record's bytes and its digest, to which the next record chains.

    `first` is true for the header record and for the first record after each sync, and for no other record.
    """
    return encode_batch(salt, prev_digest, (payload,), first)


def encode_batch(salt: bytes, prev_digest: bytes, payloads: Iterable[bytes], first: bool) -> tuple[bytes, bytes]:
    """Several records that are written and acknowledged together. Only the first one may carry the flag."""
    pieces: list[bytes] = []
    salted, digest = crc32(salt), prev_digest
    for payload in payloads:
        check_payload(payload)
        word = _WORD.pack(len(payload) | _FIRST if first else len(payload))
        digest = blake2b(digest + word + payload, digest_size=DIGEST_BYTES).digest()
        pieces += (word, _WORD.pack(crc32(digest, crc32(word, salted))), digest, payload)
        first = False
    return b"".join(pieces), digest


def encode_file(salt: bytes, payloads: Iterable[bytes]) -> bytes:
    """A whole file as one batch; the first payload is the header record."""
    start = front(salt)
    return start + encode_batch(salt, start_digest(start), payloads, first=True)[0]


def scan(buf: bytes) -> Scan:
    """Verifies a whole file. Raises nothing, whatever the bytes are."""
    if (why := _foreign(buf)) is not None:
        return Scan([], [], 0, len(buf), b"", b"", "foreign", why)
    salt = buf[len(MAGIC) : FRONT_BYTES]
    return _walk(buf, FRONT_BYTES, 0, 0, salt, start_digest(buf[:FRONT_BYTES]))


def scan_more(earlier: Scan, tail: bytes) -> Scan:
    """Continues in a file that has grown: `tail` is the content of the file from `earlier.good` on.

    The result holds the new records only; `number` is the number of the first of them. In a file that is being
    written, `torn` only means that the last record is not complete yet.
    """
    number = earlier.number + len(earlier.records)
    if earlier.verdict == "foreign":
        return earlier
    return _walk(tail, 0, earlier.good, number, earlier.salt, earlier.digest)


def _foreign(buf: bytes) -> str | None:
    # A crash leaves none of these: a journal appears by rename, with its header record already on the disk.
    if not buf:
        return "the file is empty"
    if len(buf) >= len(MAGIC) and buf.startswith(_FAMILY) and not buf.startswith(MAGIC):
        return f"the file has format {buf[6:8].decode('latin-1')!a}, this program reads '01'"
    if not buf.startswith(MAGIC):
        return f"the file does not start with {MAGIC.decode()}"
    if len(buf) < FRONT_BYTES:
        return "the file ends inside its salt"
    return None


def _walk(buf: bytes, at: int, base: int, number: int, salt: bytes, digest: bytes) -> Scan:
    """Follows the chain through `buf` from `at`. `base` is the offset of `buf` in the file."""
    records: list[bytes] = []
    offsets: list[int] = []
    salted, end, why = crc32(salt), len(buf), ""
    while at < end:
        # `_header` is written out here: a long evening has hundreds of thousands of records.
        body = at + HEAD_BYTES
        if body > end:
            why = "has no valid header"
            break
        word, check, written = _HEAD.unpack_from(buf, at)
        front = buf[at : at + 4]
        length = word & ~_FIRST
        if not 0 < length <= MAX_PAYLOAD or crc32(written, crc32(front, salted)) != check:
            why = "has no valid header"
            break
        behind = body + length
        if behind > end:
            why = "is cut short"
            break
        payload = buf[body:behind]
        if blake2b(digest + front + payload, digest_size=DIGEST_BYTES).digest() != written:
            why = "does not fit the chain"
            break
        records.append(payload)
        offsets.append(base + at)
        digest, at = written, behind
    if why:
        why = f"record {number + len(records)} at byte {base + at} {why}"
    verdict: Verdict = "torn" if why else "clean"
    if number + len(records) == 0:
        verdict, why = "corrupt", why or "the header record is missing"
    elif why and (proof := _later_batch(buf, at + 1, salted, base)) is not None:
        verdict, why = "corrupt", f"{why}, and {proof}"
    return Scan(records, offsets, base + at, base + end, digest, salt, verdict, why, number)


def _header(buf: bytes, at: int, salted: int) -> tuple[int, bytes] | None:
    """Payload length and digest of the record header at `at`, or None if it cannot be trusted."""
    if at + HEAD_BYTES > len(buf):
        return None
    word, check, digest = _HEAD.unpack_from(buf, at)
    length: int = word & ~_FIRST
    if not 0 < length <= MAX_PAYLOAD or crc32(digest, crc32(buf[at : at + 4], salted)) != check:
        return None
    return length, digest


def salvage(buf: bytes, found: Scan) -> list[list[tuple[int, bytes]]]:
    """What is good behind the damage that a scan of the whole file has found: runs of (offset, payload).

    The header of a record holds the digest to which the next record chains. So the first record behind a damaged place
    is only a foothold: its own payload cannot be checked and is left out, and every record that chains to it is good.
    """
    salted, at, runs = crc32(found.salt), found.good, list[list[tuple[int, bytes]]]()
    while (foothold := _next_header(buf, at, salted)) is not None:
        at, (length, digest) = foothold
        at += HEAD_BYTES + length
        run: list[tuple[int, bytes]] = []
        while (head := _header(buf, at, salted)) is not None:
            payload = buf[at + HEAD_BYTES : at + HEAD_BYTES + head[0]]
            if blake2b(digest + buf[at : at + 4] + payload, digest_size=DIGEST_BYTES).digest() != head[1]:
                break
            run.append((at, payload))
            at, digest = at + HEAD_BYTES + head[0], head[1]
        if run:
            runs.append(run)
    return runs


def _next_header(buf: bytes, start: int, salted: int) -> tuple[int, tuple[int, bytes]] | None:
    """The first place from `start` on where a record may begin that is whole, and its length and digest."""
    for tries, hit in enumerate(_WORD_SHAPE.finditer(buf, start)):
        if tries == _MAX_TRIES:
            break
        head = _header(buf, hit.start(), salted)
        if head is not None and hit.start() + HEAD_BYTES + head[0] <= len(buf):
            return hit.start(), head
    return None


def _later_batch(buf: bytes, start: int, salted: int, base: int) -> str | None:
    """The proof that a damaged place had been synced: a batch that starts behind it. None if there is no such proof."""
    for tries, hit in enumerate(_FIRST_WORD.finditer(buf, start)):
        if tries == _MAX_TRIES:
            return "what follows is made to look like records"
        if _header(buf, hit.start(), salted) is not None:
            return f"a later batch starts at byte {base + hit.start()}"
    return None
