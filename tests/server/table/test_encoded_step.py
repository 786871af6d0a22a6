"""The shared encoding of a step is the plain one, byte for byte, for the journal and for every viewer."""

import itertools

import pytest

from protocol import commands as cmd
from protocol.commands import AnyCommand
from protocol.events import AnyEvent, ChoiceMade
from protocol.journal.records import StepRecord, encode_record
from protocol.visibility import project
from protocol.wire.codec import encode_value
from protocol.wire.frames import encode_frame
from protocol.wire.messages import Events
from protocol.wire.padding import action_padding
from server.config.table_config import TableConfig
from server.engine.table_state import TableState
from server.table.encoded_step import EncodedStep, array
from server.table.shuffler import Shuffler
from tests.support.loopback_server import calling

SEATS = 3


def evening(game: str) -> list[tuple[int, AnyCommand, tuple[AnyEvent, ...]]]:
    """(number of the first event, command, events) of every step of one hand."""
    state = TableState()
    steps: list[tuple[int, AnyCommand, tuple[AnyEvent, ...]]] = []

    def do(command: AnyCommand) -> None:
        seq = state.seq + 1
        steps.append((seq, command, state.apply(command)))

    do(cmd.OpenTable("main", TableConfig(games=(game,)).rules()))
    for seat in range(1, SEATS + 1):
        do(cmd.SitDown(f"Player {seat}", 100, bytes([seat]) * 32))
    do(cmd.StartHand(Shuffler("encoding").deck(), "main-1"))
    for number in itertools.count(1):
        if state.hand is None:
            return steps
        seat, asked = next(iter(state.pending.items()))
        pending = state.view.seat(seat).pending
        assert pending is not None
        do(cmd.Act(seat, asked, calling(pending.request), number))
    raise AssertionError


@pytest.mark.parametrize("game", ["barneys", "stud8", "razz"])
def test_a_step_is_encoded_as_its_message_and_its_record(game: str) -> None:
    private = 0
    for seq, command, events in evening(game):
        step = EncodedStep(seq, 1234, command, events)
        assert step.record == encode_record(StepRecord(seq, 1234, command, events))
        for viewer in (None, *range(1, SEATS + 1)):
            chosen = [event.action for event in events if isinstance(event, ChoiceMade) and event.seat == viewer]
            pad = b"".join(action_padding(action) + b"\0" for action in chosen if action is not None)  # nil is a byte
            seen = Events(seq, 1234, tuple([project(event, viewer) for event in events]), pad=pad)
            assert (step.public if viewer is None else step.own(viewer)) == encode_frame(seen)
        private += not step.same_for_all
    assert private


@pytest.mark.parametrize("count", [0, 1, 15, 16, 300])
def test_an_array_of_any_length(count: int) -> None:
    assert array([encode_value(number) for number in range(count)]) == encode_value(list(range(count)))
