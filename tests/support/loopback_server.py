"""A server on loopback sockets, and clients that speak the wire protocol and fold what they are sent."""

import ssl
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any, TypeVar

import structlog
import trio

from protocol.actions import Action, Option
from protocol.events import ActionRequested
from protocol.versions import PROTOCOL
from protocol.view import TableView
from protocol.wire import messages as msg
from protocol.wire.codec import decode_from_server
from protocol.wire.frames import SERVER_CAP, FrameDecoder, encode_frame
from protocol.wire.join_links import ALPN
from server.app.server import Server, serve
from server.config.config import Config
from server.config.limits import Limits
from server.config.table_config import TableConfig
from server.table.table import Table
from tests.support.limits import LIMIT

M = TypeVar("M", bound=msg.Message)
Chooser = Callable[[ActionRequested], Action]


def first_option(request: ActionRequested) -> Action:
    """The first listed option, with the first of everything it leaves open."""
    option = request.options[0]
    return fill(option)


def fill(option: Option) -> Action:
    """An option as an action: the least amount, the first cards, the first direction, the first game."""
    cards = tuple([card for card in option.cards if card is not None][: option.count])
    return Action(
        option.kind,
        to=option.least if option.kind in ("bet", "complete", "raise") else None,
        cards=cards if option.kind in ("choose", "arrange", "pass", "discard") else None,
        direction=option.directions[0] if option.directions else None,
        game=option.games[0] if option.games else None,
    )


def calling(request: ActionRequested) -> Action:
    """Stays in for as little as possible."""
    kinds = {option.kind: option for option in request.options}
    for kind in ("check", "call", "bring_in"):
        if kind in kinds:
            return fill(kinds[kind])
    return first_option(request)


class WireClient:
    """One client: what it was sent is in `inbox`, and folded in `view`."""

    def __init__(self, stream: trio.abc.Stream, name: str = "Ann", token: bytes | None = None) -> None:
        self.stream, self.name = stream, name
        self.token = token if token is not None else name.encode().ljust(32, b"\1")
        self.view = TableView()
        self.seat = 0
        self.acts = 0
        self.received = bytearray()
        self.inbox: list[msg.FromServer] = []
        self._decoder = FrameDecoder(SERVER_CAP)
        self._ready: list[msg.FromServer] = []

    async def join(self, table: str = "", *, bot: bool = False, seat: int = 0, chips: int = 0, seen: int = 0) -> None:
        """Sits down or comes back; returns with the table in `view`."""
        await self.send(msg.Join(self.name, self.token, table, chips, seat, bot, seen))
        self.seat = (await self.expect(msg.Joined)).seat

    async def watch(self, table: str = "") -> None:
        """Follows a table."""
        await self.send(msg.Watch(table))
        await self.expect(msg.Snapshot)

    async def send(self, message: msg.Message) -> None:
        await self.stream.send_all(encode_frame(message))

    async def act(self, action: Action, answers: int) -> None:
        """Answers request number `answers`."""
        self.acts += 1
        await self.send(msg.Act(self.acts, answers, action))

    async def next(self) -> msg.FromServer:
        """The next message, folded. Raises trio.EndOfChannel when the server has closed the connection."""
        while not self._ready:
            data = await self.stream.receive_some(65536)
            if not data:
                raise trio.EndOfChannel
            self.received += data
            self._ready += [decode_from_server(body) for body in self._decoder.feed(bytes(data))]
        message = self._ready.pop(0)
        self.inbox.append(message)
        if isinstance(message, msg.Snapshot):
            self.view = message.view
            self.acts = max(self.acts, message.last_id)
        elif isinstance(message, msg.Events):
            assert message.seq == self.view.seq + 1, "a gap"
            self.view.apply_all(message.events)
        return message

    async def expect(self, kind: type[M]) -> M:
        """The next message of that kind; events and snapshots before it are folded."""
        while True:
            message = await self.next()
            if isinstance(message, kind):
                return message
            assert isinstance(message, msg.Events | msg.Snapshot | msg.Joined | msg.TimeLeft), message

    async def until(self, reached: Callable[[TableView], bool]) -> None:
        """Reads on until the view is as wanted."""
        while not reached(self.view):
            await self.next()

    async def to_the_end(self) -> msg.FromServer:
        """Everything until the server closes; the last message."""
        try:
            while True:
                await self.next()
        except (trio.EndOfChannel, trio.BrokenResourceError):
            return self.inbox[-1]

    @property
    def pending(self) -> tuple[int, ActionRequested] | None:
        """(number, request) if the player is asked."""
        if self.seat and len(self.view.seats) >= self.seat:
            pending = self.view.seats[self.seat - 1].pending
            if pending is not None:
                return pending.seq, pending.request
        return None

    async def play(self, hands: int, choose: Chooser = calling) -> None:
        """Answers whenever it is asked, until that many hands are over."""
        answered = 0
        while self.view.hand < hands or self.view.playing:
            asked = self.pending
            if asked is not None and asked[0] > answered:
                answered = asked[0]
                await self.act(choose(asked[1]), answered)
            await self.next()
            if isinstance(self.inbox[-1], msg.Events) and not self.view.playing and 0 < self.view.hand < hands:
                await self.send(msg.GoOn())

    async def close(self) -> None:
        await self.stream.aclose()


