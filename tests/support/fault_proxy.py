"""A TCP proxy on the loopback interface that makes the network bad, on purpose and repeatably.

Each direction has its own `Faults`, which may be changed while bytes flow: `up` is from the client to the server.
Order is kept, as TCP keeps it. What a fault does to a connection is decided by one seeded generator.
"""

import contextlib
import random
import socket
import struct
from dataclasses import dataclass

import trio

CHUNK = 65536
_NEVER = -1


@dataclass
class Faults:
    """What happens to the bytes of one direction.

    Fields:
        delay, jitter: seconds before each piece goes on: a fixed part and a random one on top.
        pieces: bytes go on in pieces of 1 to so many; 0 for as they come.
        rate: bytes a second; 0 for no limit.
        cut_after, stall_after, half_close_after: when so many bytes of a connection have passed: both directions are
            closed; nothing passes any more; this direction ends and the other one lives on. -1 for never.
        corrupt, twice: how likely a piece has one bit changed, or arrives twice.
    """

    delay: float = 0.0
    jitter: float = 0.0
    pieces: int = 0
    rate: float = 0.0
    cut_after: int = _NEVER
    stall_after: int = _NEVER
    half_close_after: int = _NEVER
    corrupt: float = 0.0
    twice: float = 0.0

    def room(self, passed: int) -> int | None:
        """Bytes that may pass before something happens; None for as many as come."""
        marks = [mark for mark in (self.cut_after, self.stall_after, self.half_close_after) if mark != _NEVER]
        return max(0, min(marks) - passed) if marks else None


class FaultProxy:
    """Listens on a port of its own and passes every connection on to `target`.

    Attributes:
        target: (host, port); may be changed, for connections to come.
        port: where it listens, once `run` has started.
        up, down: the faults of the two directions.
        open: whether it takes connections; else they are closed at once.
        reset: whether connections end with RST instead of FIN when they are cut.
        count: connections so far.
    """

    def __init__(self, target: tuple[str, int], seed: int = 0) -> None:
        self.target = target
        self.port = 0
        self.up, self.down = Faults(), Faults()
        self.open, self.reset = True, False
        self.count = 0
        self._rng = random.Random(seed)
        self._links: dict[int, trio.CancelScope] = {}

    async def run(self, *, task_status: "trio.TaskStatus[int]" = trio.TASK_STATUS_IGNORED) -> None:
        """Serves until cancelled; starts with the port."""
        listeners = await trio.open_tcp_listeners(0, host="127.0.0.1")
        self.port = int(listeners[0].socket.getsockname()[1])
        await trio.serve_listeners(self._link, listeners, task_status=_Started(task_status, self.port))

    def cut(self, most: int | None = None) -> int:
        """Cuts connections, `most` random ones or all; how many."""
        links = sorted(self._links)
        chosen = links if most is None else self._rng.sample(links, min(most, len(links)))
        for number in chosen:
            self._links[number].cancel()
        return len(chosen)

    async def _link(self, client: trio.SocketStream) -> None:
        self.count += 1
        number = self.count
        try:
            server = await trio.open_tcp_stream(*self.target) if self.open else None
        except OSError:
            server = None
        except BaseException:
            client.socket.close()
            raise
        if server is None:
            client.socket.close()
            return
        try:
            with trio.CancelScope() as scope:
                self._links[number] = scope
                async with trio.open_nursery() as nursery:
                    nursery.start_soon(self._pump, client, server, self.up, scope)
                    nursery.start_soon(self._pump, server, client, self.down, scope)
        finally:
            del self._links[number]
            for stream in (client, server):
                if self.reset:
                    stream.socket.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
                stream.socket.close()

    async def _pump(
        self, source: trio.SocketStream, sink: trio.SocketStream, faults: Faults, scope: trio.CancelScope
    ) -> None:
        passed = 0
        try:
            while data := bytes(await source.receive_some(CHUNK)):
                while data:
                    size = self._rng.randint(1, faults.pieces) if faults.pieces else len(data)
                    room = faults.room(passed)
                    piece = data[: size if room is None else min(size, room)]
                    if not piece:
                        if faults.cut_after != _NEVER and passed >= faults.cut_after:
                            scope.cancel()
                        elif faults.half_close_after != _NEVER and passed >= faults.half_close_after:
                            await sink.send_eof()
                        await trio.sleep_forever()
                    data = data[len(piece) :]
                    passed += len(piece)
                    await self._pass(sink, piece, faults)
            with contextlib.suppress(trio.BrokenResourceError, trio.ClosedResourceError):
                await sink.send_eof()
        except (trio.BrokenResourceError, trio.ClosedResourceError):
            scope.cancel()

    async def _pass(self, sink: trio.SocketStream, piece: bytes, faults: Faults) -> None:
        rng = self._rng
        if faults.delay or faults.jitter:
            await trio.sleep(faults.delay + rng.random() * faults.jitter)
        if faults.rate:
            await trio.sleep(len(piece) / faults.rate)
        if faults.corrupt and rng.random() < faults.corrupt:
            bit = rng.randrange(8 * len(piece))
            changed = bytearray(piece)
            changed[bit // 8] ^= 1 << bit % 8
            piece = bytes(changed)
        await sink.send_all(piece)
        if faults.twice and rng.random() < faults.twice:
            await sink.send_all(piece)


class _Started(trio.TaskStatus[object]):
    """Tells the port instead of the listeners."""

    def __init__(self, inner: "trio.TaskStatus[int]", port: int) -> None:
        self._inner, self._port = inner, port

    def started(self, value: object = None) -> None:
        self._inner.started(self._port)
