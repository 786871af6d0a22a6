"""Reading files: whole ones, ones that are being written, and ones that are not what they should be."""

import os
from pathlib import Path

import msgspec
import pytest

from protocol.journal.framing import scan
from protocol.journal.records import encode_record
from protocol.versions import JOURNAL_FORMAT, RULES
from replays.recording import Unreadable, open_recording
from tests.support import sample_session


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
