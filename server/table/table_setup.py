"""What a table works with."""

from collections.abc import Callable
from dataclasses import dataclass, field

import structlog

from server.config.table_config import TableConfig
from server.storage.group_commit import GroupCommit
from server.storage.system import System
from server.table.counts import Counts
from server.table.fan_out import Spectators
from server.table.shuffler import Shuffler


@dataclass(slots=True, kw_only=True)
class TableSetup:
    """What a table works with, made by whoever opens it. The host may change `settings` and `most_spectators` later.

    Fields:
        settings: the host's settings of this table: durability, when hands are dealt, how long a journal gets.
        group_commit: the way to the disk.
        shuffler: where decks come from.
        log: the operator's log.
        system: disk and clock.
        counts: what has happened at all tables.
        receipt_key: the secret behind receipts (`server.table.receipts`).
        most_spectators: how many may watch.
        wake: is told the time (`trio.current_time`) at which `Table.tick` has to be called, whenever that changes.
        schedule: serves spectators a few at a time (`FanOut.schedule`); None: all of them at once.
    """

    settings: TableConfig
    group_commit: GroupCommit
    shuffler: Shuffler
    log: structlog.typing.FilteringBoundLogger
    system: System = field(default_factory=System)
    counts: Counts = field(default_factory=Counts)
    receipt_key: bytes = b"none"
    most_spectators: int = 200
    wake: Callable[[float], None] = lambda when: None
    schedule: Callable[[Spectators], None] | None = None
