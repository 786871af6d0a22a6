"""Files and directories that only their owner can read."""

import os
from pathlib import Path


def make_folder(folder: Path) -> None:
    """Makes a private directory (mode 0700), unless it exists. Raises OSError."""
    folder.mkdir(mode=0o700, parents=True, exist_ok=True)


def write_new(path: Path, data: bytes) -> None:
    """Writes a file of mode 0600 with this content; it is on the disk when this returns. Raises OSError."""
    path.unlink(missing_ok=True)
    descriptor = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    with os.fdopen(descriptor, "wb") as file:
        file.write(data)
        file.flush()
        os.fsync(file.fileno())
