"""Settings from file, environment and flags, and the sentence for a mistake in them (fault 85)."""

from pathlib import Path

import pytest

from protocol.table_rules import Clocks, OpenCards
from server.config.config import Config, load
from server.config.table_config import TableConfig
from server.errors import ConfigError

FILE = """\
port = 4000
log_level = "warning"

[limits]
connections = 20

[[table]]
id = "kitchen"
games = ["barneys", "razz"]
change = "dealer"
durability = "hand"
clocks = { bet = 10, result = 0 }

[table.stakes.razz]
small = 10
big = 20
"""


def written(folder: Path, text: str) -> Path:
    path = folder / "server.toml"
    path.write_text(text, "utf-8")
    return path


def test_the_defaults_are_enough_to_serve() -> None:
    config, origins = load(None, {}, {})
    assert config.port == 7719
    assert config.bind == ""
    assert [table.id for table in config.table] == ["main"]
    assert origins == {}
    rules = config.table[0].rules()
    assert [offer.id for offer in rules.games] == ["barneys", "stud8", "razz"]
    assert rules.seats >= 7


def test_ux_4_4_file_then_environment_then_flags(tmp_path: Path) -> None:
    path = written(tmp_path, FILE)
    environment = {"RYO_PORT": "5000", "RYO_LOG_LEVEL": "error", "RYO_NAME": "not ours"}
    config, origins = load(path, environment, {"port": 6000, "bind": None})
    assert (config.port, config.log_level, config.limits.connections) == (6000, "error", 20)
    assert origins["port"] == "--port"
    assert origins["log_level"] == "RYO_LOG_LEVEL"
    assert origins["table"] == str(path)


def test_a_table_of_the_file(tmp_path: Path) -> None:
    (table,) = load(written(tmp_path, FILE), {}, {})[0].table
    rules = table.rules()
    assert rules.name == "kitchen"
    assert rules.change == "dealer"
    assert rules.clocks == Clocks(bet=10, result=0)
    assert {offer.id: (offer.stakes.small, offer.stakes.big) for offer in rules.games}["razz"] == (10, 20)
    assert table.durability == "hand"


@pytest.mark.parametrize(
    ("text", "named"),
    [
        ("port = 4000\nprot = 1\n", ("line 2", "prot")),
        ("port = \n", ("line 1",)),
        ('port = "4000"\n', ("line 1", "port")),
        ("port = 70000\n", ("port",)),
        ('log_level = "loud"\n', ("line 1", "loud")),
        ("[limits]\nidle = 3\nspeed = 9\n", ("line 3", "speed")),
        ('[[table]]\nid = "a"\n\n[[table]]\nid = "b"\nseat = 3\n', ("line 6", "seat")),
        ('[[table]]\nid = "a b"\n', ("a b",)),
        ('[[table]]\nid = "../x"\n', ("../x",)),
        ('[[table]]\n[[table]]\n', ("same id",)),
        ('[[table]]\ngames = ["holdem"]\n', ("holdem", "barneys")),
        ("[[table]]\ngames = []\n", ("games",)),
        ("[[table]]\nseats = 1\n", ("seats",)),
        ("[[table]]\nbuy_in = 5\n", ("buy_in",)),
        ("[[table]]\nplayers = 9\n", ("players",)),
        ("[table.stakes.razz]\nsmall = 3\n", ("table",)),
        ("[[table]]\n[table.stakes.razz]\nsmal = 3\n", ("smal",)),
        ("[[table]]\n[table.stakes.razz]\nsmall = 30\nbig = 2\n", ("razz", "small bet")),
    ],
)  # fmt: skip
def test_fault_85_a_mistake_is_named_with_its_place(tmp_path: Path, text: str, named: tuple[str, ...]) -> None:
    path = written(tmp_path, text)
    with pytest.raises(ConfigError) as caught:
        load(path, {}, {})
    said = str(caught.value)
    assert str(path) in said
    assert caught.value.exit_code == 78
    for word in named:
        assert word in said, said


def test_fault_85_a_file_that_is_not_there_and_a_bad_environment(tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match="cannot be read"):
        load(tmp_path / "none.toml", {}, {})
    with pytest.raises(ConfigError, match="RYO_PORT"):
        load(None, {"RYO_PORT": "many"}, {})


def test_journals_are_below_the_data_folder(tmp_path: Path) -> None:
    assert Config(data_dir=str(tmp_path)).hands_dir == tmp_path / "hands"
    assert Config().hands_dir.name == "hands"


def test_a_table_has_as_many_seats_as_one_of_its_games_takes() -> None:
    assert TableConfig(games=("stud8",)).rules().seats == 8
    assert TableConfig(games=("barneys",)).rules().seats == 7


def test_a_table_allows_advice_unless_its_host_forbids_it(tmp_path: Path) -> None:
    for line, allowed in (("", True), ("coach = false", False)):
        config, _ = load(written(tmp_path, f"[[table]]\n{line}\n"), {}, {})
        (table,) = config.table
        assert table.rules().coach == allowed


@pytest.mark.parametrize("length", [0, 257])
def test_fault_85_a_length_of_chat_that_the_wire_does_not_take_is_refused(tmp_path: Path, length: int) -> None:
    with pytest.raises(ConfigError, match="say_length"):
        load(written(tmp_path, f"[limits]\nsay_length = {length}\n"), {}, {})


@pytest.mark.parametrize(
    ("line", "come", "opened"),
    [
        ("", True, None),
        ("spectators = false", False, None),
        ("spectators = true", True, None),
        ('spectators = "off"', False, None),
        ('spectators = "table"\nopen_delay = "3 hands"', True, None),
        ('spectators = "open"', True, OpenCards()),
        ('spectators = "open"\nopen_delay = "3 hands"', True, OpenCards(delay=3)),
        ('spectators = "open"\nopen_delay = "10 minutes"', True, OpenCards(delay=10, unit="minutes")),
    ],
)
def test_what_spectators_see_is_the_hosts_choice(
    line: str, come: bool, opened: OpenCards | None, tmp_path: Path
) -> None:
    (table,) = load(written(tmp_path, f"[[table]]\n{line}\n"), {}, {})[0].table
    assert (table.rules().spectators, table.rules().open_cards) == (come, opened)


@pytest.mark.parametrize(
    ("value", "named"),
    [
        ("0 hands", "1 to 20 hands"),
        ("4 minutes", "5 to 120 minutes"),
        ("3 handz", "Did you mean hands?"),
        ("later", "1 hand"),
    ],
)
def test_fault_85_a_delay_that_would_help_a_player_is_refused(value: str, named: str, tmp_path: Path) -> None:
    with pytest.raises(ConfigError) as caught:
        load(written(tmp_path, f'[[table]]\nopen_delay = "{value}"\n'), {}, {})
    assert named in str(caught.value)
