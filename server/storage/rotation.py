"""The next file of a session: a long evening is kept in several journals, each complete in itself.

Between two hands, when a journal has grown too long, the table goes on in a new file whose header record holds the
table as it is (`Header.checkpoint`) and the last digest of the file before (`Header.previous`). The order keeps a crash
at any moment harmless:

1. what was decided last is written to the old file, and the old file is synced;
2. the new file is made, under its own lock, and appears by rename with its header record or not at all;
3. only then the old file is freed.

The session's last file is the one to go on with. Before the rename is durable that is the old file, to which nothing
has been added since; afterwards it is the new one, which holds the very same table.
"""

import os

from msgspec.structs import replace

from protocol.journal.records import Checkpoint, Header, encode_record
from protocol.versions import JOURNAL_FORMAT, PROGRAM, RULES
from server.storage.file_names import file_name, file_number
from server.storage.filesystem import FileSystem
from server.storage.journal_file import Journal

ROTATE_BYTES = 64 << 20
"""A journal that is longer is gone on with in a new file."""


class NextFile:
    """Makes the file after a journal's; written and synced like a journal, in a worker thread.

    Args:
        before: the journal so far; its last batch has been taken.
        header: its header record.
        checkpoint: the table after that batch.

    Attributes:
        header: the new file's header record.
        journal: the new file, once it is there.
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
        """Writes the last batch to the file before. Raises WriteFailed, SyncFailed."""
        self._before.write(data)

    def sync(self) -> None:
        """Brings the file before to the disk, and makes the new one.

        Raises:
            SyncFailed: as for any journal.
            JournalError: there is no new file; the one before is complete and can be gone on with.
        """
        self._before.sync()
        folder, path = os.path.split(self._before.path)
        name = file_name(self.header.table, self.header.started, file_number(path) + 1)
        self.journal = Journal.create(folder, name, encode_record(self.header), self._fs)
