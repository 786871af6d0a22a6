"""Settings of one table, checked and turned into the table's rules."""

import re
from typing import Any, Literal

import msgspec

from protocol.stakes import Stakes
from protocol.table_rules import Clocks, GameChange, GameOffer, ShowRule, TableRules
from server.config.breaks import breaks_of
from server.config.delay_words import parse_delay
from server.config.durability import Durability
from server.config.passwords import problem_of_verifier
from server.config.rise_words import parse_rise
from server.config.toml_file import read_toml
from server.engine.games.catalogue import GAMES
from server.engine.games.game import Game
from server.engine.games.house_games import BadGame, load_game
from server.errors import ConfigError
from server.storage.rotation import ROTATE_BYTES

MOST_SEATS = 8
TABLE_ID = re.compile(r"[a-z0-9][a-z0-9-]{0,31}")


class TableConfig(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """One ``[[table]]``.

    Fields:
        preset: the name of a preset; it counts for whatever is not set here.
        id: short name in file names and join links: small letters, digits and hyphens.
        name: the name on the screen; the id if empty.
        games: ids of the games in the order of play. A name that ends in ``.toml`` is the file of a house game; its
            path is relative to the folder of the settings.
        seats: 0 for as many as the games allow.
        stakes: by game id, what differs from the game's usual stakes.
        spectators: ``off``: none; ``table`` (or true): they see what is open at the table; ``open``: they see every
            card, when the hand is over and after `open_delay`.
        open_delay: ``1 hand``, ``3 hands``, ``10 minutes`` (`server.config.delay_words`).
        spectator_chat: whether spectators may talk at the table.
        rise: how antes and limits rise: ``x2 every 20 hands`` (`server.config.rise_words`); empty: they stay.
        durability: when a step must be on the disk.
        start: seconds between the arrival of enough players and the first deal.
        players: how many players the first hand needs.
        breaks: breaks by the clock, written like "every 60 min for 10 min"; empty for none.
        first_is_host: whether the first person who sits down is the host of the table.
        bots_alone: whether bots play on while no person is at the table.
        absent_hands: hands in a row without the player's connection after which their seat is free again; the chips are
            kept for them. 0: never.
        right_to_left_names: whether players may have names in Arabic, Hebrew and other scripts from right to left.
        short_return: whether a player who stood up with more than the usual buy-in may come back in the same session
            with fewer chips.
        rotate_bytes: a journal that is longer is continued in a new file after the hand.
        password: the line that ``ryo passwd`` prints. New players and spectators need the password.
        invite: a number greater than 0 makes an invitation that new players and spectators need. Another number makes
            another invitation, and the old one is no longer valid. With both, the password or the invitation is enough.
        The other fields are those of `protocol.table_rules.TableRules`.
    """

    preset: str = ""
    id: str = "main"
    name: str = ""
    games: tuple[str, ...] = ("barneys", "stud8", "razz")
    change: GameChange = "orbit"
    seats: int = 0
    buy_in_least: int = 20
    buy_in_most: int = 1000
    buy_in: int = 100
    clocks: Clocks = Clocks()
    stakes: dict[str, dict[str, Any]] = {}
    misses: int = 2
    show: ShowRule = "rule"
    spectators: bool | Literal["off", "table", "open"] = "table"
    open_delay: str = "1 hand"
    spectator_chat: bool = False
    coach: bool = True
    rise: str = ""
    durability: Durability = "action"
    start: float = 3.0
    players: int = 2
    breaks: str = ""
    first_is_host: bool = False
    bots_alone: bool = True
    absent_hands: int = 30
    short_return: bool = False
    right_to_left_names: bool = False
    rotate_bytes: int = ROTATE_BYTES
    password: str = ""
    invite: int = 0

    def rules(self) -> TableRules:
        """The rules of the table, as its first event announces them. Raises ConfigError."""
        where = f"table {self.id!r}"
        if not TABLE_ID.fullmatch(self.id):
            raise ConfigError(f"{where}: an id has 1 to 32 small letters, digits and hyphens.")
        if self.password and (problem := problem_of_verifier(self.password)):
            raise ConfigError(f"{where}: {problem}.")
        if not self.games:
            raise ConfigError(f"{where}: games is empty; there are {', '.join(GAMES)}.")
        try:
            breaks_of(self.breaks)
        except ValueError as error:
            raise ConfigError(f"{where}: {error}.") from None
        if self.misses < 1:
            raise ConfigError(f"{where}: misses must be at least 1.")
        if self.absent_hands < 0:
            raise ConfigError(f"{where}: absent_hands must be 0 or more.")
        if self.rotate_bytes < 1:
            raise ConfigError(f"{where}: rotate_bytes must be at least 1.")
        if not 0 < self.buy_in_least <= self.buy_in <= self.buy_in_most:
            raise ConfigError(f"{where}: buy_in must lie between buy_in_least and buy_in_most.")
        games = [_game(name, where) for name in self.games]
        ids = [game.id for game, _ in games]
        if len(set(ids)) != len(ids):
            raise ConfigError(f"{where}: a game is listed twice.")
        for key in self.stakes:
            if key not in ids:
                raise ConfigError(f"{where}: stakes of {key!r}, which is not among its games.")
        offers = tuple([self._offer(game, definition) for game, definition in games])
        most = min(max(offer.most_players for offer in offers), MOST_SEATS)
        if self.seats and not 2 <= self.seats <= MOST_SEATS:
            raise ConfigError(f"{where}: seats must be 2 to {MOST_SEATS}.")
        if not 2 <= self.players <= (self.seats or most):
            raise ConfigError(f"{where}: players must be 2 to {self.seats or most}.")
        try:
            rise = parse_rise(self.rise)
            open_cards = parse_delay(self.open_delay)
        except ConfigError as error:
            raise ConfigError(f"{where}: {error}") from None
        rules = TableRules(
            name=self.name or self.id,
            seats=self.seats or most,
            games=offers,
            change=self.change,
            buy_in_least=self.buy_in_least,
            buy_in_most=self.buy_in_most,
            buy_in=self.buy_in,
            clocks=self.clocks,
            misses=self.misses,
            show=self.show,
            spectators=self.spectators not in (False, "off"),
            open_cards=open_cards if self.spectators == "open" else None,
            spectator_chat=self.spectator_chat,
            coach=self.coach,
            rise=rise,
        )
        if rise is not None:
            largest = max(offer.stakes.largest for offer in offers) * rise.percent / 100
            if largest > self.buy_in_most:
                raise ConfigError(
                    f"{where}: the limits cannot rise, because a bet of {largest:g} would be more than "
                    f"buy_in_most ({self.buy_in_most})."
                )
        return rules

    def _offer(self, game: Game, definition: str) -> GameOffer:
        changes = self.stakes.get(game.id, {})
        where = f"table {self.id!r}, stakes of {game.id}"
        for key in changes:
            if key not in Stakes.__struct_fields__:
                raise ConfigError(f"{where}: there is no setting {key!r}.")
        try:
            stakes = msgspec.convert({**msgspec.to_builtins(game.stakes), **changes}, Stakes, strict=True)
        except msgspec.ValidationError as error:
            raise ConfigError(f"{where}: {error}.") from None
        if problem := stakes.problem():
            raise ConfigError(f"{where}: {problem}.")
        return GameOffer(game.id, game.title, stakes, game.most_players, definition)


def _game(name: str, where: str) -> tuple[Game, str]:
    """A game by its id, or by the path of its file together with the text of the file. Raises ConfigError."""
    if not name.endswith(".toml"):
        if name not in GAMES:
            raise ConfigError(
                f"{where}: there is no game {name!r}; there are {', '.join(GAMES)}, and files of house games (*.toml)."
            )
        return GAMES[name], ""
    text, _ = read_toml(name)
    try:
        game = load_game(text)
    except BadGame as error:
        raise ConfigError(f"{name}: {error}.") from None
    if game.id in GAMES:
        raise ConfigError(f"{name}: the id {game.id} belongs to {GAMES[game.id].title}; give the game another one.")
    return game, text
