"""What one process carries, what a second one adds, and how long a room is away when it is killed (`docs/scaling.md`).

Tables over TLS with every action on the disk. The clients share one Python process, which works harder than the server
and takes a processor from it on a machine with few. Processor time is the server's.
"""

import contextlib
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from functools import partial
from pathlib import Path

import trio

from client.bots.player import choose_action
from client.bots.runner import run_bot
from client.connection.address import Address
from client.connection.seat_request import SeatRequest
from client.connection.session import ClientSession
from client.connection.tls import TlsDial
from client.profile.known_servers import KnownServers
from tests.benchmarks.bench_evening import SEATS, Table, Took
from tests.benchmarks.bench_tls import ServerUnderLoad, house
from tests.benchmarks.harness import Args, Bench, Row, Rows, elsewhere, spread

MANY = 1000
"""Tables of the big process, with two players each: so many clients as one more Python process can play."""
THINKING = 10.0
"""Seconds that a player there thinks, on average, as people do."""
SHARED = 60
"""Tables that are in one room or in two, with an action a second each."""
MEASURED = 15.0
PLAYERS, TABLES = 14, 2
"""Of the room that is killed."""
WARM = 4.0
"""Seconds that they play before."""
TIMES = 5


async def load(
    servers: Sequence[ServerUnderLoad], tables: int, pause: float, seats: int = SEATS
) -> tuple[list[float], list[float]]:
    """Seconds from action to last view, and processor seconds of each server, while everybody plays."""
    took = Took()
    async with trio.open_nursery() as nursery:
        for number in range(tables):
            server = servers[number % len(servers)]
            name = f"t{number // len(servers)}"
            nursery.start_soon(Table(server, name, took, pause, seats).run)
            await trio.sleep(0.04)
        await trio.sleep(pause)
        took.clear()
        before = [server.processor() for server in servers]
        await trio.sleep(MEASURED)
        busy = [server.processor() - seconds for server, seconds in zip(servers, before, strict=True)]
        nursery.cancel_scope.cancel()
    return sorted(took.arrived), busy


def told(name: str, took: list[float], busy: list[float], note: str = "") -> Rows:
    """The server's processor time for an action, and the time to its last view; both have no goal."""
    actions = max(1, len(took))
    shares = " and ".join(f"{seconds / MEASURED:.0%}" for seconds in busy)
    work = f"of all servers an action, {actions / MEASURED:.0f} actions/s, busy {shares}"
    yield Row(name=name, unit="s", value=spread([sum(busy) / actions]), note=f"{work}{note}")
    slowest = f"99 % {took[int(actions * 0.99) - 1] * 1e3:.1f} ms" if took else ""
    yield Row(name=f"{name}-wall", unit="s", value=spread(took or [0.0]), clock="wall", note=slowest)


def many_tables(args: Args) -> Rows:
    """A thousand tables in one process."""
    name = "p5-rooms-thousand-tables"
    if not args.long:
        yield elsewhere(name, f"{MANY:,} tables of two in one process: make bench-long")
        return
    with tempfile.TemporaryDirectory() as folder:
        begun = time.perf_counter()
        with house(Path(folder), True, MANY, players=2) as server:
            started, empty = time.perf_counter() - begun, server.memory()
            took, busy = trio.run(load, [server], MANY, THINKING, 2)
            full = server.memory()
    note = (
        f"; started in {started:.1f} s; {empty >> 20} MiB empty, {full >> 20} MiB with {MANY * 2} players "
        f"({(full - empty) / MANY / 2 / 1024:.0f} KiB each)"
    )
    yield from told(name, took, busy, note)


def two_rooms(args: Args) -> Rows:
    """The same tables in one room, and in two on processors of their own."""
    with contextlib.ExitStack() as stack:
        one = stack.enter_context(house(Path(stack.enter_context(tempfile.TemporaryDirectory())), True, SHARED))
        yield from told("p5-rooms-one", *trio.run(load, [one], SHARED, 1.0))
    with contextlib.ExitStack() as stack:
        rooms = [
            stack.enter_context(
                house(Path(stack.enter_context(tempfile.TemporaryDirectory())), True, SHARED // 2, core)
            )
            for core in (1, 0)
        ]
        yield from told("p5-rooms-two", *trio.run(load, rooms, SHARED, 1.0))


@contextlib.contextmanager
def room(folder: Path, port: int) -> Iterator[tuple["subprocess.Popen[str]", int]]:
    """A room with two quick tables at that port, 0 for any; its process, and the port."""
    tables = "".join(
        [f'[[table]]\nid = "t{number}"\nstart = 0.0\n[table.clocks]\nresult = 1\n' for number in range(TABLES)]
    )
    (folder / "room.toml").write_text(tables)
    command = [sys.executable, "-m", "server", "serve", "--bind", "127.0.0.1", "--port", str(port), "--no-lan"]
    command += ["--config", str(folder / "room.toml"), "--data-dir", str(folder / "data"), "--log-level", "warning"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True) as process:
        assert process.stdout is not None
        line = process.stdout.readline()
        try:
            yield process, int(line.split("127.0.0.1:")[1].split("/")[0])
        finally:
            process.kill()


async def away(folder: Path) -> list[float]:
    """Seconds from the kill of a room under play to the moment at which each of its players is connected again."""
    seconds: list[float] = []
    killed = 0.0
    all_back = trio.Event()

    def heard(text: str) -> None:
        if text == "Connected again.":
            seconds.append(time.perf_counter() - killed)
            if len(seconds) == PLAYERS:
                all_back.set()

    async with trio.open_nursery() as nursery:
        with room(folder, 0) as (process, port):
            for number in range(PLAYERS):
                table = f"t{number % TABLES}"
                dial = TlsDial(Address("127.0.0.1", port), KnownServers(folder / "known"), table=table)
                request = SeatRequest(f"Bot {number}", partial(_token, number), table, bot=True)
                nursery.start_soon(run_bot, ClientSession(dial, request), choose_action, None, 0.1, heard)
            await trio.sleep(WARM)
            killed = time.perf_counter()
            process.kill()
        with room(folder, port):
            await all_back.wait()
        nursery.cancel_scope.cancel()
    return seconds


def _token(number: int, table: str) -> bytes:
    return bytes([number + 1]) * 32


def killed_room(args: Args) -> Rows:
    """A room that is killed and started again at once."""
    waits: list[float] = []
    for _ in range(TIMES):
        with tempfile.TemporaryDirectory() as folder:
            waits += trio.run(away, Path(folder))
    note = f"{PLAYERS} players, {TIMES} times: away for {max(waits):.2f} s at most"
    yield Row(name="p5-rooms-killed", unit="s", value=spread(waits), clock="wall", note=note)


ROWS: dict[str, Bench] = {
    "p5-rooms": two_rooms,
    "p5-rooms-killed": killed_room,
    "p5-rooms-thousand-tables": many_tables,
}
