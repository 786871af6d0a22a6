"""The page for browsers: the first table on the screen in Chromium (P10), and what it costs everybody else (P4).

The fan-out is that of `bench_fanout`, ten tables: the same server with `web = "plain"` and without, in turn; what
counts is the server's processor time for an action.
"""

import tempfile
import time
from pathlib import Path

import pytest

from tests.benchmarks import bench_fanout
from tests.benchmarks.bench_tls import house
from tests.benchmarks.harness import Args, Bench, Row, Rows, duration, elsewhere, spread
from tests.support.chromium import BrowserSeat, chromium

TABLES = 10
FIRST_TABLE_GOAL = 1.0
COST_GOAL = 1.05
PAGE = 'web = "plain"\n'


def first_table(args: Args) -> Rows:
    """From the address to the table, for a player who comes back in a browser that is running."""
    name = "p10-first-table"
    times = []
    try:
        with (
            tempfile.TemporaryDirectory() as folder,
            house(Path(folder), False, web="plain") as server,
            chromium() as browser,
        ):
            ann = BrowserSeat(browser, server.port)
            ann.sit("Ann")
            for _ in range(args.repeats):
                start = time.perf_counter()
                ann.tab.goto(ann.url)
                ann.tab.wait_for_selector("#table .seat")
                times.append(time.perf_counter() - start)
    except pytest.skip.Exception as reason:
        yield elsewhere(name, f"{reason}: make .venv/.browser")
        return
    yield Row(name=name, unit="s", value=spread(times), goal=FIRST_TABLE_GOAL, clock="wall")


def fan_out(program: str, before: str) -> float:
    """Microseconds of the server for an action that becomes seven views, with more settings."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        path = bench_fanout.settings(folder, TABLES, "none", "stud8")
        path.write_text(before + path.read_text())
        with bench_fanout.card_server(path) as (port, pid):
            script = str(bench_fanout.script(folder, TABLES))
            return bench_fanout.load(program, "cards", port, TABLES, script, pid).processor


def cost(args: Args) -> Rows:
    """The fan-out with the page on, as a multiple of the same without."""
    name = "p4-web"
    with tempfile.TemporaryDirectory() as folder:
        program = bench_fanout.compiled(folder)
        if program is None:
            yield elsewhere(name, "there is no C compiler here")
            return
        on, off = zip(*[(fan_out(program, PAGE), fan_out(program, "")) for _ in range(args.repeats)], strict=True)
    yield Row(
        name=name,
        unit="x without",
        value=spread([one / other for one, other in zip(on, off, strict=True)]),
        goal=COST_GOAL,
        note=f"an action {duration(spread(on).median / 1e6)}, without the page {duration(spread(off).median / 1e6)}",
    )


ROWS: dict[str, Bench] = {"p10-first-table": first_table, "p4-web": cost}
