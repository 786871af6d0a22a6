"""`ryo play`: a server inside the program, bots in the other seats, and one seat for the player.

The server listens on the loopback address at any free port, and everything goes over the same wire as from another
machine. `LocalGame` holds the parts together. It does not show the player's seat: that is for the full screen, for line
mode, or, without a terminal, for `narrate`, while a bot plays.
"""

from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import msgspec
import trio
from msgspec.structs import replace

from client.bots.company import names_of
from client.bots.minds import Careful, mind_maker
from client.bots.pace import Pace
from client.bots.runner import BotRunner
from client.coach.counting import count_options
from client.coach.table_coach import TableCoach
from client.connection.address import Address
from client.connection.connection import dialer
from client.connection.seat_request import SeatRequest
from client.connection.session import ClientSession
from client.errors import ClientError
from protocol.events import AnyEvent, HandEnded, HandVoided, Said
from protocol.narration.spans import plain
from protocol.narration.story import tell
from protocol.table_rules import Clocks
from server.app.server import Server, serve
from server.config.config import Config
from server.config.limits import Limits
from server.config.presets import preset_named, with_preset
from server.config.table_config import TableConfig
from server.engine.games.catalogue import GAMES
from server.engine.ranking.winning_cards import winning_cards
from server.storage.journal_errors import WriteFailed
from server.table.pipeline import WHY_HALTED

TABLE = "play"
HOUSE = "house"
"""The mind that decides most quickly."""
HOST = "127.0.0.1"
BOT_SECONDS = 1.2
"""Seconds that a bot takes for a decision when a person plays, unless they choose otherwise."""
RESULT_SECONDS = 12
"""Seconds that a result stands while a bot plays the player's seat; a person is waited for."""
LEAST_BUY_IN = 100
"""Chips of a player in a game in which a hand costs no more, or in which there is no end to the raises."""
ROUND_CHIPS = 50
"""The usual buy-in is a multiple of this."""
MOST_BUY_INS = 10
"""The most that a player may have bought, in usual buy-ins."""
_LOCAL_LIMITS = Limits(rate=10_000, burst=10_000)
"""Our own bots may send as fast as they can."""


@dataclass(frozen=True)
class LocalGameOptions:
    """What is to be played.

    Fields:
        game: id of the game, empty for the games of a preset; bots: how many of them; name: the player's.
        hands: after how many hands the game ends; None: when the player leaves.
        data_dir: the directory that holds ``hands/``; None for the usual one.
        seed: decks that are known before the game, for tests.
        pace: seconds that a bot takes for a decision; autopilot: a bot plays the player's seat too.
        stakes: what differs from the game's usual stakes, by the names of `protocol.stakes.Stakes`.
        buy_in: chips of every player; 0 for as many as fit the game.
        preset: name of the preset of the table (`server.config.presets`); its games are played if `game` is empty.
        web: the player's seat is played in a browser, so it stays free for them.
        minds: what the bots think with (`client.bots.minds`), in the order of their seats; the quick house bot for the
            rest of them, and for the player's seat.
        coach: the coach is on from the beginning.
    """

    game: str
    bots: int
    name: str
    hands: int | None = None
    data_dir: Path | None = None
    seed: str | None = None
    pace: float = BOT_SECONDS
    autopilot: bool = False
    stakes: Mapping[str, Any] = field(default_factory=dict)
    buy_in: int = 0
    preset: str = ""
    web: bool = False
    coach: bool = False
    minds: tuple[str, ...] = ()

    def bot_minds(self) -> list[str]:
        """The mind of every bot."""
        return [*self.minds[: self.bots], *[HOUSE] * (self.bots - len(self.minds))]


