"""Text files that people write: UTF-8, with or without a byte order mark, with any line ends."""

import os
from pathlib import Path


def read_text(path: str | os.PathLike[str]) -> str:
    """The text of a file, with line ends of one character. Raises OSError, UnicodeDecodeError."""
    return Path(path).read_text("utf-8-sig")
