"""The pipeline by itself: in which order it decides, writes, shows, and tells its observer."""

from pathlib import Path

import pytest

from protocol import commands as cmd
from protocol.commands import AnyCommand
from protocol.events import PlayerLeft
from server.app.operator_log import silent
from server.config.table_config import TableConfig
from server.storage.journal_errors import WriteFailed
from server.storage.recovery import begin
from server.table.audience import Audience
from server.table.pipeline import CONGESTED, Pipeline
from server.table.shuffler import Shuffler
from server.table.table_setup import TableSetup
from tests.support.memory_guest import HeldGroupCommit, MemoryGuest

ANN = cmd.SitDown("Ann", 100, b"a" * 32)
BEN = cmd.SitDown("Ben", 100, b"b" * 32)


class Notes:
    """An observer that writes down what it is told."""

    def __init__(self) -> None:
        self.told: list[str] = []

    def at_rest(self) -> None:
        self.told.append("at rest")

    def shown(self) -> None:
        self.told.append("shown")

    def hand_over(self) -> None:
        self.told.append("hand over")

    def seat_freed(self, event: PlayerLeft) -> None:
        self.told.append(f"{event.name} has left")

    def rules_changed(self) -> None:
        self.told.append("rules changed")


@pytest.fixture
def disk() -> HeldGroupCommit:
    return HeldGroupCommit()


@pytest.fixture
def notes() -> Notes:
    return Notes()


@pytest.fixture
def pipeline(tmp_path: Path, disk: HeldGroupCommit, notes: Notes) -> Pipeline:
    settings = TableConfig(games=("stud8",), durability="action")
    session = begin(str(tmp_path / "hands"), "main", settings.rules(), 1_000_000_000_000)
    setup = TableSetup(settings=settings, group_commit=disk, shuffler=Shuffler("pipeline"), log=silent())
    return Pipeline(session, setup, Audience(), notes)


def step(pipeline: Pipeline, command: AnyCommand) -> None:
    """Decides the command when its turn has come."""

    def job() -> None:
        pipeline.decide(command)

    pipeline.do(job)


async def test_a_step_is_shown_when_it_is_durable_and_not_before(
    pipeline: Pipeline, disk: HeldGroupCommit, notes: Notes
) -> None:
    step(pipeline, ANN)
    assert [player.name for player in pipeline.state.view.players()] == ["Ann"], "it is decided at once"
    assert len(disk.batches) == 1
    assert notes.told == ["at rest"]
    disk.work()
    assert notes.told == ["at rest", "shown", "at rest", "shown"]


async def test_jobs_wait_for_the_batch_before_them_and_are_done_together(
    pipeline: Pipeline, disk: HeldGroupCommit, notes: Notes
) -> None:
    step(pipeline, ANN)
    step(pipeline, BEN)
    step(pipeline, cmd.StandUp(1))
    assert [player.name for player in pipeline.state.view.players()] == ["Ann"]
    journal, batch, told = disk.batches.pop()
    journal.write(batch)
    told(None)
    assert [player.name for player in pipeline.state.view.players()] == ["Ben"]
    assert len(disk.batches) == 1, "both steps are one batch"
    assert notes.told == ["at rest", "shown", "Ann has left", "at rest"]


async def test_a_job_that_decides_nothing_is_shown_at_once(pipeline: Pipeline, notes: Notes) -> None:
    done: list[str] = []
    pipeline.do(done.append, "job")
    assert done == ["job"]
    assert notes.told == ["at rest", "shown"]


async def test_nothing_is_decided_after_a_batch_that_could_not_be_written(
    pipeline: Pipeline, disk: HeldGroupCommit, notes: Notes
) -> None:
    step(pipeline, ANN)
    _, _, told = disk.batches.pop()
    told(WriteFailed("no room"))
    assert pipeline.halted == "storage"
    assert notes.told == ["at rest", "shown"], "the table is not asked again for what it does by itself"
    assert not pipeline.attempt(MemoryGuest("Ben"), BEN)
    assert disk.batches == []


async def test_a_table_is_congested_when_too_many_jobs_wait(pipeline: Pipeline, disk: HeldGroupCommit) -> None:
    step(pipeline, ANN)
    for _ in range(CONGESTED):
        assert not pipeline.congested
        pipeline.do(lambda: None)
    assert pipeline.congested
    disk.work()
    assert not pipeline.congested
