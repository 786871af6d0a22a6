"""Reading files: whole ones, ones that are being written, and ones that are not what they should be."""

import os
import random
from pathlib import Path

import msgspec
import pytest

from protocol import events as ev
from protocol.journal.framing import HEAD_BYTES, encode_file, salvage, scan
from protocol.journal.records import StepRecord, encode_record
from protocol.versions import JOURNAL_FORMAT, RULES
from replays.hand_summaries import summaries
from replays.library import find, list_hands
from replays.playback import Playback
from replays.recording import Unreadable, open_good_parts, open_recording
from tests.support import sample_session
from tests.support.self_play import played_steps


def test_a_written_evening_is_read_back(tmp_path: Path) -> None:
    recording = open_recording(sample_session.write(tmp_path / "a.ryo"))
    assert recording.steps == sample_session.steps()
    assert recording.header.table == "kitchen"
    assert (recording.unfinished, recording.other_rules) == ("", False)


def test_reading_while_writing_at_every_byte(tmp_path: Path) -> None:
    whole = sample_session.write(tmp_path / "whole.ryo").read_bytes()
    offsets = scan(whole).offsets
    growing = tmp_path / "growing.ryo"
    growing.write_bytes(whole[: offsets[1]])
    recording = open_recording(growing)
    assert recording.steps == []
    for end in range(offsets[1] + 1, len(whole) + 1):
        with growing.open("r+b") as file:
            file.seek(0, os.SEEK_END)
            file.write(whole[end - 1 : end])
        recording.refresh()
        done = sum(start <= end for start in [*offsets[2:], len(whole)])
        assert len(recording.steps) == done
        assert bool(recording.unfinished) == (end not in offsets and end != len(whole))
    assert recording.steps == sample_session.steps()
    assert recording.refresh() == []


def test_a_torn_tail_is_not_yet(tmp_path: Path) -> None:
    path = sample_session.write(tmp_path / "torn.ryo")
    path.write_bytes(path.read_bytes()[:-3])
    recording = open_recording(path)
    assert recording.steps == sample_session.steps()[:-1]
    assert "is cut short" in recording.unfinished


def test_a_file_that_becomes_shorter_is_refused(tmp_path: Path) -> None:
    path = sample_session.write(tmp_path / "a.ryo")
    recording = open_recording(path)
    path.write_bytes(path.read_bytes()[:-100])
    with pytest.raises(Unreadable, match="shorter"):
        recording.refresh()


@pytest.mark.parametrize("content", [b"", b"RYO", b"#!/bin/sh\n", b"RYOLOG99" + bytes(80), b"PHH" * 30])
def test_foreign_files_are_named(tmp_path: Path, content: bytes) -> None:
    path = tmp_path / "strange.ryo"
    path.write_bytes(content)
    with pytest.raises(Unreadable, match=r"strange\.ryo is not a recording: .+\.") as caught:
        open_recording(path)
    assert caught.value.exit_code == 5


def test_damage_in_the_middle_names_the_record(tmp_path: Path) -> None:
    path = sample_session.write(tmp_path / "hurt.ryo")
    content = path.read_bytes()
    offset = scan(content).offsets[7]
    damaged = bytearray(content)
    damaged[offset + 30] ^= 4
    path.write_bytes(damaged)
    with pytest.raises(Unreadable, match=f"record 7 at byte {offset} does not fit the chain.*7 records"):
        open_recording(path)
    path.write_bytes(content)
    assert len(open_recording(path).steps) == len(sample_session.steps())


def test_a_newer_format_says_so(tmp_path: Path) -> None:
    path = sample_session.write(tmp_path / "new.ryo", head=sample_session.header(version=JOURNAL_FORMAT + 1))
    with pytest.raises(Unreadable, match=f"format {JOURNAL_FORMAT + 1}.*newer version"):
        open_recording(path)


def test_other_rules_can_still_be_shown(tmp_path: Path) -> None:
    recording = open_recording(sample_session.write(tmp_path / "old.ryo", head=sample_session.header(rules=RULES + 1)))
    assert recording.other_rules
    assert len(recording.steps) == len(sample_session.steps())


def _file(path: Path, payloads: list[bytes]) -> Path:
    path.write_bytes(sample_session.chained(payloads))
    return path


