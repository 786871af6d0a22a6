"""A whole card room on a simulated system: one seed decides the cards, the network, the disk, the crashes, the people.

`simulate(seed)` runs a session of some dozen virtual seconds: a real server (tables, journals, recovery, limits) on
a simulated disk, real client sessions over wires in memory, trio's clock in jumps. The server is killed, loses power,
stops in order; lines are cut and stall; actions come twice; a second client has the token of the first. At the end,
and at quiet moments, the judges of `tests.simulation.oracles` look at everything.

Same seed, same trace: nothing asks the real clock or the system's generator for anything that is traced.
"""

import hashlib
import random
from functools import partial

import structlog
import trio
import trio._core._run as trio_run
import trio.testing
from structlog.typing import EventDict, WrappedLogger

from client.errors import CannotConnect
from protocol.journal.records import StepRecord
from protocol.table_rules import Clocks
from protocol.view import hide
from server.admission.seat_tokens import token_digest
from server.app.server import Server
from server.config.config import Config
from server.config.table_config import TableConfig
from server.engine.games.catalogue import GAMES
from server.engine.table_state import TableState
from server.errors import errors_within
from server.storage.journal_errors import JournalError
from server.table.table import Table
from tests.simulation.oracles import Violation, check_journal
from tests.simulation.players import Player
from tests.simulation.session_files import first_file, read_session
from tests.simulation.simulated_system import SimulatedSystem, Stats
from tests.simulation.wire import Weather, Wire
from tests.support.simulated_disk import PowerCut, SimDisk


