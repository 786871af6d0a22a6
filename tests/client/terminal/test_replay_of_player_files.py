"""A player's file in the viewers: from the first key to the last, with gaps between its hands, and while it grows."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from prompt_toolkit.input import DummyInput
from prompt_toolkit.output import DummyOutput

from client.display.text_cells import plain
from client.profile.hand_store import HandStore
from client.terminal.replay_app import ReplayScreen
from client.terminal.replay_line_mode import run_replay_lines
from replays.navigator import Viewer
from replays.playback import Playback
from replays.recording import NOT_IN_IT, open_recording
from tests.replays.test_narration import cards_in, open_cards
from tests.support.kept_hands import HostTable, parts_of, token


@pytest.fixture(scope="module")
def played() -> HostTable:
    evening = HostTable(9, "barneys", players=3)
    for _ in range(4):
        evening.hand()
    return evening


def opened(path: Path, seat: int) -> Viewer:
    recording = open_recording(path)
    playback = Playback(recording.steps)
    playback.start()
    return Viewer(recording, playback, seat)


def test_every_screen_forwards_and_backwards_and_no_card_that_was_hidden(played: HostTable, tmp_path: Path) -> None:
    viewer = opened(played.keep(tmp_path, [1, 3, 4], token(2)), 2)
    shows = ReplayScreen(viewer, terminal_input=DummyInput(), terminal_output=DummyOutput())

    def screen() -> str:
        return "\n".join(plain(line) for line in shows.lines(100, 40))

    host = [event for event, _ in played.views()]
    recorded = [step.seq + at for step in viewer.recording.steps for at in range(len(step.events))]
    there: dict[int, str] = {}
    for _ in range(len(viewer.playback)):
        text = there[viewer.playback.position] = screen()
        assert cards_in(text) <= open_cards(host[: recorded[viewer.playback.position - 1]], 2)
        viewer.playback.forward()
    assert len(there) == len(viewer.playback)
    for position in reversed(there):
        viewer.playback.goto(position)
        assert screen() == there[position]
    for number in (1, 3, 4):
        viewer.go_to(f"hand {number}")
        assert f"hand {number}" in screen().casefold()
    assert cards_in(there[len(there)])


def test_the_lines_say_that_hidden_cards_are_not_in_it(played: HostTable, tmp_path: Path) -> None:
    path = played.keep(tmp_path, [1, 3], token(2))
    said: list[str] = []

    def typing() -> Iterator[str]:
        yield from ("all", "end", "start", "hand 3", "w", "t", "p", "e", "v 1", "v 0")

    run_replay_lines(opened(path, 2), typing(), said.append)
    text = "\n".join(said)
    assert "Hand 1" in text
    assert "Traceback" not in text
    viewer = opened(path, 2)
    assert NOT_IN_IT in viewer.toggle_all()
    assert NOT_IN_IT not in viewer.toggle_all()


def test_a_file_that_grows_is_followed_over_the_gap(played: HostTable, tmp_path: Path) -> None:
    files = HandStore(tmp_path)
    path = files.keep(parts_of(played.played(1), token(2)))
    assert path is not None
    viewer = opened(path, 2)
    end = viewer.playback.end()
    assert viewer.at_end()
    files.keep(parts_of(played.played(3), token(2)))
    assert not viewer.at_end()
    viewer.playback.forward()
    assert viewer.playback.position == end + 1
    assert viewer.view.hand == 3
    viewer.playback.back()
    assert viewer.view.hand == 1
    files.close()
