"""The file that ``ryo config init`` writes: every setting with its built-in value, its meaning and its variable.

Every setting is commented out, so the file changes nothing until somebody takes a ``#`` away: a value that stands
there would win over a preset, and over a better built-in value of a later version.
"""

import json
from collections.abc import Iterator, Mapping
from typing import Any

import msgspec

from protocol.table_rules import Clocks
from server.config.config import Config
from server.config.limits import Limits
from server.config.meanings import MEANINGS
from server.config.table_config import TableConfig
from server.config.variables import variable_of
from server.engine.games.catalogue import GAMES

EXAMPLE_GAME = "barneys"
"""The game whose usual stakes the file shows."""

_HEAD = """\
# The settings of ryo serve. Start it with: ryo serve --config FILE
#
# Every line that begins with # changes nothing. Take the # away from a setting, without a space behind it, and change
# its value. In brackets stands the environment variable that overrules it; a variable for a key of a table counts for
# every table. The order is: preset, this file, environment, flags; the last one wins. ryo config show prints what is
# in force.
# The seed of the decks is not here: it is for tests only (--test --seed).
"""
_STAKES = f"""\
# What differs from the usual stakes of a game: one such part for each game. These are those of {EXAMPLE_GAME};
# ryo rules GAME prints the others. The variables have the name of the game: {variable_of("table.stakes.stud8.cap")}.
#[table.stakes.{EXAMPLE_GAME}]
"""
_LIMITS = "# What one client may cost the others."


def commented_file() -> str:
    """The whole text of the file."""
    config = msgspec.to_builtins(Config())
    del config["table"], config["limits"], config["seed"]
    table = msgspec.to_builtins(TableConfig())
    del table["clocks"], table["stakes"]
    stakes = msgspec.to_builtins(GAMES[EXAMPLE_GAME].stakes)
    stakes["short_allin"] = "full"  # what spread limit has anyhow: TOML has no word for nothing
    lines = [_HEAD, *_lines(config, ""), _LIMITS, "[limits]", *_lines(msgspec.to_builtins(Limits()), "limits.")]
    lines += ["# A table. Several of them need ids of their own.", "[[table]]", *_lines(table, "table.")]
    lines += ["# Seconds for each decision; 0: no clock.", "[table.clocks]"]
    lines += [*_lines(msgspec.to_builtins(Clocks()), "table.clocks."), _STAKES.rstrip()]
    lines += _lines(stakes, "table.stakes.", EXAMPLE_GAME)
    return "\n".join(lines).rstrip() + "\n"


def _lines(values: Mapping[str, Any], place: str, game: str = "") -> Iterator[str]:
    for key, value in values.items():
        variable = variable_of(f"{place}{game}.{key}" if game else place + key)
        yield f"# {MEANINGS[place + key]} [{variable}]"
        yield f"#{key} = {json.dumps(value, ensure_ascii=False)}"
        yield ""
