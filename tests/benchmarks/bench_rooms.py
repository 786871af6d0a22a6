"""What one process carries, what a second one adds, and how long a room is away when it is killed (`docs/scaling.md`).

Tables over TLS with every action on the disk. The clients share one Python process, which works harder than
the server: on a machine with few processors the times are those of the clients, too. Processor time is the server's.
"""

import contextlib
import statistics
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
from tests.benchmarks.bench_evening import SEATS, Table
from tests.benchmarks.bench_tls import ServerUnderLoad, house
from tests.benchmarks.harness import Args, title

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
    took: list[float] = []
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
    return sorted(took), busy


def told(name: str, took: list[float], busy: list[float]) -> None:
    """One line."""
    actions = max(1, len(took))
    shares = " and ".join(f"{seconds / MEASURED:.0%}" for seconds in busy)
    p99 = took[int(actions * 0.99) - 1] * 1e3 if took else 0.0
    print(
        f"{name:<28}{actions / MEASURED:>6.0f} actions/s, {sum(busy) / actions * 1e6:>5.0f} us of a server each, "
        f"busy {shares}; median {statistics.median(took) * 1e3:.1f} ms, 99 % {p99:.1f} ms"
    )


def many_tables() -> None:
    """A thousand tables in one process."""
    with tempfile.TemporaryDirectory() as folder:
        begun = time.perf_counter()
        with house(Path(folder), True, MANY, players=2) as server:
            started, empty = time.perf_counter() - begun, server.memory()
            took, busy = trio.run(load, [server], MANY, THINKING, 2)
            full = server.memory()
    told(f"{MANY} tables, one process", took, busy)
    print(
        f"{'':<28}started in {started:.1f} s; {empty >> 20} MiB empty, {full >> 20} MiB with {MANY * 2} players "
        f"({(full - empty) / MANY / 2 / 1024:.0f} KiB each)"
    )


def two_rooms() -> None:
    """The same tables in one room, and in two on processors of their own."""
    with contextlib.ExitStack() as stack:
        one = stack.enter_context(house(Path(stack.enter_context(tempfile.TemporaryDirectory())), True, SHARED))
        told(f"{SHARED} tables in one room", *trio.run(load, [one], SHARED, 1.0))
    with contextlib.ExitStack() as stack:
        rooms = [
            stack.enter_context(
                house(Path(stack.enter_context(tempfile.TemporaryDirectory())), True, SHARED // 2, core)
            )
            for core in (1, 0)
        ]
        told(f"{SHARED // 2} tables in each of two", *trio.run(load, rooms, SHARED, 1.0))


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


def killed_room() -> None:
    """A room that is killed and started again at once."""
    waits: list[float] = []
    for _ in range(TIMES):
        with tempfile.TemporaryDirectory() as folder:
            waits += trio.run(away, Path(folder))
    waits.sort()
    print(
        f"{'a room killed under play':<28}{PLAYERS} players, {TIMES} times: away for {statistics.median(waits):.2f} s "
        f"(median), {waits[-1]:.2f} s at most"
    )


def main(args: Args) -> None:
    """Print all of it; the big process only with `--long`."""
    title("Rooms")
    two_rooms()
    killed_room()
    if args.long:
        many_tables()
