"""The terminal is asked whether its background is dark."""

from pathlib import Path

import pexpect
import pytest

from tests.support.expect_program import ended, needs_terminal, on_terminal

pytestmark = [pytest.mark.slow, needs_terminal]

QUESTION = "\x1b]11;?"
CURSOR = "\x1b[1;1R"
"""The answer to where the cursor is; the question for it comes last, so it ends the waiting."""


def leave(child: "pexpect.spawn[str]") -> None:
    """Ends the program once it is the player's turn: when the turn comes, the question whether to leave goes."""
    child.expect("Turn one card up")
    child.sendcontrol("c")
    child.expect("Leave")
    child.sendcontrol("c")
    assert ended(child) == 0


@pytest.mark.parametrize(
    ("answer", "bright"),
    [
        ("\x1b]11;rgb:ffff/ffff/ffff\x1b\\", True),
        ("\x1b]11;rgb:fdfd/f6f6/e3e3\x07", True),
        ("\x1b]11;rgb:1e1e/1e1e/1e1e\x1b\\", False),
        ("\x1b]11;rgb:00/2b/36\x1b\\", False),
        ("\x1b]11;rgb:f/f/e\x07", True),
        ("", False),
    ],
)
def test_the_colours_suit_the_background_that_the_terminal_names(tmp_path: Path, answer: str, bright: bool) -> None:
    light, dark = "\x1b[0;34;1m", "\x1b[0;96;1m"  # the colour of the player's own name
    where = ("--data-dir", str(tmp_path / "data"), "--name", "Ann", "--bots", "1")
    with on_terminal(tmp_path, "play", *where, term="xterm-256color", COLORFGBG="") as child:
        child.expect_exact(QUESTION)
        child.send(answer + CURSOR)
        child.expect_exact("\x1b[?1049h")
        child.expect_exact(light if bright else dark)
        leave(child)


@pytest.mark.parametrize("asked", [("--light",), ("--dark",), ("--color", "never")])
def test_nothing_is_asked_where_it_is_said(tmp_path: Path, asked: tuple[str, ...]) -> None:
    where = ("--data-dir", str(tmp_path / "data"), "--name", "Ann", "--bots", "1", *asked)
    with on_terminal(tmp_path, "play", *where, term="xterm-256color", COLORFGBG="") as child:
        child.expect_exact("\x1b[?1049h")
        assert QUESTION not in (child.before or "")
        leave(child)
