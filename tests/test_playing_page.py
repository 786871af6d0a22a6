"""docs/playing.md knows every setting and every word of the line mode, and its examples work."""

import re
from pathlib import Path

import pytest

from client.input.decision_words import understand
from client.input.keymap import Keymap
from client.input.slash_commands import command_of
from client.input.table_commands import COMMANDS, HostCommand, Question
from client.presenter.help_page import line_help
from client.presenter.queries import answer
from client.profile.settings import Settings, load_settings
from client.terminal.theme_file import PARTS
from protocol.actions import Action, Option
from protocol.cards import cards
from protocol.events import ActionRequested
from protocol.seat_view import SeatView
from protocol.view import TableView
from tests.support.paths import DOCS

PAGE = (DOCS / "playing.md").read_text("utf-8")
(SETTINGS,) = re.findall(r"```toml\n(.*?)```", PAGE, re.DOTALL)
IN_LINES = PAGE.partition("\n## In lines\n")[2].partition("\n## ")[0]
ROWS = [re.findall(r"`([^`]+)`", row.split("|")[1]) for row in IN_LINES.splitlines() if row.startswith("| `")]
ANSWERS, QUESTIONS = ROWS[:6], ROWS[6:]


def test_every_setting_is_on_the_page_and_is_accepted(tmp_path: Path) -> None:
    (tmp_path / "client.toml").write_text(SETTINGS)
    settings = load_settings(tmp_path / "client.toml")
    missing = [name for name in Settings.__struct_fields__ if not re.search(rf"^(\[{name}\]|{name} =)", SETTINGS, re.M)]
    assert missing == []
    assert Keymap(settings.keys)


@pytest.mark.parametrize("word", [word for row in QUESTIONS for word in row])
def test_every_question_on_the_page_is_one(word: str) -> None:
    view = TableView(seats=[SeatView(number) for number in range(1, 9)])
    typed = {"F3": "\x1bOR"}.get(word, word)
    found = command_of(typed)
    assert found is not None
    question, argument = found
    assert isinstance(question, Question)
    assert answer(question, argument, view, 1), word


def test_every_question_of_the_help_is_on_the_page() -> None:
    asked = " ".join(line_help()).partition("Questions: ")[2].partition(".")[0]
    for word in re.findall(r"[a-z]{2,}(?: call)?", asked):
        assert f"`{word}" in PAGE, word
    for command in re.findall(r"/[a-z]+", " ".join(line_help())):
        assert command == "/help" or f"`{command}" in PAGE, command


def test_the_answers_on_the_page_are_understood() -> None:
    facing = ActionRequested(1, "bet", (Option("call", amount=2), Option("raise", least=3, most=9), Option("fold")))
    free = ActionRequested(1, "bet", (Option("check"), Option("bet", least=1, most=5), Option("fold")))
    arrange = ActionRequested(1, "arrange", (Option("arrange", cards=tuple(cards("2c3c4c5c6c7c8c")), count=5),))
    choose = ActionRequested(1, "choose", (Option("choose", cards=tuple(cards("7c8d")), count=1),))
    assert ANSWERS[1] == ["b 3", "raise to 8"]
    assert understand("b 3", free) == Action("bet", to=3)
    assert understand("raise to 8", facing) == Action("raise", to=8)
    assert understand("fold", free) == Action("fold")
    assert isinstance(understand("f", free), str)
    assert {understand(word, choose) for word in ANSWERS[3]} == {Action("choose", cards=tuple(cards("8d")))}
    assert understand(ANSWERS[4][0], arrange) == Action("arrange", cards=tuple(cards("4c2c6c5c8c")))


def test_every_part_of_a_theme_is_on_the_page() -> None:
    listed = PAGE.partition("The parts are ")[2].partition(". `felt`")[0]
    assert re.findall(r"`(\w+)`", listed) == list(PARTS)


def test_every_word_of_a_host_is_on_the_page() -> None:
    words = [command.words[0] for command in COMMANDS if isinstance(command, HostCommand)]
    assert [word for word in words if not re.search(rf"`/{word}[ `]", PAGE)] == []
