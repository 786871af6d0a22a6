"""Tab in the chat line."""

import pytest

from client.input.completion import completed

NAMES = ("Ann", "Anna", "Ben", "Cai Z")


@pytest.mark.parametrize(
    ("typed", "line", "choices"),
    [
        ("/reb", "/rebuy ", []),
        ("/whoe", "/whoe", []),
        ("/HOU", "/house", []),
        ("/hou", "/house", []),
        ("/what b", "/what Ben ", []),
        ("/what An", "/what An", ["Ann", "Anna"]),
        ("/what ann x c", '/what ann x "Cai Z" ', []),
        ('/what "cai', '/what "Cai Z" ', []),
        ("/what ", "/what ", []),
        ("/what eve", "/what eve", []),
    ],
)
def test_a_word_or_a_name_is_completed(typed: str, line: str, choices: list[str]) -> None:
    assert completed(typed, NAMES) == (line, choices)


def test_words_that_begin_alike_are_named_as_far_as_they_are_alike() -> None:
    line, choices = completed("/th", NAMES)
    assert (line, choices) == ("/theme", [])
    line, choices = completed("/s", NAMES, host=True)
    assert line == "/s"
    assert {"/say", "/stack", "/stacks", "/seat"} <= set(choices)
    line, choices = completed("/sta", NAMES, host=True)
    assert (line, choices) == ("/stack", ["/stacks", "/stack"])


def test_words_that_are_not_for_the_reader_are_not_offered() -> None:
    assert completed("/pau", NAMES) == ("/pau", [])
    assert completed("/pau", NAMES, host=True) == ("/pause ", [])
    assert completed("/reb", NAMES, spectator=True) == ("/reb", [])
