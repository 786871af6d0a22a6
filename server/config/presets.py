"""Presets: named sets of settings for a kind of evening. Whatever the host sets wins over the preset."""

from collections.abc import Mapping
from typing import Any, NamedTuple

from protocol.near_matches import did_you_mean
from server.errors import ConfigError


class Preset(NamedTuple):
    """A named set of settings of a table.

    Fields:
        meaning: what kind of evening it is for.
        table: the settings, as they would stand under ``[[table]]``.
    """

    meaning: str
    table: Mapping[str, Any]


_FAMILY_GAMES = ("barneys", "stud8", "razz", "stud", "chicago", "queen", "anaconda")
_FAMILY_STAKES = {"ante": 1, "bring_in": 1, "small": 1, "big": 2, "least": 1, "most": 2}
_CASINO_STAKES = {"ante": 1, "bring_in": 2, "small": 5, "big": 10, "cap": 3, "heads_up_uncapped": True}

PRESETS: Mapping[str, Preset] = {
    "family": Preset(
        "people who know each other, some of them new to the games",
        {
            "games": _FAMILY_GAMES,
            "change": "dealer",
            "buy_in_least": 20,
            "buy_in_most": 200,
            "buy_in": 50,
            "clocks": {
                "bet": 180, "choose": 120, "arrange": 300, "declare": 120, "bank": 300, "wait_for_all": True,
            },
            "misses": 3,
            "spectators": "table",
            "spectator_chat": True,
            "coach": True,
            "short_return": True,
            "absent_hands": 0,
            "stakes": dict.fromkeys(_FAMILY_GAMES, _FAMILY_STAKES),
        },
    ),
    "casino": Preset(
        "players who know the games and want pace",
        {
            "games": ("stud8", "plainrazz"),
            "change": "orbit",
            "buy_in_least": 100,
            "buy_in_most": 1000,
            "buy_in": 200,
            "clocks": {"bet": 30, "choose": 15, "arrange": 45, "declare": 15, "bank": 60, "result": 6},
            "misses": 2,
            "spectators": "table",
            "spectator_chat": False,
            "coach": False,
            "short_return": False,
            "absent_hands": 15,
            "stakes": {"stud8": _CASINO_STAKES, "plainrazz": _CASINO_STAKES},
        },
    ),
    "barney": Preset(
        "Barney's Poker and nothing else, by the house rules of its text",
        {
            "games": ("barneys",),
            "change": "never",
            "seats": 7,
            "buy_in_least": 50,
            "buy_in_most": 500,
            "buy_in": 100,
            "clocks": {"bet": 60, "choose": 30, "arrange": 120, "declare": 45, "bank": 120, "result": 12},
            "show": "rule",
            "spectators": "table",
            "spectator_chat": False,
            "stakes": {
                "barneys": {
                    "limit": "spread", "ante": 1, "least": 1, "most": 5, "cap": 3, "no_check_raise": True,
                    "invalid_low": "no_low",
                },
            },
        },
    ),
}  # fmt: skip
"""By name. `docs/hosting.md` has a table of them with the reasons."""


def preset_named(name: str) -> Preset:
    """The preset of that name. Raises ConfigError."""
    if name not in PRESETS:
        meant = did_you_mean(name, PRESETS)
        raise ConfigError(f"There is no preset {name!r}.{meant} There are {', '.join(PRESETS)}.")
    return PRESETS[name]


def with_preset(table: dict[str, Any], name: str) -> list[str]:
    """Puts into the settings of a table what they do not say and the preset does; the keys with their places.

    A game that the table does not play gets no stakes. Raises ConfigError.
    """
    filled: list[str] = []
    preset = dict(preset_named(name).table)
    games = table.get("games", preset["games"])
    if isinstance(games, list | tuple):
        preset["stakes"] = {game: stakes for game, stakes in preset["stakes"].items() if game in games}
    _fill(table, preset, "", filled)
    return filled


def _fill(settings: dict[str, Any], preset: Mapping[str, Any], place: str, filled: list[str]) -> None:
    for key, value in preset.items():
        if isinstance(value, Mapping):
            inner = settings.setdefault(key, {})
            if isinstance(inner, dict):  # else it is a mistake, which is found later
                _fill(inner, value, f"{place}{key}.", filled)
        elif key not in settings:
            settings[key] = list(value) if isinstance(value, tuple) else value
            filled.append(place + key)
