"""What is typed does the same on the full screen and in lines, and is refused with the same sentence."""

import pytest

from client.terminal.line_mode import LineMode
from tests.support.local_table import LocalTable
from tests.support.seated_presenter import screen, sit

SAID = [
    ("/rebuy", "/rebuy needs CHIPS."),
    ("/rebuy 0", "/rebuy needs a number of chips: /rebuy 50"),
    ("/rebuy much", "/rebuy needs a number of chips: /rebuy 50"),
    ("/rebuy 99999999999", "/rebuy needs a number of chips: /rebuy 50"),
    ("/away now", "/away stands alone."),
    ("/show", "There is nothing to show yet: cards can be shown when the hand is over."),
    ("/leave", "/leave once more gives seat and chips back for good; /quit keeps them."),
    ("/muck", "Your hidden cards stay hidden; nobody sees what you do not show."),
    ("/xyzzy", "There is no /xyzzy. /help lists what there is."),
    ("/seat x", "There is no seat x; the table has 3."),
    ("/card 9", "You have no cards."),
    ("/why", "There is nothing to explain."),
]


@pytest.mark.parametrize(("typed", "told"), SAID)
def test_the_same_is_said_on_the_screen_and_in_lines(typed: str, told: str) -> None:
    table = LocalTable("stud", 3)
    presenter, _, _ = sit(table)
    presenter.entered(typed)
    assert told in screen(presenter)
    lines: list[str] = []
    LineMode(table.session(1), lines.append).enter(typed)
    assert lines == [told]


@pytest.mark.parametrize(
    "typed", ["/away", "/back", "/rebuy 50", "/move 2", "/next", "/show", "/say hello", "/hand", "/leave"]
)
def test_a_spectator_is_told_what_needs_a_seat(typed: str) -> None:
    table = LocalTable("stud", 3)
    presenter, session, terminal = sit(table, seat=0)
    presenter.entered(typed)
    assert "You are only watching." in screen(presenter)
    assert (session.said, terminal.ended) == ([], [])
    lines: list[str] = []
    LineMode(table.session(0), lines.append).enter(typed)
    assert [line.partition(" /quit")[0] for line in lines] == ["You are only watching."]


@pytest.mark.parametrize("typed", ["/move 0", "/move 4", "/move x", "/move -1", "/move 99999999999"])
def test_a_move_names_a_seat_of_the_table(typed: str) -> None:
    session = LocalTable("stud", 3).session(1)
    lines: list[str] = []
    LineMode(session, lines.append).enter(typed)
    assert (lines, session.moves) == (["/move needs a seat from 1 to 3: /move 3"], [])


def test_a_player_moves_by_the_same_word_on_the_screen_and_in_lines() -> None:
    table = LocalTable("stud", 3)
    presenter, session, _ = sit(table)
    presenter.entered("/move 3")
    LineMode(session, lambda line: None).enter("/move 2")
    assert session.moves == [3, 2]


def test_only_two_leave_in_a_row_give_the_seat_back() -> None:
    presenter, session, _ = sit(LocalTable("stud", 3))
    for typed in ("/leave", "good night", "/leave", "/pot", "/leave"):
        presenter.entered(typed)
        assert session.view.seat(1).name == "Ann"
    presenter.entered("/leave")
    assert session.view.seat(1).name == ""


def test_commands_of_the_screen_are_named_as_such_in_lines() -> None:
    lines: list[str] = []
    mode = LineMode(LocalTable("stud", 3).session(1), lines.append)
    for typed in ("/colours two", "/bell"):
        mode.enter(typed)
    assert lines == ["/colours is for the full screen.", "/bell is for the full screen."]


def test_in_lines_a_command_needs_its_slash() -> None:
    table = LocalTable("stud", 3)
    session = table.session(1)
    lines: list[str] = []
    mode = LineMode(session, lines.append)
    for typed in ("say hello", "leave", "away", "chips 50"):
        mode.enter(typed)
        assert lines[-1].startswith(f"Not understood: {typed}.")
    assert (session.said, session.view.seat(1).chips, mode.done) == ([], 100, False)
