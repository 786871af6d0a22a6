"""All settings of a server: a preset, then a TOML file, then the environment (``RYO_PORT`` ...), then flags; the last
one wins.

Every mistake is a `ConfigError` that names the file, the line and the key; the process then ends with exit code 78.
"""

import ipaddress
import os
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Annotated, Any

import msgspec

from protocol.wire.join_links import DEFAULT_PORT, SCHEME, parse_link
from server.config.limits import Limits
from server.config.log_level import LogFormat, LogLevel
from server.config.passwords import problem_of_verifier
from server.config.presets import with_preset
from server.config.table_config import TableConfig
from server.config.toml_file import read_toml, with_place
from server.config.variables import from_environment, keys_of, keys_of_tables, variable_of
from server.config.web_mode import WebMode
from server.errors import ConfigError
from server.storage.folders import data_folder, hands_folder


class Config(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """All settings of a server.

    Fields:
        bind: address to listen on; empty for all addresses of this machine.
        port: TCP port; 0 for any free one.
        plain_tcp: whether connections are not encrypted.
        public: HOST:PORT by which guests come in, if it is not an address of this machine; empty if it is.
        proxies: addresses and networks of proxies that say who their client is (PROXY protocol, version 2).
        web: whether browsers get a page with a seat on the same port: not at all, encrypted, or without encryption.
        web_names: names by which people reach the page, besides addresses and the machine's own name.
        tls_cert, tls_key: files of a certificate for the page and of its key (PEM); the server's own key if empty.
        rooms: file with the tables of all rooms behind the same public address (`server.app.room_list`); empty: none.
        lan: whether the server answers programs that look for one on the local network.
        data_dir: folder of the server's key and of the journals (in ``hands/``); the user's data folder if empty.
        host_key: the line that ``ryo passwd`` prints. A player at a table who knows the key can become a host of it.
        resume: whether tables continue where their last journals end.
        drain: whether the running hands are finished when the system asks the server to stop.
        contact: whom somebody may ask who is banned: a name, a telephone number.
        log_file: the operator's log; standard error if empty.
        log_level: lines below this level are not logged.
        log_format: whether lines are for people or for programs.
        health: ADDRESS:PORT at which HTTP tells how the server is doing (`server.app.health`); nowhere if empty.
        quit_idle: minutes without any person connected after which the server stops; 0: never.
        seed: the decks follow from this text. Only for tests and demonstrations, because everybody can know them.
        preset: the preset of every table that names none of its own (`server.config.presets`).
        table: the tables.
    """

    bind: str = ""
    port: int = DEFAULT_PORT
    plain_tcp: bool = False
    public: str = ""
    proxies: tuple[str, ...] = ()
    web: WebMode = "off"
    web_names: tuple[str, ...] = ()
    tls_cert: str = ""
    tls_key: str = ""
    rooms: str = ""
    lan: bool = True
    data_dir: str = ""
    host_key: str = ""
    resume: bool = True
    drain: bool = False
    contact: str = ""
    log_file: str = ""
    log_level: LogLevel = "info"
    log_format: LogFormat = "text"
    health: str = ""
    quit_idle: Annotated[float, msgspec.Meta(ge=0)] = 0.0
    seed: str | None = None
    preset: str = ""
    limits: Limits = Limits()
    table: tuple[TableConfig, ...] = (TableConfig(),)

    @property
    def base_dir(self) -> Path:
        """The folder of everything that the server keeps."""
        return data_folder(Path(self.data_dir).expanduser() if self.data_dir else None)

    @property
    def hands_dir(self) -> Path:
        """The folder of the journals."""
        return hands_folder(self.base_dir)

    def health_address(self) -> tuple[str, int] | None:
        """Address and port of `health`; None if it is empty. Raises ConfigError."""
        if not self.health:
            return None
        host, colon, port = self.health.rpartition(":")
        host = host.removeprefix("[").removesuffix("]")
        try:
            ipaddress.ip_address(host)
        except ValueError:
            host = "127.0.0.1" if host == "localhost" else ""
        if not host or not colon or not (port.isascii() and port.isdecimal() and int(port[:6]) <= 65535):
            raise ConfigError(f"health must be ADDRESS:PORT like 127.0.0.1:7720, not {self.health!r}.")
        return host, int(port)

    def proxy_networks(self) -> tuple[ipaddress.IPv4Network | ipaddress.IPv6Network, ...]:
        """The networks of `proxies`. Raises ConfigError."""
        try:
            return tuple([ipaddress.ip_network(one) for one in self.proxies])
        except ValueError as error:
            raise ConfigError(f"proxies: {error}.") from None

    def check(self) -> "Config":
        """Returns the settings if they fit together. Raises ConfigError."""
        if not 0 <= self.port <= 65535:
            raise ConfigError(f"port must be 0 to 65535, not {self.port}.")
        if not self.table:
            raise ConfigError("There must be at least one table.")
        if self.host_key and (problem := problem_of_verifier(self.host_key)):
            raise ConfigError(problem.replace("password", "host_key", 1).replace("password itself", "key itself") + ".")
        if self.tls_cert and self.web != "tls":
            raise ConfigError('tls_cert is for the page with encryption; it needs web = "tls".')
        if self.tls_key and not self.tls_cert:
            raise ConfigError("tls_key needs tls_cert.")
        ids = [table.id for table in self.table]
        if len(set(ids)) != len(ids):
            raise ConfigError("Two tables have the same id.")
        self.health_address()
        self.proxy_networks()
        if self.public:
            try:
                parse_link(f"{SCHEME}{self.public}")
            except ValueError:
                raise ConfigError(f"public must be HOST or HOST:PORT, not {self.public!r}.") from None
        for table in self.table:
            table.rules()
        return self


KEYS: dict[str, Any] = dict(keys_of(Config, "", without=("limits", "table"))) | keys_of_tables()
"""The type of every setting, by its key with its place: ``port``, ``limits.rate``, ``table.clocks.bet``."""
SETTINGS = tuple(dict.fromkeys(key.rpartition(".")[2] for key in KEYS))
"""The names of all settings."""
FLAGS_OF_ONE_TABLE = {"games": "--game", "seats": "--seats"}
"""Flags for the only table of a server."""
FLAGS_OF_TABLES = {"durability": "--durability"}
"""Flags for every table."""


def load(
    path: str | os.PathLike[str] | None,
    environment: Mapping[str, str],
    flags: Mapping[str, Any],
) -> tuple[Config, dict[str, str]]:
    """The settings, and the origin of every key that somebody has set: a path, a variable, a flag or a preset.

    A key within a table is named with its place: ``limits.rate``, ``table.0.clocks.bet``.

    Args:
        path: the TOML file, if there is one.
        environment: of the process; ``RYO_PORT`` and the like count.
        flags: settings by field name, those of tables too; None for a flag that was not given.

    Raises ConfigError.
    """
    values: dict[str, Any] = {}
    origins: dict[str, str] = {}
    text = ""
    if path is not None:
        text, values = read_toml(path)
        _resolve_games(values, Path(path).parent)
        origins = dict.fromkeys(_keys(values), str(path))
    for key, value in from_environment(KEYS, environment).items():
        _set(values, origins, key, value, variable_of(key))
    for name, value in flags.items():
        if value is not None:
            _set_flag(values, origins, name, value)
    try:
        _use_presets(values, origins)
        return msgspec.convert(values, Config, strict=True).check(), origins
    except msgspec.ValidationError as error:
        raise ConfigError(with_place(str(error), text, path, SETTINGS)) from None
    except ConfigError as error:
        raise ConfigError(f"{path}: {error}" if path is not None else str(error)) from None


def _set_flag(values: dict[str, Any], origins: dict[str, str], name: str, value: Any) -> None:
    if name in FLAGS_OF_ONE_TABLE:
        tables = values.get("table", ())
        if isinstance(tables, list) and len(tables) > 1:
            raise ConfigError("--game and --seats are for a server with one table; this one has several.")
        _set(values, origins, f"table.{name}", value, FLAGS_OF_ONE_TABLE[name])
    elif name in FLAGS_OF_TABLES:
        _set(values, origins, f"table.{name}", value, FLAGS_OF_TABLES[name])
    else:
        _set(values, origins, name, value, f"--{name.replace('_', '-')}")


def _set(values: dict[str, Any], origins: dict[str, str], key: str, value: Any, origin: str) -> None:
    """Sets one setting; one of a table in every table. What is no table is left for the check."""
    first, *rest = key.split(".")
    if first != "table" or not rest:
        if _put(values, [first, *rest], value):
            origins[key] = origin
        return
    tables = values.setdefault("table", [{}])
    for number, table in enumerate(tables if isinstance(tables, list) else ()):
        if isinstance(table, dict) and _put(table, rest, value):
            origins[f"table.{number}.{'.'.join(rest)}"] = origin


def _put(values: dict[str, Any], way: list[str], value: Any) -> bool:
    """Sets a value at the end of a way of keys; False if something that is no table is in the way."""
    for key in way[:-1]:
        inner = values.setdefault(key, {})
        if not isinstance(inner, dict):
            return False
        values = inner
    values[way[-1]] = value
    return True


def _use_presets(values: dict[str, Any], origins: dict[str, str]) -> None:
    """Puts the settings of the presets where nobody has set anything. Raises ConfigError."""
    for_all = values.get("preset", "")
    if for_all:
        values.setdefault("table", [{}])
    tables = values.get("table")
    for number, table in enumerate(tables if isinstance(tables, list) else ()):
        name = table.get("preset", for_all) if isinstance(table, dict) else ""
        if name and isinstance(name, str):
            for key in with_preset(table, name):
                origins[f"table.{number}.{key}"] = f"preset {name}"


def _keys(values: Mapping[str, Any], prefix: str = "") -> Iterator[str]:
    """The keys of a file, those within its tables too."""
    for key, value in values.items():
        yield f"{prefix}{key}"
        if isinstance(value, dict):
            yield from _keys(value, f"{prefix}{key}.")
        for number, table in enumerate(value if isinstance(value, list) else ()):
            if isinstance(table, dict):
                yield from _keys(table, f"{prefix}{key}.{number}.")


def _resolve_games(values: dict[str, Any], folder: Path) -> None:
    """Makes the paths of house games relative to the folder of the settings. Mistakes are found later."""
    tables = values.get("table")
    for table in tables if isinstance(tables, list) else ():
        games = table.get("games") if isinstance(table, dict) else None
        if isinstance(games, list):
            table["games"] = [
                str(folder / Path(game).expanduser()) if isinstance(game, str) and game.endswith(".toml") else game
                for game in games
            ]
