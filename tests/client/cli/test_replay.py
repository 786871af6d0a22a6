"""`ryo replay` on a terminal: a screen, or lines where the terminal or the settings ask for them."""

from pathlib import Path

import pytest

from tests.support.expect_program import ended, needs_terminal, on_terminal
from tests.support.ryo_process import RyoProcesses

pytestmark = [pytest.mark.slow, needs_terminal]


@pytest.fixture
def home(ryo: RyoProcesses, tmp_path: Path) -> Path:
    """A home in which one hand was played."""
    ryo.run(tmp_path, "play", "--hands", "1")
    return tmp_path


def test_a_replay_opens_a_screen_on_a_terminal(home: Path) -> None:
    with on_terminal(home, "replay", "last", term="xterm-256color") as child:
        child.expect_exact("\x1b[?1049h")


@pytest.mark.parametrize(
    ("term", "arguments", "extra", "settings"),
    [
        ("dumb", [], {}, ""),
        ("xterm", ["--plain"], {}, ""),
        ("xterm", [], {"ACCESSIBLE": "1"}, ""),
        ("xterm", [], {}, "plain = true\n"),
    ],
)
def test_ux_4_5_a_replay_is_told_in_lines_for_the_same_reasons_as_a_game(
    home: Path, term: str, arguments: list[str], extra: dict[str, str], settings: str
) -> None:
    path = home / "config" / "rollyourown" / "client.toml"
    path.parent.mkdir(parents=True)
    path.write_text(settings)
    with on_terminal(home, "replay", "last", *arguments, term=term, **extra) as child:
        child.expect("Hand 1")
        written = child.before or ""
        child.sendline("q")
        assert ended(child) == 0
        assert "\x1b" not in written + (child.before or "")
