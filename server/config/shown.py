"""The settings of a server as text: every value with its origin, and a commented file to begin with."""

import json
from collections.abc import Iterator, Mapping
from typing import Any

import msgspec

from server.config.config import Config

SECRET = ("password", "seed")
"""Settings whose value is not shown."""
HIDDEN = "(set, not shown)"


def shown(config: Config, origins: Mapping[str, str]) -> list[str]:
    """The settings in force as lines of TOML; behind each value that is not the built-in one stands where it is from.

    `origins` as from `server.config.config.load`.
    """
    values = msgspec.to_builtins(config)
    lines = list(_lines({key: value for key, value in values.items() if key not in ("table", "limits")}, "", origins))
    lines += ["", "[limits]", *_lines(values["limits"], "limits.", origins)]
    for number, table in enumerate(values["table"]):
        lines += ["", "[[table]]", *_lines(table, f"table.{number}.", origins)]
    return lines


def _lines(values: Mapping[str, Any], prefix: str, origins: Mapping[str, str]) -> Iterator[str]:
    inner: list[tuple[str, Mapping[str, Any]]] = []
    for key, value in values.items():
        if isinstance(value, Mapping):
            inner.append((key, value))
        elif value is not None:
            text = HIDDEN if key in SECRET and value else json.dumps(value, ensure_ascii=False)
            origin = origins.get(f"{prefix}{key}", "")
            yield f"{key} = {text}{f'  # {origin}' if origin else ''}"
    for key, value in inner:
        name = ".".join(part for part in f"{prefix}{key}".split(".") if not part.isdecimal())
        lines = list(_lines(value, f"{prefix}{key}.", origins))
        if lines:
            yield from ("", f"[{name}]", *lines)
