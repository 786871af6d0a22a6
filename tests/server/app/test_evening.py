"""An evening of three hours: people and bots, every word of the host, a power cut and a restart; no chip is lost.

The words are those of the program: a new word without a step in `the_evening` makes the test fail.
"""

import io
import json
import random
from collections.abc import Awaitable, Callable
from functools import partial
from pathlib import Path

import pytest
import trio
from trio.testing import MockClock

from client.bots.pace import Pace
from client.bots.runner import BotRunner
from client.bots.simple import random_legal
from client.connection.seat_request import SeatRequest
from client.connection.session import ClientSession
from client.errors import ClientError
from protocol.actions import Action
from protocol.events import ActionRequested, AnyEvent, ChipsAdded, PlayerLeft, PlayerSeated
from protocol.table_rules import Clocks
from protocol.view import TableView
from server.app.operator import WORDS, Operator
from server.app.operator_log import OperatorLog, silent
from server.app.reload import Reloader
from tests.simulation.session_files import first_file, read_session
from tests.support.ryo_process import RyoProcesses
from tests.support.simulated_server import SimulatedServer, settings, simulated_server

MINUTE = 60.0
GAMES = ("barneys", "stud8", "razz")
CLOCKS = Clocks(bet=40, choose=40, arrange=60, declare=40, bank=60, result=20, grace=30)


class Regular:
    """Somebody who plays by chance, comes back whenever they can, and does as the evening wants.

    Attributes:
        session: the present one; None while they are not there.
        comes: whether they want to be there.
        told: why their sessions have ended.
    """

    def __init__(self, name: str, *, bot: bool = False) -> None:
        self.name, self.bot = name, bot
        self.token = name.encode().ljust(32, b"\1")
        self.password = ""
        self.session: ClientSession | None = None
        self.comes = True
        self.told: list[str] = []
        self._random = random.Random(name)

    async def live(self, dial: Callable[[], Awaitable[trio.abc.Stream]]) -> None:
        """Works until cancelled."""
        while True:
            if self.comes:
                await self._visit(dial)
            await trio.sleep(10)

    async def _visit(self, dial: Callable[[], Awaitable[trio.abc.Stream]]) -> None:
        request = SeatRequest(self.name, lambda table: self.token, "main", bot=self.bot, password=self.password)
        self.session = session = ClientSession(dial, request, pauses=(1, 2, 5), now=trio.current_time)
        runner = BotRunner(session, self._decide, pace=Pace(4.0 if self.bot else 15.0))
        async with trio.open_nursery() as nursery:
            nursery.start_soon(runner.run)
            try:
                await session.run()
                self.told.append(session.trouble)
            except ClientError as error:
                self.told.append(str(error))
            nursery.cancel_scope.cancel()
        self.session = None

    def _decide(self, view: TableView, seat: int, request: ActionRequested) -> Action:
        return random_legal(request, self._random)

    def go(self) -> None:
        """Goes home, the seat is kept."""
        self.comes = False
        if self.session is not None:
            self.session.close()


class Evening:
    """The host's side of it.

    Attributes:
        used: the words that the operator has said.
        at_table: the words that hosts have said at the table.
    """

    def __init__(self, here: SimulatedServer, regulars: list[Regular]) -> None:
        self.here = here
        self.regulars = {one.name: one for one in regulars}
        self.used: set[str] = set()
        self.at_table: set[str] = set()

    async def say(self, *words: str, by: str = "") -> str:
        """Says a word at the server, or as a host at the table; what is answered."""
        server, table = self.here.server, self.here.table
        server.addresses = ["192.0.2.9:7719"]
        reloader = Reloader(server, settings(), settings, OperatorLog(io.StringIO(), "info"))
        operator = Operator(server, settings(), silent(), reloader)
        answer = await operator.obey(words, operator.hosted.at_table(table, by) if by else None)
        assert answer.code == 0, (words, by, answer)
        (self.at_table if by else self.used).add(words[0])
        return answer.text

    async def until(self, reached: Callable[[TableView], bool]) -> None:
        """Waits until the table is so."""
        while True:
            assert self.here.table.halted is None, "a fault in the program has stopped the table"
            if reached(self.here.table.state.view):
                return
            await trio.sleep(0.5)

    async def asked(self, name: str) -> None:
        """Waits until that player is asked for something."""
        await self.until(lambda view: any(seat.name == name and seat.pending for seat in view.seats))

    async def there(self, name: str) -> None:
        """Waits until that player has a seat and is connected."""
        await self.until(lambda view: any(seat.name == name and seat.online for seat in view.seats))


