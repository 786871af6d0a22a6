"""The settings in force, and where each comes from."""

import tomllib
from pathlib import Path

import msgspec
from click.testing import CliRunner, Result

from server.cli import main
from server.config.config import Config, load
from server.config.shown import HIDDEN, shown

FILE = """
port = 7000
[limits]
rate = 5.0
[[table]]
name = "Kitchen"
password = "scrypt$secret"
[table.clocks]
bet = 15
[[table]]
id = "second"
games = ["razz"]
[table.stakes.razz]
ante = 2
"""


def run(*words: str, **environment: str) -> Result:
    return CliRunner().invoke(main, ["config", *words], env=environment)


def test_every_value_is_told_and_those_that_were_set_with_their_origin(tmp_path: Path) -> None:
    path = tmp_path / "server.toml"
    path.write_text(FILE.replace("scrypt$secret", ""))
    told = run("--config", str(path), RYO_BIND="127.0.0.1").output.splitlines()
    for line in (
        f"port = 7000  # {path}", 'bind = "127.0.0.1"  # RYO_BIND', "resume = true", f"rate = 5.0  # {path}",
        "idle = 30.0", f'name = "Kitchen"  # {path}', f"bet = 15  # {path}", "choose = 20", f"ante = 2  # {path}",
    ):  # fmt: skip
        assert line in told


def test_what_is_told_is_a_file_of_these_settings(tmp_path: Path) -> None:
    path = tmp_path / "server.toml"
    path.write_text(FILE.replace("scrypt$secret", ""))
    config, origins = load(path, {}, {})
    values = tomllib.loads("\n".join(shown(config, origins)))
    assert msgspec.convert(values, Config) == config


def test_no_secret_is_told() -> None:
    from server.config.passwords import make_verifier
    from server.config.table_config import TableConfig

    config = Config(seed="everybody knows", table=(TableConfig(password=make_verifier("open sesame")),))
    told = "\n".join(shown(config, {}))
    assert "everybody knows" not in told
    assert "scrypt" not in told
    assert told.count(HIDDEN) == 2


def test_a_mistake_is_named_with_its_line_and_the_key_that_was_meant(tmp_path: Path) -> None:
    path = tmp_path / "server.toml"
    path.write_text("port = 7000\n[[table]]\nseets = 4\n")
    result = run("--config", str(path))
    assert result.exit_code == 78
    assert f"{path}, line 3: " in result.output
    assert "Did you mean seats?" in result.output
