"""docs/playing.md names every key of the full screen, and no other."""

import re

from client.input.bindings import ANSWER_KEYS, TABLE_KEYS
from client.input.keymap import USUAL
from tests.support.paths import DOCS

PAGE = DOCS / "playing.md"


def section() -> str:
    text = PAGE.read_text(encoding="utf-8")
    return text.partition("## On the full screen")[2].partition("\n## ")[0]


def test_keys_of_the_page_are_those_of_the_table() -> None:
    rows = re.findall(r"^\| `(.+?)` \| (.+) \|$", section(), re.MULTILINE)
    assert rows == [*ANSWER_KEYS, *((key.shown, key.label) for key in TABLE_KEYS)]


def test_page_names_every_key_that_can_be_moved() -> None:
    words = set(re.findall(r"`([a-z_]+)`", section().partition("Keys can be moved")[2]))
    assert words == set(USUAL)
