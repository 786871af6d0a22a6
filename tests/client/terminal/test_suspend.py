"""The program is put to sleep and comes back, under a shell with job control (docs/traps.md, A39)."""

import os
import shutil
import signal
import sys
from collections.abc import Iterator
from pathlib import Path

import pyte
import pytest

from tests.support import sample_session
from tests.support.limits import LIMIT
from tests.support.paths import ROOT
from tests.support.ryo_process import environment

pexpect = pytest.importorskip("pexpect", reason="pseudo-terminals are a Unix thing")
BASH = shutil.which("bash")
pytestmark = [pytest.mark.slow, pytest.mark.skipif(BASH is None, reason="there is no shell with job control")]
PLAY = "client play --game stud8 --bots 2 --name Zoe --data-dir {home}/data"
REPLAY = "client replay {home}/a.ryo --hand 2"


class Shell:
    """A shell on a terminal of its own."""

    def __init__(self, home: Path) -> None:
        self.home = home
        self.screen = pyte.Screen(80, 24)
        self.stream = pyte.Stream(self.screen)
        self.raw = ""
        self.child = pexpect.spawn(
            BASH, ["--norc", "--noprofile", "-i"], cwd=ROOT, dimensions=(24, 80), timeout=LIMIT, encoding="utf-8",
            env=environment(home, TERM="xterm-256color", PS1="$ "),
        )  # fmt: skip

    def see(self, text: str) -> None:
        """Read until the text is on the screen."""
        while text not in "\n".join(self.screen.display):
            piece = self.child.read_nonblocking(65536, timeout=LIMIT)
            self.raw += piece
            self.stream.feed(piece)

    def ask(self, command: str) -> str:
        """The answer of a command that the shell runs."""
        self.raw = ""
        self.child.sendline(f"{command}; echo do''ne")
        self.child.expect("done\r\n")
        self.stream.feed(self.child.before + self.child.after)
        return str(self.child.before)

    def whole(self) -> None:
        """Check that the terminal is as a shell leaves it to a program, and that our screen is gone."""
        told = self.ask("stty -a").split()
        assert {"icanon", "echo", "isig", "icrnl"} <= {word.strip(";") for word in told}
        assert not self.screen.cursor.hidden
        assert "3rd" not in "\n".join(self.screen.display)


@pytest.fixture
def shell(tmp_path: Path) -> Iterator[Shell]:
    """A shell whose programs end with the test."""
    shell = Shell(tmp_path)
    shell.see("$")
    yield shell
    shell.child.close(force=True)


@pytest.mark.parametrize(("command", "seen"), [(PLAY, "Your turn"), (REPLAY, "hand 2 step")])
@pytest.mark.parametrize("how", ["key", "TSTP"])
def test_trap_A39_asleep_the_terminal_is_whole_and_awake_the_screen_is_back(
    shell: Shell, how: str, command: str, seen: str
) -> None:
    sample_session.write(shell.home / "a.ryo")
    shell.child.sendline(f"{sys.executable} -m " + command.format(home=shell.home))
    shell.see(seen)
    if how == "key":
        shell.child.send("\x1a")
    else:
        os.kill(os.tcgetpgrp(shell.child.child_fd), signal.SIGTSTP)
    shell.see("Stopped")
    assert shell.raw.rindex("\x1b[?1049l") > shell.raw.rindex("\x1b[?1049h")
    assert command == REPLAY or shell.raw.rindex("\x1b[?1000l") > shell.raw.rindex("\x1b[?1000h")  # the mouse
    shell.whole()
    shell.child.sendline("fg")
    shell.see(seen)
    shell.child.send("?")
    shell.see("At the table" if command == PLAY else "Replay")
    shell.child.send("\x03")
    if command == PLAY:
        shell.see("Leave?")
        shell.child.send("\x03")
    shell.see("$")
    assert "isig" in shell.ask("stty -a")


def test_trap_A39_a_program_that_was_stopped_without_a_word_draws_again(shell: Shell) -> None:
    shell.child.sendline(f"{sys.executable} -m " + PLAY.format(home=shell.home))
    shell.see("3rd")
    os.kill(os.tcgetpgrp(shell.child.child_fd), signal.SIGSTOP)
    shell.see("Stopped")
    shell.ask("stty sane; clear")
    shell.child.sendline("fg")
    shell.see("3rd")
    shell.child.send("?")
    shell.see("At the table")
