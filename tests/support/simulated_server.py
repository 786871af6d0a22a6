"""A server in memory and in virtual time, which can be killed and lose power: for faults that need an exact moment.

The clients are those of `tests.support.loopback_server`; the wires those of the simulation, in fair weather unless a
test says otherwise. Tests use the fixture `autojump_clock`.
"""

import random
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import asynccontextmanager, contextmanager
from functools import partial
from typing import Any, TypeVar

import structlog
import trio

from client.errors import CannotConnect
from protocol.view import TableView
from protocol.wire.join_links import DEFAULT_PORT
from protocol.wire.messages import Act
from server.app.operator_log import silent
from server.app.port_transport import PortTransport
from server.app.server import Server
from server.app.web_page import port_settings
from server.config.config import Config
from server.config.limits import Limits
from server.config.table_config import TableConfig
from server.config.web_mode import WebMode
from server.net.transport import Transport
from server.storage.filesystem import write_all
from server.storage.system import System, Worker
from tests.simulation.wire import Weather, Wire
from tests.support.loopback_server import FAST, Chooser, RunningServer, WireClient, calling
from tests.support.simulated_disk import SimDisk
from tests.support.web_socket import WebSocketStream

T = TypeVar("T")
NOON = 1_752_580_800_000


PATIENT = Limits(rate=1e6, burst=1e6, idle=1e6)
"""Nobody is dropped for saying nothing: for tests that let hours pass."""


class StillSystem(System):
    """A system on which work takes `slow` virtual seconds before it is done and `late` until that is noticed.

    Its wall clock is off by `skew` milliseconds.
    """

    def __init__(self, disk: SimDisk) -> None:
        super().__init__(disk)
        self.slow = self.late = 0.0
        self.skew = 0

    def wall_clock(self) -> int:
        return NOON + self.skew + int(trio.current_time() * 1000)

    async def work(self, job: Callable[[], T]) -> T:
        await trio.sleep(self.slow)
        done = job()
        await trio.sleep(self.late)
        return done

    @contextmanager
    def own_thread(self) -> Iterator[Worker]:
        yield self


def put_file(disk: SimDisk, path: str, content: bytes) -> None:
    """A file of that content in the place of another one, as a host puts a backup back."""
    disk.unlink(path)
    fd = disk.open_new(path)
    write_all(disk, fd, content)
    disk.fdatasync(fd)
    folder = disk.open_dir("/data/hands")
    disk.sync_dir(folder)
    disk.close(folder)
    disk.close(fd)


def fair() -> Weather:
    """No delay to speak of, nothing in pieces, nothing twice, room for everything."""
    weather = Weather(random.Random(1))
    weather.delay, weather.pieces, weather.room, weather.twice = 1e-4, False, 1 << 22, 0.0
    return weather


