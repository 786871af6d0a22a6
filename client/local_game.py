"""`ryo play`: a server inside the program, bots in the other seats, and one seat for the player.

The server listens on the loopback address at any free port; everything goes over the same wire as from another
machine. `Room` holds it together; how the player's seat is shown is somebody else's: the full screen, lines, or, where
there is no terminal, a bot that plays and a voice that tells.
"""

from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from pathlib import Path

import trio

from client.bots.player import choose
from client.bots.runner import AutoPlayer
from client.connection.address import Address
from client.connection.connection import dialer
from client.connection.session import ClientSession, Place
from protocol.events import AnyEvent, HandEnded, HandVoided
from protocol.table_rules import Clocks
from replays.telling import tell_whole
from server.admission.player_names import name_key
from server.app.server import Server, serve
from server.config.config import Config
from server.config.limits import Limits
from server.config.table_config import TableConfig
from server.engine.games.catalogue import GAMES

TABLE = "play"
BOT_NAMES = ("Ada", "Ben", "Cleo", "Dirk", "Edith", "Felix", "Greta", "Hugo")
HOST = "127.0.0.1"
PACE = 0.7
"""Seconds a bot takes when a person watches."""
RESULT = 12
"""Seconds a result stands, if it is not sent away before."""
_OWN_LIMITS = Limits(rate=10_000, burst=10_000)
"""Our own bots may be as fast as they are."""


@dataclass(frozen=True)
class Evening:
    """What is to be played.

    Fields:
        game: id of the game; bots: how many of them; name: the player's.
        hands: after how many hands it is over; None: when the player has had enough.
        data_dir: where ``hands/`` is; None for the usual place. seed: decks known beforehand, for tests.
        pace: seconds a bot takes; autopilot: a bot plays the player's seat too.
    """

    game: str
    bots: int
    name: str
    hands: int | None = None
    data_dir: Path | None = None
    seed: str | None = None
    pace: float = PACE
    autopilot: bool = False


class Room:
    """A server with one table, its bots, and the player's session, which only has to be run.

    `around` runs all of it. `journal` is the path of the recording, empty before the table is open.
    """

    def __init__(self, evening: Evening) -> None:
        self.journal = ""
        self.evening = evening
        self._port = 0
        self._over = 0
        self.session = self._session(evening.name, 1, bot=evening.autopilot)
        self.session.on_event.append(self._count)
        names = [name for name in BOT_NAMES if name_key(name) != name_key(evening.name)]
        self._bots = [self._session(names[number], number + 2, bot=True) for number in range(evening.bots)]
        players = [*self._bots, self.session] if evening.autopilot else self._bots
        self._minds = [AutoPlayer(one, choose, pace=evening.pace, hands=evening.hands) for one in players]
        # While somebody watches, a result stands until it has been read: so the last hand stays the last one.
        self._watcher = ClientSession(self._dial, Place("", table=TABLE, watch=True))

    async def around(self, run: Callable[[], Awaitable[None]]) -> None:
        """Open the server, seat the bots, await `run`, and end all of it. Raises ConfigError and JournalError."""
        async with trio.open_nursery() as nursery:
            server: Server = await nursery.start(self._serve)
            self._port = server.port
            self.journal = server.lobby.tables[TABLE].journal_path
            async with trio.open_nursery() as guests:
                if self.evening.autopilot:
                    guests.start_soon(self._watcher.run)
                for one in self._bots:
                    guests.start_soon(one.run)
                for mind in self._minds:
                    guests.start_soon(mind.run)
                await run()
                guests.cancel_scope.cancel()
            server.stop()
            await server.stopped.wait()
            nursery.cancel_scope.cancel()

    async def _serve(self, *, task_status: "trio.TaskStatus[Server]" = trio.TASK_STATUS_IGNORED) -> None:
        await serve(config_for(self.evening), task_status=task_status)

    def _session(self, name: str, seat: int, *, bot: bool) -> ClientSession:
        token = name.encode().ljust(32, b".")[:32]  # the server lives no longer than the program
        return ClientSession(self._dial, Place(name, lambda table: token, TABLE, seat=seat, bot=bot))

    async def _dial(self) -> trio.abc.Stream:
        return await dialer(Address(HOST, self._port))()

    def _count(self, event: AnyEvent) -> None:
        if isinstance(event, HandEnded | HandVoided):
            self._over += 1
            if self.evening.hands is not None and self._over >= self.evening.hands:
                self.session.close()


def config_for(evening: Evening) -> Config:
    """The settings of the embedded server. A person who plays against bots has all the time of the world."""
    table = TableConfig(
        id=TABLE,
        name="Kitchen table",
        games=(evening.game,),
        change="never",
        seats=evening.bots + 1,
        clocks=Clocks(bet=0, choose=0, arrange=0, declare=0, result=RESULT),
        start=0.0,
        players=evening.bots + 1,
    )
    return Config(
        bind=HOST,
        port=0,
        plain_tcp=True,
        data_dir=str(evening.data_dir or ""),
        resume=False,
        seed=evening.seed,
        limits=_OWN_LIMITS,
        table=(table,),
    )


def most_bots(game: str) -> int:
    """How many bots the game has room for."""
    return GAMES[game].most_players - 1


async def tell_hands(room: Room, write: Callable[[str], None]) -> None:
    """Let the room play by itself and tell what happens, as the player's seat sees it."""
    session = room.session

    def told(event: AnyEvent) -> None:
        for line in tell_whole(event, session.view, session.seat):
            write(line)

    session.on_event.insert(0, told)
    session.on_notice.append(write)
    await room.around(session.run)
