"""The player's secret key, and the seat tokens that are made from it: ``seats.key`` in the data directory."""

import hashlib
import hmac
import secrets
import unicodedata
from pathlib import Path

from client.errors import BadSettings
from server.storage.atomic_file import make_private_folder, others_can_read, write_file

KEY_BYTES = 32


def load_key(folder: Path) -> bytes:
    """The 32 bytes from which seat tokens are made; they are made on first use. Raises BadSettings.

    Two programs that start at once get the same key: the file appears complete, and only once.
    """
    path = folder / "seats.key"
    try:
        if not path.exists():
            make_private_folder(folder)
            write_file(path, secrets.token_bytes(KEY_BYTES), replace=False)
        key = path.read_bytes()
        found = path.stat()
    except OSError as error:
        raise BadSettings(f"{error.filename or path}: {error.strerror}.") from None
    if len(key) != KEY_BYTES:
        raise BadSettings(f"{path} is damaged ({len(key)} bytes, not {KEY_BYTES}); your seats depend on it.")
    if others_can_read(found):
        raise BadSettings(f"{path} can be read by others; run: chmod 600 {path}")
    return key


def seat_token(key: bytes, server: str, table: str, name: str) -> bytes:
    """The 32-byte token of a name's seat at a table: always the same for this seat, and useless for any other.

    `server` is the fingerprint of the server's key, or without TLS the address as the player uses it (``host:port``).
    """
    folded = unicodedata.normalize("NFKC", name).casefold()
    parts = [part.encode() for part in ("ryo seat 1", server, table, folded)]
    message = b"".join([len(part).to_bytes(4, "big") + part for part in parts])
    return hmac.new(key, message, hashlib.sha256).digest()
