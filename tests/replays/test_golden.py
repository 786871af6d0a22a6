"""Recordings of every format stay readable and verifiable for ever."""

from pathlib import Path

import pytest

from protocol import events as ev
from protocol.versions import RULES
from replays.hand_summaries import summaries
from replays.narration import story
from replays.playback import Playback, Viewpoint
from replays.recording import open_recording
from replays.verify import verify
from tests.golden import make_evening as golden
from tests.support import sample_session
from tests.support.paths import GOLDEN

FILES = sorted(GOLDEN.glob("evening-*.ryo"))


def readable(path: Path) -> None:
    """Fails unless the file can be read, verified, stepped through and told."""
    recording = open_recording(path)
    assert recording.unfinished == ""
    report = verify(path)
    assert report.problem == ""
    assert report.replayed == (recording.header.rules == RULES)
    assert [hand.game for hand in summaries(recording.steps)] == ["barneys", "stud8", "razz"]
    playback = Playback(recording.steps)
    looks: list[Viewpoint] = ["all", None, 1]
    for viewpoint in looks:
        assert sum("is over" in line.text for line in story(playback, 0, len(playback), viewpoint)) == 3


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.name)
def test_golden_evenings_stay_readable(path: Path) -> None:
    readable(path)


def test_an_evening_made_now_is_readable(tmp_path: Path) -> None:
    played = golden.evening()
    readable(sample_session.write(tmp_path / "now.ryo", played.steps))
    kinds = {type(event) for step in played.steps for event in step.events}
    assert {ev.Said, ev.ConnectionChanged, ev.BroughtBack, ev.Declared, ev.CardsTurned, ev.HandShown} <= kinds
    assert any(isinstance(e, ev.Acted | ev.ChoiceMade) and e.cause == "timeout" for s in played.steps for e in s.events)
