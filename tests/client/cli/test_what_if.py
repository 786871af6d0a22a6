"""Playing on from a replay in lines, as it is typed."""

from collections.abc import AsyncGenerator
from contextlib import aclosing
from pathlib import Path

import pytest
import trio

from client.cli.what_if import play_in_lines
from client.terminal.replay_line_mode import run_replay_lines
from replays.navigator import Navigator
from replays.playback import Playback
from replays.recording import open_recording
from tests.support import sample_session
from tests.support.limits import LIMIT
from tests.support.self_play import played_steps


def of_ann(folder: Path) -> Navigator:
    """A recorded hand at the first decision of Ann."""
    steps = played_steps(1, ("stud8",), 4, 1, trouble=False)
    recording = open_recording(sample_session.write(folder / "a.ryo", steps))
    navigator = Navigator(recording, Playback(recording.steps), 1)
    assert not navigator.next_decision()
    return navigator


async def replayed(navigator: Navigator, *typed: str) -> list[str]:
    """What the replay says."""
    said: list[str] = []

    async def lines() -> AsyncGenerator[str, None]:
        for line in typed:
            yield line

    with trio.fail_after(LIMIT):
        async with aclosing(lines()) as rows:
            await run_replay_lines(navigator, rows, said.append, play_on=play_in_lines)
    return said


async def test_a_game_is_left_for_the_replay_at_the_same_step(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    navigator = of_ann(tmp_path)
    place = navigator.place()
    said = await replayed(navigator, "on fresh", "p", "q", "i", "q")
    told = capsys.readouterr().out
    here = place.replace(" step", ", step")
    assert told.startswith(f"WHAT IF from {here}: not the record.")
    assert "You play on for Ann, bots for the others. The cards to come are shuffled." in told
    assert f"You are back at {here}; nothing of the what-if is kept." in said
    assert said[-1] == f"To come back here: g {place}"


async def test_what_cannot_be_played_on_is_said_and_the_replay_goes_on(tmp_path: Path) -> None:
    navigator = of_ann(tmp_path)
    said = await replayed(navigator, "on 9", "i", "q")
    assert "Nobody sits in seat 9." in said
    assert said[-1].startswith("To come back here: g hand 1")


async def test_the_end_stands_beside_the_recorded_one(tmp_path: Path) -> None:
    navigator = of_ann(tmp_path)
    said = await replayed(navigator, "on", *["f"] * 12, "q")
    assert any(line.startswith(("What if: Ann -", "You are back at")) for line in said)
