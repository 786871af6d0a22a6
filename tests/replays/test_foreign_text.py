"""No text in a file controls the reader's terminal (docs/faults.md, 96)."""

from pathlib import Path

import msgspec

from protocol.narration.spans import plain
from protocol.narration.story import tell
from replays.playback import Playback
from replays.recording import open_recording
from server.engine.ranking.winning_cards import winning_cards
from tests.support import sample_session

HOSTILE = "\x1b[2J\x1b]52;c;eA==\x07\u202eab\x9b31m\r\n\u2066cd"


def test_fault_96_no_free_text_of_any_event_reaches_the_story_as_it_is(tmp_path: Path) -> None:
    playback = Playback(open_recording(sample_session.write(tmp_path / "a.ryo")).steps)
    told = set()
    for position, event in enumerate(sample_session.events(), 1):
        playback.goto(position)
        for field in msgspec.structs.fields(event):
            if field.type is not str:
                continue
            told.add((type(event).__name__, field.name))
            changed = msgspec.structs.replace(event, **{field.name: HOSTILE})
            for sentence in tell(changed, playback.view(), None, winning_cards):
                assert plain(sentence).isprintable(), (type(event).__name__, field.name, plain(sentence))
    assert {("HandStarted", "title"), ("Said", "text"), ("Said", "name"), ("PlayerSeated", "name")} <= told, told
