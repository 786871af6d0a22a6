"""Marks and notes beside recordings."""

from pathlib import Path

import pytest

from replays.notes import FILE, LONGEST, BadNotes, Notes


def test_marks_and_notes_are_kept(tmp_path: Path) -> None:
    notes = Notes(tmp_path)
    assert not notes.of("h-1")
    assert notes.toggle_mark("h-1")
    notes.write("h-2", 12, "  why\nnot raise? ")
    again = Notes(tmp_path)
    assert (again.of("h-1").marked, again.of("h-2").notes) == (True, {12: "why not raise?"})
    assert again.marked() == ["h-1"]
    assert again.with_text("NOT RAISE") == ["h-2"]
    assert again.with_text("fold") == []


def test_what_is_taken_back_is_gone(tmp_path: Path) -> None:
    notes = Notes(tmp_path)
    notes.toggle_mark("h-1")
    notes.write("h-1", 3, "x")
    assert not notes.toggle_mark("h-1")
    notes.write("h-1", 3, "")
    assert (tmp_path / FILE).read_text() == "{}"


def test_a_note_has_an_end(tmp_path: Path) -> None:
    Notes(tmp_path).write("h-1", 1, "x" * 10_000)
    assert len(Notes(tmp_path).of("h-1").notes[1]) == LONGEST


@pytest.mark.parametrize("content", [b"{", b"[]", b'{"h-1": 5}', b"\xff"])
def test_a_damaged_file_is_never_overwritten(tmp_path: Path, content: bytes) -> None:
    (tmp_path / FILE).write_bytes(content)
    with pytest.raises(BadNotes, match="is damaged, and is left as it is"):
        Notes(tmp_path).toggle_mark("h-1")
    assert (tmp_path / FILE).read_bytes() == content


def test_a_file_from_an_editor_may_have_a_byte_order_mark(tmp_path: Path) -> None:
    (tmp_path / FILE).write_bytes(b'\xef\xbb\xbf{"h-1": {"marked": true}}\r\n')
    assert Notes(tmp_path).marked() == ["h-1"]