class LocalGame:
    """A server with one table, its bots, and the session of the player, which the caller runs.

    Attributes:
        session: the player's seat; a spectator's place if they play in a browser. pace: that of the bots.
        coach: says after a hand what gave chips up.
        journal_path: the path of the recording; link: the page for a browser. Both are empty before the table is open.
    """

    def __init__(self, options: LocalGameOptions) -> None:
        self.options = options
        self.journal_path = self.link = ""
        self._port = 0
        self._disk_full = False
        self._hands_over = 0
        own, *others = self._players()
        self.session = self._spectator() if options.web else self._seat(*own, bot=options.autopilot)
        self.session.on_event.append(self._count_hands)
        self.coach = TableCoach(self.session, count_options, on=options.coach)
        self._bots = [self._seat(*other, bot=True) for other in others]
        self.pace = Pace(options.pace)
        self._runners = [self._runner(bot, mind) for bot, mind in zip(self._bots, options.bot_minds(), strict=True)]
        if options.autopilot:
            self._runners.append(self._runner(self.session, HOUSE))
        # While somebody watches, a result stands until it has been read: so no hand begins after the last one.
        self._reader = self._spectator()

    def _players(self) -> list[tuple[str, int]]:
        """(name, seat) of everybody, the player first."""
        own = self.options.name
        return [(own, 1), *[(name, seat) for seat, name in enumerate(names_of(self.options.bot_minds(), own), 2)]]

    def _runner(self, session: ClientSession, mind: str) -> BotRunner:
        """Raises UnknownMind."""
        thinking = Careful(mind_maker(mind)(), self._tell)
        return BotRunner(session, thinking, pace=self.pace, hands=self.options.hands)

    def _tell(self, text: str) -> None:
        for notice in self.session.on_notice:
            notice(text)

    async def host(self, run: Callable[[], Awaitable[None]]) -> None:
        """Opens the server, seats the bots, awaits `run`, and ends all of it.

        Raises ConfigError and JournalError, the latter also if the game ended because the disk is full.
        """
        async with trio.open_nursery() as nursery:
            server: Server = await nursery.start(self._serve)
            self._port = server.port
            table = server.lobby.tables[TABLE]
            self.journal_path, self.link = table.journal_path, next(iter(server.page_links()), "")
            try:
                async with trio.open_nursery() as clients:
                    if self.options.autopilot:
                        clients.start_soon(self._reader.run)
                    clients.start_soon(self._play_bots)
                    clients.start_soon(self.coach.run)
                    await run()
                    clients.cancel_scope.cancel()
            except* ClientError:  # a table that stands still for want of room turns everybody away
                if table.halted != "storage":
                    raise
                self._disk_full = True
            server.stop()
            await server.stopped.wait()
            nursery.cancel_scope.cancel()
        if self._disk_full:
            raise WriteFailed(WHY_HALTED["storage"])

    async def _play_bots(self) -> None:
        async with trio.open_nursery() as nursery:
            for bot in self._bots:
                nursery.start_soon(bot.run)
            for runner in self._runners:
                nursery.start_soon(runner.run)

    async def _serve(self, *, task_status: "trio.TaskStatus[Server]" = trio.TASK_STATUS_IGNORED) -> None:
        await serve(self._config(), task_status=task_status)

    def _config(self) -> Config:
        return server_config(self.options)

    def _spectator(self) -> ClientSession:
        return ClientSession(self._dial, SeatRequest("", table=TABLE, watch=True))

    def _seat(self, name: str, seat: int, *, bot: bool) -> ClientSession:
        token = seat_token(seat)
        return ClientSession(self._dial, SeatRequest(name, lambda table: token, TABLE, seat=seat, bot=bot))

    async def _dial(self) -> trio.abc.Stream:
        return await dialer(Address(HOST, self._port))()

    def end_when_halted(self) -> None:
        """Lets the game end if its table stands still for want of room, because nobody is there to make some."""

        def changed(events: Sequence[AnyEvent]) -> None:
            waits = any(isinstance(event, Said) and event.text == WHY_HALTED["storage"] for event in events)
            # The server is in this program: only a table that halts parts with its guests.
            if waits or self.session.status == "reconnecting":
                self._disk_full = True
                self.session.close()

        self.session.on_change.append(changed)

    def _count_hands(self, event: AnyEvent) -> None:
        if isinstance(event, HandEnded | HandVoided):
            self.pace.hand_over()
            self._hands_over += 1
            if self.options.hands is not None and self._hands_over >= self.options.hands:
                self.session.close()


