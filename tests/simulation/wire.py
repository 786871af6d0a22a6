"""Connections in memory: what one side sends arrives later, in pieces, or not at all, as one seeded generator says.

`Wire` joins a client's stream and a server's line. Bytes keep their order, like TCP's; a cut loses a tail of what is
under way in each direction, and the rest still arrives, so that late messages of a lost connection are met.
"""

import random
from collections import deque
from collections.abc import Callable

import trio

from protocol.wire.codec import BadMessage, decode_from_client
from protocol.wire.frames import CLIENT_CAP, BadFrame, FrameDecoder
from protocol.wire.messages import Act
from server.net.transport import TransportBroken

TICK = 1e-6
"""A jumping clock may stop a rounding error before the moment that was waited for."""


class Weather:
    """How bad the network is now. `delay`: mean seconds under way; `pieces`: whether bytes arrive in small pieces;
    `room`: bytes that may be under way in one direction; `twice`: how likely an action is sent twice."""

    def __init__(self, rng: random.Random) -> None:
        self.rng = rng
        self.delay = 0.01
        self.pieces = rng.random() < 0.3
        self.room = rng.choice([400, 5000, 1 << 20])
        self.twice = rng.choice([0.0, 0.3])


class Pipe:
    """One direction."""

    def __init__(self, weather: Weather) -> None:
        self._weather = weather
        self._under_way: deque[tuple[float, bytes]] = deque()
        self._size = 0
        self._arrives = 0.0
        self._news = trio.Event()
        self._drained = trio.Event()
        self.ended = self.broken = False

    def put(self, data: bytes) -> int:
        """Takes what fits. Raises TransportBroken."""
        if self.ended or self.broken:
            raise TransportBroken("the wire is cut")
        data = data[: max(0, self._weather.room - self._size)]
        rest, rng = data, self._weather.rng
        broken_up = self._weather.pieces and len(data) < 2000 and rng.random() < 0.3
        while rest:
            size = rng.randint(1, 60) if broken_up else len(rest)
            piece, rest = rest[:size], rest[size:]
            self._arrives = max(self._arrives, trio.current_time() + rng.expovariate(1 / self._weather.delay))
            self._under_way.append((self._arrives, piece))
        self._size += len(data)
        self._wake()
        return len(data)

    async def get(self) -> bytes:
        """The next bytes; none at the end. Raises TransportBroken."""
        while True:
            if self._under_way:
                arrives = self._under_way[0][0]
                if arrives <= trio.current_time() + TICK:
                    _, data = self._under_way.popleft()
                    self._size -= len(data)
                    self._drained.set()
                    return data
                with trio.move_on_at(arrives):
                    await self._news.wait()
            elif self.broken:
                raise TransportBroken("the wire is cut")
            elif self.ended:
                return b""
            else:
                await self._news.wait()
            self._news = trio.Event()

    async def drained(self) -> None:
        """Returns when there may be room again. Raises TransportBroken."""
        while self._size >= self._weather.room and not self.broken:
            self._drained = trio.Event()
            await self._drained.wait()
        if self.broken:
            raise TransportBroken("the wire is cut")

    def stall(self, seconds: float) -> None:
        """Nothing arrives for so long."""
        until = trio.current_time() + seconds
        self._under_way = deque([(max(at, until), data) for at, data in self._under_way])
        self._arrives = max(self._arrives, until)

    def end(self) -> None:
        """Nothing more is sent; what is under way arrives."""
        self.ended = True
        self._wake()

    def cut(self, arriving: float = 0.0) -> None:
        """Only that share of what is under way still arrives."""
        keep = int(len(self._under_way) * arriving + 0.5)
        while len(self._under_way) > keep:
            self._under_way.pop()
        self.broken = True
        self._wake()

    def _wake(self) -> None:
        self._news.set()
        self._drained.set()


class Wire:
    """A connection. `tap` is shown what the server sends, `acts` the client's actions, before they are under way."""

    def __init__(
        self, weather: Weather, address: str, tap: Callable[[bytes], None], acts: Callable[[Act], None]
    ) -> None:
        self.up, self.down = Pipe(weather), Pipe(weather)
        self.line = WireTransport(self, address, tap)
        self.stream = MemoryStream(self, weather, acts)

    @property
    def open(self) -> bool:
        """Whether bytes still go both ways."""
        return not (self.up.broken or self.up.ended or self.down.broken or self.down.ended)

    def cut(self, rng: random.Random) -> None:
        """The network fails: of what is under way a random part arrives."""
        self.up.cut(rng.random())
        self.down.cut(rng.random())


class WireTransport:
    """The server's end (`server.net.transport.Transport`)."""

    def __init__(self, wire: Wire, address: str, tap: Callable[[bytes], None]) -> None:
        self._wire, self.address, self._tap = wire, address, tap

    def send_now(self, data: bytes) -> int:
        sent = self._wire.down.put(data)
        self._tap(data[:sent])
        return sent

    async def wait_writable(self) -> None:
        await self._wire.down.drained()

    async def receive(self) -> bytes:
        return await self._wire.up.get()

    def finish(self) -> None:
        self._wire.down.end()

    def close(self) -> None:
        self._wire.down.end()
        self._wire.up.cut()


def actions_in(data: bytes) -> list[Act]:
    """The actions among the frames that a client sends; none in what is no frame or no message."""
    if b"\xa4type\xa3act" not in data:
        return []
    try:
        messages = [decode_from_client(body) for body in FrameDecoder(CLIENT_CAP).feed(data)]
    except (BadFrame, BadMessage):
        return []
    return [message for message in messages if isinstance(message, Act)]


class MemoryStream(trio.abc.Stream):
    """The client's end. Actions may come a second time, late, as from a stubborn network or a nervous client."""

    def __init__(self, wire: Wire, weather: Weather, acts: Callable[[Act], None]) -> None:
        self._wire, self._weather, self._acts = wire, weather, acts
        self._closed = False
        self._again = b""

    async def send_all(self, data: bytes | bytearray | memoryview) -> None:
        await trio.lowlevel.checkpoint()
        rest = self._again + bytes(data)  # the earlier one comes late, when something else is asked already
        self._again = b""
        if acts := actions_in(rest):
            for act in acts:
                self._acts(act)
            if self._weather.rng.random() < self._weather.twice:
                self._again = bytes(data)
        try:
            while rest:
                sent = self._wire.up.put(rest)
                rest = rest[sent:]
                if rest:
                    await self._wire.up.drained()
        except TransportBroken:
            raise trio.BrokenResourceError from None

    async def wait_send_all_might_not_block(self) -> None:
        await trio.lowlevel.checkpoint()

    async def receive_some(self, max_bytes: int | None = None) -> bytes:
        if self._closed:
            raise trio.ClosedResourceError
        try:
            return await self._wire.down.get()
        except TransportBroken:
            raise (trio.ClosedResourceError if self._closed else trio.BrokenResourceError) from None

    async def aclose(self) -> None:
        self._closed = True
        self._wire.up.end()
        self._wire.down.cut()
        await trio.lowlevel.checkpoint()
