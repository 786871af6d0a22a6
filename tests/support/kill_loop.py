"""kill -9, again and again, while four clients play over TLS through a bad network; nothing may be lost."""

import random
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path

import trio

from client.connection.address import Address
from client.connection.connection import dialer
from client.connection.tls import TlsDial
from client.profile.known_servers import KnownServers
from protocol.commands import Act as ActCommand
from protocol.events import HandStarted
from protocol.journal.framing import scan
from protocol.wire.messages import Act
from server.storage.file_names import newest
from server.storage.filesystem import FileSystem
from tests.simulation.oracles import check_journal
from tests.simulation.players import Player
from tests.simulation.session_files import first_file, read_session
from tests.simulation.wire import actions_in
from tests.support.fault_proxy import FaultProxy
from tests.support.limits import LIMIT
from tests.support.server_process import ServerProcess

SETTINGS = """
[limits]
rate = 1e6
burst = 1e6

[[table]]
id = "main"
games = ["barneys", "stud8", "razz"]
change = "hand"
start = 0.05
seats = 4
rotate_bytes = 25000

[table.clocks]
bet = 5
choose = 5
arrange = 5
declare = 5
result = 0
grace = 5
"""
NAMES = ("Ann", "Ben", "Cho", "Dov")
LEAST_ACTIONS = 40
"""Actions that are sent at least, however slow the machine is."""


@dataclass
class Report:
    """What came of it.

    Fields:
        kills: processes killed. actions, hands: in the journal, each checked.
        files: in which the session is kept.
        cuts: connections cut by the proxy.
        starts: seconds from a start of the program to its listening. away: from a kill until everybody was back.
    """

    kills: int = 0
    files: int = 0
    actions: int = 0
    hands: int = 0
    cuts: int = 0
    starts: list[float] = field(default_factory=list)
    away: list[float] = field(default_factory=list)

    def line(self) -> str:
        """For the summary."""
        starts, away = sorted(self.starts), sorted(self.away)
        return (
            f"{self.kills} kills -9, {self.cuts} lines cut, {self.actions} actions in {self.hands} hands, "
            f"each exactly once, none lost; listening after {starts[len(starts) // 2]:.2f} s, everybody back after "
            f"{away[len(away) // 2]:.2f} s (at most {away[-1]:.2f} s)"
        )


class Overheard(trio.abc.Stream):
    """A stream whose actions are counted as they are sent."""

    def __init__(self, inner: trio.abc.Stream, acts: Callable[[Act], None]) -> None:
        self._inner, self._acts = inner, acts

    async def send_all(self, data: bytes | bytearray | memoryview) -> None:
        for act in actions_in(bytes(data)):
            self._acts(act)
        await self._inner.send_all(data)

    async def wait_send_all_might_not_block(self) -> None:
        await self._inner.wait_send_all_might_not_block()

    async def receive_some(self, max_bytes: int | None = None) -> bytes | bytearray:
        return await self._inner.receive_some(max_bytes)

    async def aclose(self) -> None:
        await self._inner.aclose()


class KillLoop:
    """The program, the proxy before it, and the players behind that."""

    def __init__(self, folder: Path, seed: int, *, tls: bool = True) -> None:
        self.rng = random.Random(seed)
        self.report = Report()
        self.program = ServerProcess(folder / "data", SETTINGS, () if tls else ("--plain-tcp",))
        self.proxy = FaultProxy(("127.0.0.1", 1), seed)
        self.players = [Player(name, random.Random(self.rng.random()), _ignore) for name in NAMES]
        for player in self.players:
            player.epoch, player.lazy, player.pace, player.stays = 1, 0.0, 0.005, True
        self._known = KnownServers(folder / "client")
        self._tls = tls
        self._news = trio.Event()  # set by the next action

    async def dial(self, player: Player) -> trio.abc.Stream:
        """A connection through the proxy, encrypted or not."""
        player.dialled += 1
        address = Address("127.0.0.1", self.proxy.port)
        plain = dialer(address)
        stream = await (TlsDial(address, self._known)() if self._tls else plain())
        return Overheard(stream, partial(self._acted, player))

    def _acted(self, player: Player, act: Act) -> None:
        player.acted(act)
        self._news.set()
        self._news = trio.Event()

    async def run(self, kills: int) -> Report:
        """Kills so often, then stops in order and looks at the journal. Raises Violation."""
        async with trio.open_nursery() as nursery:
            await nursery.start(self.proxy.run)
            await self._start()
            for player in self.players:
                nursery.start_soon(player.live, self.dial)
            nursery.start_soon(self._cut)
            await self._everybody_there(dict.fromkeys(NAMES, 0))
            for _ in range(kills):
                with trio.move_on_after(0.8):
                    await self._until_sent(self._sent() + self.rng.randrange(40))
                begun = time.perf_counter()
                dialled = {player.name: player.dialled for player in self.players}
                self.proxy.reset = self.rng.random() < 0.5
                await self.program.kill()
                self.report.kills += 1
                await self._start()
                await self._everybody_there(dialled)
                self.report.away.append(time.perf_counter() - begun)
            await self._until_sent(LEAST_ACTIONS)
            code = await self.program.stop()
            assert code == 0, f"exit code {code}"
            nursery.cancel_scope.cancel()
        self._judge()
        return self.report

    async def _start(self) -> None:
        begun = time.perf_counter()
        self.proxy.up.pieces = self.proxy.down.pieces = self.rng.choice([0, 40, 400])
        self.proxy.target = ("127.0.0.1", await self.program.start())
        self.report.starts.append(time.perf_counter() - begun)

    async def _cut(self) -> None:
        while True:
            await trio.sleep(self.rng.expovariate(1 / 0.7))
            self.report.cuts += self.proxy.cut(1)

    def _sent(self) -> int:
        """Actions that the players have sent."""
        return sum(len(player.sent) for player in self.players)

    async def _until_sent(self, number: int) -> None:
        while self._sent() < number:
            await self._news.wait()

    async def _everybody_there(self, since: dict[str, int]) -> None:
        """Each has been seated over a connection newer than those of `since`."""
        missing = list(self.players)
        for _ in range(6000):
            missing = [player for player in missing if not _is_back(player, since[player.name])]
            if not missing:
                return
            await trio.sleep(0.005)
        raise AssertionError(f"{[player.name for player in missing]} did not come back")

    def _judge(self) -> None:
        path = newest(str(self.program.folder / "hands"), "main")
        assert path is not None
        assert scan(Path(path).read_bytes()).verdict == "clean"
        steps, ends = read_session(FileSystem(), first_file(path))
        self.report.files = len(ends)
        sent = [action for player in self.players for action in player.sent]
        check_journal(steps, [player.seen[1] for player in self.players], sent)
        self.report.actions = sum(isinstance(step.command, ActCommand) for step in steps)
        self.report.hands = sum(isinstance(event, HandStarted) for step in steps for event in step.events)


def _is_back(player: Player, before: int) -> bool:
    session = player.session
    return player.dialled > before and session is not None and session.status == "online" and bool(session.view.table)


def _ignore(*facts: object) -> None:
    """The trace of the simulation is not kept here."""


async def kill_loop(folder: Path, kills: int, seed: int, *, tls: bool = True) -> Report:
    """Plays and kills. Raises Violation if anything that a client was shown is not in the journal afterwards."""
    with trio.fail_after(LIMIT * (1 + kills)):
        loop = KillLoop(folder, seed, tls=tls)
        try:
            return await loop.run(kills)
        finally:
            await loop.program.clean_up()