class World:
    """Everything there is; `run` lets it happen. `disk` is what the server's journals are kept on."""

    def __init__(self, seed: int, disk: type[SimDisk] = SimDisk, *, seconds: float = 12.0) -> None:
        self.seed = seed
        self.rng = random.Random(seed)
        self.disk = disk(random.Random(self.rng.random()))
        self.system = SimulatedSystem(self.disk, self.rng)
        self.weather = Weather(self.rng)
        self.stats = Stats()
        self.seconds = seconds
        self.trace = hashlib.blake2b(digest_size=16)
        self.lines: list[str] = []
        self.epoch = 0
        self.server: Server | None = None
        self.calm = False
        self.faults: list[str] = []
        self._life: trio.Nursery | None = None
        self._wires: list[Wire] = []
        self._storm = trio.Event()
        self._paths: dict[int, str] = {}
        self._settings = self._table()
        names = ["Ann", "Ben", "Cho", "Dov"][: self.rng.randint(2, 4)]
        self.players = [Player(name, random.Random(self.rng.random()), self.note) for name in names]
        self.spectator = Player("", random.Random(self.rng.random()), self.note, b"")
        self.secrets = [secret for one in self.players for secret in (one.token, token_digest(one.token))]

    def _table(self) -> TableConfig:
        rng = self.rng
        games = tuple(rng.sample(sorted(GAMES), rng.randint(1, 3)))
        if rng.random() < 0.3:  # the game with the most kinds of decisions, and time to get to the last of them
            games = ("barneys",)
            self.seconds *= 2
        clocks = Clocks(
            bet=4, choose=3, arrange=4, declare=3, bank=rng.choice([0, 3]), result=1, grace=rng.choice([0, 5])
        )
        return TableConfig(
            games=games, change=rng.choice(["never", "hand", "dealer"]), clocks=clocks, start=0.2, seats=4,
            misses=rng.choice([1, 3]), first_is_host=self.seed % 3 == 0,
            rotate_bytes=random.Random(self.seed).choice([3000, 10_000, 20_000, 1 << 26]),
        )  # fmt: skip

    def note(self, *facts: object) -> None:
        """One line of the trace."""
        line = f"{trio.current_time():.6f} {facts}"
        self.trace.update(line.encode())
        self.lines.append(line)

    # ---------------------------------------------------------------- the host

    async def host(self) -> None:
        """Starts the server again and again."""
        while True:
            self.stats.lives += 1
            self.system.skew += self.rng.choice([0, 0, 0, 7_200_000, -7_200_000])  # fault 79
            self._plan_faults()
            end = ""
            try:
                async with trio.open_nursery() as life:
                    self._life = life
                    server = Server(self._config(), self._log(), self.system)
                    await life.start(partial(server.run, listeners=[]))
                    self._opened(next(iter(server.lobby.tables.values())))
                    self.server = server
                    end = await self._until_the_end(server)
                    self._strike(end)
                    life.cancel_scope.cancel()
            except* PowerCut:
                end = end or "power"
            except* JournalError as group:
                self.note("host", repr(next(errors_within(group))))
                self.stats.failures += 1
                end = end or "kill"
            self._down(end)
            await trio.sleep(self.rng.uniform(0.05, 0.8))

    def _plan_faults(self) -> None:
        if self.calm:
            return
        if self.rng.random() < 0.25:
            self.disk.cut_in = self.rng.randrange(150)
        elif self.rng.random() < 0.25:
            call = self.rng.choice(["write", "write", "fdatasync", "ftruncate", "replace", "sync_dir"])
            self.disk.fail[call] = self.rng.randrange(40 if call in ("write", "fdatasync") else 3)

    async def _until_the_end(self, server: Server) -> str:
        """Waits for the end of this life; how it comes."""
        await trio.sleep(self.rng.expovariate(1 / 4))
        await self._storm.wait()
        how = self.rng.choice(["kill", "kill", "power", "power", "stop"])
        if how == "stop":
            server.stop()
            with trio.move_on_after(10):
                await server.stopped.wait()
        return how

    def _strike(self, how: str) -> None:
        """The process is gone at once: not a byte of it leaves any more, nothing reaches the disk."""
        if how != "stop":
            for wire in self._wires:
                wire.cut(self.rng)
            self.disk.cut_in = 0

    def _down(self, how: str) -> None:
        self.server = self._life = None
        for wire in self._wires:
            wire.cut(self.rng)
        self._wires = []
        self.note("host", how)
        if how == "power":
            self.stats.cuts_of_power += 1
            self.disk.cut()
        elif how == "stop":
            self.stats.stops += 1
            self.disk.kill()
        else:
            self.stats.kills += 1
            self.disk.kill()

    def _config(self) -> Config:
        return Config(
            port=0, plain_tcp=True, data_dir="/data", seed=str(self.seed + self.stats.lives), table=(self._settings,)
        )

    def _opened(self, table: Table) -> None:
        """A table has been opened: what was recovered must hang together."""
        state = table.state
        if (first := first_file(table.journal_path)) != self._paths.get(self.epoch):
            self.epoch += 1
            self._paths[self.epoch] = first
        self.note("open", table.journal_path.rsplit("/", 1)[-1], state.seq)
        check_state(state)
        if state.hand is not None:
            self.stats.resumed_in_hand += 1
            self.stats.decisions |= {
                seat.pending.request.decision for seat in state.view.seats if seat.pending is not None
            }

    def _log(self) -> structlog.typing.FilteringBoundLogger:
        log: structlog.typing.FilteringBoundLogger = structlog.wrap_logger(
            structlog.PrintLogger(), processors=[self._heard], wrapper_class=structlog.make_filtering_bound_logger(20)
        )
        return log

    def _heard(self, logger: WrappedLogger, name: str, entry: EventDict) -> str:
        event = str(entry.get("event"))
        self.note("log", event, str(entry.get("table", "")))
        if event.endswith(".breach"):
            self.faults.append(f"{event}: {entry.get('error')}")
            if isinstance(entry.get("exc_info"), BaseException):
                raise Violation(self.faults[-1]) from entry["exc_info"]
        if event == "table.log_behind":
            raise Violation(f"the journal is behind what a client has seen: {entry}")
        raise structlog.DropEvent

    # ------------------------------------------------------------- the network

    async def dial(self, player: Player) -> trio.abc.Stream:
        """A connection to the running server. Raises CannotConnect."""
        await trio.sleep(self.rng.uniform(0.001, 0.05))
        if self.server is None or self._life is None:
            raise CannotConnect("Nobody listens there.")
        wire = Wire(self.weather, f"10.0.0.{len(player.name)}", self._tap, player.acted)
        player.epoch = self.epoch
        self._wires.append(wire)
        self._life.start_soon(self.server.connect, wire.line)
        return wire.stream

    def _tap(self, data: bytes) -> None:
        """No byte of a token or of its digest ever goes out (fault 42)."""
        for secret in self.secrets:
            if secret in data:
                raise Violation("a token or its digest was sent to a client")

    async def chaos(self) -> None:
        """Lines are cut and stall; somebody turns up with another's token."""
        while True:
            await trio.sleep(self.rng.expovariate(1 / 2))
            self._wires = [wire for wire in self._wires if wire.open]
            if self.calm or not self._wires:
                continue
            wire = self.rng.choice(self._wires)
            match self.rng.randrange(6):
                case 0 | 1 | 2:
                    self.stats.lines_cut += 1
                    wire.cut(self.rng)
                case 3:
                    self.rng.choice([wire.up, wire.down]).stall(self.rng.uniform(0.5, 4))
                case 4:
                    self.weather.delay = self.rng.choice([0.005, 0.01, 0.05, 0.3])
                case _:
                    self.stats.rivals += 1
                    await self._rival(self.rng.choice(self.players))

    async def _rival(self, player: Player) -> None:
        """The same token from another client, for a while (fault 25)."""
        rival = Player(player.name, self.rng, self.note, player.token)
        rival.seen, rival.sent = player.seen, player.sent
        with trio.move_on_after(self.rng.uniform(0.2, 3)):
            await rival.live(self.dial)

    # ------------------------------------------------------------------- a run

    def everybody(self) -> list[Player]:
        """All who are at the table or watch."""
        return [*self.players, self.spectator]

    async def run(self) -> None:
        """One session from the first player to the last look at the journal. Raises Violation."""
        async with trio.open_nursery() as nursery:
            nursery.start_soon(self.host)
            nursery.start_soon(self.chaos)
            for player in self.everybody():
                nursery.start_soon(player.live, self.dial)
            for _ in range(2):
                self.calm = False
                self._storm.set()
                await trio.sleep(self.rng.uniform(0.5, 1) * self.seconds / 2)
                self.calm = True
                self._storm = trio.Event()
                self.weather.delay = 0.01
                self.disk.heal()
                await self._quiet()
            self._strike("kill")
            nursery.cancel_scope.cancel()
        self._judge()

    async def _quiet(self) -> None:
        """Waits until everybody is back and up to date, and compares what they see."""
        for _ in range(3_000):
            if self._agreed():
                return
            await trio.sleep(0.03)
        raise Violation(f"they never came to agree: {self._standing()}")

    def _agreed(self) -> bool:
        server = self.server
        if server is None:
            return False
        table = next(iter(server.lobby.tables.values()))
        state = table.state
        sessions = [one.session for one in self.everybody()]
        for session in sessions:
            if session is None or session.status != "online" or session.view.seq != state.seq:
                return False
        if not all(seat.online for seat in state.view.players()):
            return False
        for one in self.everybody():
            assert one.session is not None
            if one.session.view != hide(state.view, one.session.seat or None):
                raise Violation(f"{one.name or 'the spectator'} sees another table than there is")
            one.quiet(one.session)
        check_state(state)
        self.note("agreed", state.seq)
        return True

    def _standing(self) -> str:
        table = next(iter(self.server.lobby.tables.values())) if self.server else None
        people = [(one.name, one.session and (one.session.status, one.session.view.seq)) for one in self.everybody()]
        return f"{table and (table.halted, table.state.seq)} {people}"

    def _judge(self) -> None:
        """The journals against all that was shown and asked for."""
        self.disk.kill()
        sent = [action for player in self.players for action in player.sent]
        for epoch, path in self._paths.items():
            steps, ends = read_session(self.disk, path)
            for state in ends:
                check_state(state)
            self.stats.rotations += len(ends) - 1
            seen = [one.seen[epoch] for one in self.everybody() if epoch in one.seen]
            check_journal(steps, seen, sent)
            self._count(steps)
        self.stats.events_seen += sum(len(seen.events) for one in self.everybody() for seen in one.seen.values())

    def _count(self, steps: list[StepRecord]) -> None:
        for step in steps:
            self.stats.actions += type(step.command).__name__ == "Act"
            self.stats.pauses += type(step.command).__name__ == "PausePlay"
            self.stats.void_hands += type(step.command).__name__ == "VoidHand"
            self.stats.corrections += type(step.command).__name__ == "CorrectStack"
            self.stats.hands += sum(type(event).__name__ == "HandStarted" for event in step.events)


