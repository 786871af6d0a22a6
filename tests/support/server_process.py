"""The real program as a process: `python -m server serve`, started, killed, stopped."""

import os
import re
import signal
import subprocess
import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

import trio

from tests.support.limits import LIMIT
from tests.support.paths import ROOT

_ADDRESS = re.compile(r"127\.0\.0\.1:(\d+)")


@dataclass
class Ended:
    """How a process ended, and what it said."""

    code: int
    out: str
    err: str


@dataclass
class ServerProcess:
    """One process of the server on the loopback interface.

    Fields:
        folder: its data directory. settings: text of its settings file; empty for none.
        flags: more of them. environment: more of it.
        wrapper: a command in front of Python, e.g. ``strace``.
        handed_over: file descriptors that stay open for it.
    """

    folder: Path
    settings: str = ""
    flags: Sequence[str] = ()
    environment: Mapping[str, str] = field(default_factory=dict)
    wrapper: Sequence[str] = ()
    handed_over: Sequence[int] = ()
    port: int = 0
    process: trio.Process | None = None

    def command(self) -> list[str]:
        """What is run."""
        line = [*self.wrapper, sys.executable, "-m", "server", "serve", "--bind", "127.0.0.1", "--port", "0"]
        if self.settings:
            file = self.folder.parent / f"{self.folder.name}.toml"
            file.write_text(self.settings)
            line += ["--config", str(file)]
        return [*line, "--data-dir", str(self.folder), *self.flags]

    async def start(self) -> int:
        """Runs until the process says where it listens; its port. What it logs goes to ``FOLDER.log``."""
        async with await trio.open_file(self.log, "ab") as log:
            self.process = await trio.lowlevel.open_process(
                self.command(),
                stdout=subprocess.PIPE,
                stderr=log.fileno(),
                pass_fds=self.handed_over,
                cwd=ROOT,
                env={**os.environ, "RYO_LAN": "false", **self.environment},
            )
        assert self.process.stdout is not None
        said = b""
        with trio.fail_after(LIMIT):
            while not (found := _ADDRESS.search(said.decode(errors="replace"))):
                more = await self.process.stdout.receive_some()
                assert more, f"it ended: {self.log.read_text()[-2000:]}"
                said += more
        self.port = int(found[1])
        return self.port

    @property
    def log(self) -> Path:
        """What it has logged in all its lives."""
        return self.folder.parent / f"{self.folder.name}.log"

    def send(self, number: signal.Signals) -> None:
        """A signal."""
        assert self.process is not None
        self.process.send_signal(number)

    async def wait(self) -> int:
        """Its exit code, once it has ended."""
        assert self.process is not None
        with trio.fail_after(LIMIT):
            code = await self.process.wait()
        assert self.process.stdout is not None
        await self.process.stdout.aclose()
        return code

    async def clean_up(self) -> None:
        """Ends the process if it still runs, whatever else happens."""
        with trio.CancelScope(shield=True):
            if self.process is not None and self.process.returncode is None:
                await self.kill()

    async def kill(self) -> None:
        """kill -9"""
        self.send(signal.SIGKILL)
        await self.wait()

    async def stop(self) -> int:
        """SIGTERM, and the exit code."""
        self.send(signal.SIGTERM)
        return await self.wait()

    async def run_to_the_end(self) -> Ended:
        """For starts that fail."""
        with trio.fail_after(LIMIT):
            done = await trio.run_process(
                self.command(),
                capture_stdout=True,
                capture_stderr=True,
                check=False,
                cwd=ROOT,
                env={**os.environ, "RYO_LAN": "false", **self.environment},
            )
        return Ended(done.returncode, done.stdout.decode(), done.stderr.decode())
