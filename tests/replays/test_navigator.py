"""What line mode and full screen share: viewpoints, jumps, autoplay, following a game while it is recorded."""

from pathlib import Path

import pytest

from replays.navigator import LONGEST_WAIT, SPEEDS, Navigator
from replays.playback import Playback
from replays.recording import open_recording
from tests.support import sample_session


def viewer(path: Path, viewpoint: int | None = None) -> Navigator:
    """A viewer of the evening written by hand."""
    recording = open_recording(sample_session.write(path / "a.ryo"))
    return Navigator(recording, Playback(recording.steps), viewpoint)


def test_the_viewpoint_goes_round_the_seats(tmp_path: Path) -> None:
    looks = viewer(tmp_path)
    looks.playback.end()
    assert looks.viewpoint is None
    assert [looks.next_viewpoint() for _ in range(5)] == [
        "Seen by Ann.", "Seen by Ben.", "Seen by Cai.", "Seen by a spectator.", "Seen by Ann."
    ]  # fmt: skip
    assert looks.look_as(3) == "Seen by Cai."
    assert looks.look_as(7) == "Nobody sits in seat 7."
    assert looks.viewpoint == 3


def test_all_cards_and_back(tmp_path: Path) -> None:
    looks = viewer(tmp_path, 2)
    looks.playback.goto(10)
    assert looks.view.seat(1).down == (None, None)
    assert looks.toggle_all() == "All cards shown."
    assert looks.view.seat(1).down == sample_session.down("AsKs")
    assert looks.toggle_all() == "Seen by Ben."
    assert looks.view.seat(1).down == (None, None)
    assert looks.view.seat(2).down == sample_session.down("QdQh")


@pytest.mark.parametrize("text", ["hand 2 step 3", "h2s3", "Hand 2, step 3", "hand 2.3", "h 2 s 3"])
def test_go_to_a_place(tmp_path: Path, text: str) -> None:
    looks = viewer(tmp_path)
    assert looks.go_to(text) == ""
    assert looks.playback.position == looks.playback.hands[1] + 2
    place = looks.place()
    assert place == "hand 2 step 3"
    looks.playback.start()
    assert looks.go_to(place) == ""
    assert looks.place() == place


def test_go_to_stays_in_the_hand_and_in_the_recording(tmp_path: Path) -> None:
    looks = viewer(tmp_path)
    first, second = looks.playback.hands
    looks.go_to("hand 1 step 999")
    assert looks.playback.position == second - 1
    looks.go_to("hand 1")
    assert looks.playback.position == first
    assert looks.go_to("12") == looks.go_to("event 12") == ""
    assert looks.playback.position == 12
    for text, why in [
        ("", "Say the number"), ("everest", "Say the number"), ("0", "There are"), ("hand 9", "no hand 9"),
        ("9" * 5000, "There are"), ("hand " + "9" * 500, "no hand"),
    ]:  # fmt: skip
        assert why in looks.go_to(text)
        assert looks.playback.position == 12


def test_every_place_is_found_again(tmp_path: Path) -> None:
    looks = viewer(tmp_path)
    for position in range(1, len(looks.playback) + 1):
        looks.playback.goto(position)
        place = looks.place()
        looks.playback.goto(0)
        assert (looks.go_to(place), looks.playback.position) == ("", position)


def test_following_a_game_that_is_recorded(tmp_path: Path) -> None:
    whole = sample_session.write(tmp_path / "whole.ryo").read_bytes()
    growing = tmp_path / "growing.ryo"
    growing.write_bytes(whole[: len(whole) // 2])
    recording = open_recording(growing)
    looks = Navigator(recording, Playback(recording.steps))
    looks.playback.end()
    here = looks.playback.position
    assert looks.at_end()
    growing.write_bytes(whole)
    assert not looks.at_end()
    assert looks.playback.position == here
    assert len(looks.playback) == len(sample_session.events())
    looks.playback.end()
    assert looks.at_end()


def test_speeds(tmp_path: Path) -> None:
    looks = viewer(tmp_path)
    looks.playback.goto(looks.playback.hands[0])
    waits = []
    for _ in SPEEDS:
        looks.faster(-1)
    assert looks.speed == "real time"
    for _ in SPEEDS[1:]:
        looks.faster()
        waits.append(looks.wait())
    assert looks.faster() == "Speed: fast."
    assert waits == sorted(waits, reverse=True)
    assert waits[-1] > 0


def test_real_time_is_the_recorded_time_with_a_limit(tmp_path: Path) -> None:
    rows = sample_session.EVENING
    looks = viewer(tmp_path)
    looks.speed = "real time"
    ends = [sum(len(row) for row in rows[: n + 1]) for n in range(len(rows))]
    looks.playback.goto(ends[5])
    assert looks.wait() == 1.5
    looks.playback.goto(ends[5] - 1 if len(rows[5]) > 1 else ends[4] - 1)
    assert looks.wait() == 0.0  # in one and the same step
    slow = Playback(sample_session.steps(gap=3_600_000))
    lazy = Navigator(looks.recording, slow)
    lazy.speed = "real time"
    slow.goto(ends[5])
    assert lazy.wait() == LONGEST_WAIT
    slow.end()
    assert lazy.wait() == 0.0
