"""The program as a process that is forked from a Python in which its modules are imported already.

A start of the program takes 0.2 to 0.6 seconds of a processor, nearly all of it for imports, and the tests start it
hundreds of times. So each process of tests has one fork server, which imports the modules once, and forks for each
program. The program gets what a start would give it: arguments, environment, standard streams, a session of its own if
it is wanted. It is a child of the process of tests, which waits for it as for any other.

A program has a start of its own where Python, or coverage in it, is to read other settings at the start (`OF_PYTHON`),
where its command is not ``python -m MODULE``, and on other systems than Linux.
"""

import ctypes
import functools
import gc
import importlib
import json
import os
import runpy
import select
import signal
import socket
import subprocess
import sys
import threading
from collections.abc import Mapping
from contextlib import suppress

from tests.support.paths import ROOT

IMPORTED = (
    "client.bots.runner", "client.cli.before_sitting", "client.cli.session_factory", "client.local_game",
    "client.terminal.line_mode", "client.terminal.replay_app", "client.terminal.replay_line_mode",
    "client.terminal.table_app", "replays.library", "replays.verify", "server.app.process",
)  # fmt: skip
"""What programs import later than the modules of the verbs."""
USUAL = {"LANG": "C.UTF-8", "PYTHONFAULTHANDLER": "1"}
"""What programs are told about languages, and about where they hang when they get SIGABRT."""
OF_PYTHON = ("PYTHON", "LANG", "LC_", "COV")
"""How the names of variables begin that Python, or coverage in it, reads at its start."""
_LONGEST_REQUEST = 1 << 17
_SET_CHILD_SUBREAPER = 36
"""From <linux/prctl.h>: this process becomes the parent of processes below it whose own parent ends."""


def _usual() -> dict[str, str]:
    """The environment of programs that can be forked."""
    own = ("COV", "PYTHONUNBUFFERED")
    return {key: value for key, value in {**os.environ, **USUAL}.items() if not key.startswith(own)}


def _of_python(env: Mapping[str, str]) -> dict[str, str]:
    return {key: value for key, value in env.items() if key.startswith(OF_PYTHON)}


class ForkedProgram:
    """A program that was started, with what the tests need of `subprocess.Popen`."""

    def __init__(self, pid: int) -> None:
        self.pid = pid
        self.returncode: int | None = None
        self._one_at_a_time = threading.Lock()

    def poll(self) -> int | None:
        """The exit code, negative for a signal; None while the program runs."""
        with self._one_at_a_time:
            if self.returncode is None:
                ended, status = os.waitpid(self.pid, os.WNOHANG)
                self.returncode = os.waitstatus_to_exitcode(status) if ended else None
        return self.returncode

    def wait(self, timeout: float | None = None) -> int:
        """The exit code, as soon as the program has ended. Raises subprocess.TimeoutExpired after so many seconds."""
        if self.poll() is None:
            with suppress(ProcessLookupError), open(os.pidfd_open(self.pid), "rb", buffering=0) as end:
                select.select([end], [], [], timeout)
        code = self.poll()
        if code is None:
            raise subprocess.TimeoutExpired(str(self.pid), timeout or 0.0)
        return code

    def send_signal(self, number: int) -> None:
        """A signal, if it still runs."""
        if self.poll() is None:
            os.kill(self.pid, number)

    def terminate(self) -> None:
        """SIGTERM"""
        self.send_signal(signal.SIGTERM)

    def kill(self) -> None:
        """SIGKILL"""
        self.send_signal(signal.SIGKILL)


class ForkServer:
    """The fork server of this process."""

    def __init__(self) -> None:
        self._line, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        with theirs:
            self._process = subprocess.Popen(
                [sys.executable, "-m", __name__, str(theirs.fileno())],
                pass_fds=[theirs.fileno()], stdin=subprocess.DEVNULL, cwd=ROOT, env=_usual(),
            )  # fmt: skip
        self._system = ctypes.CDLL(None)
        self._one_at_a_time = threading.Lock()

    def start(
        self, command: list[str], env: Mapping[str, str], streams: tuple[int, int, int], session: bool
    ) -> ForkedProgram:
        """A child of this process that runs a module with arguments; the rest as in `start_program`."""
        request = json.dumps({"command": command, "env": dict(env), "session": session})
        with self._one_at_a_time:
            self._system.prctl(_SET_CHILD_SUBREAPER, 1, 0, 0, 0)
            socket.send_fds(self._line, [request.encode()], list(streams))
            pid, adopted = self._line.recv(100), self._line.recv(100)
            self._system.prctl(_SET_CHILD_SUBREAPER, 0, 0, 0, 0)
        assert adopted, "the fork server has ended"
        return ForkedProgram(int(pid))


@functools.cache
def _fork_server() -> ForkServer:
    return ForkServer()


def start_program(
    command: list[str], env: Mapping[str, str], streams: tuple[int, int, int], *, session: bool = False
) -> "ForkedProgram | subprocess.Popen[bytes]":
    """Starts a program in the repository.

    Args:
        streams: what becomes its standard input, output and error.
        session: whether it leads a session of its own.
    """
    if sys.platform == "linux" and command[:2] == [sys.executable, "-m"] and _of_python(env) == _of_python(_usual()):
        return _fork_server().start(command[2:], env, streams, session)
    stdin, stdout, stderr = streams
    return subprocess.Popen(
        command, stdin=stdin, stdout=stdout, stderr=stderr, cwd=ROOT, env=env, start_new_session=session
    )


# ------------------------------------------------------------------- inside the server


def _import_the_program() -> None:
    from client.cli.main import VERBS

    for module in (*(module for module, _ in VERBS.values()), *IMPORTED):
        importlib.import_module(module)
    gc.freeze()  # or each child would copy the pages of all these objects when it first collects


def _forked(line: socket.socket) -> bool:
    """Whether this is the new program: a child whose parent is the process of tests, because its own has ended."""
    between = os.fork()
    if not between:
        program = os.fork()
        if program:
            line.send(str(program).encode())
            os._exit(0)
        return True
    os.waitpid(between, 0)
    line.send(b"adopted")
    return False


def _become(env: Mapping[str, str], streams: list[int], session: bool) -> None:
    """Gives this process what a start would have given it."""
    if session:
        os.setsid()
    os.environ.clear()
    os.environ.update(env)
    for number, (stream, name) in enumerate(zip(streams, ("stdin", "stdout", "stderr"), strict=True)):
        os.dup2(stream, number)
        os.close(stream)
        old = getattr(sys, name)
        lines = 1 if name == "stderr" else -1
        new = open(number, old.mode, lines, encoding=old.encoding, errors=old.errors, closefd=False)  # noqa: SIM115
        setattr(sys, name, new)
        setattr(sys, f"__{name}__", new)


def serve(line: socket.socket) -> list[str]:
    """Forks a program for each request, as long as there are tests. Returns in each program, with its command."""
    while True:
        request, streams, _, _ = socket.recv_fds(line, _LONGEST_REQUEST, 3)
        if not request:
            return []
        if _forked(line):
            break
        for stream in streams:
            os.close(stream)
    line.close()
    told = json.loads(request)
    _become(told["env"], streams, told["session"])
    return list(told["command"])


if __name__ == "__main__":
    _import_the_program()
    command: list[str] = []
    with suppress(KeyboardInterrupt):  # the whole run of tests was interrupted
        command = serve(socket.socket(fileno=int(sys.argv[1])))
    if command:
        module, *sys.argv[1:] = command
        runpy.run_module(module, run_name="__main__", alter_sys=True)
