"""P7: what a long evening costs: opening its journal again, stepping through it, and many tables at once."""

import random
import resource
import statistics
import tempfile
import time
from dataclasses import dataclass
from pathlib import Path

from protocol import commands as cmd
from protocol.commands import AnyCommand
from protocol.events import AnyEvent
from protocol.journal.framing import scan
from protocol.journal.records import Checkpoint
from protocol.table_rules import Clocks
from protocol.view import TableView
from replays.playback import Playback
from replays.recording import open_recording
from server.config.table_config import TableConfig
from server.engine.table_state import TableState
from server.storage.journal_file import Journal
from server.storage.recovery import RecordedSession, begin, rebuild, reopen
from server.storage.rotation import CHECKPOINTS, ROTATE_BYTES
from server.table.encoded_step import EncodedStep
from server.table.shuffler import Shuffler
from tests.benchmarks import bench_fanout
from tests.benchmarks.harness import Args, interleaved, title
from tests.support.loopback_server import calling

RECORDS = 70_000
SEATS = 6
STEPS = 500
FEW, MANY = 10, 1000
REOPEN_GOAL, STEP_GOAL, FOLD_GOAL, TABLES_GOAL = 1.0, 0.020, 2.0, 3.0


@dataclass(frozen=True, slots=True)
class FinishedSession:
    """A session that is over, and what happened in its last part."""

    path: str
    commands: list[AnyCommand]
    events: list[AnyEvent]


class Play:
    """Plays at a table without guests, and keeps its journal."""

    def __init__(self, session: RecordedSession) -> None:
        self._session, self.records, self._checkpoint = session, 2, 0
        self.evening = FinishedSession(session.journal.path, [session.recent[0].command or cmd.AskGame()], [])
        self.evening.events.extend(session.recent[0].events)

    def do(self, command: AnyCommand, checkpoint: Checkpoint | None = None) -> None:
        session = self._session
        seq = session.state.seq + 1
        events = session.state.apply(command)
        step = EncodedStep(seq, session.started + seq, command, events, checkpoint=checkpoint)
        session.journal.append(step.record)
        self.records += 1
        self.evening.commands.append(command)
        self.evening.events.extend(events)

    def hand(self, shuffler: Shuffler, rng: random.Random) -> None:
        """Everybody stays in, or not."""
        state = self._session.state
        for player in state.view.players():
            if player.chips < 10_000:
                self.do(cmd.TopUp(player.seat, 0))
        size = self._session.journal.size
        due = size - self._checkpoint >= ROTATE_BYTES // CHECKPOINTS
        self._checkpoint = size if due else self._checkpoint
        self.do(cmd.StartHand(shuffler.deck(), f"hand-{self.records}"), state.checkpoint() if due else None)
        while state.pending:
            seat, answers = next(iter(state.pending.items()))
            pending = state.view.seat(seat).pending
            assert pending is not None
            options = [option.kind for option in pending.request.options]
            action = calling(pending.request)
            if "fold" in options and rng.random() < 0.15:
                action = type(action)("fold")
            self.do(cmd.Act(seat, answers, action))
        self._session.journal.write(self._session.journal.take())


def evening(folder: Path) -> FinishedSession:
    """A long session of stud high-low."""
    chips = 1_000_000
    table = TableConfig(games=("stud8",), seats=SEATS, buy_in=chips, buy_in_most=chips, clocks=Clocks())
    session = begin(str(folder), "main", table.rules(), 1_000_000_000_000)
    play = Play(session)
    for number in range(SEATS):
        play.do(cmd.SitDown(f"Player {number}", chips, bytes([number]) * 32))
    shuffler, rng = Shuffler("growth"), random.Random(1)
    while play.records < RECORDS:
        play.hand(shuffler, rng)
    session.journal.commit()
    session.journal.close()
    return play.evening


def played(commands: list[AnyCommand]) -> None:
    """All of it through the rules."""
    state = TableState()
    for command in commands:
        state.apply(command)


def scanned(path: str) -> None:
    """Every checksum and the chain; the lock."""
    Journal.open(path)[0].close()


