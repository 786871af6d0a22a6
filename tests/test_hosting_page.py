"""docs/hosting.md knows every setting, and its examples work."""

import re
from pathlib import Path

import pytest

from protocol.stakes import Stakes
from protocol.table_rules import Clocks
from server.config.config import Config, load
from server.config.limits import Limits
from server.config.table_config import TableConfig
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
