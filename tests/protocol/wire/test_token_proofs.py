"""Proofs of seat tokens, as docs/protocol.md says it in words."""

import hashlib
import hmac

import pytest

from protocol.wire.token_proofs import channel, token_proof
from server.admission.seat_tokens import token_digest

NONCE, TOKEN = bytes(range(16)), b"t" * 32
CLIENT, SERVER = ("192.0.2.7", 50123), ("192.0.2.1", 7719)


def test_trap_A35_a_proof_is_what_the_page_says() -> None:
    digest = hashlib.sha256(b"rollyourown seat\0" + TOKEN).digest()
    bound_to = NONCE + b"192.0.2.7 50123 192.0.2.1 7719"
    right = hmac.new(digest, b"ryo proof 1\0main\0" + bound_to, "sha256").digest()
    assert channel(NONCE, CLIENT, SERVER) == bound_to
    assert token_proof(token_digest(TOKEN), "main", bound_to) == right


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("::ffff:192.0.2.7", "192.0.2.7"),
        ("fe80::1%eth0", "fe80::1%wlan1"),
        ("2001:db8:0:0:0:0:0:1", "2001:DB8::1"),
    ],
)
def test_both_sides_write_an_address_alike(one: str, other: str) -> None:
    assert channel(NONCE, (one, 1), SERVER) == channel(NONCE, (other, 1), SERVER)


@pytest.mark.parametrize("address", ["", "localhost", "192.0.2", "/run/socket"])
def test_only_ip_addresses_are_ends(address: str) -> None:
    with pytest.raises(ValueError):
        channel(NONCE, (address, 1), SERVER)
