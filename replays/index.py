"""An index of the hands in the files of a folder, so that a list of hands need not read every file again.

It is an SQLite database, and only a cache: it may be deleted at any time, and whatever is wrong with it, the list is
made from the files. A file that has grown is read on from where it ended; one that has changed otherwise is read again.
What was read is kept file by file, so an interruption loses nothing. The index holds names and results, never cards.
"""

import contextlib
import json
import os
import sqlite3
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

import msgspec

from replays.hand_summaries import HandSummary
from replays.summary_reader import Mark, ReadSummaries

NAME = ".hands.sqlite3"
OLD_NAME = ".index"
"""The index of earlier versions; it is deleted."""
VERSION = 7
"""Raise it whenever what is stored changes."""
FEW = 100
"""Rows up to which their numbers are counted one by one."""
PATIENCE = 5.0
"""Seconds to wait while another program writes into the index."""

_TABLES = """
CREATE TABLE files (name BLOB PRIMARY KEY, size INTEGER, changed INTEGER, mark BLOB, trouble TEXT) WITHOUT ROWID;
CREATE TABLE hands (
    file BLOB, id TEXT, started INTEGER, hidden INTEGER, best INTEGER, finished INTEGER, game TEXT, title TEXT,
    pot INTEGER, flags INTEGER, players TEXT, session BLOB, summary BLOB
);
CREATE TABLE places (file BLOB, position INTEGER, place BLOB, PRIMARY KEY (file, position)) WITHOUT ROWID;
CREATE INDEX by_file ON hands (file);
CREATE INDEX by_id ON hands (id);
CREATE INDEX by_time ON hands (best, started, id)
"""


class Filter(NamedTuple):
    """Which hands are wanted. Empty values leave nothing out.

    Fields:
        player: in upper or lower case; game: an id, or a part of a title.
        least: chips in the pot.
        scooped, finished, declared, showdown: only such hands.
        since, until: UTC milliseconds of the start; `until` is not included.
        id: only hands whose id begins so; ids: only these hands, if it is not None.
    """

    player: str = ""
    game: str = ""
    least: int = 0
    scooped: bool = False
    finished: bool = False
    declared: bool = False
    showdown: bool = False
    since: int | None = None
    until: int | None = None
    id: str = ""
    ids: frozenset[str] | None = None


class IndexedHand(NamedTuple):
    """A hand of the index: its number in the list of all hands, from 1, the name of its file, its session."""

    number: int
    file: bytes
    session: bytes
    hand: HandSummary


