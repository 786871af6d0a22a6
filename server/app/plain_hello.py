"""What a server without encryption says of itself in its welcome: a public id, and a nonce for each connection.

With them a player who comes by another address of the same server can prove whose seat it is
(`protocol.wire.token_proofs`).
"""

from hashlib import blake2b
from itertools import count
from typing import NamedTuple

from protocol.wire.token_proofs import ID_BYTES, NONCE_BYTES, End, channel
from server.storage.filesystem import FileSystem
from server.storage.random_file import load_random_file

FILE = "server.id"


class Introduction(NamedTuple):
    """What one connection is told, and what proofs on it are bound to (`channel`)."""

    server_id: bytes = b""
    nonce: bytes = b""
    channel: bytes = b""


NO_INTRODUCTION = Introduction()
"""Where encryption says who the server is."""


class PlainHello:
    """Makes the introductions of one server.

    Args:
        folder: the server's data directory, which exists; the id is kept there.

    Raises OSError.
    """

    def __init__(self, folder: str, fs: FileSystem) -> None:
        self._id = load_random_file(fs, folder, FILE, ID_BYTES)
        self._key = fs.new_salt(NONCE_BYTES)
        self._numbers = count()

    def introduction(self, client: End, server: End) -> Introduction:
        """For a connection with these ends."""
        number = next(self._numbers).to_bytes(8, "big")
        nonce = blake2b(number, key=self._key, digest_size=NONCE_BYTES).digest()
        try:
            return Introduction(self._id, nonce, channel(nonce, client, server))
        except ValueError:  # a connection that has ended has no ends
            return NO_INTRODUCTION