def seat_token(seat: int) -> bytes:
    """The token of a seat. No secret is needed: the server ends with the program."""
    return f"seat {seat}".encode().ljust(32, b".")


def server_config(options: LocalGameOptions) -> Config:
    """The settings of the server inside. A person who plays against bots has no decision clock.

    The buy-in can be any number of chips that lasts for a hand. Raises ConfigError for stakes that cannot be played.
    """
    table = _preset_table(options) if options.preset else _plain_table(options)
    config = local_config(table, options.data_dir)
    return replace(config, web="plain" if options.web else "off", seed=options.seed)


def local_config(table: TableConfig, data_dir: Path | None) -> Config:
    """The settings of a server for this program alone, with one table and no page for a browser."""
    return Config(
        bind=HOST,
        port=0,
        plain_tcp=True,
        web="off",
        lan=False,
        data_dir=str(data_dir or ""),
        resume=False,
        limits=_LOCAL_LIMITS,
        table=(table,),
    )


def _plain_table(options: LocalGameOptions) -> TableConfig:
    """A table for one game, without decision clocks."""
    buy_in = options.buy_in or fitting_buy_in(options.game, options.stakes)
    return TableConfig(
        id=TABLE,
        name="Kitchen table",
        games=(options.game,),
        change="never",
        seats=options.bots + 1,
        stakes={options.game: dict(options.stakes)},
        buy_in_least=1,
        buy_in=buy_in,
        buy_in_most=MOST_BUY_INS * buy_in,
        clocks=Clocks(bet=0, choose=0, arrange=0, declare=0, result=RESULT_SECONDS, wait_for_all=not options.autopilot),
        start=0.0,
        players=options.bots + 1,
        first_is_host=True,
    )


def _preset_table(options: LocalGameOptions) -> TableConfig:
    """A table as a preset says. Options that say something else win."""
    settings: dict[str, Any] = {"id": TABLE, "name": "Kitchen table", "seats": options.bots + 1}
    settings |= {"start": 0.0, "players": options.bots + 1}
    if options.game:
        settings["games"] = [options.game]
    if options.buy_in:
        settings |= {"buy_in_least": 1, "buy_in": options.buy_in, "buy_in_most": MOST_BUY_INS * options.buy_in}
    if options.stakes:
        games = settings.get("games", preset_named(options.preset).table["games"])
        settings["stakes"] = {game: dict(options.stakes) for game in games}
    if options.autopilot:  # nobody is there to read the results
        settings["clocks"] = {"wait_for_all": False, "result": RESULT_SECONDS}
    with_preset(settings, options.preset)
    return msgspec.convert(settings, TableConfig, strict=True)


def fitting_buy_in(game: str, stakes: Mapping[str, Any]) -> int:
    """Chips with which nobody is all-in in the first hand: all that a hand can cost, in whole fifties, at least 100."""
    kind = GAMES[game]
    cost = kind.most_cost(replace(kind.stakes, **stakes))
    return max(LEAST_BUY_IN, -(-(cost or 0) // ROUND_CHIPS) * ROUND_CHIPS)


def most_bots(game: str) -> int:
    """How many bots the game has seats for."""
    return GAMES[game].most_players - 1


async def narrate(game: LocalGame, write: Callable[[str], None]) -> None:
    """Lets the game play by itself and tells what happens, as the player's seat sees it."""
    session = game.session

    def told(event: AnyEvent) -> None:
        for sentence in tell(event, session.view, session.seat, winning_cards):
            write(plain(sentence))

    session.on_event.insert(0, told)
    session.on_notice.append(write)
    game.end_when_halted()
    await game.host(session.run)
