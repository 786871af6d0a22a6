"""P5: a hundred tables of seven over TLS, one action a second each; from the action to the last of its seven views.

The server is the real one in its own process, with every action on the disk before it is shown. The clients share one
Python process, whose own work is part of what is measured.
"""

import random
import tempfile
import time
from functools import partial
from pathlib import Path

import trio

from protocol.versions import PROTOCOL
from protocol.wire import messages as msg
from protocol.wire.frames import encode_frame
from tests.benchmarks.bench_tls import ServerUnderLoad, house
from tests.benchmarks.harness import Args, Bench, Row, Rows, elsewhere, spread
from tests.support.loopback_server import WireClient, calling, client_context

SEATS = 7
SECONDS = 12.0


class Table:
    """The clients at one table, and how long the views of their actions took.

    Args:
        pause: seconds that a player thinks, on average.
        seats: how many clients there are.
    """

    def __init__(
        self, server: ServerUnderLoad, name: str, took: list[float], pause: float = 1.0, seats: int = SEATS
    ) -> None:
        self._server, self._name, self._took, self._pause, self._seats = server, name, took, pause, seats
        self._sent: dict[int, float] = {}
        self._arrived: dict[int, int] = {}

    async def run(self) -> None:
        """Sits down and plays until cancelled."""
        async with trio.open_nursery() as nursery:
            for number in range(self._seats):
                player = await self._player(number)
                nursery.start_soon(self._play, player, nursery)

    async def _player(self, number: int) -> WireClient:
        stream: trio.abc.Stream = await trio.open_tcp_stream("127.0.0.1", self._server.port)
        if self._server.tls:
            stream = trio.SSLStream(stream, client_context(), https_compatible=True)
        player = WireClient(stream, f"WireClient {number}", random.randbytes(32))
        await player.send(msg.Hello(PROTOCOL))
        await player.expect(msg.Welcome)
        await player.join(self._name, bot=True)
        return player

    async def _play(self, player: WireClient, nursery: trio.Nursery) -> None:
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
                self._count(message.seq)

    async def _act(self, player: WireClient, answers: int) -> None:
        await trio.sleep(self._pause * random.uniform(0.5, 1.5))
        pending = player.pending
        if pending is not None and pending[0] == answers:
            player.acts += 1
            data = encode_frame(msg.Act(player.acts, answers, calling(pending[1])))
            self._sent[player.view.seq + 1] = time.perf_counter()
            await player.stream.send_all(data)

    def _count(self, seq: int) -> None:
        if seq in self._sent:
            self._arrived[seq] = self._arrived.get(seq, 0) + 1
            if self._arrived[seq] == self._seats:
                self._took.append(time.perf_counter() - self._sent.pop(seq))
                del self._arrived[seq]


async def evening(server: ServerUnderLoad, tables: int) -> list[float]:
    """Seconds from each action to the last view of it, without the first two seconds."""
    took: list[float] = []
    with trio.move_on_after(SECONDS + tables * 0.02):
        async with trio.open_nursery() as nursery:
            for number in range(tables):
                nursery.start_soon(Table(server, f"t{number}", took).run)
                await trio.sleep(0.02)
            await trio.sleep(2.0)
            took.clear()
    return took


def row(name: str, tables: int, tls: bool, goal: float | None, args: Args) -> Rows:
    """The slowest hundredth of the views, in so many sessions."""
    if tables > 100 and not args.long:
        yield elsewhere(name, f"{tables:,} tables: make bench-long")
        return
    slowest, halves, busy = [], [], []
    for _ in range(args.repeats if args.long else 3):
        with tempfile.TemporaryDirectory() as folder, house(Path(folder), tls, tables) as server:
            before = server.processor()
            took = sorted(trio.run(evening, server, tables))
            busy.append((server.processor() - before) / (SECONDS + tables * 0.02))
        halves.append(took[len(took) // 2] * 1e3)
        slowest.append(took[int(len(took) * 0.99)] * 1e3)
    note = f"99 % of the views; half of them {spread(halves).median:.2f} ms; server busy {spread(busy).median:.0%}"
    yield Row(name=name, unit="ms", value=spread(slowest), goal=goal, clock="wall", note=note)


def slow_client(args: Args) -> Rows:
    """What is no figure."""
    yield elsewhere("p5-slow-client", "that nobody waits for a slow client is a test: tests/server/table")


ROWS: dict[str, Bench] = {
    "p5-100-tls": partial(row, "p5-100-tls", 100, True, 6.0),
    "p5-100-plain": partial(row, "p5-100-plain", 100, False, None),
    "p5-1000-tls": partial(row, "p5-1000-tls", 1000, True, 25.0),
    "p5-slow-client": slow_client,
}
