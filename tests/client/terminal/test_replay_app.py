"""The replay on the full screen: keys, autoplay by a clock of our own, and no secret on any screen."""

import os
import sys
from pathlib import Path

import pexpect
import pyte
import pytest
from prompt_toolkit.input import DummyInput, create_pipe_input
from prompt_toolkit.output import DummyOutput

from client.display.text_cells import line_width, plain
from client.terminal.replay_app import REPLAY_KEYS, ReplayScreen, run_replay_screen
from replays.navigator import Viewer
from replays.playback import Eyes, Playback
from replays.recording import open_recording
from tests.replays.test_narration import cards_in, open_cards
from tests.support import sample_session, self_play


class Clock:
    """A clock that is moved by hand."""

    def __init__(self) -> None:
        self.now = 100.0

    def __call__(self) -> float:
        return self.now


def opened(tmp_path: Path, eyes: Eyes = None) -> Viewer:
    """The evening written by hand, at its first hand."""
    recording = open_recording(sample_session.write(tmp_path / "a.ryo"))
    playback = Playback(recording.steps)
    playback.goto(playback.hands[0])
    return Viewer(recording, playback, eyes)


def screen(viewer: Viewer, clock: Clock | None = None) -> ReplayScreen:
    """A screen without a terminal."""
    return ReplayScreen(viewer, terminal_input=DummyInput(), terminal_output=DummyOutput(), now=clock or Clock())


def shown(shows: ReplayScreen, columns: int = 80, rows: int = 24) -> str:
    """The screen as text."""
    return "\n".join(plain(line) for line in shows.lines(columns, rows))


def test_arrows_brackets_home_and_end(tmp_path: Path) -> None:
    viewer = opened(tmp_path)
    shows, playback = screen(viewer), viewer.playback
    first, second = playback.hands
    street_before = playback.streets[playback.streets.index(second) - 1]
    for key, position in [
        ("right", first + 1), ("right", first + 2), ("left", first + 1), ("]", first + 2), ("down", second),
        ("up", first), ("end", len(playback)), ("up", second), ("[", street_before),
        ("home", 1), ("left", 1), ("l", 2), ("h", 1),
    ]:  # fmt: skip
        shows.press(key)
        assert (key, playback.position) == (key, position)


def test_the_screen_says_where_it_is(tmp_path: Path) -> None:
    shows = screen(opened(tmp_path))
    shows.press("right")
    text = shown(shows)
    assert f"event 6 of {len(sample_session.events())} · hand 1 step 2" in text
    assert "seen by a spectator" in text
    assert "Everybody antes 1; the pot is 3." in text
    assert "Third street" not in text  # the future stays out of the story


def test_eyes_by_digit_and_by_v_and_all_cards(tmp_path: Path) -> None:
    shows = screen(opened(tmp_path))
    for _ in range(2):
        shows.press("right")
    assert "[?? ??] 2c" in shown(shows)
    shows.press("1")
    assert "[As Ks] 2c" in shown(shows)
    assert "[?? ??] 9h" in shown(shows)
    shows.press("v")
    assert "[Qd Qh] 9h" in shown(shows)
    shows.press("x")
    text = shown(shows)
    assert "[As Ks] 2c" in text
    assert "[7c 7d] 7h" in text
    assert "all cards shown" in text
    shows.press("x")
    assert "[7c 7d] 7h" not in shown(shows)
    shows.press("0")
    assert "seen by a spectator" in shown(shows)
    shows.press("8")
    assert "Nobody sits in seat 8." in shown(shows)


def test_go_to_takes_the_keys_until_enter_or_escape(tmp_path: Path) -> None:
    viewer = opened(tmp_path)
    shows = screen(viewer)
    shows.press("g")
    for char in "hand 2x":
        shows.press(char)
    shows.press("backspace")
    assert "Go to event, or hand N step N: hand 2_" in shown(shows)
    shows.press("enter")
    assert viewer.playback.position == viewer.playback.hands[1]
    assert not viewer.everything  # the x was text
    for key in ["g", "7", "escape"]:
        shows.press(key)
    assert viewer.playback.position == viewer.playback.hands[1]
    for key in ["g", "9", "9", "9", "enter"]:
        shows.press(key)
    assert f"There are {len(sample_session.events())} events." in shown(shows)


def test_autoplay_goes_by_the_clock(tmp_path: Path) -> None:
    clock = Clock()
    viewer = opened(tmp_path)
    shows, playback = screen(viewer, clock), viewer.playback
    first = playback.hands[0]
    assert not shows.beat()
    shows.press(" ")
    assert "playing, normal" in shown(shows)
    assert not shows.beat()
    clock.now += 1.6
    assert shows.beat()
    assert playback.position == first + 1
    assert not shows.beat()
    shows.press("+")
    clock.now += 0.8
    assert shows.beat()
    assert playback.position == first + 2
    shows.press(" ")
    clock.now += 60
    assert not shows.beat()
    assert "Paused." in shown(shows)


