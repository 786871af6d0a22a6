"""P6: five thousand spectators at one table, and what its players and those of another table notice of them.

Two servers, each in its own process on one core, with a table that is watched and one that is not, seven seats each;
only one of them has the spectators. They are measured in turn: actions come at random moments, and a round trip is the
time from an action to its step at the same client. Nobody waits between an action and the next but by that chance, so
many of them meet the server while it is still sending the last step to the spectators.

Servers and players' clients come first on their cores where the system allows it (root on Linux): the players' clients
would have machines of their own, and what else runs on this one is not what is measured. The spectators' process has
what is left of the clients' core.
"""

import contextlib
import math
import os
import random
import resource
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path

from protocol.events import ActionRequested
from protocol.versions import PROTOCOL
from protocol.wire import messages as msg
from protocol.wire.codec import decode_from_server
from protocol.wire.frames import SERVER_CAP, FrameDecoder, encode_frame
from tests.benchmarks.bench_tls import Client, ServerUnderLoad, house
from tests.benchmarks.harness import Args, Bench, Row, Rows, elsewhere, spread
from tests.support.loopback_server import calling

SPECTATORS = 5000
SEATS = 7
SECONDS = 2.0
WATCHED_PER_SECOND, BESIDE_PER_SECOND = 10.0, 100.0
GOAL = 1.15


class Seat:
    """One player's connection."""

    def __init__(self, server: ServerUnderLoad, name: str, table: str) -> None:
        self._sock: Client = server.connect()
        self._decoder = FrameDecoder(SERVER_CAP)
        self.number = 0
        self.seen = self.acts = 0
        self.asked: tuple[int, ActionRequested] | None = None
        join = msg.Join(name, random.randbytes(32), table, bot=True)
        self._sock.sendall(encode_frame(msg.Hello(PROTOCOL)) + encode_frame(join))
        while not self.seen:
            self._read()

    def act(self) -> float:
        """Answers the open request; seconds until the step is here."""
        assert self.asked is not None
        (number, request), self.asked = self.asked, None
        self.acts += 1
        data = encode_frame(msg.Act(self.acts, number, calling(request)))
        start = time.perf_counter()
        self._sock.sendall(data)
        return self._read() - start

    def until(self, seq: int) -> None:
        """Reads until it has seen that event."""
        while self.seen < seq:
            self._read()

    def _read(self) -> float:
        """Takes what comes; when it came."""
        data = self._sock.recv(1 << 16)
        came = time.perf_counter()
        if not data:
            raise RuntimeError("the server has closed a player's connection")
        for body in self._decoder.feed(data):
            message = decode_from_server(body)
            if isinstance(message, msg.Joined):
                self.number = message.seat
            elif isinstance(message, msg.Snapshot):
                self.seen = message.view.seq
            elif isinstance(message, msg.Events):
                self._take(message)
        return came

    def _take(self, message: msg.Events) -> None:
        for at, event in enumerate(message.events, message.seq):
            if isinstance(event, ActionRequested) and event.seat == self.number:
                self.asked = (at, event)
        self.seen = message.seq + len(message.events) - 1


class Table:
    """Seven seats that are answered for one after the other."""

    def __init__(self, server: ServerUnderLoad, name: str) -> None:
        self.seats = [Seat(server, f"Player {number}", name) for number in range(SEATS)]
        self._settle()

    def step(self) -> float:
        """One action; seconds of its round trip. All seats have seen it afterwards."""
        actor = self._asked()
        took = actor.act()
        self._settle(actor.seen)
        return took

    def _asked(self) -> Seat:
        """The seat that is asked; where the next hand is still to come, this waits for it."""
        while True:
            for seat in self.seats:
                if seat.asked is not None:
                    return seat
            self._settle(self.seats[0].seen + 1)

    def _settle(self, seq: int = 0) -> None:
        newest = max(seq, *[seat.seen for seat in self.seats])
        for seat in self.seats:
            seat.until(newest)


