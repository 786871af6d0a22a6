"""`ryo play` on a terminal: the full screen, and the line mode on a terminal that can do no more."""

import re
import signal
from contextlib import AbstractContextManager
from pathlib import Path

import pexpect
import pytest

from tests.support.expect_program import ended, needs_terminal, on_terminal

pytestmark = [pytest.mark.slow, needs_terminal]


def terminal(home: Path, term: str, *arguments: str, **extra: str) -> AbstractContextManager["pexpect.spawn[str]"]:
    """`ryo play` on a terminal, with a home of its own; `extra` goes into its environment."""
    return on_terminal(home, "play", "--data-dir", str(home / "data"), "--name", "Ann", *arguments, term=term, **extra)


def test_the_full_screen_opens_on_a_terminal_and_leaves_it_as_it_was(tmp_path: Path) -> None:
    with terminal(tmp_path, "xterm-256color", "--game", "stud8") as child:
        child.expect_exact("\x1b[?1049h")
        child.expect("Your turn")  # when it comes, the question whether to leave goes
        assert {"Ann", "Ada"} <= set(re.findall(r"\w+", child.before or ""))
        child.sendcontrol("c")
        child.expect("Leave?")
        child.sendcontrol("c")
        child.expect_exact("\x1b[?1049l")
        child.expect(r"The hands are recorded in\s+.*play.ryo")
        assert ended(child) == 0


def test_ux_4_5_a_dumb_terminal_gets_lines_without_escape_bytes(tmp_path: Path) -> None:
    with terminal(tmp_path, "dumb", "--game", "razz", "--bots", "1") as child:
        heard: list[str] = []
        child.expect("Type \\? for help")
        heard.append(child.before or "")
        child.expect("Choose a card to turn up: 1 .., 2 .., 3 ..")
        heard.append(child.before or "")
        child.sendline("2")
        child.expect("Ann turns up ..\\.|Chosen; waiting for")
        child.sendline("rules")  # a question whose answer ends in words that nothing else has
        child.expect("Source: ")
        child.sendline("/quit")
        child.expect("Goodbye")
        heard.append(child.before or "")
        assert ended(child) == 0
        heard.append(child.before or "")
        assert "\x1b" not in "".join(heard)


def test_ux_4_5_ACCESSIBLE_or_a_setting_asks_for_lines_on_any_terminal(tmp_path: Path) -> None:
    with terminal(tmp_path, "xterm", ACCESSIBLE="1") as child:
        child.expect("Type \\? for help")
        assert "\x1b" not in (child.before or "")
    (tmp_path / "config" / "rollyourown").mkdir(parents=True)
    (tmp_path / "config" / "rollyourown" / "client.toml").write_text("plain = true\n")
    with terminal(tmp_path, "xterm") as child:
        child.expect("Type \\? for help")
        assert "\x1b" not in (child.before or "")


def test_an_interrupt_in_line_mode_ends_without_a_traceback(tmp_path: Path) -> None:
    with terminal(tmp_path, "dumb") as child:
        child.expect("Type \\? for help")
        child.kill(signal.SIGINT)
        assert ended(child) == 130
        assert "Traceback" not in (child.before or "")


def test_the_end_of_the_terminal_ends_the_game(tmp_path: Path) -> None:
    with terminal(tmp_path, "dumb") as child:
        child.expect("Type \\? for help")
        child.sendeof()
        child.expect("Goodbye")
        assert ended(child) == 0


def test_leaving_sums_up_the_evening(tmp_path: Path) -> None:
    with terminal(tmp_path, "dumb", "--game", "stud", "--bots", "1", "--pace", "0.1") as child:
        for _ in range(40):
            found = child.expect(["Hand 1 is over", "Your turn: .*\r\n", "your turn: .*\r\n"])
            if not found:
                break
            child.sendline("c" if "c c" in str(child.after) else "b")
        child.expect(r"You: ([+-]\d+|0), ")
        assert isinstance(child.match, re.Match)
        net = child.match[1]
        child.sendline("/quit")
        child.expect("Goodbye")
        child.expect(r"Tonight: 1 hand, less than a minute, (\S+)\. Biggest pot \d+ \(hand 1\)\.")
        assert isinstance(child.match, re.Match)
        assert child.match[1] == net
        child.expect(r"ryo\s+replay\s+last")
        assert ended(child) == 0
