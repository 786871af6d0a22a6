"""The files of one session: together they must be what one long journal would be."""

from protocol.journal.framing import scan
from protocol.journal.records import StepRecord
from server.engine.table_state import TableState
from server.storage.file_names import SUFFIX, file_before
from server.storage.filesystem import FileSystem
from server.storage.recovery import rebuild, rebuild_from_last_checkpoint
from tests.simulation.oracles import Violation


def first_file(path: str) -> str:
    """The first file of the session to which a file belongs; it names the session."""
    while (before := file_before(path)) is not None:
        path = before
    return path


def read_session(disk: FileSystem, first: str) -> tuple[list[StepRecord], list[TableState]]:
    """All steps of a session, and the table at the end of each of its files. Raises Violation if they do not fit."""
    steps: list[StepRecord] = []
    ends: list[TableState] = []
    digest, seq = b"", 0
    path = first
    while not ends or disk.exists(path):
        found = scan(disk.read_all(path))
        if found.verdict == "corrupt":
            raise Violation(f"{path}: {found.why}")
        header, state, more = rebuild(found.records, path)
        if rebuild_from_last_checkpoint(found.records, path)[1].view != state.view:
            raise Violation(f"{path}: its last checkpoint leads to another table than its first record")
        if header.previous != digest or header.next_seq != seq + 1:
            raise Violation(f"{path} does not go on where the file before it ends")
        steps += more
        ends.append(state)
        digest, seq = found.digest, state.seq
        path = f"{first.removesuffix(SUFFIX)}_{len(ends) + 1:03}{SUFFIX}"
    return steps, ends
