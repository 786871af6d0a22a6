"""Presets: what a name stands for, and that whatever the host sets wins over it."""

from pathlib import Path
from typing import Any

import pytest

from server.config.config import load
from server.config.presets import PRESETS
from server.config.shown import shown
from server.config.table_config import TableConfig
from server.errors import ConfigError


def written(folder: Path, text: str) -> Path:
    path = folder / "server.toml"
    path.write_text(text, "utf-8")
    return path


@pytest.mark.parametrize("name", PRESETS)
def test_a_preset_is_a_playable_table_of_existing_settings(name: str) -> None:
    config, origins = load(None, {}, {"preset": name})
    (table,) = config.table
    assert [offer.id for offer in table.rules().games] == list(PRESETS[name].table["games"])
    assert set(PRESETS[name].table) <= set(TableConfig.__struct_fields__)
    assert origins["table.0.clocks.bet"] == f"preset {name}"


@pytest.mark.parametrize(
    ("text", "environment", "flags"),
    [
        ('preset = "casino"\n', {}, {}),
        ('[[table]]\npreset = "casino"\n', {}, {}),
        ("", {"RYO_PRESET": "casino"}, {}),
        ("", {"RYO_TABLE_PRESET": "casino"}, {}),
        ("", {}, {"preset": "casino"}),
    ],
)
def test_a_preset_can_be_named_in_the_file_in_the_environment_and_by_a_flag(
    tmp_path: Path, text: str, environment: dict[str, str], flags: dict[str, Any]
) -> None:
    config, _ = load(written(tmp_path, text), environment, flags)
    assert config.table[0].buy_in == PRESETS["casino"].table["buy_in"]


def test_what_the_host_sets_wins_over_the_preset_key_by_key(tmp_path: Path) -> None:
    path = written(tmp_path, 'preset = "casino"\n[[table]]\nbuy_in = 300\nclocks = { bet = 7 }\n')
    config, origins = load(path, {"RYO_TABLE_STAKES_STUD8_BIG": "20"}, {"seats": 4})
    (table,) = config.table
    rules = table.rules()
    assert (rules.buy_in, rules.clocks.bet, rules.seats) == (300, 7, 4)
    assert (rules.clocks.arrange, rules.games[0].stakes.small, rules.games[0].stakes.big) == (45, 5, 20)
    assert origins["table.0.buy_in"] == str(path)
    told = shown(config, origins)
    assert f"bet = 7  # {path}" in told
    assert "arrange = 45  # preset casino" in told
    assert "big = 20  # RYO_TABLE_STAKES_STUD8_BIG" in told


def test_other_games_than_those_of_the_preset_can_be_played(tmp_path: Path) -> None:
    config, _ = load(None, {}, {"preset": "family", "games": ("razz", "stud")})
    assert [offer.stakes.big for offer in config.table[0].rules().games] == [2, 2]
    config, _ = load(None, {}, {"preset": "barney", "games": ("stud8",)})
    assert [offer.id for offer in config.table[0].rules().games] == ["stud8"]


def test_tables_can_have_presets_of_their_own(tmp_path: Path) -> None:
    path = written(tmp_path, 'preset = "family"\n[[table]]\nid = "a"\n[[table]]\nid = "b"\npreset = "casino"\n')
    config, origins = load(path, {}, {})
    assert [table.buy_in for table in config.table] == [50, 200]
    assert origins["table.1.buy_in"] == "preset casino"


def test_fault_85_a_preset_that_does_not_exist_is_named_with_the_one_that_was_meant(tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match=r"Did you mean family\?"):
        load(written(tmp_path, 'preset = "famly"\n'), {}, {})
