"""Long recordings to measure with: whole sessions, played by chance through the engine, as a server writes them."""

import random
import tempfile
from pathlib import Path

from protocol import commands as cmd
from protocol.commands import AnyCommand
from protocol.journal.records import Checkpoint
from protocol.table_rules import Clocks
from server.config.table_config import TableConfig
from server.storage.recovery import begin
from server.storage.rotation import CHECKPOINTS, ROTATE_BYTES
from server.table.encoded_step import EncodedStep
from server.table.shuffler import Shuffler
from tests.support.loopback_server import calling

SEATS = 6
CHIPS = 1_000_000
START = 1_700_000_000_000
"""UTC milliseconds of the first session; the others follow, one a day."""
DAY = 24 * 3600 * 1000
FOLDS = 0.15
"""How often a player folds who could; otherwise they call."""


def write_session(folder: Path, hands: int, number: int = 0) -> Path:
    """A host's journal of one session with so many finished hands of three games. Returns its path."""
    table = TableConfig(seats=SEATS, buy_in=CHIPS, buy_in_most=CHIPS, clocks=Clocks())
    session = begin(str(folder), "main", table.rules(), START + number * DAY)
    state, journal = session.state, session.journal
    shuffler, rng = Shuffler(f"many hands {number}"), random.Random(number)

    def do(command: AnyCommand, checkpoint: Checkpoint | None = None) -> None:
        seq = state.seq + 1
        step = EncodedStep(seq, session.started + seq, command, state.apply(command), checkpoint=checkpoint)
        journal.append(step.record)

    for seat in range(1, SEATS + 1):
        do(cmd.SitDown(f"Player {seat}", CHIPS, bytes([seat]) * 32, seat))
    last = 0
    for hand in range(1, hands + 1):
        due = journal.size - last >= ROTATE_BYTES // CHECKPOINTS
        last = journal.size if due else last
        do(cmd.StartHand(shuffler.deck(), f"main-{number}-{hand}"), state.checkpoint() if due else None)
        while state.pending:
            seat, answers = next(iter(state.pending.items()))
            pending = state.view.seat(seat).pending
            assert pending is not None
            action = calling(pending.request)
            if rng.random() < FOLDS and any(option.kind == "fold" for option in pending.request.options):
                action = type(action)("fold")
            do(cmd.Act(seat, answers, action))
        journal.write(journal.take())
    journal.sync()
    journal.close()
    return Path(journal.path)


def many_hands(hands: int, each: int) -> Path:
    """A folder with recordings of so many hands, `each` of them in one file; made once and kept for other launches."""
    folder = Path(tempfile.gettempdir()) / f"ryo-bench-{hands}-hands" / "hands"
    for number in range(hands // each):
        if len(list(folder.glob("*.ryo"))) <= number:
            write_session(folder, each, number)
    return folder