def check_state(state: TableState) -> None:
    """The bookkeeping fits the view: the same requests are open, a hand runs or not, no chip has come or gone."""
    view = state.view
    open_requests = {seat.seat: seat.pending.seq for seat in view.seats if seat.pending is not None}
    if open_requests != state.pending:
        raise Violation(f"open requests {open_requests}, the table waits for {state.pending}")
    if (state.hand is not None) != view.playing:
        raise Violation("a hand runs, or does not, and the view says otherwise")
    for seat in view.seats:
        if (
            seat.choice is not None
            and seat.pending is not None
            and seat.choice.decision == seat.pending.request.decision
        ):
            raise Violation(f"seat {seat.seat} is asked for {seat.choice.decision} again")


def simulate(seed: int, disk: type[SimDisk] = SimDisk, *, seconds: float = 12.0) -> World:
    """Runs the session of that seed. Raises Violation, whose text names the seed, or whatever else went wrong."""
    # Private, but made for this: trio orders tasks by a generator of its own, which hypothesis seeds in the same way.
    vars(trio_run)["_ALLOW_DETERMINISTIC_SCHEDULING"] = True
    trio_run._r.seed(seed)
    worlds: list[World] = []

    async def bounded() -> None:
        worlds.append(World(seed, disk, seconds=seconds))
        with trio.fail_after(2000):
            await worlds[0].run()

    try:
        trio.run(bounded, clock=trio.testing.MockClock(autojump_threshold=0))
    except BaseExceptionGroup as group:
        error = next(errors_within(group))
        raise Violation(f"seed {seed}: {type(error).__name__}: {error}") from group
    except Violation as violation:
        raise Violation(f"seed {seed}: {violation}") from violation
    finally:
        vars(trio_run)["_ALLOW_DETERMINISTIC_SCHEDULING"] = False
    return worlds[0]