class SimulatedServer(RunningServer):
    """A running server on a simulated disk.

    Attributes:
        system, disk: what is below it.
        weather: of the connections to come.
        wires: the connections so far.
        tapped: every byte that the server has sent over each of them.
    """

    def __init__(self, settings: Config, log: structlog.typing.FilteringBoundLogger) -> None:
        self.clients = []
        self.disk = SimDisk(random.Random(7))
        self.system = StillSystem(self.disk)
        self.weather = fair()
        self.wires: list[Wire] = []
        self.tapped: list[bytearray] = []
        self.address = "192.0.2.1"
        self._settings, self._log = settings, log
        self._life: trio.Nursery | None = None
        self._lives: trio.Nursery

    async def open(self) -> trio.abc.Stream:
        stream = self.wire().stream
        return stream if self._settings.web == "off" else await WebSocketStream(stream).open(DEFAULT_PORT)

    def wire(self, acts: Callable[[Act], None] = lambda act: None) -> Wire:
        """A fresh connection. Raises CannotConnect while the server is down."""
        if self._life is None:
            raise CannotConnect("Nobody listens there.")
        sent = bytearray()
        wire = Wire(self.weather, self.address, sent.extend, acts)
        self.wires.append(wire)
        self.tapped.append(sent)
        self._life.start_soon(self.server.connect, self._port(wire, self._life))
        return wire

    def _port(self, wire: Wire, life: trio.Nursery) -> Transport:
        """What the server reads: the wire, behind the port that finds out who comes where there is a page."""
        if self._settings.web == "off":
            return wire.line
        port = port_settings(self._settings, None)
        return PortTransport(wire.line, port, self._settings.limits, life.start_soon, lambda why: None)

    async def dial(self) -> trio.abc.Stream:
        """For `client.connection.session.ClientSession`."""
        await trio.lowlevel.checkpoint()
        return self.wire().stream

    async def start(self) -> None:
        """Starts the server, or starts it again."""
        self._life = await self._lives.start(self._live)

    async def _live(self, *, task_status: "trio.TaskStatus[trio.Nursery]") -> None:
        async with trio.open_nursery() as life:
            self.server = Server(self._settings, self._log, self.system)
            await life.start(partial(self.server.run, listeners=[]))
            task_status.started(life)
            await trio.sleep_forever()

    async def crash(self, *, power: bool = False) -> None:
        """kill -9, or the power goes: not a byte more leaves, nothing more is written."""
        assert self._life is not None
        for wire in self.wires:
            wire.up.cut()
            wire.down.cut()
        self.server.lobby.tables.clear()  # dead processes close nothing
        self._life.cancel_scope.cancel()
        self._life = None
        await trio.sleep(0.001)
        if power:
            self.disk.cut()
        else:
            self.disk.kill()

    async def restart_with_old_journal(self, players: list[WireClient]) -> int:
        """Plays on into the second hand and restarts with the journal of the first; its last event number."""
        await self.reach(players, lambda view: view.hand == 1 and len(view.seats[0].up) == 2)
        path = self.table.journal_path
        backup = self.disk.read_all(path)
        await self.reach(players, lambda view: view.hand == 2)
        await self.crash()
        put_file(self.disk, path, backup)
        await self.start()
        return self.table.state.seq

    async def reach(
        self, players: list[WireClient], stop: Callable[[TableView], bool], choose: Chooser = calling
    ) -> TableView:
        """Plays on, one decision at a time, until the table (seen whole) is as wanted; the table."""
        while True:
            await self.settle(players)
            view = self.table.state.view
            if stop(view):
                return view
            asked = next((player for player in players if player.pending is not None), None)
            if asked is None:
                await trio.sleep(0.1)
                continue
            pending = asked.pending
            assert pending is not None
            await asked.act(choose(pending[1]), pending[0])
            while asked.pending == pending:
                await asked.next()

    async def back(self, players: list[WireClient]) -> list[WireClient]:
        """The same people with new connections and all that they have seen; seated again."""
        again = []
        for player in players:
            fresh = await self.connect(player.name, player.token)
            fresh.view, fresh.acts = player.view, player.acts
            await fresh.join(seen=player.view.seq)
            again.append(fresh)
        await self.settle(again)
        return again

    async def restart(self, *, power: bool = False) -> None:
        """A crash, and a fresh start."""
        await self.crash(power=power)
        await self.start()


def settings(*, limits: Limits = FAST, seed: str = "room", web: WebMode = "off", **table: Any) -> Config:
    """A server with one table that deals at once, from decks of a seed. With a page all clients come as browsers do."""
    return Config(
        plain_tcp=True,
        web=web,
        data_dir="/data",
        seed=seed,
        limits=limits,
        table=(TableConfig(**{"start": 0.0, **table}),),
    )


@asynccontextmanager
async def simulated_server(
    config: Config | None = None, log: structlog.typing.FilteringBoundLogger | None = None, seconds: float = 3600.0
) -> AsyncIterator[SimulatedServer]:
    """A started server; nothing may take longer than so many virtual seconds."""
    here = SimulatedServer(config or settings(), log or silent())
    with trio.fail_after(seconds):
        async with trio.open_nursery() as here._lives:
            await here.start()
            yield here
            here._lives.cancel_scope.cancel()
