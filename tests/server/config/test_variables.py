"""Every setting has an environment variable, named by one rule."""

from pathlib import Path

import pytest

from server.config.config import KEYS, load
from server.config.variables import variable_of
from server.errors import ConfigError


@pytest.mark.parametrize(
    ("key", "variable"),
    [
        ("port", "RYO_PORT"),
        ("limits.say_rate", "RYO_LIMITS_SAY_RATE"),
        ("table.buy_in", "RYO_TABLE_BUY_IN"),
        ("table.1.clocks.bet", "RYO_TABLE_CLOCKS_BET"),
        ("table.0.stakes.stud8.cap", "RYO_TABLE_STAKES_STUD8_CAP"),
    ],
)
def test_the_name_of_a_variable_follows_from_the_key(key: str, variable: str) -> None:
    assert variable_of(key) == variable


def test_no_two_settings_share_a_variable() -> None:
    variables = [variable_of(key) for key in KEYS]
    assert len(set(variables)) == len(variables)


def test_ux_4_4_every_setting_can_come_from_the_environment() -> None:
    environment = {
        "RYO_LIMITS_SAY_RATE": "2.5",
        "RYO_TABLE_GAMES": "stud8, razz",
        "RYO_TABLE_SPECTATORS": "false",
        "RYO_TABLE_CLOCKS_BET": "45",
        "RYO_TABLE_STAKES_RAZZ_BIG": "8",
    }
    config, origins = load(None, environment, {})
    (table,) = config.table
    rules = table.rules()
    assert config.limits.say_rate == 2.5
    assert [offer.id for offer in rules.games] == ["stud8", "razz"]
    assert not rules.spectators
    assert rules.clocks.bet == 45
    assert rules.games[1].stakes.big == 8
    assert origins["limits.say_rate"] == "RYO_LIMITS_SAY_RATE"
    assert origins["table.0.clocks.bet"] == "RYO_TABLE_CLOCKS_BET"


def test_a_variable_for_a_key_of_a_table_counts_for_every_table(tmp_path: Path) -> None:
    path = tmp_path / "server.toml"
    path.write_text('[[table]]\nid = "one"\nbuy_in = 50\n[[table]]\nid = "two"\n')
    config, _ = load(path, {"RYO_TABLE_BUY_IN": "70"}, {})
    assert [table.buy_in for table in config.table] == [70, 70]


@pytest.mark.parametrize(
    ("name", "value", "named"),
    [
        ("RYO_TABLE_BUY_IM", "3", "Did you mean RYO_TABLE_BUY_IN?"),
        ("RYO_LIMITS_RAT", "3", "Did you mean RYO_LIMITS_RATE?"),
        ("RYO_TABLE_CLOCKS_BET", "long", "RYO_TABLE_CLOCKS_BET"),
        ("RYO_TABLE_SHOW", "none", "RYO_TABLE_SHOW"),
    ],
)
def test_fault_85_a_mistake_in_the_environment_is_named(name: str, value: str, named: str) -> None:
    with pytest.raises(ConfigError) as caught:
        load(None, {name: value}, {})
    assert name in str(caught.value)
    assert named in str(caught.value)
