"""The running server as the words of the host see it."""

from collections.abc import Sequence

import trio

from protocol.near_matches import did_you_mean
from server.app.reload import Reloader
from server.app.running_server import RunningServer
from server.config.config import Config
from server.errors import WordRefused
from server.table.table import Table

OPERATOR = "the operator"
"""Who says a word that comes from the machine of the server."""


class HostedServer:
    """A server with its settings, and its tables by what the host calls them.

    Attributes:
        server: the server.
        reloader: reads its settings again; None where they come from nowhere.
        by: who says the words: the operator, or the name of a host who sits at a table.
    """

    def __init__(self, server: RunningServer, config: Config, reloader: Reloader | None = None) -> None:
        self.server, self.reloader = server, reloader
        self.by = OPERATOR
        self._config = config
        self._only: Table | None = None
        self._began = trio.current_time()

    @property
    def config(self) -> Config:
        """Its settings."""
        return self._config if self.reloader is None else self.reloader.config

    def at_table(self, table: Table, by: str) -> "HostedServer":
        """The same for a host who sits at that table: no other table can be reached from there."""
        seen = HostedServer(self.server, self.config)
        seen.by, seen._only, seen._began = by, table, self._began
        return seen

    @property
    def scope(self) -> str:
        """Id of the only table about which words can be said; empty where that is all of them."""
        return "" if self._only is None else self._only.id

    def uptime(self) -> float:
        """Seconds since the server began to listen."""
        return trio.current_time() - self._began

    def tables(self, name: str = "") -> list[Table]:
        """All tables, or the one of that id. Raises WordRefused."""
        tables = self.server.lobby.tables if self._only is None else {self._only.id: self._only}
        if not name:
            return list(tables.values())
        if name not in tables:
            hint = did_you_mean(name, tables) or " A name with spaces stands in quotation marks."
            raise WordRefused(f"There is no table {name}.{hint}")
        return [tables[name]]

    def table_of(self, player: str, name: str) -> Table:
        """The table of that id, or without an id the only one where the player is known. Raises WordRefused."""
        tables = self.tables(name)
        if len(tables) > 1:
            there = [table for table in tables if table.has_player(player)]
            if len(there) > 1:
                ids = " and ".join(table.id for table in there)
                raise WordRefused(f"{player} is at {ids}: say at which table.")
            known = [name for table in tables for name in table.host_words.names()]
            if not there:
                raise WordRefused(f"There is no {player} at any table.{did_you_mean(player, known)}")
            tables = there
        return tables[0]

    def place(self, words: Sequence[str]) -> tuple[Table, list[str]]:
        """The table of ``at TABLE``, or the only one; and the words behind. Raises WordRefused."""
        if len(words) > 1 and words[0] == "at" and words[1] in self.server.lobby.tables:
            return self.tables(words[1])[0], list(words[2:])
        tables = self.tables()
        if len(tables) > 1:
            raise WordRefused(f"Say at which table, first of all: at {tables[0].id}")
        return tables[0], list(words)