class Index:
    """The index of one folder."""

    def __init__(self, folder: Path) -> None:
        """Opens the stored index, or an empty one in memory where that is not possible."""
        self._path = folder / NAME
        with contextlib.suppress(OSError):
            (folder / OLD_NAME).unlink()
        try:
            self._base = self._open()
        except (sqlite3.Error, OSError):
            with contextlib.suppress(OSError):
                self._path.unlink()
            try:
                self._base = self._open()
            except (sqlite3.Error, OSError):
                self._base = self._prepared(":memory:")

    def close(self) -> None:
        """Closes the database."""
        self._base.close()

    def _open(self) -> sqlite3.Connection:
        with contextlib.suppress(FileExistsError):
            os.close(os.open(self._path, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o600))
        return self._prepared(str(self._path))

    def _prepared(self, path: str) -> sqlite3.Connection:
        base = sqlite3.connect(path, timeout=PATIENCE, isolation_level=None)
        try:
            base.execute("PRAGMA journal_mode = WAL")
            base.execute("PRAGMA synchronous = NORMAL")
            if base.execute("PRAGMA user_version").fetchone()[0] != VERSION:
                base.execute("BEGIN IMMEDIATE")
                for table in ("files", "hands", "places"):
                    base.execute(f"DROP TABLE IF EXISTS {table}")
                for statement in _TABLES.split(";"):
                    base.execute(statement)
                base.execute(f"PRAGMA user_version = {VERSION}")
                base.execute("COMMIT")
            base.execute("SELECT count(*) FROM files").fetchone()
        except BaseException:
            base.close()
            raise
        return base

    # ---------------------------------------------------------------------- files

    def known(self, name: bytes) -> tuple[int, int, Mark | None, str] | None:
        """Size, time of the last change in nanoseconds, mark and trouble of a file; None for one that is not known."""
        row = self._base.execute("SELECT size, changed, mark, trouble FROM files WHERE name = ?", (name,)).fetchone()
        if row is None:
            return None
        return row[0], row[1], _MARK.decode(row[2]) if row[2] else None, row[3]

    def names(self) -> set[bytes]:
        """The names of the files that are known."""
        return {name for (name,) in self._base.execute("SELECT name FROM files")}

    def places(self, name: bytes, position: int) -> list[Mark]:
        """The last place in a file before that event, and the first one behind it; none if there is none before it."""
        before, behind = (
            self._base.execute(
                f"SELECT place FROM places WHERE file = ? AND position {where} LIMIT 1", (name, position)
            ).fetchall()
            for where in ("< ? ORDER BY position DESC", ">= ? ORDER BY position")
        )
        return [_MARK.decode(place) for (place,) in before + behind] if before else []

    def count(self, name: bytes) -> int:
        """The number of hands in a file."""
        (found,) = self._base.execute("SELECT count(*) FROM hands WHERE file = ?", (name,)).fetchone()
        return int(found)

    def put(self, name: bytes, size: int, changed: int, hidden: int, read: ReadSummaries) -> None:
        """Keeps what was read of a file that had this size and time before. `hidden`: how much such a file hides."""
        session = read.mark.session if read.mark is not None else b""
        with self._transaction():
            stale = "AND finished = 0" if read.resumed else ""
            gone = self._base.execute(f"SELECT id FROM hands WHERE file = ? {stale}", (name,)).fetchall()
            self._base.execute(f"DELETE FROM hands WHERE file = ? {stale}", (name,))
            self._base.executemany(
                "INSERT INTO hands VALUES (?, ?, ?, ?, 0, ?, ?, ?, ?, ?, ?, ?, ?)",
                [_row(name, hidden, session, hand) for hand in read.hands],
            )
            if not read.resumed:
                self._base.execute("DELETE FROM places WHERE file = ?", (name,))
            self._base.executemany(
                "INSERT OR REPLACE INTO places VALUES (?, ?, ?)",
                [(name, place.position, msgspec.msgpack.encode(place)) for place in read.places],
            )
            mark = msgspec.msgpack.encode(read.mark) if read.mark is not None else None
            self._base.execute(
                "INSERT OR REPLACE INTO files VALUES (?, ?, ?, ?, ?)", (name, size, changed, mark, read.trouble)
            )
            self._choose([*gone, *((hand.id,) for hand in read.hands)])

    def forget(self, name: bytes) -> None:
        """The file is not there any more."""
        with self._transaction():
            gone = self._base.execute("SELECT id FROM hands WHERE file = ?", (name,)).fetchall()
            self._base.execute("DELETE FROM hands WHERE file = ?", (name,))
            self._base.execute("DELETE FROM files WHERE name = ?", (name,))
            self._base.execute("DELETE FROM places WHERE file = ?", (name,))
            self._choose(gone)

    def _choose(self, ids: list[tuple[str]]) -> None:
        """Of the copies of each hand the one that hides least is the best; of equal ones that of the first file."""
        self._base.executemany(
            "UPDATE hands SET best = (rowid = (SELECT rowid FROM hands AS other WHERE other.id = hands.id"
            " ORDER BY hidden, file LIMIT 1)) WHERE id = ?",
            ids,
        )

    @contextlib.contextmanager
    def _transaction(self) -> Iterator[None]:
        self._base.execute("BEGIN IMMEDIATE")
        try:
            yield
        except BaseException:
            self._base.execute("ROLLBACK")
            raise
        self._base.execute("COMMIT")

    # ---------------------------------------------------------------------- hands

    def hands(self, wanted: Filter, newest: int | None = None) -> list[IndexedHand]:
        """The wanted hands in the order of dealing; only the newest so many."""
        where, values = _condition(wanted)
        rows = self._base.execute(
            f"SELECT rowid, file, session, summary FROM hands WHERE best = 1 {where}"
            " ORDER BY started DESC, id DESC LIMIT ?",
            [*values, -1 if newest is None else newest],
        ).fetchall()
        rows.reverse()
        (count,) = self._base.execute("SELECT count(*) FROM hands WHERE best = 1").fetchone()
        if not where:
            return [_indexed(number, *rest) for number, (_, *rest) in enumerate(rows, count - len(rows) + 1)]
        if newest is not None and len(rows) <= FEW:
            return self._numbered(rows, count)
        everything = self._base.execute("SELECT rowid FROM hands WHERE best = 1 ORDER BY started, id")
        numbers = {row: number for number, (row,) in enumerate(everything, 1)}
        return [_indexed(numbers[row], *rest) for row, *rest in rows]

    def _numbered(self, rows: list[Any], count: int) -> list[IndexedHand]:
        """Few rows with their numbers: what lies between two of them is counted, and nothing is read twice."""
        found: list[IndexedHand] = []
        number, later = count + 1, (1 << 62, "")
        for row, *rest in reversed(rows):
            place = self._base.execute("SELECT started, id FROM hands WHERE rowid = ?", (row,)).fetchone()
            (between,) = self._base.execute(
                "SELECT count(*) FROM hands WHERE best = 1 AND (started, id) >= (?, ?) AND (started, id) < (?, ?)",
                (*place, *later),
            ).fetchone()
            number, later = number - between, place
            found.append(_indexed(number, *rest))
        return found[::-1]

    def nth(self, number: int) -> IndexedHand | None:
        """The hand with that number in the list of all hands; None if there are not so many."""
        row = self._base.execute(
            "SELECT file, session, summary FROM hands WHERE best = 1 ORDER BY started, id LIMIT 1 OFFSET ?",
            (number - 1,),
        ).fetchone()
        return None if row is None or number < 1 else _indexed(number, *row)


