"""The file that `ryo config init` writes."""

import re
import stat
import sys
import tomllib
from pathlib import Path

import pytest
from click.testing import CliRunner

from server.cli import main
from server.config.commented_file import EXAMPLE_GAME, commented_file
from server.config.config import KEYS, load
from server.config.variables import variable_of
from server.engine.games.catalogue import GAMES

SETTING = re.compile(r"(?m)^#(?=[^ \n])")
"""What a host takes away to make a setting count."""


def test_the_written_file_gives_the_same_as_no_file(tmp_path: Path) -> None:
    path = tmp_path / "server.toml"
    done = CliRunner().invoke(main, ["config", "init", str(path)])
    assert done.exit_code == 0, done.output
    if sys.platform != "win32":
        assert stat.S_IMODE(path.stat().st_mode) == 0o600  # a password may come to stand there
    assert load(path, {}, {})[0] == load(None, {}, {})[0]


def test_every_setting_stands_there_with_its_built_in_value_and_its_variable(tmp_path: Path) -> None:
    text = commented_file()
    for key in KEYS:
        game = key.split(".")[2] if key.startswith("table.stakes.") else EXAMPLE_GAME
        if key != "seed" and game == EXAMPLE_GAME:
            assert f"[{variable_of(key)}]\n#{key.rpartition('.')[2]} = " in text
    path = tmp_path / "server.toml"
    path.write_text(SETTING.sub("", text), "utf-8")
    whole, _ = load(path, {}, {})
    config, _ = load(None, {}, {})
    assert whole.limits == config.limits
    assert whole.port == config.port
    assert whole.table[0].clocks == config.table[0].clocks
    assert whole.table[0].rules().games[1:] == config.table[0].rules().games[1:]
    stakes = tomllib.loads(SETTING.sub("", text))["table"][0]["stakes"][EXAMPLE_GAME]
    usual = GAMES[EXAMPLE_GAME].stakes
    assert {key: getattr(usual, key) for key in stakes if key != "short_allin"} == {
        key: value for key, value in stakes.items() if key != "short_allin"
    }


def test_no_line_is_longer_than_a_screen_of_120_columns() -> None:
    assert max(map(len, commented_file().splitlines())) <= 140


def test_a_file_that_is_there_is_kept_unless_the_host_says_otherwise(tmp_path: Path) -> None:
    path = tmp_path / "server.toml"
    path.write_text("port = 1\n")
    refused = CliRunner().invoke(main, ["config", "init", str(path)])
    assert refused.exit_code == 1
    assert "--force" in refused.output
    assert path.read_text() == "port = 1\n"
    assert CliRunner().invoke(main, ["config", "init", str(path), "--force"]).exit_code == 0
    assert path.read_text("utf-8") == commented_file()


def test_without_a_path_the_file_is_printed() -> None:
    assert CliRunner().invoke(main, ["config", "init"]).output == commented_file()


def test_a_folder_that_is_not_there_is_named(tmp_path: Path) -> None:
    refused = CliRunner().invoke(main, ["config", "init", str(tmp_path / "none" / "server.toml")])
    assert refused.exit_code == 74
    assert "none" in refused.output


@pytest.mark.parametrize("words", [["config"], ["config", "show"]])
def test_settings_are_printed_with_and_without_the_word(words: list[str], tmp_path: Path) -> None:
    path = tmp_path / "server.toml"
    path.write_text("port = 7000\n")
    assert f"port = 7000  # {path}" in CliRunner().invoke(main, [*words, "--config", str(path)]).output


def test_the_variables_are_printed_on_request() -> None:
    told = CliRunner().invoke(main, ["config", "show", "--variables"], env={"RYO_PORT": "7000"}).output
    assert "port = 7000  # RYO_PORT, RYO_PORT\n" not in told
    assert "port = 7000  # RYO_PORT\n" in told
    assert "bet = 30  # RYO_TABLE_CLOCKS_BET\n" in told
