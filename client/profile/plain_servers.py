"""Under which addresses the player has come to each server without encryption: ``plain_servers.json``.

The file is a map from the public id of a server, in hexadecimal, to addresses as the player typed them, the last one at
the end. The tokens for these addresses are what the player can prove to that server (`protocol.wire.token_proofs`).
A file that is lost or damaged costs nothing but that.
"""

import contextlib
from pathlib import Path

import msgspec

from protocol.wire.token_proofs import MOST_PROOFS
from server.storage.atomic_file import make_private_folder, write_file

FILE = "plain_servers.json"
MOST_SERVERS = 200


class PlainServers:
    """The file; it is read again by every method, because several programs of one player share it."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder

    def addresses(self, server_id: bytes) -> list[str]:
        """The addresses under which the player has had a seat at that server; at most `MOST_PROOFS`."""
        return self._load().get(server_id.hex(), [])[-MOST_PROOFS:]

    def remember(self, server_id: bytes, address: str) -> None:
        """Adds an address; nothing is kept in a directory that cannot be written."""
        servers = self._load()
        known = servers.pop(server_id.hex(), [])
        servers[server_id.hex()] = [*[one for one in known if one != address], address][-MOST_PROOFS:]
        kept = dict(list(servers.items())[-MOST_SERVERS:])
        with contextlib.suppress(OSError):
            make_private_folder(self._folder)
            write_file(self._folder / FILE, msgspec.json.encode(kept))

    def _load(self) -> dict[str, list[str]]:
        try:
            return msgspec.json.decode((self._folder / FILE).read_bytes(), type=dict[str, list[str]])
        except (OSError, msgspec.DecodeError, UnicodeDecodeError):
            return {}
