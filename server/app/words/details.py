"""What stands behind the name of somebody in a word of the host: at which table, for how long, and why."""

import re
from dataclasses import dataclass
from datetime import timedelta

from protocol.near_matches import did_you_mean
from protocol.sanitize import clean
from server.app.words.hosted_server import HostedServer
from server.errors import WordRefused
from server.table.table import Table

BY_ADDRESS = "--address"
LONGEST_REASON = 200
_LONGEST = timedelta(days=3660)
_TIME = re.compile(r"(\d{1,6}) ?(m|min|minutes?|h|hours?|d|days?|w|weeks?)")
_UNITS = {"m": timedelta(minutes=1), "h": timedelta(hours=1), "d": timedelta(days=1), "w": timedelta(weeks=1)}


@dataclass(frozen=True, slots=True)
class Details:
    """What stands behind the name of somebody: ``at TABLE``, ``for 2 h``, ``--address`` and a reason.

    Fields:
        table: id of the table; empty for any.
        lasts: how long; None for good.
        by_address: whether a ban is by address, too.
        reason: a clause for everybody to read.
    """

    table: str
    lasts: timedelta | None
    by_address: bool
    reason: str


def details(host: HostedServer, words: tuple[str, ...]) -> Details:
    """Reads them. Raises WordRefused."""
    rest = [word for word in words if word != BY_ADDRESS]
    table, lasts = "", None
    while len(rest) > 1:
        if rest[0] == "at" and rest[1] in host.server.lobby.tables:
            table, rest = rest[1], rest[2:]
        elif rest[0] == "for" and (found := _TIME.fullmatch(rest[1])):
            lasts, rest = int(found[1]) * _UNITS[found[2][0]], rest[2:]
        elif rest[0] == "for" and (found := _TIME.fullmatch(" ".join(rest[1:3]))):
            lasts, rest = int(found[1]) * _UNITS[found[2][0]], rest[3:]
        else:
            break
    if lasts is not None and not timedelta() < lasts <= _LONGEST:
        raise WordRefused("A time is a minute at least, and ten years at most.")
    return Details(table, lasts, BY_ADDRESS in words, clean(" ".join(rest), LONGEST_REASON).rstrip("."))


def table_with(host: HostedServer, name: str, table: str) -> Table:
    """The table of that id, or the only one where somebody has that name. Raises WordRefused."""
    there = [one for one in host.tables(table) if one.removals.find(name)]
    if len(there) > 1:
        raise WordRefused(
            f"{name} is at {' and '.join(one.id for one in there)}: say at which table, at {there[0].id}."
        )
    if there:
        return there[0]
    tables = host.tables(table)
    place = tables[0].id if len(tables) == 1 else "any table"
    known = [known.name for one in tables for known in one.removals.everybody()]
    raise WordRefused(f"There is no {name} at {place}.{did_you_mean(name, [one for one in known if one])}")
