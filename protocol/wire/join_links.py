"""Join links, ``ryo://host:port/table#fp=...&t=...``, and the fingerprints in them. Secrets come after the ``#``.

``fp`` is the beginning of the server's fingerprint, ``t`` an invitation to the table. Either may be missing.
"""

import base64
import hashlib
import re
from typing import NamedTuple

DEFAULT_PORT = 7719
"""TCP port of a card room where none is named."""
SCHEME = "ryo://"
ALPN = "ryo/1"
"""The name of this protocol in the TLS handshake."""
LEAST_PIN = 26
"""Characters of a fingerprint that a link must have: 130 bits, so that nobody finds a key with the same beginning."""
FINGERPRINT = 52
"""Characters of a whole fingerprint."""

_LINK = re.compile(
    r"(?i:ryo)://(?P<host>\[[0-9A-Za-z:.%_-]+\]|[\w.-]+)(?::(?P<port>[0-9]{1,5}))?"
    r"(?:/(?P<table>[a-z0-9][a-z0-9-]{0,31})?)?(?:#(?P<fields>.*))?"
)
_BASE32 = re.compile(r"[a-z2-7]+")
_LONGEST = 512


class JoinLink(NamedTuple):
    """The address of a table, the fingerprint of its server and an invitation; empty where something is unknown."""

    host: str
    port: int = DEFAULT_PORT
    table: str = ""
    pin: str = ""
    invite: str = ""

    def __str__(self) -> str:
        host = f"[{self.host}]" if ":" in self.host else self.host
        fields = "&".join([f"{key}={value}" for key, value in (("fp", self.pin), ("t", self.invite)) if value])
        return f"{SCHEME}{host}:{self.port}/{self.table}" + (f"#{fields}" if fields else "")


def fingerprint(certificate: bytes) -> str:
    """SHA-256 of a certificate (DER) in base32, lower case: 52 characters."""
    return base64.b32encode(hashlib.sha256(certificate).digest()).decode().rstrip("=").lower()


def is_link(text: str) -> bool:
    """Whether the text begins like a join link."""
    return text.strip()[: len(SCHEME)].lower() == SCHEME


def parse_link(text: str) -> JoinLink:
    """The link in the text. Raises ValueError with a sentence.

    Not allowed are user names, queries, unknown fields, repeated fields, and fingerprints that are too short.
    """
    text = text.strip()
    found = _LINK.fullmatch(text) if len(text) <= _LONGEST else None
    if found is None:
        raise ValueError("that is not a join link; one looks like ryo://host:7719/table#fp=...")
    port = int(found["port"] or DEFAULT_PORT)
    if not 0 < port < 65536:
        raise ValueError(f"{port} in the join link is not a port; ports are 1 to 65535")
    fields = _fields(found["fields"] or "")
    pin = fields.get("fp", "").lower()
    if "fp" in fields and not (LEAST_PIN <= len(pin) <= FINGERPRINT and _BASE32.fullmatch(pin)):
        raise ValueError(f"the fingerprint in the join link is damaged; it has at least {LEAST_PIN} characters")
    invite = fields.get("t", "").lower()
    if "t" in fields and not _BASE32.fullmatch(invite):
        raise ValueError("the invitation in the join link is damaged")
    return JoinLink(plain_zone(found["host"].strip("[]")), port, found["table"] or "", pin, invite)


def plain_zone(host: str) -> str:
    """A link-local address with its zone as programs take it: ``fe80::1%25eth0``, as web addresses write it, too."""
    address, escaped, zone = host.partition("%25")
    return f"{address}%{zone}" if escaped and zone else host


def _fields(text: str) -> dict[str, str]:
    fields: dict[str, str] = {}
    for part in text.split("&") if text else []:
        key, _, value = part.partition("=")
        if key not in ("fp", "t"):
            raise ValueError(f"the join link has a field {key[:20]!r} that this version does not know")
        if key in fields:
            raise ValueError(f"the join link has the field {key!r} twice")
        fields[key] = value
    return fields
