"""The mouse: a click on a key, or on its words, presses it; the wheel scrolls the story."""

import pytest

from client.display.hit_test import key_at
from client.display.theme import Theme
from client.terminal.table_app import Options
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
    desk, session, _ = sit(table)
    desk.chatting = True
    text = screen(desk)
    for row in range(SIZE[1]):
        for column in range(SIZE[0]):
            desk.click(column, row)
    assert session.acted == []
    desk.click(0, 99)
    desk.click(-1, -1)
    assert screen(desk) == text


@pytest.mark.parametrize("game", ["barneys", "razz", "stud8"])
def test_a_whole_hand_by_clicks_alone(game: str) -> None:
    """Whatever is asked, the answer can be clicked together."""
    table = LocalTable(game, min(4, GAMES[game].most_players), seed=2)
    desk, session, _ = sit(table)
    table.deal()
    table.settle()
    clicks = 0
    while session.view.playing:
        lines = desk.lines(*SIZE)
        keys = [
            (key, column, row)
            for row, line in enumerate(lines)
            for column in range(SIZE[0])
            if (key := key_at(line, column)) and (not column or key_at(line, column - 1) != key)
        ]
        first = next(one for one in keys if one[0] not in ("f", "r", "R", "B", "backspace", "escape"))
        enter = [one for one in keys if one[0] == "enter"]
        _, column, row = (enter or [first])[0]
        desk.click(column, row)
        clicks += 1
        assert clicks < 200
        table.settle()
    assert session.acted
    assert screen(desk)