def test_records_that_do_not_fit_are_named(tmp_path: Path) -> None:
    head = encode_record(sample_session.header())
    steps = [encode_record(step) for step in sample_session.steps()]
    later = encode_record(msgspec.structs.replace(sample_session.steps()[2], seq=9))
    cases = [
        ([steps[0]], "record 0 is a step"),
        ([b"\xc1"], "record 0 is no header"),
        ([head, head], "record 1 at byte .* is a second header"),
        ([head, steps[0], b"\x81\xa6record\xa3odd"], "record 2 at byte .* cannot be read: unknown record 'odd'"),
        ([head, steps[0], steps[1], later], "record 3 at byte .* begins with event 9, but event 3 is next"),
        ([head, steps[1]], "record 1 at byte .* begins with event 2, but event 1 is next"),
        (
            [head, encode_record(msgspec.structs.replace(sample_session.steps()[1], seq=1))],
            "record 1 .* not open a table",
        ),
    ]
    for payloads, text in cases:
        with pytest.raises(Unreadable, match=text):
            open_recording(_file(tmp_path / "x.ryo", payloads))


# ------------------------------------------------------------------ good hands beside damage


def hand_bounds(steps: list[StepRecord]) -> list[tuple[int, int]]:
    """For each hand the places of its first and last step."""
    starts = [n for n, step in enumerate(steps) if any(isinstance(event, ev.HandStarted) for event in step.events)]
    ends = [n for n, step in enumerate(steps) if any(isinstance(event, ev.HandEnded) for event in step.events)]
    return list(zip(starts, ends, strict=True))


@pytest.mark.parametrize("where", ["payload", "header", "both"])
@pytest.mark.parametrize("hand", range(5))
def test_damage_in_one_hand_takes_no_other_hand(tmp_path: Path, hand: int, where: str) -> None:
    steps = played_steps(6, games=("stud8",), players=3, hands=5)
    bounds = hand_bounds(steps)
    path = sample_session.write(tmp_path / "a.ryo", steps)
    whole = open_recording(path)
    first, last = bounds[hand]
    place = whole.scan.offsets[1 + (first + last) // 2]  # the header record comes before the steps
    content = bytearray(path.read_bytes())
    for at in {"payload": [HEAD_BYTES + 3], "header": [5], "both": [5, HEAD_BYTES + 3]}[where]:
        content[place + at] ^= 0x41
    path.write_bytes(content)
    if scan(bytes(content)).verdict != "corrupt":
        assert hand == 4, "only damage in what was written last looks unfinished"
        return
    good = open_good_parts(path)
    assert "is damaged" in good.damage
    lost = summaries(steps)[hand].id
    expected = [one for one in summaries(steps) if one.id != lost]
    found = [one for one in summaries(good.steps) if one.ended is not None]
    for one in (*expected, *found):
        one.first = one.last = 0
    assert found == expected
    playback = Playback(good.steps)
    assert len(playback) == sum(len(step.events) for step in good.steps)
    if hand < 4:
        chips = [seat.chips for seat in playback.view("all", len(playback)).seats]
        assert chips == [seat.chips for seat in Playback(steps).view("all", len(Playback(steps))).seats]
    listed = [row.hand.id for row in list_hands(tmp_path) if row.hand.ended is not None]
    assert listed == [one.id for one in expected]
    for one in expected:
        recording, meant = find(one.id, tmp_path)
        assert meant is not None
        assert Playback(recording.steps).moment(meant.first).event.id == one.id  # type: ignore[union-attr]


def test_a_file_that_is_damaged_twice_keeps_the_hands_between(tmp_path: Path) -> None:
    steps = played_steps(6, games=("razz",), players=3, hands=7)
    bounds = hand_bounds(steps)
    path = sample_session.write(tmp_path / "a.ryo", steps)
    whole, content = open_recording(path), bytearray(path.read_bytes())
    for hand in (1, 4):
        content[whole.scan.offsets[1 + sum(bounds[hand]) // 2] + HEAD_BYTES + 2] ^= 1
    path.write_bytes(content)
    ids = [one.id for one in summaries(open_good_parts(path).steps) if one.ended is not None]
    assert ids == [one.id for number, one in enumerate(summaries(steps)) if number not in (1, 4)]


def test_nothing_good_is_still_refused(tmp_path: Path) -> None:
    path = sample_session.write(tmp_path / "a.ryo")
    content = bytearray(path.read_bytes())
    content[30] ^= 1
    path.write_bytes(content)
    with pytest.raises(Unreadable, match="damaged"):
        open_good_parts(path)


def test_salvage_takes_nothing_from_random_bytes() -> None:
    dice = random.Random(4)
    for _ in range(50):
        content = encode_file(bytes(16), [b"header", b"x" * 40]) + dice.randbytes(4000)
        assert salvage(content, scan(content)) == []
