"""Text files that people write (trap A38)."""

from pathlib import Path

import pytest

from server.storage.text_file import read_text


@pytest.mark.parametrize("content", ["Köln\nzwei\n", "\ufeffKöln\r\nzwei\r\n", "Köln\rzwei\r"])
def test_trap_A38_a_mark_at_the_beginning_and_any_line_ends_are_the_same(tmp_path: Path, content: str) -> None:
    file = tmp_path / "settings.toml"
    file.write_bytes(content.encode())
    assert read_text(file) == "Köln\nzwei\n"


def test_trap_A38_a_text_that_is_not_UTF_8_is_not_guessed_at(tmp_path: Path) -> None:
    file = tmp_path / "settings.toml"
    file.write_bytes("Köln".encode("latin-1"))
    with pytest.raises(UnicodeDecodeError):
        read_text(file)
