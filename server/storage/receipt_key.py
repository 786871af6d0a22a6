"""The key that seals receipts (`server.table.receipts`): a file beside the journals, made when it is missing."""

import os

from server.storage.atomic_file import write_file
from server.storage.filesystem import FileSystem
from server.storage.random_file import load_random_file

FILE = "receipts.key"
KEY_BYTES = 32


def load_receipt_key(fs: FileSystem, folder: str) -> bytes:
    """The key in that folder, which exists. Without it, or with a damaged one, earlier receipts are worth nothing.

    Raises OSError.
    """
    return load_random_file(fs, folder, FILE, KEY_BYTES)


def renew_receipt_key(fs: FileSystem, folder: str) -> None:
    """Makes a new key: no receipt that was given before proves anything from now on. Raises OSError."""
    write_file(os.path.join(folder, FILE), fs.new_salt(KEY_BYTES), fs=fs)
