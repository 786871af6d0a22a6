"""P5: a hundred tables of seven over TLS, one action a second each; from the action to the last of its seven views.

The server is the real one in its own process, with every action on the disk before it is shown. A time begins when a
client hands its action to the system, and ends when the last view has arrived at the system of its client, which puts
the time on what it receives. Players have a computer each; here 700 clients share one Python process, and how long
they wait for each other in there is no part of it. Until that process has read the last view is told beside it.
"""

import random
import socket
import struct
import tempfile
import time
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path

import trio

from protocol.versions import PROTOCOL
from protocol.wire import messages as msg
from tests.benchmarks.bench_tls import ServerUnderLoad, house
from tests.benchmarks.harness import Args, Bench, Row, Rows, elsewhere, spread
from tests.support.loopback_server import WireClient, calling, client_context

SEATS = 7
SECONDS = 12.0


_SO_TIMESTAMPNS = 35
"""Asks Linux to tell when what is read has arrived. The socket module of Python 3.11 has no name for it."""
_TIME = struct.Struct("qq")  # seconds and nanoseconds


class TimedStream(trio.abc.Stream):
    """A connection that knows when it sent last, and when what it read last had arrived.

    Attributes:
        sent: when the last bytes were handed to the system (`time.time`).
        arrived: when the system received the bytes read last; where it does not tell, when they were read.
    """

    def __init__(self, sock: trio.socket.SocketType) -> None:
        self._stream = trio.SocketStream(sock)
        self._sock = sock
        self._sock.setsockopt(socket.SOL_SOCKET, _SO_TIMESTAMPNS, 1)
        self.sent = self.arrived = 0.0

    async def send_all(self, data: bytes | bytearray | memoryview) -> None:
        self.sent = time.time()
        await self._stream.send_all(data)

    async def wait_send_all_might_not_block(self) -> None:
        await self._stream.wait_send_all_might_not_block()

    async def receive_some(self, max_bytes: int | None = None) -> bytes:
        data, told, _, _ = await self._sock.recvmsg(max_bytes or 65536, socket.CMSG_SPACE(_TIME.size))
        self.arrived = time.time()
        for _, kind, stamp in told:
            if kind == _SO_TIMESTAMPNS:
                seconds, nanoseconds = _TIME.unpack(stamp)
                self.arrived = seconds + nanoseconds / 1e9
        return data

    async def aclose(self) -> None:
        await self._stream.aclose()


class Player(WireClient):
    """A client over a `TimedStream`."""

    def __init__(self, timed: TimedStream, tls: bool, name: str) -> None:
        stream = trio.SSLStream(timed, client_context(), https_compatible=True) if tls else timed
        super().__init__(stream, name, random.randbytes(32))
        self.timed = timed


@dataclass(slots=True)
class Action:
    """An action on its way to the players of its table.

    Fields:
        player: who acts.
        views: how many players have seen it.
        arrived: when the last view so far had arrived.
    """

    player: Player
    views: int = 0
    arrived: float = 0.0


@dataclass(slots=True)
class Took:
    """Seconds from each action to its last view: until it had arrived, and until the clients' process had read it."""

    arrived: list[float] = field(default_factory=list)
    read: list[float] = field(default_factory=list)

    def clear(self) -> None:
        """Forgets them."""
        self.arrived.clear()
        self.read.clear()


