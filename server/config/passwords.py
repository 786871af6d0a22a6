"""Passwords of tables: the host's settings keep a verifier, from which the password cannot be found out.

People choose passwords that can be guessed, so each check is made slow (scrypt).
"""

import base64
import binascii
import hashlib
import secrets
import unicodedata
from hmac import compare_digest

LOG2_N = 14
"""scrypt's cost as a power of two: 16 MiB and about 30 ms for each check."""
_COSTS = range(12, 18)
_SALT_BYTES = 16
_KEY_BYTES = 32
_LONGEST = 256
"""Characters of a password; a longer one would only cost time."""


def make_verifier(password: str) -> str:
    """What a host keeps instead of the password: ``scrypt:14:salt:key``."""
    salt = secrets.token_bytes(_SALT_BYTES)
    return ":".join(["scrypt", str(LOG2_N), _text(salt), _text(_key(password, salt, LOG2_N))])


def verify(password: str, verifier: str) -> bool:
    """Whether it is that password. Takes some 30 ms and 16 MiB. Raises ValueError for what is no verifier."""
    cost, salt, key = _parts(verifier)
    return len(password) <= _LONGEST and compare_digest(_key(password, salt, cost), key)


def problem_of_verifier(verifier: str) -> str:
    """What is wrong with a verifier, in a sentence for the host; empty if nothing is."""
    try:
        _parts(verifier)
    except ValueError:
        return "password must be what `ryo passwd` prints, never the password itself"
    return ""


def problem_of_password(password: str) -> str:
    """Why that cannot be a password; empty if it can."""
    return "" if 0 < len(password) <= _LONGEST else f"a password has 1 to {_LONGEST} characters"


def _parts(verifier: str) -> tuple[int, bytes, bytes]:
    kind, cost, salt, key = verifier.split(":")
    try:
        parts = int(cost), base64.b64decode(salt, validate=True), base64.b64decode(key, validate=True)
    except binascii.Error as error:
        raise ValueError(str(error)) from None
    if kind != "scrypt" or parts[0] not in _COSTS or len(parts[1]) < _SALT_BYTES or len(parts[2]) != _KEY_BYTES:
        raise ValueError("not a verifier")
    return parts


def _key(password: str, salt: bytes, cost: int) -> bytes:
    secret = unicodedata.normalize("NFC", password).encode("utf-8", "surrogatepass")
    return hashlib.scrypt(secret, salt=salt, n=1 << cost, r=8, p=1, maxmem=1 << 28, dklen=_KEY_BYTES)


def _text(data: bytes) -> str:
    return base64.b64encode(data).decode("ascii")
