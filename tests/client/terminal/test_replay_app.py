"""The replay on a terminal."""

import os
import sys
from pathlib import Path

import pexpect
import pyte
import pytest
from prompt_toolkit.input import create_pipe_input
from prompt_toolkit.output import DummyOutput

from client.terminal.replay_app import run_replay
from replays.navigator import Navigator
from replays.playback import Playback
from replays.recording import open_recording
from tests.support import sample_session
from tests.support.limits import LIMIT
from tests.support.terminal import Typist


def test_keys_on_a_terminal_end_to_end(tmp_path: Path) -> None:
    recording = open_recording(sample_session.write(tmp_path / "a.ryo"))
    navigator = Navigator(recording, Playback(recording.steps))
    with create_pipe_input() as pipe:
        keyboard = Typist(pipe)
        keyboard.type("\x1b[C\x1b[C]x g12\rq")
        run_replay(navigator, terminal_input=keyboard, terminal_output=DummyOutput())
    assert navigator.playback.position == 12
    assert navigator.everything


def test_trap_A32_a_paste_moves_nothing_in_a_replay(tmp_path: Path) -> None:
    recording = open_recording(sample_session.write(tmp_path / "a.ryo"))
    navigator = Navigator(recording, Playback(recording.steps))
    before = navigator.playback.position
    with create_pipe_input() as pipe:
        keyboard = Typist(pipe)
        keyboard.paste("next]]xq")
        keyboard.paste("\x1b[200~]x q\x1b[201~")
        keyboard.type("\x03")
        run_replay(navigator, terminal_input=keyboard, terminal_output=DummyOutput())
    assert navigator.playback.position == before
    assert not navigator.everything


@pytest.mark.slow
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
        timeout=LIMIT,
    )
    screen = pyte.Screen(80, 24)
    stream = pyte.Stream(screen)

    def see(text: str) -> None:
        while text not in "\n".join(screen.display):  # only what has changed is sent: the words are on the screen alone
            stream.feed(program.read_nonblocking(4096, timeout=LIMIT))

    see("hand 2 step 3")
    program.send("\x1b[C")
    see("hand 2 step 4")
    program.send("q")
    program.expect(pexpect.EOF)
    assert "\x1b[?1049l" in str(program.before)  # the screen from before is back
    program.close()
    assert program.exitstatus == 0
