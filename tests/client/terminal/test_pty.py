"""The installed program in a real pseudo-terminal; what it draws is read through pyte."""

import os
import re
import select
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pyte
import pytest

from tests.support.paths import ROOT

termios = pytest.importorskip("termios", reason="pseudo-terminals are a Unix thing")
pty = pytest.importorskip("pty")

LIMIT = 30.0
"""Seconds after which a program that was waited for has failed."""


class Program:
    """A program on its own terminal."""

    def __init__(self, argv: list[str], home: Path, **extra: str) -> None:
        columns, rows = 80, 24
        self.pyte = pyte.Screen(columns, rows)
        self.stream = pyte.ByteStream(self.pyte)
        self.master, self.slave = pty.openpty()
        termios.tcsetwinsize(self.slave, (rows, columns))
        self.before = termios.tcgetattr(self.slave)
        environment = {**os.environ, "TERM": "xterm-256color", "LANG": "C.UTF-8", "HOME": str(home), **extra}
        environment.pop("ACCESSIBLE", None)
        self.process = subprocess.Popen(
            argv, stdin=self.slave, stdout=self.slave, stderr=self.slave, cwd=ROOT, env=environment,
            start_new_session=True,
        )  # fmt: skip

    def text(self) -> str:
        return "\n".join(line.rstrip() for line in self.pyte.display)

    def _read(self, seconds: float) -> bool:
        ready, _, _ = select.select([self.master], [], [], max(0.0, seconds))
        if ready:
            self.stream.feed(os.read(self.master, 65536))
        return bool(ready)

    def see(self, *texts: str) -> None:
        """Read until all the texts are on the screen."""
        end = time.monotonic() + LIMIT
        while not all(text in self.text() for text in texts):
            assert self._read(end - time.monotonic()), f"never saw {texts}:\n{self.text()}"

    def see_any(self, *texts: str) -> None:
        """Read until one of the texts is on the screen."""
        end = time.monotonic() + LIMIT
        while not any(text in self.text() for text in texts):
            assert self._read(end - time.monotonic()), f"never saw any of {texts}:\n{self.text()}"

    def lose(self, text: str) -> None:
        """Read until the text is gone."""
        end = time.monotonic() + LIMIT
        while text in self.text():
            assert self._read(end - time.monotonic()), f"{text!r} stays:\n{self.text()}"

    def line_of(self, name: str) -> str:
        """The row of a player's seat."""
        return next(line for line in self.text().splitlines() if re.match(rf".\d {name} ", line))

    def read_for(self, seconds: float) -> None:
        """Show what the program draws in that time."""
        end = time.monotonic() + seconds
        while time.monotonic() < end:
            self._read(end - time.monotonic())

    def type(self, keys: str) -> None:
        os.write(self.master, keys.encode())

    def resize(self, columns: int, rows: int) -> None:
        self.pyte.resize(rows, columns)
        termios.tcsetwinsize(self.master, (rows, columns))
        self.process.send_signal(signal.SIGWINCH)

    def ended(self) -> int:
        """Wait for the end; the exit code."""
        end = time.monotonic() + LIMIT
        while self.process.poll() is None:
            assert time.monotonic() < end, f"does not end:\n{self.text()}"
            self._read(0.05)
        while self._read(0.05):
            pass
        return self.process.returncode

    def restored(self) -> bool:
        """Whether the terminal echoes, reads lines and makes signals as before, with its own screen and cursor."""
        flags: int = termios.tcgetattr(self.slave)[3]
        return flags == self.before[3] and not self.pyte.cursor.hidden

    def close(self) -> None:
        if self.process.poll() is None:
            self.process.kill()
            self.process.wait()
        for end in {self.master, self.slave} - {-1}:
            os.close(end)


@pytest.fixture
def programs(tmp_path: Path) -> Iterator["Programs"]:
    started = Programs(tmp_path)
    yield started
    for program in started.all:
        program.close()


class Programs:
    """Starts programs, each in its own terminal."""

    def __init__(self, home: Path) -> None:
        self.home = home
        self.all: list[Program] = []

    def __call__(self, argv: list[str], **extra: str) -> Program:
        program = Program([sys.executable, "-m", *argv], self.home, **extra)
        self.all.append(program)
        return program


def play(programs: Programs, **extra: str) -> Program:
    """`ryo play` with bots, in a data directory of its own."""
    folder = str(programs.home / "data")
    return programs(
        ["client", "play", "--game", "stud8", "--bots", "2", "--name", "Zoe", "--data-dir", folder], **extra
    )


def test_a_hand_by_keys_and_leave(programs: Programs) -> None:
    program = play(programs)
    program.see("third street")
    end = time.monotonic() + 3 * LIMIT
    while "Space go on" not in program.text():
        assert time.monotonic() < end, program.text()
        program.see_any("Your turn", "Space go on")
        program.read_for(0.4)  # the keys of a new question are dead for a moment
        program.type("b" if "b bring in" in program.text() else "c")
        program.read_for(0.2)
    program.see("the pot", "wins")
    program.type("\x03")
    program.see("once more")
    program.type("\x03")
    assert program.ended() == 0
    assert program.restored()
    assert "recorded in" in program.text()


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGHUP])
def test_signals_restore_the_terminal(programs: Programs, number: signal.Signals) -> None:
    program = play(programs)
    program.see("third street")
    program.process.send_signal(number)
    assert program.ended() == 128 + number
    assert program.restored()


