"""When a table's steps reach the disk: as the durability of its settings asks for it.

`action`: every batch of steps is written and synced in a worker thread before anybody is shown it. `hand`: steps are
written at once, and synced with the end of their hand. `none`: they are written with the end of their hand, or when
many wait, and synced by the operating system. A journal that has grown too long is continued in a new file between two
hands (`server.storage.rotation`). Within a file, a step that starts a hand holds a checkpoint now and then, so that a
restart need not play the whole file.
"""

import os
from functools import partial

from protocol.journal.records import Checkpoint, Header
from server.engine.table_state import TableState
from server.storage.group_commit import WhenDurable
from server.storage.journal_errors import JournalError, WriteFailed
from server.storage.recovery import RecordedSession
from server.storage.rotation import CHECKPOINTS, LEAST_BYTES, NextFile
from server.table.table_setup import TableSetup

WRITE_BEHIND_BYTES = 64 * 1024
"""Bytes of a hand's steps that may wait for its end where durability is `none`."""


class JournalWriter:
    """The journal of a table's session, file after file.

    Args:
        when_durable: called in the event loop when a batch that was on its way is on the disk (None), or with the
            error if it could not be written.

    Attributes:
        header: the first record of the present file.
        rotate_bytes: a file that is longer is continued in a new one.
    """

    def __init__(self, session: RecordedSession, setup: TableSetup, when_durable: WhenDurable) -> None:
        self.header: Header = session.header
        self.rotate_bytes = setup.settings.rotate_bytes
        self._journal = session.journal
        self._durability, self._group_commit = setup.settings.durability, setup.group_commit
        self._fs, self._log = setup.system.fs, setup.log
        self._when_durable = when_durable
        self._unwritten = 0
        self._to_play = session.to_play
        self._hand_over = self._on_the_way = self._discarded = False
        self._next_file: NextFile | None = None
        self._rotated_after = -1

    @property
    def path(self) -> str:
        """The present file."""
        return self._journal.path

    @property
    def folder(self) -> str:
        """The folder of the session's files."""
        return os.path.dirname(self._journal.path)

    @property
    def in_place(self) -> bool:
        """Whether the present file still has its name."""
        return self._journal.in_place

    @property
    def size(self) -> int:
        """Bytes of the present file."""
        return self._journal.size

    def append(self, record: bytes) -> None:
        """Adds a record, to be written with the next batch."""
        self._journal.append(record)
        self._unwritten += len(record)
        self._to_play += len(record)

    def checkpoint(self, state: TableState) -> Checkpoint | None:
        """The table, if the step that comes next is to hold it: the last checkpoint is far enough away."""
        if self._to_play < max(self.rotate_bytes // CHECKPOINTS, LEAST_BYTES) or not state.can_deal():
            return None
        self._to_play = 0
        return state.checkpoint()

    def hand_over(self) -> None:
        """The record that was appended last ends a hand."""
        self._hand_over = True

    def write(self) -> bool:
        """Writes what was appended, as far as the durability asks for it.

        Returns:
            Whether the table can go on at once; else the batch is on its way, and `when_durable` will be called.

        Raises:
            JournalError: it could not be written.
        """
        if not self._unwritten:
            return True
        over, self._hand_over = self._hand_over, False
        if self._durability == "action" or (over and self._durability == "hand"):
            self._unwritten = 0
            self._on_the_way = True
            self._group_commit.submit(self._journal, self._journal.take(), self._finished)
            return False
        if self._durability == "hand" or over or self._unwritten > WRITE_BEHIND_BYTES:
            self._unwritten = 0
            self._journal.write(self._journal.take())
        return True

    def rotate(self, state: TableState) -> bool:
        """Continues in a new file if this one is too long and no hand is running.

        Returns:
            Whether that is on its way, together with all that was appended; then `when_durable` will be called.
        """
        if self._journal.size + self._unwritten < self.rotate_bytes or not state.between_hands:
            return False
        if state.view.hand == self._rotated_after:
            return False  # it was tried after this hand already
        self._rotated_after = state.view.hand
        self._unwritten, self._hand_over = 0, False
        batch = self._journal.take()
        self._next_file = next_file = NextFile(self._journal, self.header, state.checkpoint(), self._fs)
        self._on_the_way = True
        self._group_commit.submit(next_file, batch, partial(self._rotated, next_file))
        return True

    def discard(self) -> None:
        """Frees the journal as soon as no thread works on it. What was only appended is never written."""
        self._unwritten = 0
        self._discarded = True
        if not self._on_the_way:
            self._journal.close()

    def close(self, *, flush: bool) -> None:
        """Frees the journal when no thread works any more. `flush`: after what the durability let wait is synced.

        Raises JournalError.
        """
        self._on_the_way = False
        if self._next_file is not None and self._next_file.journal is not None:
            self._next_file.journal.close()
        try:
            if flush and self._unwritten:
                self._journal.commit()
        finally:
            self.discard()

    def _rotated(self, next_file: NextFile, error: JournalError | None) -> None:
        """The last batch is durable, or could not be written; and there is a new file, or the old one goes on."""
        self._next_file = None
        if next_file.journal is not None:
            self._journal.close()
            self._journal, self.header, self._to_play = next_file.journal, next_file.header, 0
            self._log.info("table.next_file", table=self.header.table, journal=self.path)
        elif error is not None and not isinstance(error, WriteFailed):
            self._log.warning("table.no_next_file", table=self.header.table, error=str(error))
            error = None
        self._finished(error)

    def _finished(self, error: JournalError | None) -> None:
        self._on_the_way = False
        if self._discarded:
            self._journal.close()
        self._when_durable(error)