@dataclass(slots=True)
class Trips:
    """Round trips in seconds: at the watched table, and at the one beside it."""

    watched: list[float] = field(default_factory=list)
    beside: list[float] = field(default_factory=list)


@dataclass(slots=True)
class Place:
    """A server with its two tables."""

    server: ServerUnderLoad
    watched: Table
    beside: Table

    def play(self, seconds: float, trips: Trips) -> None:
        """Actions at random moments for so long."""
        rate = WATCHED_PER_SECOND + BESIDE_PER_SECOND
        end = time.perf_counter() + seconds
        while time.perf_counter() < end:
            time.sleep(random.expovariate(rate))
            if random.random() < WATCHED_PER_SECOND / rate:
                trips.watched.append(self.watched.step())
            else:
                trips.beside.append(self.beside.step())


def first_on_its_core(process: int) -> None:
    """All threads of a process before those of all others, if that is allowed."""
    with contextlib.suppress(AttributeError, OSError):
        for thread in Path(f"/proc/{process}/task").iterdir():
            os.sched_setscheduler(int(thread.name), os.SCHED_FIFO, os.sched_param(1))


@contextlib.contextmanager
def alone_on_its_core() -> Iterator[None]:
    """This process on core 0 and before all others there, if that is allowed."""
    try:
        cores, policy = os.sched_getaffinity(0), os.sched_getscheduler(0)
    except (AttributeError, OSError):
        yield
        return
    _pin(0, 0)
    first_on_its_core(os.getpid())
    try:
        yield
    finally:
        os.sched_setaffinity(0, cores)
        os.sched_setscheduler(0, policy, os.sched_param(0))


class Crowd:
    """The process of the spectators."""

    def __init__(self, process: subprocess.Popen[str]) -> None:
        self._process = process

    def _line(self) -> str:
        assert self._process.stdout is not None
        line = self._process.stdout.readline()
        if not line:
            raise RuntimeError("the spectators have given up")
        return line

    def watching(self) -> None:
        """Returns when all watch."""
        self._line()

    def told(self) -> list[float]:
        """Their figures (`tests.benchmarks.spectators`) since the last time, once nothing more comes."""
        assert self._process.stdin is not None
        self._process.stdin.write("\n")
        self._process.stdin.flush()
        return [float(word) for word in self._line().split()]


@contextlib.contextmanager
def crowd(server: ServerUnderLoad, count: int, table: str) -> Iterator[Crowd]:
    """That many spectators, in a process of their own, beside the players' clients."""
    command = [
        sys.executable,
        "-m",
        "tests.benchmarks.spectators",
        str(server.port),
        str(server.tls),
        str(count),
        table,
    ]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as process:
        _pin(process.pid, 0)
        try:
            yield Crowd(process)
        finally:
            process.kill()


def _pin(process: int, core: int) -> None:
    with contextlib.suppress(AttributeError, OSError):
        os.sched_setaffinity(process, {core})


def at(times: list[float], share: float) -> float:
    """The quantile."""
    return sorted(times)[math.floor(share * (len(times) - 1))]


def compare(name: str, alone: list[list[float]], beside: list[list[float]]) -> Rows:
    """Two rows: round trips beside the spectators as a multiple of those without them, in the middle and at the end."""
    pairs = list(zip(alone, beside, strict=True))
    for what, share in (("median", 0.5), ("slowest", 0.99)):
        quiet, full = [[1e3 * at(window, share) for window in side] for side in (alone, beside)]
        yield Row(
            name=f"{name}-{what}",
            unit="x",
            value=spread([at(other, share) / at(one, share) for one, other in pairs]),
            goal=GOAL,
            clock="wall",
            note=f"{spread(quiet).median:.2f} -> {spread(full).median:.2f} ms"
            + ", 99 % of the round trips" * (what == "slowest"),
        )


