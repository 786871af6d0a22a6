"""Each game is met once on a machine."""

from pathlib import Path

import pytest

from client.cli.preferences import first_meeting
from client.profile.met_games import MetGames
from client.profile.settings import Settings


def test_a_game_is_met_once_and_that_is_remembered(tmp_path: Path) -> None:
    folder = tmp_path / "new" / "data"
    met = MetGames(folder)
    assert [met.first_meeting(game) for game in ("barneys", "barneys", "razz")] == [True, False, True]
    assert not MetGames(folder).first_meeting("barneys")
    assert (folder / "games.json").read_text() == '["barneys","razz"]'


@pytest.mark.parametrize("text", ["", "{", "[3]", '"barneys"'])
def test_a_damaged_file_is_begun_again(tmp_path: Path, text: str) -> None:
    (tmp_path / "games.json").write_text(text)
    met = MetGames(tmp_path)
    assert met.first_meeting("barneys")
    assert not MetGames(tmp_path).first_meeting("barneys")


def test_where_nothing_can_be_written_a_game_is_met_once_in_a_program(tmp_path: Path) -> None:
    blocked = tmp_path / "file"
    blocked.write_text("")
    met = MetGames(blocked / "data")
    assert [met.first_meeting("barneys"), met.first_meeting("barneys")] == [True, False]


def test_the_settings_switch_the_explanations_off(tmp_path: Path) -> None:
    asked = first_meeting(Settings(), tmp_path)
    assert asked is not None
    assert asked("barneys")
    assert first_meeting(Settings(explain_games=False), tmp_path) is None
