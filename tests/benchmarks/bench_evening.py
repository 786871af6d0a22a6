"""P5: a hundred tables of seven over TLS, one action a second at each; from the action to the last of its seven views.

The server is the real one in its own process, with every action on the disk before it is shown. The clients share one
Python process, whose own work is part of what is measured.
"""

import random
import statistics
import tempfile
import time
from pathlib import Path

import trio

from protocol.versions import PROTOCOL
from protocol.wire import messages as msg
from protocol.wire.frames import encode_frame
from tests.benchmarks.bench_tls import ServerUnderLoad, house
from tests.benchmarks.harness import Args, title
from tests.support.loopback_server import WireClient, calling, client_context

TABLES = 100
SEATS = 7
SECONDS = 12.0
GOAL_MS = 10.0


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


async def evening(server: ServerUnderLoad) -> list[float]:
    """Seconds from each action to the last view of it, without the first two seconds."""
    took: list[float] = []
    with trio.move_on_after(SECONDS + TABLES * 0.02):
        async with trio.open_nursery() as nursery:
            for number in range(TABLES):
                nursery.start_soon(Table(server, f"t{number}", took).run)
                await trio.sleep(0.02)
            await trio.sleep(2.0)
            took.clear()
    return took


def main(args: Args) -> None:
    """Print median, 99 % and the longest of one evening, over TLS and without."""
    title(f"P5: {TABLES} tables of {SEATS}, one action a second at each, durability action")
    for tls in (True, False):
        with tempfile.TemporaryDirectory() as folder, house(Path(folder), tls, TABLES) as server:
            before = server.processor()
            took = sorted(trio.run(evening, server))
            share = (server.processor() - before) / (SECONDS + TABLES * 0.02)
        p50, p99 = statistics.median(took) * 1e3, took[int(len(took) * 0.99)] * 1e3
        reached = "" if not tls else f"   goal {GOAL_MS:g} ms: {'reached' if p99 < GOAL_MS else 'MISSED'}"
        print(
            f"{'TLS' if tls else 'plain TCP':<10}{len(took):>6} actions, median {p50:.2f} ms, 99 % {p99:.2f} ms, "
            f"longest {took[-1] * 1e3:.1f} ms, server busy {share:.0%}{reached}"
        )
