"""The real program as a process without a terminal: `python -m client ...` and its like, with a home of its own."""

import os
import re
import signal
import subprocess
import sys
import threading
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from pathlib import Path

from tests.support.fork_server import USUAL, start_program
from tests.support.limits import LIMIT


def environment(home: Path, **extra: str) -> dict[str, str]:
    """The environment of a person with that home: their own files, and no settings from outside.

    The terminal's background is known to be dark: no program asks for it, and waits for an answer. Nothing is looked
    for on the network, and nobody finds what runs there. A program that hangs says where when it gets SIGABRT.
    """
    foreign = ("RYO_", "NO_COLOR", "ACCESSIBLE", "PYTHONUNBUFFERED")
    kept = {key: value for key, value in os.environ.items() if not key.startswith(foreign)}
    folders = {"HOME": home, "XDG_CONFIG_HOME": home / "config", "XDG_DATA_HOME": home / "data"}
    told = {"RYO_LAN": "false", "COLORFGBG": "15;0"}
    return {**kept, **USUAL, **told, **{key: str(folder) for key, folder in folders.items()}, **extra}


def quick_table(folder: Path, game: str = "barneys") -> tuple[str, str]:
    """The option for `ryo serve` with a table that deals at once, and goes on as soon as a hand is over."""
    settings = folder / "quick.toml"
    settings.parent.mkdir(parents=True, exist_ok=True)
    settings.write_text(
        f'[[table]]\nid = "main"\ngames = ["{game}"]\nchange = "never"\nstart = 0.0\n[table.clocks]\nresult = 0\n'
    )
    return "--config", str(settings)


class RyoProcess:
    """One process; threads read what it writes, so that it never waits for the test.

    Attributes:
        popen: the process itself.

    Args:
        inside: what stands before the command (`tests.support.network.Host.inside`).
    """

    def __init__(self, module: str, arguments: tuple[str, ...], env: Mapping[str, str], inside: str = "") -> None:
        pipes = [os.pipe() for _ in range(3)]
        (stdin, keyboard), (out, stdout), (err, stderr) = pipes
        self.popen = start_program(
            [*inside.split(), sys.executable, "-m", module, *arguments], env, (stdin, stdout, stderr)
        )
        for end in (stdin, stdout, stderr):
            os.close(end)
        self._keyboard = open(keyboard, "w", encoding="utf-8")  # noqa: SIM115
        self._out: list[str] = []
        self._err: list[str] = []
        self._silent = False
        self._news = threading.Condition()
        self._readers = [
            threading.Thread(target=self._read, args=(stream, lines), daemon=True)
            for stream, lines in ((out, self._out), (err, self._err))
        ]
        for reader in self._readers:
            reader.start()

    def _read(self, stream: int, lines: list[str]) -> None:
        with open(stream, encoding="utf-8") as text:
            for line in text:
                with self._news:
                    lines.append(line)
                    self._news.notify_all()
        with self._news:
            self._silent = self._silent or lines is self._out
            self._news.notify_all()

    @property
    def out(self) -> str:
        """What it has written to standard output so far."""
        return "".join(self._out)

    @property
    def err(self) -> str:
        """What it has written to standard error so far."""
        return "".join(self._err)

    def lines(self) -> Iterator[str]:
        """Every line of its output, each as soon as it is there; ends with the output."""
        number = 0
        while (line := self._numbered(number)) is not None:
            yield line
            number += 1

    def _numbered(self, number: int) -> str | None:
        """The line with that number, from 0, as soon as it is there; None behind the last one."""
        with self._news:
            self._news.wait_for(lambda: self._silent or len(self._out) > number)
            return self._out[number] if len(self._out) > number else None

    def line(self, text: str) -> str:
        """The first line of its output that holds a text, as soon as it is there."""
        with self._news:
            self._news.wait_for(lambda: self._silent or any(text in line for line in self._out), LIMIT)
            found = next((line for line in self._out if text in line), None)
        assert found is not None, f"it never wrote {text!r}; {self}"
        return found

    def logged(self, text: str) -> str:
        """The first line of its standard error that holds a text, as soon as it is there."""
        with self._news:
            self._news.wait_for(lambda: self._silent or any(text in line for line in self._err), LIMIT)
            found = next((line for line in self._err if text in line), None)
        assert found is not None, f"it never logged {text!r}; {self}"
        return found

    def type(self, text: str) -> None:
        """Types a text, and leaves the keyboard open."""
        self._keyboard.write(text)
        self._keyboard.flush()

    @property
    def code(self) -> int:
        """The exit code of a process that has ended."""
        code = self.popen.poll()
        assert code is not None, f"it still runs; {self}"
        return code

    def finish(self, typed: str = "") -> int:
        """Its exit code, once it has read what is typed and has ended. A process that does not end is killed."""
        if not self._keyboard.closed:
            with suppress(BrokenPipeError):  # it may end without reading
                self._keyboard.write(typed)
                self._keyboard.close()
        try:
            code = self.popen.wait(LIMIT)
        except subprocess.TimeoutExpired:
            self.popen.send_signal(signal.SIGABRT)
            with suppress(subprocess.TimeoutExpired):
                self.popen.wait(LIMIT)
            self.kill()
            raise AssertionError(f"it does not end; {self}") from None
        for reader in self._readers:
            reader.join(LIMIT)
        return code

    def kill(self) -> None:
        """kill -9, if it still runs."""
        self.popen.kill()
        self.finish()

    def __str__(self) -> str:
        return f"it wrote:\n{self.out[-2000:]}\n{self.err[-2000:]}"


class RyoProcesses:
    """Starts processes, and kills those that are left at the end of the test: the fixture `ryo`."""

    def __init__(self) -> None:
        self._started: list[RyoProcess] = []

    def start(self, home: Path, *arguments: str, module: str = "client", inside: str = "", **extra: str) -> RyoProcess:
        """A process of the person with that home; `inside` as in `RyoProcess`, `extra` goes into its environment."""
        process = RyoProcess(module, arguments, environment(home, **extra), inside)
        self._started.append(process)
        return process

    def run(
        self,
        home: Path,
        *arguments: str,
        typed: str = "",
        module: str = "client",
        inside: str = "",
        **extra: str,
    ) -> RyoProcess:
        """A process that has ended by itself."""
        process = self.start(home, *arguments, module=module, inside=inside, **extra)
        process.finish(typed)
        return process

    @contextmanager
    def serving(self, folder: Path, *arguments: str, port: int = 0) -> Iterator[tuple[RyoProcess, str]]:
        """A server on the loopback interface with its data in ``FOLDER/server``, and the link that it reads out."""
        where = ("--bind", "127.0.0.1", "--port", str(port), "--data-dir", str(folder / "server"))
        server = self.start(folder, "serve", *where, *arguments)
        try:
            yield server, server.line("ryo join ").removeprefix("ryo join ").strip().strip('"')
        finally:
            server.kill()

    def close(self) -> None:
        """Kills every process that still runs."""
        for process in self._started:
            process.kill()


def last_hand(bot: RyoProcess) -> int:
    """The number of the last hand that a bot has told of; 0 before the first one."""
    return max(map(int, re.findall(r"Hand (\d+) is over", bot.out)), default=0)


def address_of(link: str) -> str:
    """``HOST:PORT`` of a link, with or without a fingerprint."""
    return link.removeprefix("--plain-tcp ").removeprefix("ryo://").split("/")[0]


def port_of(link: str) -> int:
    """The port of a link."""
    return int(address_of(link).rpartition(":")[2])
