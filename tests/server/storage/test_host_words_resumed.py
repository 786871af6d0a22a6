"""A server that is killed at any point of a pause, a void hand or a correction goes on with the same table."""

import random

import pytest

from protocol import commands as cmd
from protocol.facts import Pause
from protocol.journal.records import Header, encode_record
from protocol.versions import JOURNAL_FORMAT, RULES
from server.storage.recovery import rebuild
from tests.support.engine_table import EngineTable, host_command, random_command, state_of, table_rules

HEADER = Header(format=JOURNAL_FORMAT, rules=RULES, program="", session=b"s" * 16, table="kitchen", started=0)


def evening(seed: int) -> EngineTable:
    """A session in which a host does all that hosts do, in the middle of what players do."""
    rng = random.Random(seed)
    table = EngineTable(table_rules(("barneys", "stud8"), change="hand", misses=3)).sit(60, 40, 80)
    table.do(cmd.NameHost(1, by="the operator"))
    for _ in range(120):
        wanted = host_command(rng, rng.randint(1, 3)) if rng.random() < 0.2 else random_command(rng, table.state)
        table.attempt(wanted)
        if table.state.hand is not None and rng.random() < 0.05:
            table.attempt(cmd.PausePlay(Pause("pause", "Ann", "who knocks?")))
            table.attempt(cmd.VoidHand("declared void by Ann: a card was seen", redeal=True))
    return table


@pytest.mark.parametrize("seed", range(4))
def test_fault_1_killed_after_any_step_the_table_goes_on_as_if_nothing_had_been(seed: int) -> None:
    table = evening(seed)
    records = [encode_record(HEADER), *map(encode_record, table.steps)]
    for killed_after in range(1, len(table.steps), 7):
        _, state, _ = rebuild(records[: killed_after + 1], "journal")
        for step in table.steps[killed_after:]:
            assert step.command is not None
            assert state.apply(step.command) == step.events
        assert state_of(state)[:5] == state_of(table.state)[:5]
        assert state.view.chips() == table.state.view.chips()
    kinds = {type(step.command) for step in table.steps}
    assert {cmd.PausePlay, cmd.ResumePlay, cmd.CorrectStack} <= kinds


def test_some_of_these_evenings_have_void_hands() -> None:
    assert any(isinstance(step.command, cmd.VoidHand) for seed in range(4) for step in evening(seed).steps)
