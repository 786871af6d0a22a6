"""A key that was moved stands at its new place in every sentence of the screen that names it."""

import random
import re
from collections.abc import Iterator

import pytest

from client.input.decision_keys import ANSWER_KEYS
from client.input.keymap import USUAL, Keymap
from client.input.table_commands import COMMANDS
from client.presenter.help_page import help_page
from client.presenter.table import TablePresenter
from server.engine.games.catalogue import GAMES
from tests.support.local_table import LocalTable
from tests.support.seated_presenter import SIZE, screen, sit

NEW = {action: chr(ord("А") + number) for number, action in enumerate(sorted(USUAL))}
"""Every key that can be moved, at a letter that no sentence has."""
LETTERS = {key for key in USUAL.values() if len(key) == 1} | {"Space"}


def named(sentence: str) -> set[str]:
    """The usual keys that stand alone in a sentence."""
    return set(re.findall(r"(?<![\w'?/.+])(?:Space|[\w?/<>])(?![\w'?/.])", sentence)) & LETTERS


def test_the_search_finds_keys_and_nothing_else() -> None:
    assert named("Your cards are face up; x turns them face down.") == {"x"}
    assert named("f fold / Space go on, ? keys") == {"f", "/", "Space", "?"}
    assert named("Ann's bet of 3: type /rebuy 50 or bring 'em back? [?? ??] Ks") == set()


def sentences(presenter: TablePresenter) -> Iterator[str]:
    """Everything on the screen now that may name a key, but for the help."""
    presenter.lines(*SIZE)
    state = presenter.state
    yield from (state.note, state.question, state.status, state.banner, state.covered_note, *state.preview)
    yield from (f"{hint.key} {hint.label}" for hint in (*state.hints, *state.keys))


@pytest.mark.slow
@pytest.mark.parametrize("game", ["barneys", "stud8", "anaconda"])
def test_no_sentence_names_a_key_that_was_moved(game: str) -> None:
    dice = random.Random(game)
    table = LocalTable(game, min(4, GAMES[game].most_players))
    presenter, session, _ = sit(table, keymap=Keymap(NEW))
    keys = [*NEW.values(), *"1234567", "enter", "escape", "backspace", "c-c", "c-r", "up", "home", "tab"]
    seen: set[str] = set()
    for _ in range(3):
        table.deal()
        for _ in range(150):
            table.settle()
            presenter.press(dice.choice(keys))
            seen |= set(sentences(presenter))
            if not session.view.playing:
                break
        table.play_until(lambda view: not view.playing)
        for _ in range(30):
            presenter.press(dice.choice(keys))
            seen |= set(sentences(presenter))
        table.state.view.seat(1).away = False
    assert len(seen) > 60
    assert {sentence for sentence in seen if named(sentence)} == set()


def test_notes_name_the_key_as_it_is_now() -> None:
    table = LocalTable("stud", 2)
    table.deal()
    presenter, _, _ = sit(table, keymap=Keymap({"cover": "j", "peek": "J"}))
    presenter.press("J")
    assert "Your cards are face up; j turns them face down." in screen(presenter)
    presenter.press("j")
    beside_the_cards = " ".join(line[52:].strip() for line in screen(presenter).splitlines())
    assert "your cards are face down; j turns them, J held down looks at them" in beside_the_cards
    presenter.press("i")
    assert "Your cards are face down; j turns them up." in screen(presenter)


def test_the_help_names_every_key_at_its_new_place() -> None:
    page = [line for _, line in help_page((), Keymap(NEW))]
    keys = page[: page.index("Beside a name")]
    assert [line for line in keys if named(line)] == []
    moved = {USUAL[action]: key for action, key in NEW.items()}
    for names, text in [*ANSWER_KEYS, *((command.keys, command.text) for command in COMMANDS if command.keys)]:
        row = next(line for line in keys if line.endswith(text))
        assert all(moved[name] in row for name in names if name in moved)


def test_a_key_that_means_something_else_now_still_leaves_when_all_is_over() -> None:
    presenter, session, terminal = sit(LocalTable("stud", 2), keymap=Keymap({"chat": "q", "ask_to_quit": "Q"}))
    session.status = "closed"
    presenter.session_over()
    assert "Q leave" in screen(presenter)
    presenter.press("q")
    assert terminal.ended == ["closed"]
