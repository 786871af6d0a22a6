"""Small journals, on the real disk and on a simulated one, and what the tests of them need of the machine."""

import os
import random
import sys
from pathlib import Path

import pytest

from server.storage.journal_file import Journal
from tests.support.simulated_disk import SimDisk

RECORDS = [b"header", b"one", b"two" * 300, b"three"]
PATH = "/data/a.ryo"


needs_root = pytest.mark.skipif(
    sys.platform == "win32" or os.geteuid() != 0, reason="only root can give a file to another user"
)
posix_only = pytest.mark.skipif(sys.platform == "win32", reason="Windows has no modes and no resource limits")


def written(directory: Path) -> Path:
    """A closed journal with RECORDS, each of them committed by itself."""
    journal = Journal.create(directory, "a.ryo", RECORDS[0])
    for payload in RECORDS[1:]:
        journal.append(payload)
        journal.commit()
    journal.close()
    return Path(journal.path)


def small_disk() -> SimDisk:
    """A simulated disk with a closed journal of one record behind its header; no power cuts."""
    simulated = SimDisk(random.Random(1))
    journal = Journal.create("/data", "a.ryo", b"header", fs=simulated)
    journal.append(b"one")
    journal.commit()
    journal.close()
    return simulated
