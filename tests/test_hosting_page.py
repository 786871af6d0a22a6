"""docs/hosting.md knows every setting, and its examples work."""

import re
from pathlib import Path

import pytest

from protocol.stakes import Stakes
from protocol.table_rules import Clocks
from server.app.operator import WORDS, usage
from server.app.unit_files import service
from server.config.config import Config, load
from server.config.limits import Limits
from server.config.presets import PRESETS
from server.config.table_config import TableConfig
from server.config.variables import variable_of
from server.engine.games.house_games import load_game
from server.engine.steps.opener import OPENERS
from tests.support.paths import DOCS

PAGE = (DOCS / "hosting.md").read_text("utf-8")
SETTINGS, GAME = re.findall(r"```toml\n(.*?)```", PAGE, re.DOTALL)


@pytest.mark.parametrize("kind", [Config, TableConfig, Clocks, Stakes, Limits], ids=lambda kind: kind.__name__)
def test_every_setting_is_on_the_page(kind: type[Config]) -> None:
    missing = [name for name in kind.__struct_fields__ if not re.search(rf"\b{name}\b", PAGE)]
    assert missing == []


def test_the_settings_on_the_page_are_accepted_and_are_the_built_in_ones(tmp_path: Path) -> None:
    (tmp_path / "server.toml").write_text(SETTINGS)
    (tmp_path / "grandpas-game.toml").write_text(GAME)
    config, _ = load(tmp_path / "server.toml", {}, {})
    assert config.limits == Limits()
    assert config.table[0].clocks == Clocks()
    assert [offer.id for offer in config.table[0].rules().games] == ["barneys", "stud8", "razz", "grandpas"]


def test_the_house_game_on_the_page_is_a_game_and_every_opening_rule_is_named() -> None:
    assert load_game(GAME).title == "Grandpa's game"
    assert [name for name in OPENERS if name not in PAGE] == []


def test_every_word_of_the_host_is_in_the_table_of_words_as_it_is_said() -> None:
    missing = [usage(name) for name in WORDS if f"| `{usage(name)}` |" not in PAGE]
    assert missing == []


def plain_words(value: object) -> str:
    """A setting as the page writes it."""
    if isinstance(value, tuple):
        return ", ".join(value)
    return str(value).lower() if isinstance(value, bool) else str(value)


def told_settings(name: str) -> dict[str, str]:
    """What a preset sets, by the names of the rows of the page's table."""
    told: dict[str, str] = {}
    for key, value in PRESETS[name].table.items():
        if key == "stakes":
            (stakes,) = {tuple(stakes.items()) for stakes in value.values()}  # the same for every game
            told |= {f"stakes: {inner}": plain_words(one) for inner, one in stakes}
        elif isinstance(value, dict):
            told |= {f"{key}.{inner}": plain_words(one) for inner, one in value.items()}
        else:
            told[key] = plain_words(value)
    return told


def test_the_table_of_presets_says_what_each_of_them_sets() -> None:
    head, _, *rows = [
        [cell.strip() for cell in line.strip("|").split("|")]
        for line in PAGE[PAGE.index("| setting |") :].partition("\n\n")[0].splitlines()
    ]
    assert head[1:] == list(PRESETS)
    for column, name in enumerate(head[1:], 1):
        assert {row[0]: row[column] for row in rows if row[column]} == told_settings(name)
        assert f"* **{name}**: " in PAGE  # the reasons


def test_the_variables_on_the_page_follow_the_rule() -> None:
    for key in ("port", "limits.rate", "table.buy_in", "table.clocks.bet", "table.stakes.stud8.cap"):
        assert f"`{variable_of(key)}`" in PAGE


def test_the_machine_in_the_cupboard_is_as_the_unit_says() -> None:
    unit = service("/opt/ryo/bin/ryo")
    (user,) = re.findall(r"^User=(\w+)$", unit, re.MULTILINE)
    assert re.search(rf"useradd .* {user}$", PAGE, re.MULTILINE)
    for path in re.findall(r"=(/\S+%i\S*)", unit):
        assert path.replace("%i", "family") in PAGE
