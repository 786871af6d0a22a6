"""Environment variables for settings, by one rule: ``RYO_`` and the key in capitals, with its place.

``port`` is ``RYO_PORT``, ``rate`` of ``[limits]`` is ``RYO_LIMITS_RATE``, ``bet`` of ``[table.clocks]`` is
``RYO_TABLE_CLOCKS_BET``, and ``cap`` of ``[table.stakes.stud8]`` is ``RYO_TABLE_STAKES_STUD8_CAP``. A variable for a
key of a table counts for every table. A list is written with commas.
"""

from collections.abc import Iterator, Mapping
from typing import Any, get_origin

import msgspec

from protocol.near_matches import did_you_mean
from protocol.stakes import Stakes
from protocol.table_rules import Clocks
from server.config.limits import Limits
from server.config.table_config import TableConfig
from server.engine.games.catalogue import GAMES
from server.errors import ConfigError

PREFIX = "RYO_"
_STRICT = ("RYO_TABLE_", "RYO_LIMITS_")
"""Beginnings of names that can only be meant for settings: a name that is none of them is a mistake."""


def variable_of(key: str) -> str:
    """The variable for a key with its place, as in ``table.0.clocks.bet``; numbers of tables are left out."""
    return PREFIX + "_".join([part for part in key.split(".") if not part.isdecimal()]).upper().replace("-", "_")


def keys_of(kind: type[msgspec.Struct], place: str, *, without: tuple[str, ...] = ()) -> Iterator[tuple[str, Any]]:
    """(key with its place, type) of the settings of one kind."""
    for field in msgspec.structs.fields(kind):
        if field.name not in without:
            yield place + field.name, field.type


def keys_of_tables() -> dict[str, Any]:
    """The keys below ``limits`` and ``table`` with their types; stakes for every game of the catalogue."""
    keys = dict(keys_of(Limits, "limits."))
    keys |= keys_of(TableConfig, "table.", without=("clocks", "stakes"))
    keys |= keys_of(Clocks, "table.clocks.")
    for game in GAMES:
        keys |= keys_of(Stakes, f"table.stakes.{game}.")
    return keys


def from_environment(keys: Mapping[str, Any], environment: Mapping[str, str]) -> dict[str, Any]:
    """The values that the environment has for these keys. Raises ConfigError.

    Args:
        keys: their types by the keys with their places.
    """
    by_variable = {variable_of(key): key for key in keys}
    for name in environment:
        if name.startswith(_STRICT) and name not in by_variable:
            raise ConfigError(f"{name}: there is no setting of that name.{did_you_mean(name, by_variable)}")
    return {
        key: _from_text(environment[name], keys[key], name)
        for name, key in by_variable.items()
        if name in environment
    }  # fmt: skip


def _from_text(text: str, kind: Any, name: str) -> Any:
    value: Any = [part.strip() for part in text.split(",")] if get_origin(kind) is tuple else text
    try:
        return msgspec.convert(value, kind, strict=False)
    except msgspec.ValidationError as error:
        raise ConfigError(f"{name}: {error}.") from None
