"""The tables of a server, and the one task that minds their clocks."""

from collections.abc import Callable
from functools import partial
from math import inf

import structlog
import trio
from msgspec.structs import replace

from protocol.wire.messages import TableInfo
from server.admission.ban_list import BanList
from server.admission.door import Door
from server.admission.table_access import TableAccess
from server.config.limits import Limits
from server.storage.journal_errors import JournalError
from server.storage.journal_file import has_room
from server.storage.recovery import reopen
from server.storage.system import System
from server.table.guest import Guest
from server.table.table import Table

STOOD_STILL = 2.0
"""Seconds by which a wake-up must be late before the process counts as stopped (fault 74)."""
HEARTBEAT = 1.0
"""Seconds between looks at the clock while any clock runs, so that a stop can be noticed."""
REOPEN = 5.0
"""Seconds between attempts to reopen the journal of a table that a full disk has halted."""


class Lobby:
    """The tables by id, in the order of the settings; and what stands before them.

    Args:
        rooms: the tables of all rooms behind the same public address, by their ids.

    Attributes:
        tables: by their ids.
        door: counts the connections of the server.
        access: who may come to which table.
        closing: what new players are told because the server stops soon; empty while they may come.
        bans: who may come to none.
    """

    def __init__(
        self,
        limits: Limits,
        system: System | None = None,
        bans: BanList | None = None,
        rooms: Callable[[], tuple[str, ...]] = tuple,
    ) -> None:
        self._system = system or System()
        self.tables: dict[str, Table] = {}
        self.door = Door(limits)
        self.access = TableAccess()
        self.closing = ""
        self.bans = bans or BanList("", "", self._system)
        self._rooms = rooms
        self._scope = trio.CancelScope()

    def elsewhere(self) -> tuple[str, ...]:
        """The tables of the other rooms behind the same public address, by their ids."""
        return tuple([table for table in self._rooms() if table not in self.tables])

    def add(self, table: Table) -> None:
        """One more table; its setup has to name `wake`."""
        self.tables[table.id] = table

    def find(self, name: str, *, to_sit: bool) -> Table | None:
        """The table of that id. For an empty id the first table that plays and, if it is `to_sit`, has a free seat."""
        if name:
            return self.tables.get(name)
        for table in self.tables.values():
            if table.halted is None and (not to_sit or any(not seat.name for seat in table.state.view.seats)):
                return table
        return None

    @property
    def somebody(self) -> bool:
        """Whether a person is connected to a table, or a connection is in the lobby."""
        people = sum(not guest.bot for table in self.tables.values() for guest in table.audience.everybody())
        bots = sum(guest.bot for table in self.tables.values() for guest in table.audience.everybody())
        return people > 0 or self.door.inside > bots

    def table_of(self, guest: Guest) -> Table | None:
        """The table where the guest is."""
        return None if guest.table is None else self.tables.get(guest.table)

    def tables_info(self, guest: Guest) -> tuple[TableInfo, ...]:
        """What the lobby shows that guest: at a table that is not open to them, the number of the players, no names."""
        shown = []
        for table in self.tables.values():
            info = table.info()
            if not self.access.is_open(table.id) and guest.table != table.id:
                info = replace(info, players=("",) * len(info.players), hosts=())
            shown.append(info)
        return tuple(shown)

    # -------------------------------------------------------------------- clocks

    def wake(self, when: float) -> None:
        """Makes sure that the ticker looks at the clock at that time (`trio.current_time`) or earlier."""
        if when < self._scope.deadline:
            self._scope.deadline = min(when, trio.current_time() + HEARTBEAT)

    async def ticker(self) -> None:
        """Calls each table when it is due; one deadline serves all of them. Works until cancelled."""
        while True:
            now = trio.current_time()
            due = min([table.due for table in self.tables.values()], default=inf)
            planned = min(due, now + HEARTBEAT) if due < inf else inf
            with trio.CancelScope(deadline=planned) as self._scope:
                await trio.sleep_forever()
            now = trio.current_time()
            late = now - self._scope.deadline
            for table in self.tables.values():
                if late > STOOD_STILL:
                    table.shift(late)
                if table.due <= now:
                    table.tick()

    async def reviver(self, log: structlog.typing.FilteringBoundLogger) -> None:
        """Opens tables again that a full disk has halted, once there is room. Works until cancelled."""
        while True:
            await trio.sleep(REOPEN)
            for table in self.tables.values():
                if table.halted == "storage":
                    try:
                        fs = self._system.fs
                        if has_room(table.folder, fs):
                            table.revive(await self._system.work(partial(reopen, table.journal_path, fs)))
                    except JournalError as error:
                        log.warning("table.still_halted", table=table.id, error=str(error))
