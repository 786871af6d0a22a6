"""Tokens of a player at a server without encryption: for the address that was typed, and proofs for the others."""

from collections.abc import Callable
from pathlib import Path

from client.connection.connection import Connection
from client.profile.plain_servers import PlainServers
from protocol.wire.token_proofs import token_proof
from server.admission.seat_tokens import token_digest


class PlainTokens:
    """What a player shows a server to which they have come by an address (`protocol.wire.token_proofs`).

    Args:
        folder: the player's data directory.
        address: as the player typed it.
        token: the token for an address and a table.
    """

    def __init__(self, folder: Path, address: str, token: Callable[[str, str], bytes]) -> None:
        self._servers = PlainServers(folder)
        self._address, self._token = address, token
        self._server_id = b""

    def proofs(self, connection: Connection, table: str) -> tuple[bytes, ...]:
        """Proofs of the tokens for the other addresses of this server; they count on this connection only."""
        self._server_id = connection.server_id
        if not self._server_id:
            return ()
        others = [address for address in self._servers.addresses(self._server_id) if address != self._address]
        digests = [token_digest(self._token(address, table)) for address in others]
        return tuple([token_proof(digest, table, connection.channel) for digest in digests])

    def seated(self) -> None:
        """The server has given the seat: this is one of its addresses."""
        if self._server_id:
            self._servers.remember(self._server_id, self._address)
