"""TOML files of the host, and where in the file a mistake is."""

import os
import re
import tomllib
from collections.abc import Iterable
from typing import Any

from protocol.near_matches import did_you_mean
from server.errors import ConfigError
from server.storage.text_file import read_text

_UNKNOWN_FIELD = re.compile(r"unknown field `([^`]+)`")
_PATH_OF_VALUE = re.compile(r"\$(?:.*)\.([A-Za-z_]\w*)")


def read_toml(path: str | os.PathLike[str]) -> tuple[str, dict[str, Any]]:
    """The file's text and its values. Raises ConfigError."""
    try:
        text = read_text(path)
    except (OSError, UnicodeDecodeError) as error:
        reason = error.strerror if isinstance(error, OSError) else "it is not UTF-8"
        raise ConfigError(f"{path} cannot be read: {reason}.") from None
    try:
        return text, tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise ConfigError(f"{path}: {error}.") from None


def with_place(error: str, text: str, path: str | os.PathLike[str] | None, known: Iterable[str] = ()) -> str:
    """msgspec's message about the values of a file, with the path and, if it can be found, the line of the key.

    Args:
        error: the message of the ValidationError. text, path: the file's; None for settings without a file.
        known: the keys that there are; the one that was meant is named.
    """
    place = str(path) if path is not None else "settings"
    if named := _UNKNOWN_FIELD.search(error) or _PATH_OF_VALUE.search(error):
        line_of_key = re.compile(rf"\s*(?:\[+[\w.]*\b)?{re.escape(named[1])}\b")
        for number, line in enumerate(text.splitlines(), 1):
            if line_of_key.match(line):
                place += f", line {number}"
                break
    unknown = _UNKNOWN_FIELD.search(error)
    meant = did_you_mean(unknown[1], known) if unknown else ""
    return f"{place}: {error}.{meant}"