def flat_out(name: str, quiet: Place, full: Place, people: Crowd) -> Row:
    """Players who do not think at all: more than anybody can show to five thousand; what becomes of it."""
    rates = []
    for place in (quiet, full):
        done, end = 0, time.perf_counter() + SECONDS
        while time.perf_counter() < end:
            place.watched.step()
            done += 1
        rates.append(done / SECONDS)
    frames, _, missing, wrong, snapshots, left = map(int, people.told()[:6])
    note = (
        f"without a pause {rates[0]:,.0f} -> {rates[1]:,.0f} actions/s; {frames:,} frames: {missing} missing, {wrong} "
        f"wrong, {snapshots:,} snapshots in place of events, {left} not at the end"
    )
    return Row(name=name, unit="x", value=spread([rates[1] / rates[0]]), more=True, clock="wall", note=note)


def measure(name: str, tls: bool, args: Args, count: int = SPECTATORS) -> Rows:
    """Both servers, in turn."""
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    wanted = count + 500
    if tls and not args.long:
        yield elsewhere(name, "the same over TLS: make bench-long")
        return
    if hard != resource.RLIM_INFINITY and hard < wanted:
        yield elsewhere(name, f"a process may have {hard} open files here, and needs {wanted}")
        return
    resource.setrlimit(resource.RLIMIT_NOFILE, (max(soft, wanted), hard))
    with contextlib.ExitStack() as stack:
        servers = []
        for _ in range(2):
            folder = stack.enter_context(tempfile.TemporaryDirectory())
            servers.append(stack.enter_context(house(Path(folder), tls, 2)))
        quiet, full = [Place(server, Table(server, "t0"), Table(server, "t1")) for server in servers]
        before = full.server.memory()
        people = stack.enter_context(crowd(full.server, count, "t0"))
        people.watching()
        grown = (full.server.memory() - before) / count / 1024
        yield Row(name=f"{name}-memory", unit="KiB", value=spread([grown]), clock="none", note="for each spectator")
        yield from beside_them(name, quiet, full, people, stack, args.repeats)


def beside_them(name: str, quiet: Place, full: Place, people: Crowd, stack: contextlib.ExitStack, repeats: int) -> Rows:
    """What the players notice."""
    for place in (quiet, full):
        first_on_its_core(place.server.process)
    stack.enter_context(alone_on_its_core())
    quiet.play(0.5, Trips())
    full.play(0.5, Trips())
    people.told()
    alone, beside = [Trips() for _ in range(repeats)], [Trips() for _ in range(repeats)]
    told, work = [], []
    for one, other in zip(alone, beside, strict=True):
        quiet.play(SECONDS, one)
        busy = full.server.processor()
        full.play(SECONDS, other)
        work.append((full.server.processor() - busy) / SECONDS)
        told.append(people.told())
    yield from compare(f"{name}-watched", [trips.watched for trips in alone], [trips.watched for trips in beside])
    yield from compare(f"{name}-beside", [trips.beside for trips in alone], [trips.beside for trips in beside])
    frames, missing, wrong, snapshots, left = (int(sum(figures[n] for figures in told)) for n in (0, 2, 3, 4, 5))
    left += told[-1][6] != full.watched.seats[0].seen
    delay = spread([figures[7] for figures in told])
    yield Row(
        name=f"{name}-not-shown",
        value=spread([missing + wrong + snapshots + left]),
        goal=0,
        clock="none",
        note=f"{frames:,} frames: {missing} missing, {wrong} wrong, {snapshots} snapshots in place of events, {left} "
        f"not at the end; all have a step after {delay.median:.0f} ms; server busy {spread(work).median:.0%}",
    )
    yield flat_out(f"{name}-flat-out", quiet, full, people)


ROWS: dict[str, Bench] = {
    "p6-spectators": partial(measure, "p6-spectators", False),
    "p6-spectators-tls": partial(measure, "p6-spectators-tls", True),
}
