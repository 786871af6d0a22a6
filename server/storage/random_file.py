"""Files of random bytes that the server keeps: made when they are missing, the same ever after."""

import os

from server.storage.atomic_file import write_file
from server.storage.filesystem import FileSystem


def load_random_file(fs: FileSystem, folder: str, name: str, size: int) -> bytes:
    """The bytes of that file in a folder that exists; a damaged file is made anew. Raises OSError."""
    path = os.path.join(folder, name)
    for _ in range(2):
        if fs.exists(path):
            content = fs.read_all(path)
            if len(content) == size:
                return content
            fs.unlink(path)
        write_file(path, fs.new_salt(size), replace=False, fs=fs)
    return fs.read_all(path)
