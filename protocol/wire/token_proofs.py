"""Proofs of seat tokens: a client without encryption shows that it has a token, and tells nobody the token.

The theory. Without encryption there is no key by which a client could know a server again, only an address: so its
tokens hang on the address as its user types it. The server tells an id of its own, but anybody may tell the same id,
and a token must never go to a server because of it. So the client sends the token for the address that it has used now,
as ever, and beside it proofs of the tokens for other addresses of the same id:

    proof    HMAC-SHA256 with the digest of the token as key, over table and channel
    channel  the server's nonce for this connection, and both its ends as each side sees them

A proof is worth nothing in another connection. A server that tells a foreign id cannot hand it on: the other server has
another nonce, and, even if the nonce was handed on, sees other ends than the client. Where an address is translated on
the way, the two sides see different ends, and proofs count no more than none.
"""

import hmac
from hashlib import sha256
from ipaddress import IPv6Address, ip_address
from typing import TypeAlias

ID_BYTES = NONCE_BYTES = 16
MOST_PROOFS = 8
"""Proofs that a server looks at."""

End: TypeAlias = tuple[str, int]
"""IP address and TCP port of one end of a connection."""


def channel(nonce: bytes, client: End, server: End) -> bytes:
    """What proofs on a connection are bound to. Raises ValueError for what is no IP address."""
    return nonce + f"{_plain(client)} {_plain(server)}".encode()


def _plain(end: End) -> str:
    """One end in the one way in which both sides write it: without a zone, and IPv4 as such."""
    address = ip_address(end[0].partition("%")[0])
    if isinstance(address, IPv6Address) and address.ipv4_mapped is not None:
        address = address.ipv4_mapped
    return f"{address} {end[1]}"


def token_proof(digest: bytes, table: str, bound_to: bytes) -> bytes:
    """The proof of the token with that digest, for a table, bound to a `channel`."""
    return hmac.digest(digest, b"ryo proof 1\0" + table.encode() + b"\0" + bound_to, sha256)
