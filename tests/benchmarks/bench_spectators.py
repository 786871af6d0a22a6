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
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

from protocol.events import ActionRequested
from protocol.versions import PROTOCOL
from protocol.wire import messages as msg
from protocol.wire.codec import decode_from_server
from protocol.wire.frames import SERVER_CAP, FrameDecoder, encode_frame
from tests.benchmarks.bench_tls import Client, ServerUnderLoad, house
from tests.benchmarks.harness import Args, title
from tests.support.loopback_server import calling

SPECTATORS = 5000
SEATS = 7
SECONDS = 2.0
WATCHED_PER_SECOND, BESIDE_PER_SECOND = 10.0, 100.0
GOAL = 1.3


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
        actor = next(seat for seat in self.seats if seat.asked is not None)
        took = actor.act()
        self._settle(actor.seen)
        return took

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


def compare(name: str, alone: list[list[float]], beside: list[list[float]]) -> None:
    """One line: the medians of the windows' medians, and the 99 % of all, without spectators and with them."""
    p50, p50_full = (1e3 * statistics.median([at(window, 0.5) for window in side]) for side in (alone, beside))
    p99, p99_full = (1e3 * at([trip for window in side for trip in window], 0.99) for side in (alone, beside))
    verdict = "reached" if max(p50_full / p50, p99_full / p99) <= GOAL else "MISSED"
    print(
        f"{name:<26} median {p50:.2f} -> {p50_full:.2f} ms, {p50_full / p50:.2f} x;  "
        f"99 % {p99:.2f} -> {p99_full:.2f} ms, {p99_full / p99:.2f} x   goal {GOAL} x: {verdict}",
        flush=True,
    )


def flat_out(quiet: Place, full: Place, people: Crowd) -> None:
    """Players who do not think at all: more than anybody can show to five thousand; print what becomes of it."""
    rates, trips = [], []
    for place in (quiet, full):
        took: list[float] = []
        end = time.perf_counter() + SECONDS
        while time.perf_counter() < end:
            took.append(place.watched.step())
        rates.append(len(took) / SECONDS)
        trips.append((1e3 * at(took, 0.5), 1e3 * at(took, 0.99)))
    (p50, p99), (p50_full, p99_full) = trips
    frames, _, missing, wrong, snapshots, left = map(int, people.told()[:6])
    print(
        f"  without a pause: {rates[0]:,.0f} -> {rates[1]:,.0f} actions/s; median {p50:.2f} -> {p50_full:.2f} ms, "
        f"{p50_full / p50:.2f} x;  99 % {p99:.2f} -> {p99_full:.2f} ms, {p99_full / p99:.2f} x;  {frames:,} frames: "
        f"{missing} missing, {wrong} wrong, {snapshots:,} snapshots in place of events, {left} not at the end",
        flush=True,
    )


def measure(tls: bool, repeats: int, count: int = SPECTATORS) -> None:
    """Both servers, in turn."""
    with contextlib.ExitStack() as stack:
        servers = []
        for _ in range(2):
            folder = stack.enter_context(tempfile.TemporaryDirectory())
            servers.append(stack.enter_context(house(Path(folder), tls, 2)))
        quiet, full = [Place(server, Table(server, "t0"), Table(server, "t1")) for server in servers]
        before, start = full.server.memory(), time.perf_counter()
        people = stack.enter_context(crowd(full.server, count, "t0"))
        people.watching()
        grown = (full.server.memory() - before) / count / 1024
        print(
            f"{'TLS' if tls else 'plain TCP'}: {count:,} spectators, {grown:.1f} KiB of the server each; "
            f"all there in {time.perf_counter() - start:.1f} s"
        )
        for place in (quiet, full):
            first_on_its_core(place.server.process)
        stack.enter_context(alone_on_its_core())
        quiet.play(0.5, Trips())
        full.play(0.5, Trips())
        people.told()
        alone, beside = [Trips() for _ in range(repeats)], [Trips() for _ in range(repeats)]
        told, work = [], 0.0
        for one, other in zip(alone, beside, strict=True):
            quiet.play(SECONDS, one)
            busy = full.server.processor()
            full.play(SECONDS, other)
            work += full.server.processor() - busy
            told.append(people.told())
        compare("  at the watched table", [trips.watched for trips in alone], [trips.watched for trips in beside])
        compare("  at the table beside it", [trips.beside for trips in alone], [trips.beside for trips in beside])
        frames, missing, wrong, snapshots, left = (int(sum(figures[n] for figures in told)) for n in (0, 2, 3, 4, 5))
        steps = sum(len(trips.watched) for trips in beside)
        left += told[-1][6] != full.watched.seats[0].seen
        right = "MISSED" if missing or wrong or snapshots or left else "reached"
        half = statistics.median([figures[7] for figures in told])
        print(
            f"  {steps} steps, {frames:,} frames for spectators: {missing} missing, {wrong} wrong, {snapshots} "
            f"snapshots in place of events, {left} not at the end: {right}\n"
            f"  a step is with all of them after {half:.0f} ms (longest {max(figures[8] for figures in told):.0f} ms); "
            f"server busy {work / repeats / SECONDS:.0%}",
            flush=True,
        )
        flat_out(quiet, full, people)


def main(args: Args) -> None:
    """Print the ratios for plain TCP and for TLS."""
    title("P6: 5,000 spectators on one process, and an active player's round trip beside them")
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    wanted = SPECTATORS + 500
    if hard != resource.RLIM_INFINITY and hard < wanted:
        print(f"skipped: a process may have {hard} open files here, and needs {wanted}")
        return
    resource.setrlimit(resource.RLIMIT_NOFILE, (max(soft, wanted), hard))
    for tls in (False, True):
        measure(tls, args.repeats)
