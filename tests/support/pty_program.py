"""The real program in a real pseudo-terminal; what it draws is read through pyte."""

import os
import re
import select
import signal
import sys
import time
from pathlib import Path

import pyte

from tests.support.fork_server import start_program
from tests.support.limits import LIMIT
from tests.support.ryo_process import environment

if sys.platform != "win32":  # Windows has none; the fixture `programs` skips the tests there
    import fcntl
    import pty
    import termios


class PtyProgram:
    """A program on its own terminal."""

    def __init__(self, argv: list[str], home: Path, **extra: str) -> None:
        columns, rows = 80, 24
        self.pyte = pyte.Screen(columns, rows)
        self.stream = pyte.ByteStream(self.pyte)
        self.master, self.slave = pty.openpty()
        termios.tcsetwinsize(self.slave, (rows, columns))
        self.before = termios.tcgetattr(self.slave)
        told = environment(home, TERM="xterm-256color", **extra)
        self.process = start_program(argv, told, (self.slave, self.slave, self.slave), session=True)

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
        """Press the keys one by one: each when the program has read the last one."""
        for key in re.findall(r"\x1b\[[0-9;<]*[A-Za-z~]|.", keys, re.DOTALL):
            self.paste(key)
            self.read_for(0.05)  # until the terminal has handed the key over
            end = time.monotonic() + LIMIT
            while self._unread() and time.monotonic() < end:
                self._read(0.005)

    def _unread(self) -> int:
        """Bytes that the program has not read yet."""
        return int.from_bytes(fcntl.ioctl(self.slave, termios.FIONREAD, bytes(4)), sys.byteorder)

    def paste(self, text: str) -> None:
        """Let a text arrive at once."""
        os.write(self.master, text.encode())

    def resize(self, columns: int, rows: int) -> None:
        self.pyte.resize(rows, columns)
        termios.tcsetwinsize(self.master, (rows, columns))
        self.process.send_signal(signal.SIGWINCH)

    def ended(self) -> int:
        """Wait for the end; the exit code."""
        end = time.monotonic() + LIMIT
        while (code := self.process.poll()) is None:
            assert time.monotonic() < end, f"does not end:\n{self.text()}"
            self._read(0.05)
        while self._read(0.05):
            pass
        return code

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


class PtyPrograms:
    """Starts programs, each in its own terminal."""

    def __init__(self, home: Path) -> None:
        self.home = home
        self.all: list[PtyProgram] = []

    def __call__(self, argv: list[str], **extra: str) -> PtyProgram:
        program = PtyProgram([sys.executable, "-m", *argv], self.home, **extra)
        self.all.append(program)
        return program

    def close(self) -> None:
        """Kills what still runs."""
        for program in self.all:
            program.close()
