"""The server's settings: a TOML file, then the environment (``RYO_PORT`` ...), then flags; the later wins.

Every mistake is a `ConfigError` that names the file, the line and the key; the process then ends with exit code 78.
"""

import os
import re
import tomllib
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Literal

import msgspec
import platformdirs

from protocol.stakes import Stakes
from protocol.table_rules import Change, Clocks, GameOffer, Show, TableRules
from server.admission.table_access import problem_of_verifier
from server.config.limits import Limits
from server.engine.games.catalogue import GAMES, Game
from server.engine.games.house_games import BadGame, load_game
from server.storage.rotation import ROTATE_BYTES
from server.table.pipeline import Durability

PORT = 7719
APP = "rollyourown"
EXIT_CONFIG = 78
MOST_SEATS = 8

Level = Literal["debug", "info", "warning", "error"]
TABLE_ID = re.compile(r"[a-z0-9][a-z0-9-]{0,31}")


class ConfigError(Exception):
    """The text is one sentence for the host."""

    exit_code = EXIT_CONFIG


class TableConfig(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """One ``[[table]]``.

    Fields:
        id: short name in file names and join links: small letters, digits and hyphens.
        name: how it is called on the screen; the id if empty.
        games: ids of the games, the first one first; a name that ends in ``.toml`` is the file of a house game, seen
            from the folder of the settings.
        seats: 0 for as many as the games allow.
        stakes: by game id: what differs from the game's usual stakes.
        start: seconds from the moment enough players are there to the first deal.
        players: how many must be there for the first hand.
        bots_alone: whether bots play on while no person is at the table.
        rotate_bytes: length of a journal from which on the next hand begins a new file.
        password: what ``ryo passwd`` prints; newcomers need the password. invite: a number greater than 0 makes an
            invitation that newcomers need, another number another one, and ends the old. Either of them is enough.
        The others are those of `protocol.table_rules.TableRules`.
    """

    id: str = "main"
    name: str = ""
    games: tuple[str, ...] = ("barneys", "stud8", "razz")
    change: Change = "orbit"
    seats: int = 0
    buy_in_least: int = 20
    buy_in_most: int = 1000
    buy_in: int = 100
    clocks: Clocks = Clocks()
    stakes: dict[str, dict[str, Any]] = {}
    misses: int = 1
    show: Show = "rule"
    spectators: bool = True
    durability: Durability = "action"
    start: float = 3.0
    players: int = 2
    bots_alone: bool = True
    rotate_bytes: int = ROTATE_BYTES
    password: str = ""
    invite: int = 0

    def rules(self) -> TableRules:
        """The house rules as the table announces them. Raises ConfigError."""
        where = f"table {self.id!r}"
        if not TABLE_ID.fullmatch(self.id):
            raise ConfigError(f"{where}: an id has 1 to 32 small letters, digits and hyphens.")
        if self.password and (problem := problem_of_verifier(self.password)):
            raise ConfigError(f"{where}: {problem}.")
        if not self.games:
            raise ConfigError(f"{where}: games is empty; there are {', '.join(GAMES)}.")
        if self.misses < 1:
            raise ConfigError(f"{where}: misses must be at least 1.")
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
        return TableRules(
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
            spectators=self.spectators,
        )

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
    """The game of that id, or the one in that file with the text that defines it. Raises ConfigError."""
    if not name.endswith(".toml"):
        if name not in GAMES:
            raise ConfigError(
                f"{where}: there is no game {name!r}; there are {', '.join(GAMES)}, and files of house games (*.toml)."
            )
        return GAMES[name], ""
    text, _ = _read(name)
    try:
        game = load_game(text)
    except BadGame as error:
        raise ConfigError(f"{name}: {error}.") from None
    if game.id in GAMES:
        raise ConfigError(f"{name}: the id {game.id} belongs to {GAMES[game.id].title}; give the game another one.")
    return game, text


class Config(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """All settings of a server.

    Fields:
        bind: address to listen on; empty for all of them. port: 0 for any free one.
        plain_tcp: whether connections are not encrypted.
        data_dir: where the journals are (in ``hands/``) and the server's key; the user's data directory if empty.
        resume: whether tables go on where their last journals were left.
        log_file: the operator's log; standard error if empty. log_level: the least of what it has.
        seed: only for tests and demonstrations: every deck can be known beforehand.
        table: the tables.
    """

    bind: str = ""
    port: int = PORT
    plain_tcp: bool = False
    data_dir: str = ""
    resume: bool = True
    log_file: str = ""
    log_level: Level = "info"
    seed: str | None = None
    limits: Limits = Limits()
    table: tuple[TableConfig, ...] = (TableConfig(),)

    @property
    def base_dir(self) -> Path:
        """The directory of everything a server keeps."""
        return Path(self.data_dir).expanduser() if self.data_dir else Path(platformdirs.user_data_dir(APP, False))

    @property
    def hands_dir(self) -> Path:
        """The directory of the journals."""
        return self.base_dir / "hands"

    def check(self) -> "Config":
        """The settings themselves if they make sense together. Raises ConfigError."""
        if not 0 <= self.port <= 65535:
            raise ConfigError(f"port must be 0 to 65535, not {self.port}.")
        if not self.table:
            raise ConfigError("There must be at least one table.")
        ids = [table.id for table in self.table]
        if len(set(ids)) != len(ids):
            raise ConfigError("Two tables have the same id.")
        for table in self.table:
            table.rules()
        return self


def load(
    path: str | os.PathLike[str] | None,
    environment: Mapping[str, str],
    flags: Mapping[str, Any],
) -> tuple[Config, dict[str, str]]:
    """The settings, and for each key that is not the built-in one where it came from.

    `flags` holds settings by field name; those that are None were not given. Raises ConfigError.
    """
    values: dict[str, Any] = {}
    origins: dict[str, str] = {}
    text = ""
    if path is not None:
        text, values = _read(path)
        _find_games(values, Path(path).parent)
        origins = dict.fromkeys(values, str(path))
    for field in msgspec.structs.fields(Config):
        key = f"RYO_{field.name.upper()}"
        if field.name not in ("limits", "table") and key in environment:
            values[field.name] = _from_text(environment[key], field.type, key)
            origins[field.name] = key
    for name, value in flags.items():
        if value is not None:
            values[name] = value
            origins[name] = f"--{name.replace('_', '-')}"
    try:
        return msgspec.convert(values, Config, strict=True).check(), origins
    except msgspec.ValidationError as error:
        raise ConfigError(_located(str(error), text, path)) from None
    except ConfigError as error:
        raise ConfigError(f"{path}: {error}" if path is not None else str(error)) from None


def _read(path: str | os.PathLike[str]) -> tuple[str, dict[str, Any]]:
    try:
        text = Path(path).read_text("utf-8")
    except (OSError, UnicodeDecodeError) as error:
        reason = error.strerror if isinstance(error, OSError) else "it is not UTF-8"
        raise ConfigError(f"{path} cannot be read: {reason}.") from None
    try:
        return text, tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise ConfigError(f"{path}: {error}.") from None


def _find_games(values: dict[str, Any], folder: Path) -> None:
    """Make the files of house games independent of the working directory. Other mistakes are found later."""
    tables = values.get("table")
    for table in tables if isinstance(tables, list) else ():
        games = table.get("games") if isinstance(table, dict) else None
        if isinstance(games, list):
            table["games"] = [
                str(folder / Path(game).expanduser()) if isinstance(game, str) and game.endswith(".toml") else game
                for game in games
            ]


def _from_text(text: str, kind: Any, key: str) -> Any:
    try:
        return msgspec.convert(text, kind, strict=False)
    except msgspec.ValidationError as error:
        raise ConfigError(f"{key}: {error}.") from None


def _located(error: str, text: str, path: str | os.PathLike[str] | None) -> str:
    """The message with the line of the key it is about, as far as that can be found."""
    named = re.search(r"unknown field `([^`]+)`", error) or re.search(r"\$(?:.*)\.([A-Za-z_]\w*)", error)
    where = str(path) if path is not None else "settings"
    if named:
        key = re.escape(named[1])
        for number, line in enumerate(text.splitlines(), 1):
            if re.match(rf"\s*(?:\[+[\w.]*\b)?{key}\b", line):
                where += f", line {number}"
                break
    return f"{where}: {error}."
