"""The shared encoding of a step is the plain one, byte for byte, for the journal and for every viewer."""

import itertools

import pytest

from protocol import commands as cmd
from protocol.actions import Action
from protocol.commands import AnyCommand
from protocol.events import AnyEvent, ChoiceMade
from protocol.journal.records import StepRecord, encode_record
from protocol.visibility import project
from protocol.wire.codec import encode_value
from protocol.wire.frames import encode_frame
from protocol.wire.messages import Events
from protocol.wire.padding import action_padding
from server.config.table_config import TableConfig
from server.engine.games.catalogue import GAMES
from server.engine.table_state import TableState
from server.table.encoded_step import EncodedStep, array
from server.table.shuffler import Shuffler
from tests.support.loopback_server import calling

SEATS = 3


def evening(game: str, leave_after: int = 0) -> list[tuple[int, AnyCommand, tuple[AnyEvent, ...]]]:
    """(number of the first event, command, events) of every step of one hand.

    `leave_after`: after so many actions everybody gives their seat back; 0: nobody does.
    """
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
        if number == leave_after:
            for leaver in range(SEATS, 0, -1):
                if state.hand is not None:
                    do(cmd.StandUp(leaver))
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


@pytest.mark.parametrize("game", list(GAMES))
def test_a_step_in_which_the_table_chooses_several_times_for_a_player_who_leaves_is_encoded(game: str) -> None:
    """Seen in an evening with kicks: three choices of a seat had no room in the padding of one; the table stopped."""
    at_most = 0
    for leave_after in range(1, len(evening(game))):
        for seq, command, events in evening(game, leave_after):
            step = EncodedStep(seq, 1234, command, events)
            for seat in range(1, SEATS + 1):
                assert step.own(seat)
                made = [event for event in events if isinstance(event, ChoiceMade) and event.seat == seat]
                at_most = max(at_most, len(made))
    if game in ("barneys", "anaconda"):
        assert at_most > 1


def test_several_choices_in_one_step_are_equally_long_whatever_they_are() -> None:
    kinds: list[list[Action]] = [
        [Action("declare", direction=direction) for direction in ("high", "low")],
        [Action("discard", cards=cards) for cards in ((), (51,), (1, 2, 3))],
        [Action("arrange", cards=(1, 2, 3, 4, 5)), Action("arrange", cards=(47, 48, 49, 50, 51))],
    ]
    lengths = set()
    for chosen in itertools.product(*kinds):
        events = tuple([ChoiceMade(2, "discard", action, "left") for action in chosen])
        lengths.add(len(EncodedStep(1, 1234, None, events).own(2)))
    assert len(lengths) == 1


@pytest.mark.parametrize("count", [0, 1, 15, 16, 300])
def test_an_array_of_any_length(count: int) -> None:
    assert array([encode_value(number) for number in range(count)]) == encode_value(list(range(count)))