def reopened(path: str) -> None:
    """As a server does after a crash: scanned, copied, and played through the rules from the last checkpoint on."""
    reopen(path).journal.close()


def replayed(path: str) -> None:
    """As a server does where no checkpoint fits: scanned, and every command played through the rules again."""
    rebuild(scan(Path(path).read_bytes()).records, path)


def verdict(reached: bool) -> str:
    return "reached" if reached else "MISSED"


def journals(repeats: int) -> None:
    """One long journal."""
    with tempfile.TemporaryDirectory() as folder:
        evening_ = evening(Path(folder))
        path, size = evening_.path, Path(evening_.path).stat().st_size
        steps = open_recording(path).steps
        print(f"a journal of {len(steps) + 1:,} records, {size / 1e6:.1f} MB, {len(evening_.events):,} events")
        took = interleaved(
            {
                "scan": lambda: scanned(path),
                "read": lambda: open_recording(path),
                "reopen": lambda: reopened(path),
                "replay": lambda: replayed(path),
                "play": lambda: played(evening_.commands),
                "fold": lambda: TableView().apply_all(evening_.events),
            },
            repeats,
        )
        parts = {
            "every checksum and the chain": "scan",
            "the same, decoded (a replay is opened)": "read",
            "every command played again": "replay",
        }
        for name, part in parts.items():
            print(f"{name:<40}{took[part]:>7.2f} s")
        restart = took["reopen"]
        print(
            f"{'a server starts again':<40}{restart:>7.2f} s   goal {REOPEN_GOAL:g} s: {verdict(restart < REOPEN_GOAL)}"
        )
        print(f"{'the rules alone':<40}{took['play']:>7.2f} s")
        ratio = took["play"] / took["fold"]
        print(f"{'folding, against playing':<40}{ratio:>7.2f} x   goal {FOLD_GOAL:g} x: {verdict(ratio >= FOLD_GOAL)}")
        stepping(Playback(steps))


def stepping(playback: Playback) -> None:
    """Anywhere, and one step back from there."""
    rng = random.Random(1)
    jumps, backs = [], []
    for _ in range(STEPS):
        start = time.process_time()
        playback.goto(rng.randrange(len(playback)))
        playback.view("all")
        middle = time.process_time()
        playback.back()
        playback.view("all")
        jumps.append(middle - start)
        backs.append(time.process_time() - middle)
    for name, took in (("a jump to anywhere", jumps), ("a step back", backs)):
        half, most = 1e3 * statistics.median(took), 1e3 * max(took)
        print(f"{name:<40}{half:>7.2f} ms, longest {most:.2f} ms   ", end="")
        print(f"goal {1e3 * STEP_GOAL:g} ms: {verdict(most < 1e3 * STEP_GOAL)}")


def tables(repeats: int) -> None:
    """The server's processor time for an action, with few tables and with many."""
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    wanted = (bench_fanout.SEATS + 2) * MANY + 500
    if hard != resource.RLIM_INFINITY and hard < wanted:
        print(f"skipped: a process may have {hard} open files here, and {MANY} tables need {wanted}")
        return
    resource.setrlimit(resource.RLIMIT_NOFILE, (max(soft, wanted), hard))
    with tempfile.TemporaryDirectory() as folder:
        program = bench_fanout.compiled(folder)
        if program is None:
            print("skipped: there is no C compiler here for the load")
            return
        costs: dict[int, list[float]] = {FEW: [], MANY: []}
        for _ in range(repeats):
            for count, cost in costs.items():
                cost.append(bench_fanout.ours(program, count, "none").processor)
    few, many = (statistics.median(cost) for cost in costs.values())
    print(f"{f'an action at one of {FEW} tables':<40}{few:>7.0f} us of the server's processor")
    print(f"{f'an action at one of {MANY:,} tables':<40}{many:>7.0f} us, ", end="")
    print(f"{many / few:.2f} x   goal {TABLES_GOAL:g} x: {verdict(many / few <= TABLES_GOAL)}")


def main(args: Args) -> None:
    """Print all of it."""
    title("P7: long evenings, many tables")
    journals(3)
    tables(args.repeats if args.long else 1)