async def run_the_table(evening: Evening, by: str) -> None:
    """Every word about one table, said by the operator (empty) or by a host."""
    say, regulars = partial(evening.say, by=by), evening.regulars
    await say("pause", "the doorbell")
    await trio.sleep(5 * MINUTE)
    await say("resume")
    await evening.until(lambda view: view.playing)
    await say("break", "5", "tea")
    await evening.until(lambda view: not view.playing)
    await evening.until(lambda view: view.playing)  # a break ends by itself
    await say("void", "a misdeal")
    await evening.until(lambda view: view.playing)
    await say("last-hand", "cake")
    await evening.until(lambda view: not view.playing)
    await say("stack", "Ben", "+20", "paid in coins")
    await say("resume")
    await say("open", "spectators")
    await evening.until(lambda view: view.rules is not None and view.rules.open_cards is not None)
    await say("close", "spectators")

    await evening.asked("Ben")
    await say("kick", "Ben", "too", "loud")
    await trio.sleep(MINUTE)
    await evening.there("Ben")

    await say("ban", "Cho", "for", "1", "h", "rude")
    await trio.sleep(2 * MINUTE)
    assert regulars["Cho"].told[-1].startswith("You are banned from this ")
    assert "Cho" in await say("bans")
    await say("unban", "Cho")
    await evening.there("Cho")

    await say("mute", "Ben", "for", "10", "min", "too many jokes")
    await say("unmute", "Ben")

    dan = regulars["Dan"]
    await evening.asked("Dan")
    dan.go()
    await trio.sleep(1)
    await say("pass", "Dan")
    await say("free", "Dan")
    await evening.until(lambda view: all(seat.name != "Dan" for seat in view.seats))
    word = next(part for part in (await say("give-back", "Dan")).split() if part[4:5] == "-")
    dan.token, dan.password, dan.comes = f"new key of {by}".encode().ljust(32), word, True  # on another computer
    await evening.there("Dan")


async def the_evening(evening: Evening) -> None:
    """What the host does, in the order of the evening."""
    say, here, regulars = evening.say, evening.here, evening.regulars
    await evening.until(lambda view: view.hand == 2)
    for word in ("help", "status", "tables", "players", "reload"):
        await say(word)
    await say("say", "good", "evening")
    await run_the_table(evening, "")
    await say("host", "Ann")
    await run_the_table(evening, "Ann")
    await say("host", "Ben", by="Ann")
    await say("unhost", "Ben", by="Ben")
    await say("host", "Ann")
    await say("unhost", "Ann")

    await trio.sleep_until(90 * MINUTE)
    await evening.asked("Ann")
    await here.crash(power=True)
    await trio.sleep(2 * MINUTE)
    await here.start()
    for name in regulars:
        await evening.there(name)

    await trio.sleep_until(160 * MINUTE)
    await evening.until(lambda view: view.playing)
    await say("drain", "5")
    await here.server.stopped.wait()
    assert not here.table.state.view.playing
    await here.restart()
    for name in regulars:
        await evening.there(name)

    await trio.sleep_until(180 * MINUTE)
    await say("stop")
    await here.server.stopped.wait()


@pytest.mark.slow
async def test_an_evening_with_every_word_of_the_host_loses_no_chips(
    autojump_clock: MockClock, ryo: RyoProcesses, tmp_path: Path
) -> None:
    regulars = [Regular(name) for name in ("Ann", "Ben", "Cho", "Dan")] + [Regular("Robo", bot=True)]
    room = settings(games=GAMES, players=3, clocks=CLOCKS, absent_hands=0)
    async with simulated_server(room, seconds=240 * MINUTE) as here, trio.open_nursery() as nursery:
        evening = Evening(here, regulars)
        for one in regulars:
            nursery.start_soon(one.live, here.dial)
        await the_evening(evening)
        path = first_file(here.table.journal_path)
        nursery.cancel_scope.cancel()

    assert evening.used == set(WORDS), "a word has no step in the evening"
    assert evening.at_table == {name for name, word in WORDS.items() if word.at_table}
    steps, ends = read_session(here.disk, path)
    view, kept = ends[-1].view, ends[-1].kept
    print(view.hand)
    assert view.hand > 40
    assert view.chips() == sum(chips_brought(event) for step in steps for event in step.events)
    assert not kept

    hands = tmp_path / "hands"
    hands.mkdir()
    for name in here.disk.names_in("/data/hands"):
        if name.endswith(".ryo"):
            (hands / name).write_bytes(here.disk.read_all(f"/data/hands/{name}"))
    told = ryo.run(tmp_path, "ledger", "--data-dir", str(tmp_path), "--format", "json")
    assert told.code == 0, told
    accounts = json.loads(told.out)["accounts"]
    assert {account["name"] for account in accounts} == {one.name for one in regulars}
    assert sum(account["net"] for account in accounts) == 0
    assert any(account["net"] for account in accounts)
    for file in hands.glob("*.ryo"):
        verified = ryo.run(tmp_path, "verify", str(file))
        assert verified.code == 0, (str(verified), file)


def chips_brought(event: AnyEvent) -> int:
    """What an event brings to the table, or takes from it."""
    match event:
        case PlayerSeated():
            return event.chips
        case ChipsAdded():
            return event.amount
        case PlayerLeft():
            return -event.chips
        case _:
            return 0
