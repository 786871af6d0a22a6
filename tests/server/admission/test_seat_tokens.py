"""Seat tokens: digests, and whose seat it is."""

from hashlib import sha256

from server.admission.seat_tokens import seat_of, token_digest


def test_a_seat_belongs_to_the_token_with_its_digest() -> None:
    ann, ben = token_digest(b"a" * 32), token_digest(b"b" * 32)
    assert seat_of(ann, {3: ann, 5: ben}) == 3
    assert seat_of(ben, {3: ann, 5: ben}) == 5
    assert seat_of(token_digest(b"c" * 32), {3: ann, 5: ben}) is None
    assert seat_of(ann, {}) is None


def test_fault_42_a_digest_is_no_plain_hash_of_the_token() -> None:
    token = b"t" * 32
    digest = token_digest(token)
    assert digest not in (token, sha256(token).digest())
    assert digest == token_digest(token)
