"""Real sessions at a real server over connections that break all the time (traps A20 and A21, faults 1 to 3).

Every connection breaks after a random number of bytes each way, in the middle of whatever it carries. Bots play on; at
the end everybody sees the same table as a newcomer, and nothing was done twice.
"""

import random
from collections.abc import Callable, Sequence
from pathlib import Path

import pytest
import trio

from client.bots.runner import BotRunner
from client.bots.simple import random_legal
from client.connection.address import Address
from client.connection.connection import dialer
from client.connection.seat_request import SeatRequest
from client.connection.session import ClientSession
from protocol import commands as cmd
from protocol.actions import Action
from protocol.events import ActionRequested, AnyEvent, HandEnded
from protocol.table_rules import Clocks
from protocol.view import TableView, hide
from replays.recording import open_recording
from replays.verify import verify
from server.app.server import Server, serve
from server.config.config import Config
from server.config.limits import Limits
from server.config.table_config import TableConfig
from server.table.table import Table
from tests.support.limits import LIMIT, length

PLAYERS = ("Ann", "Bob", "Cat")
HANDS = length(12, 25)


class BreakingStream(trio.abc.Stream):
    """A stream that breaks after so many bytes each way; the bytes after them are lost."""

    def __init__(self, stream: trio.abc.Stream, outgoing: int, incoming: int) -> None:
        self._stream = stream
        self._out, self._in = outgoing, incoming

    async def send_all(self, data: bytes | bytearray | memoryview) -> None:
        whole = bytes(data)
        await self._stream.send_all(whole[: self._out])
        self._out -= len(whole)
        if self._out < 0:
            await self._cut()

    async def wait_send_all_might_not_block(self) -> None:
        await self._stream.wait_send_all_might_not_block()

    async def receive_some(self, max_bytes: int | None = None) -> bytes:
        if self._in <= 0:
            await self._cut()
        data = bytes(await self._stream.receive_some(max_bytes))[: self._in]
        self._in -= len(data)
        return data

    async def _cut(self) -> None:
        await trio.aclose_forcefully(self._stream)
        raise trio.BrokenResourceError("cut")

    async def aclose(self) -> None:
        await self._stream.aclose()


class BreakingDial:
    """Opens streams that break."""

    def __init__(self, port: int, dice: random.Random) -> None:
        self._dial = dialer(Address("127.0.0.1", port))
        self._dice = dice
        self.whole = False
        self.dialled = 0

    async def __call__(self) -> trio.abc.Stream:
        self.dialled += 1
        stream = await self._dial()
        if self.whole:
            return stream
        least = 1 if self.dialled > 1 else 4000  # a player who never got in is told so, and does not try again
        return BreakingStream(stream, least + self._dice.randint(60, 900), least + self._dice.randint(60, 9000))


def config(folder: Path, game: str) -> Config:
    table = TableConfig(
        id="main",
        games=(game,),
        change="never",
        clocks=Clocks(bet=0, choose=0, arrange=0, declare=0, result=0),
        start=0.0,
        players=len(PLAYERS),
        durability="none",
    )
    limits = Limits(rate=10_000, burst=10_000)
    return Config(
        bind="127.0.0.1",
        port=0,
        plain_tcp=True,
        data_dir=str(folder),
        seed="cut",
        resume=False,
        limits=limits,
        table=(table,),
    )


def token_of(name: str) -> Callable[[str], bytes]:
    return lambda table: name.encode().ljust(32)


async def all_up_to_date(table: Table, sessions: Sequence[ClientSession]) -> None:
    """Returns at a moment at which everybody is there and has seen everything."""
    news = trio.Event()

    def look(events: Sequence[AnyEvent]) -> None:
        news.set()

    for session in sessions:
        session.on_change.append(look)
    while not all(session.status == "online" and session.view.seq == table.state.seq for session in sessions):
        await news.wait()
        news = trio.Event()


@pytest.mark.slow
@pytest.mark.parametrize("game", ["barneys", "stud8", "razz"])
@pytest.mark.parametrize("seed", range(4))
async def test_trap_A20_A21_broken_connections_lose_nothing_and_double_nothing(
    game: str, seed: int, tmp_path: Path
) -> None:
    dice = random.Random(seed)

    def choose(view: TableView, seat: int, request: ActionRequested) -> Action:
        return random_legal(request, dice)

    with trio.fail_after(LIMIT):
        async with trio.open_nursery() as nursery:
            server: Server = await nursery.start(serve, config(tmp_path, game))
            table = server.lobby.tables["main"]
            dials = [BreakingDial(server.port, dice) for _ in PLAYERS]
            sessions = [
                ClientSession(dial, SeatRequest(name, token_of(name), "main"), pauses=[0.002])
                for dial, name in zip(dials, PLAYERS, strict=True)
            ]
            over = trio.Event()

            async def play(bot: BotRunner, scope: trio.CancelScope) -> None:
                with scope:
                    await bot.run()

            scopes = [trio.CancelScope() for _ in sessions]
            for session, scope in zip(sessions, scopes, strict=True):
                nursery.start_soon(play, BotRunner(session, choose), scope)
                nursery.start_soon(session.run)

            def count(event: AnyEvent) -> None:
                if isinstance(event, HandEnded) and event.hand >= HANDS:
                    over.set()

            sessions[0].on_event.append(count)
            while not over.is_set():  # a hand's end may come with a snapshot instead
                with trio.move_on_after(0.05):
                    await over.wait()
                if table.state.view.hand >= HANDS and not table.state.view.playing:
                    break
            for scope in scopes:
                scope.cancel()  # the hand that is running then waits for ever
            for dial in dials:
                dial.whole = True
            newcomer = ClientSession(
                dialer(Address("127.0.0.1", server.port)), SeatRequest("", table="main", watch=True)
            )
            nursery.start_soon(newcomer.run)
            await all_up_to_date(table, [*sessions, newcomer])
            for session in sessions:
                assert session.view == hide(table.state.view, session.seat)
            assert newcomer.view == hide(table.state.view, None)
            assert min(dial.dialled for dial in dials) > 5
            server.stop()
            await server.stopped.wait()
            nursery.cancel_scope.cancel()
    report = verify(Path(table.journal_path))
    assert report.ok, report.problem
    ids: dict[int, list[int]] = {}
    for step in open_recording(Path(table.journal_path)).steps:
        if isinstance(step.command, cmd.Act):
            ids.setdefault(step.command.seat, []).append(step.command.id)
    for done in ids.values():
        assert done == sorted(set(done))
