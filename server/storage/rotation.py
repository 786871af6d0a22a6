"""Rotation: a long session is kept in several journals, each complete in itself.

When a journal has grown too long, the table continues after the hand in a new file. Its header record holds a
checkpoint of the table (`Header.checkpoint`) and the last digest of the file before (`Header.previous`). The order of
the steps makes a crash at any moment harmless:

1. the last batch is written to the old file, and the old file is synced;
2. the new file is made under its own lock; it appears by rename, with its header record, or not at all;
3. only then the old file is closed.

The session continues in its last file. Before the rename is durable that is the old file, to which nothing has been
added since; afterwards it is the new file, which holds exactly the same table.
"""

import os

from msgspec.structs import replace

from protocol.journal.records import Checkpoint, Header, encode_record
from protocol.versions import JOURNAL_FORMAT, PROGRAM, RULES
from server.storage.file_names import file_name, file_number
from server.storage.filesystem import FileSystem
from server.storage.journal_file import Journal

ROTATE_BYTES = 64 << 20
"""A journal that is longer is continued in a new file."""
CHECKPOINTS = 64
"""How many checkpoints a file of that length holds within it, so that a restart plays a 64th of it at most."""
LEAST_BYTES = 2048
"""Bytes of steps between two checkpoints at least; a checkpoint has about as many itself."""


class NextFile:
    """Makes the file that follows a journal. It is written and synced like a journal, in a worker thread.

    Args:
        before: the journal so far; its last batch has been taken.
        header: the header record of that journal.
        checkpoint: the table after the last batch.

    Attributes:
        header: the header record of the new file.
        journal: the new file; None until it exists.
    """

    def __init__(self, before: Journal, header: Header, checkpoint: Checkpoint, fs: FileSystem) -> None:
        self._before, self._fs = before, fs
        self.journal: Journal | None = None
        self.header = replace(
            header,
            format=JOURNAL_FORMAT,
            rules=RULES,
            program=PROGRAM,
            previous=before.digest,
            checkpoint=checkpoint,
        )

    def write(self, data: bytes) -> None:
        """Writes the last batch to the old file. Raises WriteFailed, SyncFailed."""
        self._before.write(data)

    def sync(self) -> None:
        """Brings the old file to the disk, and makes the new one.

        Raises:
            SyncFailed: as for any journal.
            JournalError: there is no new file; the old one is complete and can be used further.
        """
        self._before.sync()
        folder, path = os.path.split(self._before.path)
        name = file_name(self.header.table, self.header.started, file_number(path) + 1)
        self.journal = Journal.create(folder, name, encode_record(self.header), self._fs)
