"""The line mode of a replay: the answers to typed lines; nothing is ever redrawn, and no secret is told."""

import subprocess
import sys
from collections.abc import AsyncIterator
from pathlib import Path

import pytest
import trio

from client.presenter.replay_commands import REPLAY_COMMANDS
from client.terminal.line_mode import SEVERAL_LINES
from client.terminal.replay_line_mode import run_replay_lines
from replays.navigator import Navigator
from replays.playback import Playback, Viewpoint
from replays.recording import open_recording
from tests.support import sample_session
from tests.support.expect_program import ended, needs_terminal, on_terminal
from tests.support.known_cards import cards_named, known_cards
from tests.support.limits import LIMIT
from tests.support.self_play import played_steps


def typed(tmp_path: Path, *lines: str, viewpoint: Viewpoint = None) -> list[list[str]]:
    """What is said at the start and after each line, in the sample session, from its first hand on."""
    recording = open_recording(sample_session.write(tmp_path / "a.ryo"))
    playback = Playback(recording.steps)
    playback.goto(playback.hands[0])
    said: list[list[str]] = [[]]

    async def typing() -> AsyncIterator[str]:
        for line in lines:
            said.append([])
            yield line

    trio.run(run_replay_lines, Navigator(recording, playback, viewpoint), typing(), lambda line: said[-1].append(line))
    return said


def text(lines: list[str]) -> str:
    """Without the times in front."""
    return "\n".join(line.split(" ", 1)[1] if line[:2].isdigit() and line[2:3] == ":" else line for line in lines)


def test_it_begins_with_the_place_and_the_hand(tmp_path: Path) -> None:
    (begin,) = typed(tmp_path)
    assert begin[0] == f"a.ryo: {len(sample_session.events())} events, 2 hands."
    assert begin[1].startswith("Event 5 of ")
    assert "Hand 1: Stud high-low" in begin[2]
    assert begin[-1].startswith("Type ? for help")


def test_every_step_says_something(tmp_path: Path) -> None:
    said = typed(tmp_path, *["n"] * (len(sample_session.events()) - 5))
    assert all(said)
    assert text(said[3]).startswith("Third street, pot 3:")
    assert text(said[4]) == "Ann may bring in 1."
    assert text(said[5]) == "Ann brings in 1. (2 s)"


def test_an_empty_line_is_the_next_event(tmp_path: Path) -> None:
    assert typed(tmp_path, "", "", "") == typed(tmp_path, "n", "n", "next")


def test_street_and_hand_tell_what_they_step_over(tmp_path: Path) -> None:
    said = typed(tmp_path, "]", "]", "N", "P", "N", "n", "P", "N", "n")
    assert text(said[1]).splitlines()[-1].startswith("Third street is dealt")
    assert "Ann brings in 1." in text(said[2])
    assert "Hand 1 is over" in text(said[3])
    assert "Hand 2: " in text(said[3])
    assert "Hand 1: " in text(said[4])
    assert said[8][-1].endswith("Hand 2 is over: Ann -1, Ben -1, Cai +2.")
    assert said[9] == ["That is all that has been recorded."]


def test_back_tells_where_it_is_again(tmp_path: Path) -> None:
    said = typed(tmp_path, "n", "n", "p", "p")
    assert said[3] == said[1]
    assert said[4] == typed(tmp_path)[0][2:-1]
    assert typed(tmp_path, "<", "p")[2] == ["This is the first event."]


def test_views_and_all_cards(tmp_path: Path) -> None:
    said = typed(tmp_path, "g hand 1 step 4", "t", "v", "t", "x", "t", "x", "v 0", "v 9")
    assert "Seat 1, Ann, 99 chips: [?? ??] 2c, 1 in front." in said[2]
    assert said[3] == ["Seen by Ann."]
    assert "Seat 1, Ann, 99 chips: [As Ks] 2c, 1 in front." in said[4]
    assert "Seat 2, Ben, 99 chips: [?? ??] 9h, 1 in front." in said[4]
    assert said[5] == ["All cards shown."]
    assert "Seat 2, Ben, 99 chips: [Qd Qh] 9h, 1 in front." in said[6]
    assert said[7] == ["Seen by Ann."]
    assert said[8] == ["Seen by a spectator."]
    assert said[9] == ["Nobody sits in seat 9."]


