"""`ryo replay` in a pseudo-terminal: a screen, or lines where the terminal or the settings ask for them."""

import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pexpect
import pytest

from tests.support.paths import ROOT
from tests.support.ryo_process import LIMIT, environment

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="pseudo-terminals are of POSIX")
FULL_SCREEN = "\x1b[?1049h"


@pytest.fixture(scope="module")
def home(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A home in which one hand was played."""
    folder = tmp_path_factory.mktemp("home")
    command = [sys.executable, "-m", "client", "play", "--hands", "1", "--data-dir", str(folder / "data")]
    subprocess.run(
        command,
        cwd=ROOT,
        env=environment(folder),
        stdin=subprocess.DEVNULL,
        capture_output=True,
        timeout=LIMIT,
        check=True,
    )
    return folder


@contextmanager
def terminal(home: Path, term: str, *arguments: str, **extra: str) -> Iterator["pexpect.spawn[str]"]:
    """`ryo replay last` on a terminal of 80 by 24; `extra` goes into its environment."""
    child = pexpect.spawn(
        sys.executable,
        ["-m", "client", "replay", "last", "--data-dir", str(home / "data"), *arguments],
        dimensions=(24, 80),
        encoding="utf-8",
        timeout=LIMIT,
        cwd=ROOT,
        env=environment(home, TERM=term, PYTHONIOENCODING="utf-8", **extra),
    )
    try:
        yield child
    finally:
        child.close(force=True)


def settings_of(home: Path) -> Path:
    path = home / "config" / "rollyourown" / "client.toml"
    path.parent.mkdir(parents=True, exist_ok=True)
    return path


def test_a_replay_opens_a_screen_on_a_terminal(home: Path) -> None:
    with terminal(home, "xterm-256color") as child:
        child.expect_exact(FULL_SCREEN)


@pytest.mark.parametrize(
    ("term", "arguments", "extra", "setting"),
    [
        ("dumb", [], {}, ""),
        ("xterm", ["--plain"], {}, ""),
        ("xterm", [], {"ACCESSIBLE": "1"}, ""),
        ("xterm", [], {}, "plain = true\n"),
    ],
)
def test_ux_4_5_a_replay_is_told_in_lines_for_the_same_reasons_as_a_game(
    home: Path, term: str, arguments: list[str], extra: dict[str, str], setting: str
) -> None:
    settings_of(home).write_text(setting)
    try:
        with terminal(home, term, *arguments, **extra) as child:
            child.expect("Hand 1")
            heard = child.before or ""
            child.sendline("q")
            child.expect(pexpect.EOF)
            assert "\x1b" not in heard + (child.before or "")
            child.wait()
            assert child.exitstatus == 0
    finally:
        settings_of(home).unlink()
