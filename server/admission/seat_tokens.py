"""Seat tokens: the secret by which a player comes back to their seat. The server keeps only digests of them."""

from hashlib import sha256


def token_digest(token: bytes) -> bytes:
    """What is kept of a seat token. It is random, so a slow hash would protect nothing more."""
    return sha256(b"rollyourown seat\0" + token).digest()
