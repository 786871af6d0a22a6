"""P4: an action becomes seven views on seven sockets, by the real server and by C with epoll.

The server is the real one, in its own process, with the real protocol, the real rules and its journals; the clients are
a C program that plays every hand. The reference does nothing but send frames of the same sizes. Each pair is
measured in the same minute, server on one core and load on the other.
"""

import contextlib
import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from protocol.actions import Action
from protocol.versions import PROTOCOL
from protocol.wire import messages as msg
from protocol.wire.frames import encode_frame
from tests.benchmarks.harness import Args, Bench, Row, Rows, elsewhere, spread

SEATS = 7
SECONDS = 1.0
SOURCE = Path(__file__).with_name("fanout.c")
ACT_BYTES = len(encode_frame(msg.Act(100_000, 100_000, Action("call"))))
PROCESSOR_GOALS = {"none": 3.0, "action": 5.0}
"""Processor time of an action, as a multiple of C's, at 10 and 100 tables."""
WALL_GOALS = {(10, "none"): 0.45, (100, "none"): 0.5, (100, "action"): 0.4}
"""Actions a second, as a share of C's."""


@dataclass(frozen=True, slots=True)
class Measured:
    """Actions a second; microseconds from action to last view (median, 99 %); bytes of a view; microseconds of work."""

    rate: float
    p50: float
    p99: float
    view: float
    processor: float


def _pin(process: subprocess.Popen[str], core: int) -> None:
    with contextlib.suppress(AttributeError, OSError):
        os.sched_setaffinity(process.pid, {core})


def load(program: str, mode: str, port: int, tables: int, what: str, server: int) -> Measured:
    command = [program, mode, str(port), str(tables), str(SECONDS), what, str(server)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
        _pin(process, 0)
        out, _ = process.communicate(timeout=60)
    if process.returncode:
        raise RuntimeError(f"the load generator ended with {process.returncode}")
    return Measured(*map(float, out.split()))


def reference(program: str, tables: int, view: float) -> Measured:
    """The fan-out in C, with frames of that size."""
    size = round(view)
    with subprocess.Popen([program, "serve", str(size)], stdout=subprocess.PIPE, text=True) as server:
        _pin(server, 1)
        assert server.stdout is not None
        port = int(server.stdout.readline())
        try:
            return load(program, "plain", port, tables, str(ACT_BYTES), server.pid)
        finally:
            server.kill()


def settings(folder: Path, tables: int, durability: str, game: str) -> Path:
    """A configuration without clocks, pauses and limits on the rate."""
    text = [f'bind = "127.0.0.1"\nport = 0\nplain_tcp = true\ndata_dir = "{folder}"\nresume = false']
    text.append('log_level = "error"')
    text.append("[limits]\nconnections = 100000\nper_address = 100000\nrate = 1e9\nburst = 1e9\nidle = 600")
    for number in range(tables):
        text.append(
            f'[[table]]\nid = "t{number}"\ngames = ["{game}"]\nseats = {SEATS}\nplayers = {SEATS}\nstart = 0\n'
            f'durability = "{durability}"\nbuy_in = 1000000\nbuy_in_most = 1000000\n'
            "clocks = { bet = 0, choose = 0, arrange = 0, declare = 0, bank = 0, result = 0 }"
        )
    path = folder / "server.toml"
    path.write_text("\n".join(text))
    return path


def script(folder: Path, tables: int) -> Path:
    """What each connection sends to sit down."""
    lines = []
    for number in range(tables):
        for seat in range(SEATS):
            join = msg.Join(f"bot {seat}", os.urandom(32), f"t{number}", bot=True)
            lines.append((encode_frame(msg.Hello(PROTOCOL)) + encode_frame(join)).hex())
    path = folder / "script"
    path.write_text("\n".join(lines) + "\n")
    return path


@contextlib.contextmanager
def card_server(config: Path) -> Iterator[tuple[int, int]]:
    """The real server; its port and its process id."""
    command = [sys.executable, "-m", "server", "serve", "--plain-tcp", "--config", str(config)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True) as server:
        _pin(server, 1)
        assert server.stdout is not None
        try:
            yield int(server.stdout.readline().rsplit(":", 1)[1]), server.pid
        finally:
            server.terminate()
            server.wait(10)


def ours(program: str, tables: int, durability: str, game: str = "stud8") -> Measured:
    """The card server with that many full tables."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        with card_server(settings(folder, tables, durability, game)) as (port, pid):
            return load(program, "cards", port, tables, str(script(folder, tables)), pid)


def compiled(folder: str) -> str | None:
    """The C program, if this machine has a compiler."""
    compiler = shutil.which("cc")
    if compiler is None:
        return None
    program = str(Path(folder) / "fanout")
    subprocess.run([compiler, "-O2", "-o", program, str(SOURCE)], check=True)
    return program


def row(tables: int, durability: str, game: str, args: Args) -> Rows:
    """One size and durability, against C: processor time of an action, and actions a second."""
    name = f"p4-{tables}-{durability}" + f"-{game}" * (game != "stud8")
    unmeasured = ""
    if tables == 1 or game != "stud8":
        unmeasured = "" if args.long else "a size without a goal: make bench-long"
    with tempfile.TemporaryDirectory() as folder:
        program = compiled(folder)
        if program is None:
            unmeasured = "there is no C compiler here, and no other reference is fast enough to mean anything"
        if program is None or unmeasured:
            yield elsewhere(name, unmeasured)
            return
        view = ours(program, tables, durability, game).view
        runs = [
            (ours(program, tables, durability, game), reference(program, tables, view)) for _ in range(args.repeats)
        ]
    mine, theirs = spread([one.processor for one, _ in runs]), spread([other.processor for _, other in runs])
    goal = PROCESSOR_GOALS[durability] if tables > 1 and game == "stud8" else None
    yield Row(
        name=name,
        unit="x C",
        value=spread([one.processor / other.processor for one, other in runs if other.processor]),
        goal=goal,
        note=f"an action {mine.median:.0f} us (C {theirs.median:.0f}), a view {view:.0f} bytes",
    )
    rate, limit = spread([one.rate for one, _ in runs]), spread([other.rate for _, other in runs])
    p50, p99 = spread([one.p50 for one, _ in runs]), spread([one.p99 for one, _ in runs])
    yield Row(
        name=f"{name}-wall",
        unit="x C",
        value=spread([one.rate / other.rate for one, other in runs]),
        goal=WALL_GOALS.get((tables, durability)) if game == "stud8" else None,
        more=True,
        clock="wall",
        note=f"{rate.median:,.0f} actions/s (C {limit.median:,.0f}), "
        f"last view after {p50.median / 1e3:.2f} ms, 99 % {p99.median / 1e3:.2f} ms",
    )


ROWS: dict[str, Bench] = {
    f"p4-{tables}-{durability}" + f"-{game}" * (game != "stud8"): partial(row, tables, durability, game)
    for game in ("stud8", "barneys")
    for tables in (10, 100, 1)
    for durability in ("none", "action")
}
