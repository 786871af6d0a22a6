"""`ryo rules`: the games of the box in words, and the check of a house game's file."""

from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from client.cli.rules import HANDS, rules
from server.engine.games.catalogue import GAMES
from server.engine.games.house_games import load_game
from server.engine.games.rules_page import rules_page
from server.errors import EXIT_CONFIG, EXIT_USAGE
from tests.support.engine_table import PASS_AND_DRAW


def run_verb(*words: str | Path) -> Result:
    """Runs the verb in this process."""
    return CliRunner().invoke(rules, [str(word) for word in words])


def test_every_game_is_listed_and_each_has_its_page() -> None:
    listed = run_verb().output.splitlines()
    for line, game in zip(listed, GAMES.values(), strict=False):
        assert line.split()[0] == game.id
        assert game.title in line
        assert run_verb(game.id).output.splitlines() == rules_page(game)
    assert listed[-1] == "`ryo rules NAME` prints the rules of one of them."


def test_a_house_game_is_read_and_played_against_itself(tmp_path: Path) -> None:
    file = tmp_path / "passdraw.toml"
    file.write_text(PASS_AND_DRAW, encoding="utf-8")
    result = run_verb("check", file)
    assert result.exit_code == 0
    assert result.output.startswith("Pass and draw\n")
    assert result.output.splitlines()[-1] == (
        f"{HANDS} hands of 2 to 5 players were played to the end; no chip was lost."
    )


@pytest.mark.parametrize(
    ("content", "said"),
    [
        (b'id = "odd"', "missing"),
        (b"\xff", "utf-8"),
        (PASS_AND_DRAW.replace("count = 1", "count = 9").encode(), "step 3"),
    ],
)
def test_a_house_game_that_cannot_be_played_is_one_sentence(tmp_path: Path, content: bytes, said: str) -> None:
    file = tmp_path / "odd.toml"
    file.write_bytes(content)
    result = run_verb("check", file)
    assert (result.exit_code, result.stdout) == (EXIT_CONFIG, "")
    assert result.stderr.startswith(f"{file}: ")
    assert said in result.stderr
    assert result.stderr.count("\n") == 1


@pytest.mark.parametrize(
    ("word", "meant"),
    [("barney", "barneys"), ("Barneys", "barneys"), ("anacnda", "anaconda"), ("follow", "queen"), ("rzz", "razz")],
)
def test_a_near_miss_is_answered_with_the_game_that_was_meant(word: str, meant: str) -> None:
    result = run_verb(word)
    assert result.exit_code == EXIT_USAGE
    assert f"there is no game '{word}'. Did you mean {meant}?" in result.stderr


def test_a_word_that_is_near_no_game_is_answered_with_all_of_them() -> None:
    assert "there is no game 'holdem'. There are barneys, stud8, " in run_verb("holdem").stderr


def test_the_rules_of_a_house_game_are_printed_from_its_file(tmp_path: Path) -> None:
    file = tmp_path / "passdraw.toml"
    file.write_text(PASS_AND_DRAW, encoding="utf-8")
    assert run_verb(file).output.splitlines() == rules_page(load_game(PASS_AND_DRAW))
    file.write_text("id = 3", encoding="utf-8")
    assert run_verb(file).exit_code == EXIT_CONFIG
    assert run_verb(tmp_path / "nothing.toml").exit_code == EXIT_USAGE


@pytest.mark.parametrize("words", [("check",), ("holdem",), ("razz", __file__), ("check", "/nowhere/game.toml")])
def test_wrong_words_are_2(words: tuple[str, ...]) -> None:
    assert run_verb(*words).exit_code == EXIT_USAGE
