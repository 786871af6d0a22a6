"""A lobby with one table, without connections; it can be killed and go on."""

from pathlib import Path
from typing import Any

from server.app.lobby import Lobby
from server.app.operator_log import silent
from server.config.limits import Limits
from server.config.table_config import TableConfig
from server.storage.group_commit import GroupCommit
from server.storage.recovery import RecordedSession, begin, resume
from server.storage.system import System
from server.table.shuffler import Shuffler
from server.table.table import Table
from server.table.table_setup import TableSetup


class SingleTable:
    """A lobby with one table, and how to make it."""

    def __init__(self, folder: Path, disk: GroupCommit | None = None, **settings: Any) -> None:
        self.decks = settings.pop("decks", None)
        self.watchers, self.system = settings.pop("watchers", 200), settings.pop("system", System())
        self.settings = TableConfig(**{"start": 0.0, "durability": "none", **settings})
        self.folder = str(folder / "hands")
        self.disk = disk or GroupCommit()
        self.lobby = Lobby(Limits())
        self.table = self.open(begin(self.folder, "main", self.settings.rules(), 1_000_000_000_000))

    def open(self, session: RecordedSession) -> Table:
        setup = TableSetup(
            settings=self.settings,
            group_commit=self.disk,
            shuffler=self.decks or Shuffler("table tests"),
            log=silent(),
            system=self.system,
            most_spectators=self.watchers,
            wake=self.lobby.wake,
        )
        table = Table(session, setup)
        self.lobby.add(table)
        return table

    def restart(self) -> Table:
        """The same table after its process was killed."""
        self.table.close()
        self.table = self.open(resume(self.folder, "main", self.settings.rules(), 1_000_000_100_000))
        return self.table
