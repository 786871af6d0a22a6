"""Tables that not everybody may come to: passwords, invitations, and how often one may try.

A password is chosen by people and so needs a slow check; only its verifier is kept, in the host's settings. An
invitation is 128 bits that nobody can guess. Who has a seat needs neither: its token is enough.
"""

import base64
import binascii
import hashlib
import ipaddress
import secrets
import unicodedata
from hmac import compare_digest
from typing import NamedTuple

import trio

from protocol.wire.messages import Rejected
from server.config.limits import Bucket

LOG2_N = 14
"""scrypt's cost: 16 MiB and about 30 ms for each check."""
_COSTS = range(12, 18)
_SALT_BYTES = 16
_KEY_BYTES = 32
_LONGEST = 256
"""Characters of a password; more would only keep us busy."""
CHECKS_AT_ONCE = 2
TRIES_PER_ADDRESS = 5
TRIES_IN_ALL = 20
MINUTE = 60.0
_MOST_ADDRESSES = 1024


class Access(NamedTuple):
    """What opens a table; either is enough, and with neither it is open to everybody.

    Fields:
        verifier: of the password (`make_verifier`). invite: SHA-256 of the invitation.
    """

    verifier: str = ""
    invite: bytes = b""


TOO_MANY_TRIES = Rejected.of("too_many_tries", "Too many wrong tries. Wait a minute.")
_BAD_INVITE = Rejected.of("bad_invite", "This table is for invited guests; ask the host for a join link.")
_BAD_PASSWORD = Rejected.of("bad_password", "This table has a password, and that is not it.")
_NO_PASSWORD = Rejected.of("bad_password", "This table has a password.")


class Tries:
    """Wrong tries within about a minute: 5 of one address, 20 in all.

    An address of IPv6 counts as its network of 64 bits, which one machine has all to itself.
    """

    def __init__(self) -> None:
        self._all = Bucket(TRIES_IN_ALL / MINUTE, TRIES_IN_ALL, 0.0)
        self._of: dict[str, Bucket] = {}

    def take(self, address: str) -> bool:
        """Counts one more try; False if there have been too many."""
        now = trio.current_time()
        key = _network(address)
        bucket = self._of.pop(key, None) or Bucket(TRIES_PER_ADDRESS / MINUTE, TRIES_PER_ADDRESS, now)
        self._of[key] = bucket  # the latest at the end
        if len(self._of) > _MOST_ADDRESSES:
            del self._of[next(iter(self._of))]
        return bucket.take(now) and self._all.take(now)

    def right(self, address: str) -> None:
        """The last try was right and does not count."""
        self._all.give()
        self._of[_network(address)].give()


class Gate:
    """Who may come to which table."""

    def __init__(self) -> None:
        self._tables: dict[str, Access] = {}
        self._passwords = Tries()
        self._tokens = Tries()
        self._checks = trio.CapacityLimiter(CHECKS_AT_ONCE)

    def guard(self, table: str, access: Access) -> None:
        """From now on that opens the table."""
        self._tables[table] = access

    def is_open(self, table: str) -> bool:
        """Whether everybody may come."""
        return not any(self._tables.get(table, Access()))

    def token_tried(self, address: str) -> bool:
        """Counts a token that was not the one of the seat it was for; False if there have been too many."""
        return self._tokens.take(address)

    async def knock(self, address: str, table: str, invite: str, password: str) -> Rejected | None:
        """Whether that opens the table; passwords are checked in a worker thread, two at a time."""
        access = self._tables.get(table, Access())
        if access.invite and compare_digest(hashlib.sha256(invite.encode()).digest(), access.invite):
            return None
        if not access.verifier:
            return _BAD_INVITE if access.invite else None
        if not password:
            return _NO_PASSWORD
        if not self._passwords.take(address):
            return TOO_MANY_TRIES
        if not await trio.to_thread.run_sync(verify, password, access.verifier, limiter=self._checks):
            return _BAD_PASSWORD
        self._passwords.right(address)
        return None


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


def _network(address: str) -> str:
    try:
        found = ipaddress.ip_address(address.split("%")[0])
    except ValueError:
        return address
    if isinstance(found, ipaddress.IPv4Address):
        return address
    if found.ipv4_mapped:
        return str(found.ipv4_mapped)
    return str(ipaddress.ip_network((found, 64), strict=False))
