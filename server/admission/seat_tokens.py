"""Seat tokens: the secret by which a player comes back to their seat. The server keeps only digests of them."""

from collections.abc import Mapping
from hashlib import sha256
from hmac import compare_digest

from protocol.events import Seat

TOKEN_BYTES = 32


def token_digest(token: bytes) -> bytes:
    """What is kept of a seat token. It is random, so a slow hash would protect nothing more."""
    return sha256(b"rollyourown seat\0" + token).digest()


def seat_of(digest: bytes, owners: Mapping[Seat, bytes]) -> Seat | None:
    """The seat whose owner has the token with that digest; None if nobody has.

    Looks at every seat, so that the time which it takes tells nothing.
    """
    found = None
    for seat, known in owners.items():
        if compare_digest(known, digest):
            found = seat
    return found