def test_autoplay_does_not_stand_at_what_cannot_be_seen(tmp_path: Path) -> None:
    clock = Clock()
    viewer = opened(tmp_path)
    shows = screen(viewer, clock)
    viewer.playback.goto(viewer.playback.hands[0] + 3)
    shows.press(" ")
    clock.now += 2
    shows.beat()
    assert viewer.playback.position == viewer.playback.hands[0] + 5  # over the request to the action


def test_autoplay_ends_with_the_recording(tmp_path: Path) -> None:
    clock = Clock()
    viewer = opened(tmp_path)
    shows = screen(viewer, clock)
    viewer.playback.goto(len(viewer.playback) - 2)
    shows.press(" ")
    for _ in range(10):
        clock.now += 5
        shows.beat()
    assert not viewer.playing
    assert "This is the end of what has been recorded." in shown(shows)
    shows.press(" ")  # once more: the hand from its start
    assert viewer.playing
    assert viewer.playback.position == viewer.playback.hands[1]


def test_autoplay_follows_a_running_game(tmp_path: Path) -> None:
    whole = sample_session.write(tmp_path / "whole.ryo").read_bytes()
    growing = tmp_path / "a.ryo"
    growing.write_bytes(whole[: len(whole) // 2])
    recording = open_recording(growing)
    clock = Clock()
    viewer = Viewer(recording, Playback(recording.steps))
    viewer.playback.end()
    assert viewer.view.playing
    shows = screen(viewer, clock)
    shows.press(" ")
    before = viewer.playback.position
    clock.now += 5
    shows.beat()
    assert (viewer.playing, viewer.playback.position) == (True, before)
    growing.write_bytes(whole)
    for _ in range(3):
        clock.now += 5
        shows.beat()
    assert viewer.playback.position > before


def test_why_and_help_lie_over_the_story(tmp_path: Path) -> None:
    shows = screen(opened(tmp_path))
    for _ in range(3):
        shows.press("right")
    shows.press("w")
    assert "Ann has the lowest card." in shown(shows)
    shows.press("?")
    for columns in (80, 100, 130):
        text = shown(shows, columns, 40)
        for key in REPLAY_KEYS:
            assert key.label in text
    shows.press("escape")
    assert "Everybody antes" in shown(shows)


@pytest.mark.parametrize(("columns", "rows"), [(80, 24), (120, 40), (46, 12), (20, 5)])
def test_trap_A22_no_screen_of_a_spectator_holds_a_hidden_card(tmp_path: Path, columns: int, rows: int) -> None:
    recording = open_recording(sample_session.write(tmp_path / "a.ryo", self_play.evening(4, players=4)))
    playback = Playback(recording.steps)
    events = [event for step in recording.steps for event in step.events]
    shows = screen(Viewer(recording, playback))
    playback.start()
    seen = 0
    while True:
        text = shown(shows, columns, rows)
        lines = shows.lines(columns, rows)
        assert [line_width(line) for line in lines] == [columns] * rows
        found = cards_in(text)
        seen += len(found)
        assert not found - open_cards(events[: playback.position], None), text
        if playback.position == len(events):
            break
        shows.press("right")
    assert seen > 0 or columns < 46


def test_keys_on_a_terminal_end_to_end(tmp_path: Path) -> None:
    viewer = opened(tmp_path)
    with create_pipe_input() as keyboard:
        keyboard.send_text("\x1b[C\x1b[C]x g12\rq")
        run_replay_screen(viewer, terminal_input=keyboard, terminal_output=DummyOutput())
    assert viewer.playback.position == 12
    assert viewer.everything


def test_the_program_on_a_real_terminal(tmp_path: Path) -> None:
    sample_session.write(tmp_path / "hands" / "a.ryo")
    code = "from client.cli.replay import replay; replay()"
    environment = {**os.environ, "TERM": "xterm-256color", "ACCESSIBLE": "", "NO_COLOR": ""}
    program = pexpect.spawn(
        sys.executable,
        ["-c", code, "last", "--at", "hand 2 step 3", "--data-dir", str(tmp_path)],
        env=environment,
        encoding="utf-8",
        dimensions=(24, 80),
        timeout=30,
    )
    screen = pyte.Screen(80, 24)
    stream = pyte.Stream(screen)

    def see(text: str) -> None:
        while text not in "\n".join(screen.display):  # only what has changed is sent: the words are on the screen alone
            stream.feed(program.read_nonblocking(4096, timeout=30))

    see("hand 2 step 3")
    program.send("\x1b[C")
    see("hand 2 step 4")
    program.send("q")
    program.expect(pexpect.EOF)
    assert "\x1b[?1049l" in str(program.before)  # the screen from before is back
    program.close()
    assert program.exitstatus == 0
