"""The key that seals receipts (`server.table.receipts`): a file beside the journals, made when it is missing."""

import os

from server.storage.atomic_file import write_file
from server.storage.filesystem import FileSystem

FILE = "receipts.key"
KEY_BYTES = 32


def load_receipt_key(fs: FileSystem, folder: str) -> bytes:
    """The key in that folder, which exists. Without it, or with a damaged one, earlier receipts are worth nothing.

    Raises OSError.
    """
    path = os.path.join(folder, FILE)
    for _ in range(2):
        if fs.exists(path):
            key = fs.read_all(path)
            if len(key) == KEY_BYTES:
                return key
            fs.unlink(path)
        write_file(path, fs.new_salt(KEY_BYTES), replace=False, fs=fs)
    return fs.read_all(path)


def renew_receipt_key(fs: FileSystem, folder: str) -> None:
    """Makes a new key: no receipt that was given before proves anything from now on. Raises OSError."""
    write_file(os.path.join(folder, FILE), fs.new_salt(KEY_BYTES), fs=fs)
