"""A player's file in replays: from the first key to the last, with gaps between its hands, and while it grows."""

from collections.abc import AsyncIterator
from pathlib import Path

import pytest
import trio

from client.display.text_cells import plain
from client.display.theme import Theme
from client.presenter.replay import ReplayPresenter
from client.profile.hand_store import HandStore
from client.terminal.replay_line_mode import run_replay_lines
from replays.navigator import Navigator
from replays.page import html_page
from replays.page_steps import page_header, page_steps
from replays.playback import Playback, Viewpoint
from replays.recording import NONE_IN_IT, NOT_IN_IT, open_recording
from tests.support.kept_hands import HOST, HostTable, parts_of, token
from tests.support.known_cards import cards_named, known_cards
from tests.support.seated_presenter import RecordingTerminal


@pytest.fixture(scope="module")
def played() -> HostTable:
    table = HostTable(9, "barneys", players=3)
    for _ in range(4):
        table.hand()
    return table


def opened(path: Path, seat: int | None) -> Navigator:
    recording = open_recording(path)
    playback = Playback(recording.steps)
    playback.start()
    return Navigator(recording, playback, seat)


@pytest.mark.slow
def test_every_screen_forwards_and_backwards_and_no_card_that_was_hidden(played: HostTable, tmp_path: Path) -> None:
    navigator = opened(played.keep(tmp_path, [1, 3, 4], token(2)), 2)
    presenter = ReplayPresenter(navigator, RecordingTerminal(), Theme(), lambda: 0.0)

    def screen() -> str:
        return "\n".join(plain(line) for line in presenter.lines(100, 40))

    known = known_cards(played.events, 2)
    recorded = [step.seq + at for step in navigator.recording.steps for at in range(len(step.events))]
    there: dict[int, str] = {}
    for _ in range(len(navigator.playback)):
        text = there[navigator.playback.position] = screen()
        assert cards_named(text) <= known[recorded[navigator.playback.position - 1]]
        navigator.playback.forward()
    assert len(there) == len(navigator.playback)
    for position in reversed(there):
        navigator.playback.goto(position)
        assert screen() == there[position]
    for number in (1, 3, 4):
        navigator.go_to(f"hand {number}")
        assert f"hand {number}" in screen().casefold()
    assert cards_named(there[len(there)])


def test_the_lines_say_that_hidden_cards_are_not_in_it(played: HostTable, tmp_path: Path) -> None:
    path = played.keep(tmp_path, [1, 3], token(2))
    said: list[str] = []

    async def typing() -> AsyncIterator[str]:
        for line in ("all", "end", "start", "hand 3", "w", "t", "p", "e", "v 1", "v 0"):
            yield line

    trio.run(run_replay_lines, opened(path, 2), typing(), said.append)
    text = "\n".join(said)
    assert "Hand 1" in text
    assert "Traceback" not in text
    navigator = opened(path, 2)
    assert NOT_IN_IT in navigator.toggle_all()
    assert NOT_IN_IT not in navigator.toggle_all()


@pytest.mark.slow
@pytest.mark.usefixtures("few_deals")
def test_a_page_says_whose_cards_are_in_it(played: HostTable, tmp_path: Path) -> None:
    def toggled(viewpoint: Viewpoint) -> str:
        path = tmp_path / f"{viewpoint}.html"
        head = page_header(HOST, viewpoint)
        steps = page_steps(played.steps, viewpoint, Playback(played.steps).hands[0])
        path.write_text(html_page(head, steps, viewpoint, bytes(16)), encoding="utf-8")
        return opened(path, None).toggle_all()

    assert toggled("all") == "All cards shown."
    assert toggled(2) == f"All cards shown. {NOT_IN_IT}"
    assert toggled(None) == f"All cards shown. {NONE_IN_IT}"


def test_a_file_that_grows_is_followed_over_the_gap(played: HostTable, tmp_path: Path) -> None:
    files = HandStore(tmp_path)
    path = files.keep(parts_of(played.played(1), token(2)))
    assert path is not None
    navigator = opened(path, 2)
    end = navigator.playback.end()
    assert navigator.at_end()
    files.keep(parts_of(played.played(3), token(2)))
    assert not navigator.at_end()
    navigator.playback.forward()
    assert navigator.playback.position == end + 1
    assert navigator.view.hand == 3
    navigator.playback.back()
    assert navigator.view.hand == 1
    files.close()