def test_sigint_asks_like_ctrl_c(programs: Programs) -> None:
    program = play(programs)
    program.see("third street")
    program.process.send_signal(signal.SIGINT)
    program.see("once more")
    program.process.send_signal(signal.SIGINT)
    assert program.ended() == 0
    assert program.restored()


def test_a_terminal_that_vanishes_ends_the_program(programs: Programs) -> None:
    program = play(programs)
    program.see("third street")
    os.close(program.master)
    os.close(program.slave)
    program.master = program.slave = -1
    assert program.process.wait(LIMIT) == 128 + signal.SIGHUP


def test_resize_redraws_and_too_small_loses_nothing(programs: Programs) -> None:
    program = play(programs)
    program.see("third street", "Zoe")
    program.resize(120, 40)
    program.see("│")
    program.resize(20, 5)
    program.see("Too small (20x5)")
    program.resize(200, 60)
    program.see("│", "Zoe", "[?? ??]")
    program.resize(1, 1)
    program.lose("Zoe")
    program.resize(80, 24)
    program.see("third street", "Zoe", "[?? ??]")
    program.type("/quit\r")
    assert program.ended() == 0


def test_no_color_and_ascii_terminals(programs: Programs) -> None:
    program = play(programs, NO_COLOR="1", LANG="C", LC_ALL="C", PYTHONIOENCODING="ascii", PYTHONUTF8="0")
    program.see("third street", "Zoe", "----")
    colours = {cell.fg for row in program.pyte.buffer.values() for cell in row.values()}
    assert colours == {"default"}
    assert program.text().isascii()
    program.type("/quit\r")
    assert program.ended() == 0


@pytest.mark.parametrize(("key", "name"), [("z", "ZeroDivisionError"), ("thi\r", "KeyError")])
def test_a_crash_restores_the_terminal_and_is_told(programs: Programs, key: str, name: str) -> None:
    program = programs(["tests.support.play_local", "stud8", "3", "--crash"], PACE="0.05")
    program.see("third street")
    program.type(key)
    assert program.ended() == 1
    assert program.restored()
    assert name in program.text()


class Room:
    """A real server on a port of its own that can be killed and started again, and a bot that plays there."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            self.port = str(free.getsockname()[1])
        self.where = f"127.0.0.1:{self.port}"
        self.server = self._start("server")
        self.bot = self._start("bot")

    def _start(self, what: str) -> "subprocess.Popen[bytes]":
        data = ["--plain-tcp", "--data-dir", str(self.folder / what)]
        if what == "server":
            argv = ["serve", "--bind", "127.0.0.1", "--port", self.port, "--game", "stud", "--seats", "2", "-q", *data]
        else:
            self._wait_for_server()
            argv = ["bot", self.where, "--pace", "0.1", *data]
        return subprocess.Popen(
            [sys.executable, "-m", "client", *argv], cwd=ROOT, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
        )

    def _wait_for_server(self) -> None:
        end = time.monotonic() + LIMIT
        while time.monotonic() < end:
            with socket.socket() as probe:
                if probe.connect_ex(("127.0.0.1", int(self.port))) == 0:
                    return
            time.sleep(0.05)  # another process: there is nothing else to wait on
        raise AssertionError("the server does not listen")

    def kill_server(self) -> None:
        """As a power cut would."""
        self.server.kill()
        self.server.wait()

    def start_server(self) -> None:
        self.server = self._start("server")
        self._wait_for_server()

    def close(self) -> None:
        for process in (self.bot, self.server):
            process.kill()
            process.wait()


@pytest.fixture
def room(tmp_path: Path) -> Iterator[Room]:
    opened = Room(tmp_path)
    yield opened
    opened.close()


def test_a_killed_server_is_a_banner_and_play_goes_on_where_it_stood(programs: Programs, room: Room) -> None:
    program = programs(
        ["client", "join", room.where, "--plain-tcp", "--name", "Zoe", "--data-dir", str(room.folder / "z")]
    )
    program.see("third street", "Your turn")
    cards = re.search(r"\[.. ..\] ..", program.line_of("Zoe"))
    assert cards is not None
    assert "?" not in cards[0]
    room.kill_server()
    program.see("Connection lost, coming back")
    room.start_server()
    program.lose("Connection lost")
    program.see("Your turn", cards[0])
    program.read_for(0.4)
    program.type("b" if "b bring in" in program.text() else "c")
    program.lose("Your turn")
    program.type("/leave\r")
    program.see("once more")
    program.type("/leave\r")
    assert program.ended() == 0
    assert program.restored()