FAST = Limits(rate=1e6, burst=1e6)
"""No limit on the rate: for bots and tests that play whole hands in no time."""


def config(folder: Path, *, limits: Limits = FAST, resume: bool = True, tls: bool = False, **table: Any) -> Config:
    """A server on a free loopback port with one table that deals at once."""
    settings = {"start": 0.0, **table}
    return Config(
        bind="127.0.0.1",
        port=0,
        plain_tcp=not tls,
        lan=False,
        data_dir=str(folder),
        resume=resume,
        limits=limits,
        table=(TableConfig(**settings),),
    )


def client_context() -> ssl.SSLContext:
    """TLS as a client of ours speaks it, without a look at the key."""
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
    context.check_hostname = False
    context.verify_mode = ssl.CERT_NONE
    context.set_alpn_protocols([ALPN])
    return context


class RunningServer:
    """A running server and the clients that came to it."""

    def __init__(self, server: Server) -> None:
        self.server = server
        self.clients: list[WireClient] = []

    @property
    def port(self) -> int:
        return self.server.port

    @property
    def table(self) -> Table:
        """The first table."""
        return next(iter(self.server.lobby.tables.values()))

    async def open(self) -> trio.abc.Stream:
        """A stream to the server, encrypted if the server does that."""
        tcp = await trio.open_tcp_stream("127.0.0.1", self.port)
        if self.server.key is None:
            return tcp
        tls = trio.SSLStream(tcp, client_context(), https_compatible=True)
        await tls.do_handshake()
        return tls

    async def raw(self, name: str = "Ann", token: bytes | None = None) -> WireClient:
        """A connection that has not said hello."""
        player = WireClient(await self.open(), name, token)
        self.clients.append(player)
        return player

    async def connect(self, name: str = "Ann", token: bytes | None = None) -> WireClient:
        """A client that has been welcomed."""
        player = await self.raw(name, token)
        await player.send(msg.Hello(PROTOCOL, "party"))
        await player.expect(msg.Welcome)
        return player

    async def seated(self, *names: str, bot: bool = False) -> list[WireClient]:
        """Clients with seats, in this order."""
        players = [await self.connect(name) for name in names]
        for player in players:
            await player.join(bot=bot)
        return players

    async def play(self, players: list[WireClient], hands: int, choose: Chooser = calling) -> None:
        """All of them play until that many hands are over; their views are up to date then."""
        async with trio.open_nursery() as nursery:
            for player in players:
                nursery.start_soon(player.play, hands, choose)
        await self.settle(players)

    async def settle(self, players: list[WireClient]) -> None:
        """Their views are up to date."""
        for player in players:
            await player.until(lambda view: view.seq >= self.table.state.seq)


@asynccontextmanager
async def running(
    settings: Config, log: structlog.typing.FilteringBoundLogger | None = None, seconds: float = LIMIT
) -> AsyncIterator[RunningServer]:
    """A server that is stopped in order at the end; nothing may take longer than `seconds`."""
    with trio.fail_after(seconds):
        async with trio.open_nursery() as nursery:

            async def run(*, task_status: "trio.TaskStatus[Server]") -> None:
                await serve(settings, log=log, task_status=task_status)

            house = RunningServer(await nursery.start(run))
            try:
                yield house
            finally:
                for client in house.clients:
                    await trio.aclose_forcefully(client.stream)
                house.server.stop()