def test_go_to_why_where_help_and_nonsense(tmp_path: Path) -> None:
    said = typed(tmp_path, "g hand 2 step 4", "w", "i", "?", "xyzzy \x1b]2J", "g 9999", "q", "n")
    assert said[1][0].startswith("Event ")
    assert said[2][0] == "Ann has the lowest card."
    assert said[3][1] == "To come back here: g hand 2 step 4"
    assert len(said[4]) == len([command for command in REPLAY_COMMANDS if command.words])
    assert said[5][0].startswith("Not understood: xyzzy")
    assert said[5][0].isprintable()
    assert said[6] == [f"There are {len(sample_session.events())} events."]
    assert len(said) == 8  # nothing is read after q


def test_trap_A22_a_spectators_lines_tell_no_secret(tmp_path: Path) -> None:
    recording = open_recording(sample_session.write(tmp_path / "a.ryo", played_steps(10, players=3)))
    events = [event for step in recording.steps for event in step.events]
    playback = Playback(recording.steps)
    known = known_cards(events, None)
    said: list[str] = []
    script = ["t", "w", "i"] + ["n", "t", "w"] * len(events)

    async def typing() -> AsyncIterator[str]:
        for line in script:
            yield line

    def check(line: str) -> None:
        said.append(line)
        assert not cards_named(line) - known[playback.position], line

    playback.goto(1)
    trio.run(run_replay_lines, Navigator(recording, playback), typing(), check)
    assert playback.position == len(events)
    assert any("shows [" in line for line in said)


def test_nothing_is_ever_redrawn(tmp_path: Path) -> None:
    for lines in typed(tmp_path, *["n"] * 40, "t", "?", "w", "<", ">", "P"):
        for line in lines:
            assert line.isprintable()


def test_without_a_terminal_the_story_is_told(tmp_path: Path) -> None:
    sample_session.write(tmp_path / "hands" / "a.ryo")
    code = "from client.cli.replay import replay; replay()"
    command = [sys.executable, "-c", code, "last", "--data-dir", str(tmp_path)]
    done = subprocess.run(command, input="q\n", capture_output=True, text=True, timeout=LIMIT, check=False)
    assert (done.returncode, done.stderr) == (0, "")
    assert "Hand 2 is over: Ann -1, Ben -1, Cai +2." in done.stdout
    assert "Hand 1" not in done.stdout


@pytest.mark.slow
@pytest.mark.parametrize(
    ("place", "code", "said"),
    [("hand 1 step 3", 0, "Hand 1 is over"), ("nowhere", 2, "hand 41 step 12"), ("hand 88", 2, "There is no hand 88")],
)
def test_a_place_counts_without_a_terminal_too(tmp_path: Path, place: str, code: int, said: str) -> None:
    sample_session.write(tmp_path / "hands" / "a.ryo")
    program = "from client.cli.replay import replay; replay()"
    command = [sys.executable, "-c", program, "last", "--at", place, "--data-dir", str(tmp_path)]
    done = subprocess.run(command, stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=LIMIT, check=False)
    assert done.returncode == code
    assert said in done.stdout + done.stderr
    assert "Hand 2 is over" not in done.stdout


@pytest.mark.parametrize("pasted", ["n\nn\nn", "\nthe\nstory", "q\nls\n"])
def test_trap_A32_several_lines_move_nothing(tmp_path: Path, pasted: str) -> None:
    said = typed(tmp_path, "n", pasted, "w")
    assert said[2] == [SEVERAL_LINES]
    assert said[3] == typed(tmp_path, "n", "w")[2]


@pytest.mark.slow
@needs_terminal
def test_lines_on_a_real_terminal(tmp_path: Path) -> None:
    sample_session.write(tmp_path / "hands" / "a.ryo")
    with on_terminal(tmp_path, "replay", "h-1", "--plain", "--data-dir", str(tmp_path)) as child:
        child.expect("Type . for help")
        for said in ("antes 1", "Third street is dealt"):
            child.sendline("n")
            child.expect(said)
        child.sendline("i")
        child.expect_exact("To come back here: g hand 1 step 3\r")
        child.send("n\nn\nq\n")
        child.expect_exact(SEVERAL_LINES[:60])  # trap A32: it has not moved, and has not ended
        child.sendline("i")
        child.expect_exact("To come back here: g hand 1 step 3\r")
        child.sendline("q")
        assert ended(child) == 0
        assert "\x1b" not in (child.before or "")
