"""P7: what a long evening costs: opening its journal again, stepping through it, and many tables at once."""

import random
import resource
import tempfile
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
from tests.benchmarks.harness import Args, Bench, Row, Rows, Times, elsewhere, interleaved, seconds_row, spread
from tests.support.loopback_server import calling

RECORDS = 70_000
SEATS = 6
STEPS = 500
FEW, MANY = 10, 1000
REOPEN_GOAL, STEP_GOAL, TABLES_GOAL = 1.0, 0.005, 3.0


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


def journals(args: Args) -> Rows:
    """One long journal: opened again, and stepped through."""
    with tempfile.TemporaryDirectory() as folder:
        evening_ = evening(Path(folder))
        path, size = evening_.path, Path(evening_.path).stat().st_size
        steps = open_recording(path).steps
        took = interleaved(
            {
                "p7-restart": lambda: reopened(path),
                "p7-scan": lambda: scanned(path),
                "p7-read": lambda: open_recording(path),
                "p7-restart-without-checkpoints": lambda: replayed(path),
                "p7-rules-alone": lambda: played(evening_.commands),
                "p7-fold-alone": lambda: TableView().apply_all(evening_.events),
            },
            3,
        )
        for name, times in took.items():
            yield seconds_row(name, times, NOTES.get(name, ("", None))[1], note=NOTES.get(name, ("", None))[0])
        yield from stepping(Playback(steps), f"{len(steps) + 1:,} records, {size / 1e6:.1f} MB")


NOTES: dict[str, tuple[str, float | None]] = {
    "p7-restart": ("a server opens a journal of 70,000 records again", REOPEN_GOAL),
    "p7-scan": ("every checksum and the chain", None),
    "p7-read": ("the same, decoded: a replay is opened", None),
}


def stepping(playback: Playback, note: str) -> Rows:
    """Anywhere, and one step back from there; the spread is over places, and the longest has to reach the goal."""
    rng = random.Random(1)
    jumps, backs = Times(), Times()

    def jump() -> None:
        playback.goto(rng.randrange(len(playback)))
        playback.view("all")

    def back() -> None:
        playback.back()
        playback.view("all")

    for _ in range(STEPS):
        jumps.add_short(jump)
        backs.add_short(back)
    for name, times in (("p7-step-anywhere", jumps), ("p7-step-back", backs)):
        yield seconds_row(name, times, note=note)
        yield Row(name=f"{name}-longest", unit="s", value=spread([max(times.processor)]), goal=STEP_GOAL)


def tables(args: Args) -> Rows:
    """The server's processor time for an action, with few tables and with many."""
    name = "p7-tables"
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    wanted = (bench_fanout.SEATS + 2) * MANY + 500
    if hard != resource.RLIM_INFINITY and hard < wanted:
        yield elsewhere(name, f"a process may have {hard} open files here, and {MANY} tables need {wanted}")
        return
    resource.setrlimit(resource.RLIMIT_NOFILE, (max(soft, wanted), hard))
    with tempfile.TemporaryDirectory() as folder:
        program = bench_fanout.compiled(folder)
        if program is None:
            yield elsewhere(name, "there is no C compiler here for the load")
            return
        costs: dict[int, list[float]] = {FEW: [], MANY: []}
        for _ in range(args.repeats if args.long else 3):
            for count, cost in costs.items():
                cost.append(bench_fanout.ours(program, count, "none").processor)
    few, many = costs[FEW], costs[MANY]
    yield Row(
        name=name,
        unit="x",
        value=spread([large / small for small, large in zip(few, many, strict=True)]),
        goal=TABLES_GOAL,
        note=f"an action at one of {FEW} tables {spread(few).median:.0f} us, of {MANY:,} {spread(many).median:.0f} us",
    )


ROWS: dict[str, Bench] = {"p7-long-session": journals, "p7-tables": tables}
