"""No length tells a secret choice (fault 95)."""

import itertools

import pytest

from protocol.actions import Action, Decision
from protocol.events import ChoiceMade
from protocol.seat_view import SeatView
from protocol.view import TableView
from protocol.wire import messages as msg
from protocol.wire.codec import decode_from_client
from protocol.wire.frames import encode_frame
from protocol.wire.padding import ROOM, action_padding, padding
from server.table.encoded_step import EncodedStep

CARDS = (0, 7, 23, 31, 44, 50, 51)
CHOICES: dict[Decision, list[Action]] = {
    "declare": [Action("declare", direction="high"), Action("declare", direction="low")],
    "choose": [Action("choose", cards=(card,)) for card in CARDS],
    "pass": [Action("pass", cards=cards) for cards in itertools.combinations(CARDS, 3)],
    "discard": [Action("discard", cards=CARDS[:count]) for count in range(8)],
    "arrange": [Action("arrange", cards=cards) for cards in itertools.permutations(CARDS[:5])],
}


@pytest.mark.parametrize("decision", CHOICES)
def test_fault_95_every_choice_is_sent_in_as_many_bytes(decision: Decision) -> None:
    acts = [msg.Act(3, 50, action, action_padding(action)) for action in CHOICES[decision]]
    frames = [encode_frame(act) for act in acts]
    assert len({len(frame) for frame in frames}) == 1
    assert [decode_from_client(frame[4:]) for frame in frames] == acts


@pytest.mark.parametrize("decision", CHOICES)
def test_fault_95_a_players_own_frames_have_the_same_length_whatever_was_chosen(decision: Decision) -> None:
    own, others, snapshots = set(), set(), set()
    for action in CHOICES[decision]:
        event = ChoiceMade(2, decision, action)
        step = EncodedStep(50, 1234, None, (event,))
        own.add(len(step.own(2)))
        others |= {len(step.own(1)), len(step.public)}
        view = TableView(seats=[SeatView(1), SeatView(2, choice=event)])
        snapshots.add(len(encode_frame(msg.Snapshot(view, 2, pad=action_padding(action)))))
    assert (len(own), len(others), len(snapshots)) == (1, 1, 1)


def test_an_action_that_everybody_sees_is_not_padded() -> None:
    assert action_padding(Action("raise", to=8)) == b""


def test_a_choice_that_does_not_fit_is_an_error_and_not_a_leak() -> None:
    assert padding(ROOM) == b""
    with pytest.raises(ValueError, match="longer"):
        padding(ROOM + 1)
