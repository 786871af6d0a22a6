"""The settings are read again while the server runs: what can change at once, changes; the rest needs a restart."""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

import msgspec
import trio
from msgspec.structs import replace

from server.app.operator_log import OperatorLog
from server.app.running_server import RunningServer
from server.config.config import Config
from server.errors import ConfigError, WordRefused

NEEDS_RESTART = (
    "bind", "port", "plain_tcp", "public", "proxies", "lan", "data_dir", "resume", "drain", "log_file", "health",
    "quit_idle", "rooms", "seed", "web", "web_names", "tls_cert", "tls_key",
)  # fmt: skip
"""Settings of the server that count from its start to its end."""
TABLE_NEEDS_RESTART = ("durability", "rotate_bytes")
"""The same for a table. Tables themselves come and go with a restart, too."""


@dataclass(frozen=True, slots=True)
class Reloaded:
    """What has become of settings that are not the same as before, by their keys with their places.

    Fields:
        changed: they count now; house rules from the next hand on.
        waiting: they count after a restart.
    """

    changed: tuple[str, ...]
    waiting: tuple[str, ...]


class Reloader:
    """Reads the settings of a running server again.

    Args:
        config: the settings in force.
        load: reads them as at the start. Raises ConfigError.

    Attributes:
        config: the settings in force.
    """

    def __init__(self, server: RunningServer, config: Config, load: Callable[[], Config], log: OperatorLog) -> None:
        self.config = config
        self._server, self._load, self._log = server, load, log
        self._one_at_a_time = trio.Lock()

    async def reload(self) -> Reloaded:
        """Reads them and uses what can be used. Raises ConfigError, WordRefused; then nothing has changed."""
        async with self._one_at_a_time:
            if not self._server.addresses:
                raise WordRefused("The server does not listen yet.")
            try:
                wanted = await trio.to_thread.run_sync(self._load)
            except ConfigError as error:
                self._log.logger.warning("config.refused", why=str(error))
                raise
            used = usable(self.config, wanted)
            before, now, later = (_flat(config) for config in (self.config, used, wanted))
            changed = [*_different(before, now), *await self._server.use(used)]
            waiting = _different(now, later)
            self._log.change(used.log_level, used.log_format)
            self.config = used
            self._log.logger.info("config.reloaded", changed=" ".join(changed), waiting=" ".join(waiting))
            return Reloaded(tuple(changed), tuple(waiting))


def usable(before: Config, wanted: Config) -> Config:
    """The wanted settings, with those of before where only a restart changes them."""
    by_id = {table.id: table for table in wanted.table}
    tables = []
    for old in before.table:
        kept = {key: getattr(old, key) for key in TABLE_NEEDS_RESTART}
        tables.append(replace(by_id[old.id], **kept) if old.id in by_id else old)
    return replace(wanted, table=tuple(tables), **{key: getattr(before, key) for key in NEEDS_RESTART})


def _different(one: Mapping[str, Any], other: Mapping[str, Any]) -> list[str]:
    """The keys that only one of them has, or that have another value. A table that only one has is named by itself."""
    keys = [key for key in [*one, *(key for key in other if key not in one)] if one.get(key) != other.get(key)]
    return list(dict.fromkeys(_name(key, one, other) for key in keys))


def _name(key: str, one: Mapping[str, Any], other: Mapping[str, Any]) -> str:
    first, _, rest = key.partition(".")
    if first == "table":
        table = f"table.{rest.partition('.')[0]}"
        if (f"{table}.id" in one) != (f"{table}.id" in other):
            return table
    return key


def _flat(config: Config) -> dict[str, Any]:
    """All settings by their keys with their places; those of a table behind its id."""
    values = msgspec.to_builtins(config)
    tables = {table["id"]: table for table in values.pop("table")}
    return dict(_leaves({**values, "table": tables}, ""))


def _leaves(values: Mapping[str, Any], place: str) -> Iterator[tuple[str, Any]]:
    for key, value in values.items():
        if isinstance(value, Mapping):
            yield from _leaves(value, f"{place}{key}.")
        else:
            yield f"{place}{key}", value
