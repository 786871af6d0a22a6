"""The full screen: a full table is drawn in less than ten milliseconds, and a client at rest takes no processor time.

*Lines* is our own part, from the view to styled lines. *Screen* is everything up to the bytes for the terminal, with
every cell new (as after a resize) or with one sentence more in the story. *At rest* is the installed program on a real
pseudo-terminal, its player being asked and thinking: processor seconds for each second on the clock, with the embedded
server and the bots of `ryo play` in it.
"""

import io
import os
import pty
import select
import sys
import tempfile
import termios
import time
from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path

from prompt_toolkit.application import create_app_session
from prompt_toolkit.application.current import set_app
from prompt_toolkit.data_structures import Size
from prompt_toolkit.input import DummyInput
from prompt_toolkit.output.vt100 import Vt100_Output

from client.display.theme import Theme
from client.presenter.options import Options
from client.terminal.table_app import TableApp
from tests.benchmarks.bench_start import served
from tests.benchmarks.harness import (
    Args,
    Bench,
    Row,
    Rows,
    elsewhere,
    interleaved,
    processor_seconds,
    seconds_row,
    spread,
)
from tests.support.local_table import LocalSession, LocalTable
from tests.support.paths import ROOT

GOAL = 0.010
"""Seconds for a full table."""
IDLE_GOAL, MEMORY_GOAL = 0.01, 60.0
"""Processor seconds a second at rest, and MB."""
PAGE_GOAL = 200.0
"""kB of all files of the page, not compressed."""
AFTER_RESIZE = "after-resize"
"""Every cell is new. Grows with the cells of the window, and is prompt_toolkit's work; it has no goal."""
MANY = 20
"""Drawings in one measured run."""
SIZES = ((80, 24), (120, 40), (200, 60))
WIDE_NAMES = ("Ann", "김영희", "Zoë", "田中さん", "Konstantin", "Bo", "Fay", "Gus")


class _Window(io.StringIO):
    """What the bytes for the terminal go into."""

    encoding = "utf-8"

    def isatty(self) -> bool:
        return True


def full_table() -> LocalSession:
    """Eight players on seventh street, all of them in, with a long story behind them."""
    for seed in range(200):
        table = LocalTable("stud8", 8, seed=seed, names=WIDE_NAMES, chips=1000)
        session = table.session(1)
        table.deal()
        table.play_until(lambda view: view.street == "seventh street" or not view.playing)
        if table.state.view.playing and len(table.state.view.in_hand()) == 8:
            return session
    raise AssertionError("nobody ever stays in")


def screen_of(session: LocalSession, columns: int, rows: int) -> TableApp:
    """A screen of that size which has told a long evening."""
    output = Vt100_Output(_Window(), lambda: Size(rows, columns), term="xterm-256color", enable_cpr=False)
    with create_app_session(input=DummyInput(), output=output):
        screen = TableApp(session, Options(theme=Theme(symbols=True)), DummyInput(), output)
    for number in range(2000):
        session.say(f"this is what was said in sentence {number}, about Kd 9h and other cards")
    return screen


def drawing(columns: int, rows: int, args: Args) -> Rows:
    """Lines and screens at one size."""
    session = full_table()
    screen = screen_of(session, columns, rows)

    def lines() -> None:
        for _ in range(MANY):
            screen.presenter.lines(columns, rows)

    def anew() -> None:
        for _ in range(MANY):
            renderer = screen.app.renderer
            renderer.reset()
            renderer.render(screen.app, screen.app.layout)

    def more() -> None:
        for _ in range(MANY):
            session.say("one sentence more, with As in it")
            screen.app.renderer.render(screen.app, screen.app.layout)

    jobs: dict[str, Callable[[], object]] = {"lines": lines, AFTER_RESIZE: anew, "redraw": more}
    with set_app(screen.app):  # as while it runs
        times = interleaved(jobs, args.repeats)
    for name, took in times.items():
        goal = GOAL if name != AFTER_RESIZE and columns == 120 else None
        yield seconds_row(f"p10-screen-{columns}x{rows}-{name}", took, goal, each=1 / MANY)


PLAY = (("play", "--game", "stud", "--bots", "3,house", "--name", "Ann"), b"Your turn")


def at_rest(command: Sequence[str], seen: bytes, seconds: float) -> tuple[float, float]:
    """Processor seconds a second, and MB, of a command of `ryo` that has drawn so much and waits."""
    with tempfile.TemporaryDirectory() as home:
        program = [sys.executable, "-m", "client", *command]
        environment = {**os.environ, "HOME": home, "TERM": "xterm-256color", "XDG_CONFIG_HOME": home}
        environment |= {"RYO_DATA_DIR": str(Path(home) / "data"), "LANG": "C.UTF-8"}
        environment.pop("ACCESSIBLE", None)
        child, terminal = pty.fork()
        if not child:
            os.execve(sys.executable, program, environment)
        try:
            termios.tcsetwinsize(terminal, (24, 80))
            _read_until(terminal, seen)
            _read_for(terminal, 1.0)
            before, begun = processor_seconds(child), time.monotonic()
            _read_for(terminal, seconds)
            return (processor_seconds(child) - before) / (time.monotonic() - begun), _megabytes(child)
        finally:
            os.kill(child, 9)
            os.waitpid(child, 0)
            os.close(terminal)


def _read_until(terminal: int, wanted: bytes) -> None:
    seen = b""
    end = time.monotonic() + 60
    while wanted not in seen:
        assert time.monotonic() < end, seen[-2000:]
        if select.select([terminal], [], [], 1)[0]:
            seen += os.read(terminal, 65536)


def _read_for(terminal: int, seconds: float) -> None:
    end = time.monotonic() + seconds
    while (left := end - time.monotonic()) > 0:
        if select.select([terminal], [], [], left)[0]:
            os.read(terminal, 65536)


def _megabytes(process: int) -> float:
    return int(Path(f"/proc/{process}/statm").read_text().split()[1]) * os.sysconf("SC_PAGE_SIZE") / 1e6


def waiting(args: Args) -> Rows:
    """A client at rest."""
    if not Path("/proc/self/stat").exists():
        yield elsewhere("p10-waiting", "processor times of other processes are read from /proc, which is not here")
        return
    seconds = 30.0 if args.long else 5.0
    with served() as (link, _):
        join = ("join", link, "--yes", "--name", "Ann"), b"Barney"
        figures = [at_rest(*PLAY, seconds) for _ in range(3)], [at_rest(*join, seconds)]
    notes = "ryo play, its player being asked, with server and bots in it", "ryo join, alone at a table"
    for name, measured, note in zip(("p10-waiting-play", "p10-waiting-join"), figures, notes, strict=True):
        loads, memory = zip(*measured, strict=True)
        yield Row(name=name, unit="of a core", value=spread(loads), goal=IDLE_GOAL, note=note)
        goal = MEMORY_GOAL if name == "p10-waiting-join" else None
        yield Row(name=f"{name}-memory", unit="MB", value=spread(memory), goal=goal, clock="none")


def page(args: Args) -> Rows:
    """The page in the browser."""
    size = sum(path.stat().st_size for path in (ROOT / "server/web/static").iterdir()) / 1e3
    yield Row(
        name="p10-page", unit="kB", value=spread([size]), goal=PAGE_GOAL, clock="none", note="all files as they are"
    )


ROWS: dict[str, Bench] = {
    **{f"p10-screen-{columns}x{rows}": partial(drawing, columns, rows) for columns, rows in SIZES},
    "p10-waiting": waiting,
    "p10-page": page,
}
