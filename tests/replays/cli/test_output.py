"""Sentences on a terminal are broken between words."""

import pytest

from replays.cli.output import wrapped


@pytest.mark.parametrize(
    ("text", "lines"),
    [
        ("checking is free", ["checking", "  is", "  free"]),
        ("no", ["no"]),
        ("", [""]),
        ("incomprehensibilities it", ["incomprehensibilities", "  it"]),
        ("a 漢字漢字漢字", ["a", "  漢字漢字漢字"]),
    ],
)
def test_text_is_broken_between_words(text: str, lines: list[str]) -> None:
    assert wrapped(text, 8) == lines
    assert wrapped(text, 100) == [text]
