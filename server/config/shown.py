"""The settings of a server as text: every value with its origin."""

import json
from collections.abc import Iterator, Mapping
from typing import Any

import msgspec

from server.config.config import Config
from server.config.variables import variable_of

SECRET = ("password", "host_key", "seed")
"""Settings whose value is not shown."""
HIDDEN = "(set, not shown)"


def shown(config: Config, origins: Mapping[str, str], *, variables: bool = False) -> list[str]:
    """The settings in force as lines of TOML; behind each value that is not the built-in one stands where it is from.

    Args:
        origins: as from `server.config.config.load`.
        variables: whether the environment variable of each setting stands there, too.
    """
    values = msgspec.to_builtins(config)

    def lines(settings: Mapping[str, Any], prefix: str) -> Iterator[str]:
        inner: list[tuple[str, Mapping[str, Any]]] = []
        for key, value in settings.items():
            if isinstance(value, Mapping):
                inner.append((key, value))
            elif value is not None:
                text = HIDDEN if key in SECRET and value else json.dumps(value, ensure_ascii=False)
                place = f"{prefix}{key}"
                told = [variable_of(place) if variables else "", origins.get(place, "")]
                remarks = ", ".join(dict.fromkeys(filter(None, told)))
                yield f"{key} = {text}{f'  # {remarks}' if remarks else ''}"
        for key, value in inner:
            name = ".".join(part for part in f"{prefix}{key}".split(".") if not part.isdecimal())
            below = list(lines(value, f"{prefix}{key}."))
            if below:
                yield from ("", f"[{name}]", *below)

    whole = list(lines({key: value for key, value in values.items() if key not in ("table", "limits")}, ""))
    whole += ["", "[limits]", *lines(values["limits"], "limits.")]
    for number, table in enumerate(values["table"]):
        whole += ["", "[[table]]", *lines(table, f"table.{number}.")]
    return whole