_MARK = msgspec.msgpack.Decoder(Mark)
_SUMMARY = msgspec.msgpack.Decoder(HandSummary)
_SCOOPED, _DECLARED, _SHOWDOWN = 1, 2, 4


def _indexed(number: int, file: bytes, session: bytes, summary: bytes) -> IndexedHand:
    return IndexedHand(number, file, session, _SUMMARY.decode(summary))


def _row(name: bytes, hidden: int, session: bytes, hand: HandSummary) -> tuple[object, ...]:
    flags = _SCOOPED * (hand.scooped is not None) + _DECLARED * bool(hand.declared) + _SHOWDOWN * hand.showdown
    players = "".join(f"\n{known.casefold()}\n" for known in hand.names.values())
    return (
        name, hand.id, hand.started, hidden, hand.ended is not None, hand.game.casefold(), hand.title.casefold(),
        hand.pot, flags, players, session, msgspec.msgpack.encode(hand),
    )  # fmt: skip


def _condition(wanted: Filter) -> tuple[str, list[object]]:
    """The filter in SQL, and its values."""
    parts: list[str] = []
    values: list[object] = []

    def must(text: str, *given: object) -> None:
        parts.append(f"AND {text}")
        values.extend(given)

    if wanted.player:
        must("instr(players, ?)", f"\n{wanted.player.casefold()}\n")
    if wanted.game:
        must("(game = ? OR instr(title, ?))", wanted.game.casefold(), wanted.game.casefold())
    if wanted.id:
        must("substr(id, 1, ?) = ?", len(wanted.id), wanted.id)
    if wanted.ids is not None:
        must("id IN (SELECT value FROM json_each(?))", json.dumps(list(wanted.ids)))
    if wanted.least:
        must("pot >= ?", wanted.least)
    if wanted.since is not None:
        must("started >= ?", wanted.since)
    if wanted.until is not None:
        must("started < ?", wanted.until)
    if wanted.finished:
        must("finished")
    flags = _SCOOPED * wanted.scooped + _DECLARED * wanted.declared + _SHOWDOWN * wanted.showdown
    if flags:
        must("(flags & ?) = ?", flags, flags)
    return " ".join(parts), values
