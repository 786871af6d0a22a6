"""P4: an action becomes seven views on seven sockets, by the real server and by C with epoll.

The server is the real one, in its own process, with the real protocol, the real rules and its journals; the clients are
a C program that plays every hand. The reference does nothing but send frames of the same sizes. Each pair is
measured in the same minute, server on one core and load on the other.
"""

import contextlib
import os
import shutil
import statistics
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from protocol.actions import Action
from protocol.versions import PROTOCOL
from protocol.wire import messages as msg
from protocol.wire.frames import encode_frame
from tests.benchmarks.harness import Args, title

SEATS = 7
SECONDS = 1.0
SOURCE = Path(__file__).with_name("fanout.c")
ACT_BYTES = len(encode_frame(msg.Act(100_000, 100_000, Action("call"))))
GOALS = {(10, "none"): 0.55, (100, "none"): 0.45, (100, "action"): 0.45}


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


def _load(program: str, mode: str, port: int, tables: int, what: str, server: int) -> Measured:
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
            return _load(program, "plain", port, tables, str(ACT_BYTES), server.pid)
        finally:
            server.kill()


def settings(folder: Path, tables: int, durability: str, game: str) -> Path:
    """A configuration without clocks, pauses and limits on the rate."""
    text = [f'bind = "127.0.0.1"\nport = 0\nplain_tcp = true\ndata_dir = "{folder}"\nresume = false']
    text.append('log_level = "error"')
    text.append("[limits]\nconnections = 100000\nper_address = 100000\nrate = 1e9\nburst = 1e9")
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
            return _load(program, "cards", port, tables, str(script(folder, tables)), pid)


def compiled(folder: str) -> str | None:
    """The C program, if this machine has a compiler."""
    compiler = shutil.which("cc")
    if compiler is None:
        return None
    program = str(Path(folder) / "fanout")
    subprocess.run([compiler, "-O2", "-o", program, str(SOURCE)], check=True)
    return program


def main(args: Args) -> None:
    """Print each size and durability with its ratio to C."""
    title("Fan-out: action -> seven views on seven sockets, actions per second against C + epoll (P4)")
    with tempfile.TemporaryDirectory() as folder:
        program = compiled(folder)
        if program is None:
            print("skipped: there is no C compiler here, and no other reference is fast enough to mean anything")
            return
        games = ("stud8", "barneys") if args.long else ("stud8",)
        for game in games:
            for tables in (1, 10, 100):
                for durability in ("none", "action"):
                    compare(program, tables, durability, game, args.repeats)


def compare(program: str, tables: int, durability: str, game: str, repeats: int) -> None:
    """One line: medians of interleaved runs."""
    view = ours(program, tables, durability, game).view
    runs = [(ours(program, tables, durability, game), reference(program, tables, view)) for _ in range(repeats)]
    ratio = statistics.median(mine.rate / theirs.rate for mine, theirs in runs)
    rate = statistics.median(mine.rate for mine, _ in runs)
    limit = statistics.median(theirs.rate for _, theirs in runs)
    p50 = statistics.median(mine.p50 for mine, _ in runs)
    p99 = statistics.median(mine.p99 for mine, _ in runs)
    work = statistics.median(mine.processor for mine, _ in runs)
    least = statistics.median(theirs.processor for _, theirs in runs)
    goal = GOALS.get((tables, durability)) if game == "stud8" else None
    verdict = "" if goal is None else f"  goal {goal:g} x: {'reached' if ratio >= goal else 'MISSED'}"
    print(
        f"{game:<8}{tables:>4} tables, {durability:<7}{rate:>7,.0f}/s  C {limit:>7,.0f}/s  {ratio:.2f} x{verdict:<22}"
        f"  processor {work:>4.0f} us, C {least:>4.0f} us, {least / work if work else 0:.2f} x"
        f"  p50 {p50 / 1e3:.2f} ms, p99 {p99 / 1e3:.2f} ms, {view:.0f} bytes a view",
        flush=True,
    )
