"""The words of the table: explained once, found on a screen, and the same in docs/rules.md."""

import pytest

from protocol.narration.glossary import GLOSSARY, Word, explained, look_up, words_in
from tests.support.paths import DOCS

NAMED = [
    "odd man", "bring-in", "kicker", "muck", "board", "complete", "street", "bring 'em back", "button", "ante", "scoop",
    "odd chip",
]  # fmt: skip


def test_no_word_and_no_form_is_explained_twice() -> None:
    forms = [form for entry in GLOSSARY for form in (entry.word, *entry.forms)]
    assert len(set(forms)) == len(forms)
    assert set(NAMED) <= {entry.word for entry in GLOSSARY}
    for entry in GLOSSARY:
        assert entry.means.endswith(".")
        assert "\n" not in entry.means


def test_the_page_of_the_rules_has_the_same_words() -> None:
    section = (DOCS / "rules.md").read_text("utf-8").partition("## 21. Words of the table")[2]
    rows = [line.strip("| ").split(" | ") for line in section.splitlines() if line.startswith("| ")][1:]
    assert rows == [[entry.word, entry.means] for entry in GLOSSARY]


def test_words_are_found_on_a_screen_the_lowest_first_and_the_longer_one_counts() -> None:
    text = "Ann mucks.\nBen wins with a straight flush, king kicker.\n4 go back. It is your turn: c call 2"
    assert [entry.word for entry in words_in(text)] == ["call", "kicker", "straight flush", "muck"]
    assert words_in("Ann-call recalled anted") == []
    assert [entry.word for entry in words_in("3rd 4th BRING 'EM BACK declare")] == [
        "declare",
        "bring 'em back",
        "street",
    ]


@pytest.mark.parametrize(
    ("asked", "answer"),
    [
        ("Kicker", "kicker: The highest card beside a pair: it decides between equal pairs."),
        ("brings  in", "bring-in"),
        ("kiker", "There is no entry for 'kiker'; did you mean kicker?"),
        ("odd", "There is no entry for 'odd'; did you mean odd man or odd chip?"),
        ("zebra", "There is no entry for 'zebra'."),
    ],
)
def test_a_word_is_looked_up_by_any_form_and_a_near_miss_is_asked_back(asked: str, answer: str) -> None:
    found = look_up(asked)
    told = explained(found) if isinstance(found, Word) else found
    assert told.startswith(answer)
