"""docs/playing.md names every key of the full screen, and no other."""

import re

from client.input.decision_keys import ANSWER_KEYS
from client.input.key_labels import key_label
from client.input.keymap import USUAL
from client.input.table_commands import COMMANDS
from tests.support.paths import DOCS

PAGE = DOCS / "playing.md"


def section() -> str:
    text = PAGE.read_text(encoding="utf-8")
    return text.partition("## On the full screen")[2].partition("\n## ")[0]


def test_keys_of_the_page_are_those_of_the_table() -> None:
    rows = re.findall(r"^\| `(.+?)` \| (.+) \|$", section(), re.MULTILINE)
    keys = [*ANSWER_KEYS, *((command.keys, command.text) for command in COMMANDS if command.keys)]
    assert rows == [(" ".join(map(key_label, names)), text) for names, text in keys]


def test_page_names_every_key_that_can_be_moved() -> None:
    words = set(re.findall(r"`([a-z_]+)`", section().partition("Keys can be moved")[2]))
    assert words == set(USUAL)