class Table:
    """The clients at one table, and how long the views of their actions took.

    Args:
        pause: seconds that a player thinks, on average.
        seats: how many clients there are.
    """

    def __init__(self, server: ServerUnderLoad, name: str, took: Took, pause: float = 1.0, seats: int = SEATS) -> None:
        self._server, self._name, self._took, self._pause, self._seats = server, name, took, pause, seats
        self._actions: dict[int, Action] = {}  # by the number of their first event

    async def run(self) -> None:
        """Sits down and plays until cancelled."""
        async with trio.open_nursery() as nursery:
            for number in range(self._seats):
                player = await self._player(number)
                nursery.start_soon(self._play, player, nursery)

    async def _player(self, number: int) -> Player:
        sock = trio.socket.socket()
        await sock.connect(("127.0.0.1", self._server.port))
        player = Player(TimedStream(sock), self._server.tls, f"Player {number}")
        await player.send(msg.Hello(PROTOCOL))
        await player.expect(msg.Welcome)
        await player.join(self._name, bot=True)
        return player

    async def _play(self, player: Player, nursery: trio.Nursery) -> None:
        answered = 0
        while True:
            asked = player.pending
            if asked is not None and asked[0] > answered:
                answered = asked[0]
                nursery.start_soon(self._act, player, asked[0])
            message = await player.next()
            player.inbox.clear()
            player.received.clear()
            if isinstance(message, msg.Events):
                self._count(player, message.seq)

    async def _act(self, player: Player, answers: int) -> None:
        await trio.sleep(self._pause * random.uniform(0.5, 1.5))
        pending = player.pending
        if pending is not None and pending[0] == answers:
            self._actions[player.view.seq + 1] = Action(player)
            await player.act(calling(pending[1]), answers)

    def _count(self, player: Player, seq: int) -> None:
        action = self._actions.get(seq)
        if action is None:
            return
        action.views += 1
        action.arrived = max(action.arrived, player.timed.arrived)
        if action.views == self._seats:
            sent = action.player.timed.sent
            self._took.arrived.append(action.arrived - sent)
            self._took.read.append(time.time() - sent)
            del self._actions[seq]


@dataclass(slots=True)
class Evening:
    """What was measured in an evening.

    Fields:
        took: how long views took.
        busy: the server's share of a core.
    """

    took: Took
    busy: float


async def evening(server: ServerUnderLoad, tables: int) -> Evening:
    """Times and load, from two seconds after the last player has sat down."""
    took, began, before = Took(), 0.0, 0.0
    with trio.move_on_after(SECONDS + tables * 0.02):
        async with trio.open_nursery() as nursery:
            for number in range(tables):
                nursery.start_soon(Table(server, f"t{number}", took).run)
                await trio.sleep(0.02)
            await trio.sleep(2.0)
            took.clear()
            began, before = time.perf_counter(), server.processor()
    return Evening(took, (server.processor() - before) / (time.perf_counter() - began))


def row(name: str, tables: int, tls: bool, goal: float | None, args: Args) -> Rows:
    """The slowest hundredth of the views, in so many sessions."""
    if tables > 100 and not args.long:
        yield elsewhere(name, f"{tables:,} tables: make bench-long")
        return
    evenings = []
    for _ in range(args.repeats if args.long else 3):
        with tempfile.TemporaryDirectory() as folder, house(Path(folder), tls, tables) as server:
            evenings.append(trio.run(evening, server, tables))
    slowest = [share(found.took.arrived, 0.99) for found in evenings]
    halves = spread([share(found.took.arrived, 0.5) for found in evenings]).median
    read = [spread([share(found.took.read, part) for found in evenings]).median for part in (0.5, 0.99)]
    busy = spread([found.busy for found in evenings]).median
    note = (
        f"99 % of the views; half of them {halves:.2f} ms; read by the clients' process: half {read[0]:.2f} ms, "
        f"99 % {read[1]:.2f} ms; server busy {busy:.0%}"
    )
    yield Row(name=name, unit="ms", value=spread(slowest), goal=goal, clock="wall", note=note)


def share(took: list[float], part: float) -> float:
    """The milliseconds in which such a part of the views was there."""
    return sorted(took)[int(len(took) * part)] * 1e3


def slow_client(args: Args) -> Rows:
    """What is no figure."""
    yield elsewhere("p5-slow-client", "that nobody waits for a slow client is a test: tests/server/table")


ROWS: dict[str, Bench] = {
    "p5-100-tls": partial(row, "p5-100-tls", 100, True, 6.0),
    "p5-100-plain": partial(row, "p5-100-plain", 100, False, None),
    "p5-1000-tls": partial(row, "p5-1000-tls", 1000, True, 25.0),
    "p5-slow-client": slow_client,
}
