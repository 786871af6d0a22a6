"""The reviewed hands of a folder, beside the index of its recordings, so that a hand is counted only once.

It is an SQLite database, and only a cache: whatever is wrong with it, the hands are counted again.
"""

import contextlib
import os
import sqlite3
from collections.abc import Iterator
from pathlib import Path

import msgspec

from client.review.reviewed_hand import ReviewedHand
from protocol.events import Seat

NAME = ".reviews.sqlite3"
VERSION = 5
"""Raise it whenever the same decision is counted in another way, or other things are stored."""
PATIENCE = 5.0
"""Seconds to wait while another program writes."""
_HAND = msgspec.msgpack.Decoder(ReviewedHand)


class KeptReviews:
    """The reviewed hands of a folder of recordings. What cannot be kept is not missed."""

    def __init__(self, folder: Path) -> None:
        self._path = folder / NAME
        try:
            self._base = self._open()
        except (sqlite3.Error, OSError):
            with contextlib.suppress(OSError):
                self._path.unlink()
            try:
                self._base = self._open()
            except (sqlite3.Error, OSError):
                self._base = _prepared(":memory:")

    def close(self) -> None:
        """Closes the database."""
        self._base.close()

    def get(self, hand: str, seat: Seat) -> ReviewedHand | None:
        """The review of a hand by its id; None where it has not been counted."""
        with contextlib.suppress(sqlite3.Error, msgspec.MsgspecError):
            found = self._base.execute(
                "SELECT review FROM reviews WHERE hand = ? AND seat = ?", (hand, seat)
            ).fetchone()
            return None if found is None else _HAND.decode(found[0])
        return None

    def put(self, hand: str, seat: Seat, review: ReviewedHand) -> None:
        """Keeps the review of a hand."""
        with contextlib.suppress(sqlite3.Error):
            self._base.execute(
                "INSERT OR REPLACE INTO reviews VALUES (?, ?, ?)", (hand, seat, msgspec.msgpack.encode(review))
            )

    def every(self) -> Iterator[tuple[str, Seat, ReviewedHand]]:
        """(id of the hand, seat, review) of all that is kept."""
        with contextlib.suppress(sqlite3.Error, msgspec.MsgspecError):
            for hand, seat, review in self._base.execute("SELECT hand, seat, review FROM reviews").fetchall():
                yield hand, seat, _HAND.decode(review)

    def _open(self) -> sqlite3.Connection:
        with contextlib.suppress(FileExistsError):
            os.close(os.open(self._path, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o600))
        return _prepared(str(self._path))


def _prepared(path: str) -> sqlite3.Connection:
    base = sqlite3.connect(path, timeout=PATIENCE, isolation_level=None)
    try:
        if base.execute("PRAGMA user_version").fetchone()[0] != VERSION:
            base.execute("DROP TABLE IF EXISTS reviews")
            base.execute("CREATE TABLE reviews (hand TEXT, seat INTEGER, review BLOB, PRIMARY KEY (hand, seat))")
            base.execute(f"PRAGMA user_version = {VERSION}")
        base.execute("SELECT count(*) FROM reviews").fetchone()
    except BaseException:
        base.close()
        raise
    return base
