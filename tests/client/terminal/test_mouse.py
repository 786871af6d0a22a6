"""The mouse: a click on a key, or on its words, presses it; the wheel scrolls the story."""

from collections.abc import Callable

import pytest

from client.display.theme import Theme
from client.presenter.options import Options
from client.presenter.table import TablePresenter
from protocol.actions import Action
from server.engine.games.catalogue import GAMES
from tests.support.local_table import LocalTable
from tests.support.seated_presenter import SIZE, screen, sit
from tests.support.terminal import Terminal, show


def place(text: str, wanted: str) -> tuple[int, int]:
    """Column and row, from 0, of the text on the screen."""
    for row, line in reversed(list(enumerate(text.splitlines()))):
        if wanted in line:
            return line.index(wanted), row
    raise AssertionError(f"{wanted!r} is not on the screen:\n{text}")


def clickable(presenter: TablePresenter) -> dict[str, Callable[[], None]]:
    """The keys on the screen that can be clicked, in their order, and what a click on them does."""
    fragments = [fragment for line in presenter.lines(*SIZE) for fragment in line]
    return {one[1]: one[2] for one in fragments if len(one) == 3 and one[0] == "class:key"}


def click(text: str, wanted: str) -> str:
    """What a terminal sends for a click there (SGR 1006)."""
    column, row = place(text, wanted)
    return f"\x1b[<0;{column + 1};{row + 1}M\x1b[<0;{column + 1};{row + 1}m"


def test_a_click_on_the_words_beside_a_key_acts_and_elsewhere_does_not() -> None:
    table = LocalTable("stud", 3)
    table.deal()
    table.play_until(lambda view: view.seat(1).pending is not None and any(seat.last for seat in view.seats))
    session = table.session(1)

    async def script(terminal: Terminal) -> None:
        await terminal.see("Your turn")
        terminal.type(click(terminal.text(), "Your turn"), click(terminal.text(), "Ann"), click(terminal.text(), "pot"))
        terminal.type("?")
        await terminal.see("At the table")
        assert session.acted == []
        terminal.type("esc")
        await terminal.lose("At the table")
        terminal.type(click(terminal.text(), "call "))
        await terminal.lose("Your turn")
        terminal.type("ctrl-c", "ctrl-c")

    show(session, script)
    assert session.acted == [Action("call")]


def test_the_wheel_scrolls_and_the_mouse_can_be_left_out() -> None:
    table = LocalTable("stud", 3)
    session = table.session(1)

    async def script(terminal: Terminal) -> None:
        await terminal.see("Waiting")
        for number in range(30):
            session.say(f"word {number}.")
        await terminal.see("word 29.")
        terminal.type("\x1b[<64;5;12M" * 3)
        await terminal.see("later lines")
        terminal.type("\x1b[<65;5;12M" * 4)
        await terminal.see("word 29.")
        terminal.type("ctrl-c", "ctrl-c")

    _, terminal = show(session, script)
    assert "\x1b[?1000h" in terminal.raw
    assert terminal.raw.rindex("\x1b[?1000l") > terminal.raw.rindex("\x1b[?1000h")

    async def leaves(terminal: Terminal) -> None:
        await terminal.see("Waiting")
        terminal.type("ctrl-c", "ctrl-c")

    _, terminal = show(table.session(1), leaves, options=Options(theme=Theme(palette="none"), mouse=False))
    assert "\x1b[?1000h" not in terminal.raw


def test_clicks_do_nothing_while_the_chat_has_the_keyboard() -> None:
    table = LocalTable("stud", 3)
    table.deal()
    table.play_until(lambda view: view.seat(1).pending is not None)
    presenter, session, _ = sit(table)
    presenter.mode.chatting = True
    text = screen(presenter)
    hints = clickable(presenter)
    assert "f" in hints
    for press in hints.values():
        press()
    assert session.acted == []
    assert screen(presenter) == text


@pytest.mark.parametrize("game", ["barneys", "razz", "stud8"])
def test_a_whole_hand_by_clicks_alone(game: str) -> None:
    """Whatever is asked, the answer can be clicked together."""
    table = LocalTable(game, min(4, GAMES[game].most_players), seed=2)
    presenter, session, _ = sit(table)
    table.deal()
    table.settle()
    clicks = 0
    while session.view.playing:
        hints = clickable(presenter)
        first = next(key for key in hints if key not in ("f", "r", "R", "B", "Backspace", "Esc"))
        hints["Enter" if "Enter" in hints else first]()
        clicks += 1
        assert clicks < 200
        table.settle()
    assert session.acted
    assert screen(presenter)
