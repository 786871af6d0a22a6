"""Names and chat that cannot forge a line on another screen (traps A27, A28, faults 28, 40)."""

import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from protocol.sanitize import clean
from server.admission.player_names import MOST_CHARACTERS, BadName, clean_name, name_key


@pytest.mark.parametrize(
    "name", ["Ann", "Zoë", "O'Neil", "J. R.", "Вера", "Νίκος", "李小龙", "a_b-c", "16 characters ok", "7"]
)
def test_names_that_people_have_are_taken_as_they_are(name: str) -> None:
    assert clean_name(f"  {name} ") == name


@pytest.mark.parametrize(
    "name",
    [
        "", "   ", "-._'", "17 characters are", "a  b", "\x1b[2J\x1b]0;x\x07evil",
        "A\u200bnn", "Ann\u202e", "A\u0085nn",
        "A\u00a0nn", "\u3164", "Ann\u3164", "Аnn", "Anη", "Ann\u0336", "Ann\U0001f600", "Ann|Ben", "seat\n3",
        "ev\ril", "\ud800",
    ],
)  # fmt: skip
def test_trap_A27_A28_names_that_could_deceive_are_refused_with_a_sentence(name: str) -> None:
    with pytest.raises(BadName, match=r"^A name .*"):
        clean_name(name)


@pytest.mark.parametrize("twin", ["ann", "ANN", "Ａｎｎ", "aNn"])
def test_trap_A28_a_name_that_differs_only_in_its_looks_is_the_same(twin: str) -> None:
    assert name_key(clean_name(twin)) == name_key("Ann")


def test_a_name_is_composed_before_it_is_compared() -> None:
    assert clean_name("Zoe\u0308") == "Zoë"
    assert name_key("Straße") == name_key("STRASSE")


@given(st.text(max_size=40))
def test_whatever_is_accepted_is_short_plain_and_stays_as_it_is(raw: str) -> None:
    try:
        name = clean_name(raw)
    except BadName:
        return
    assert 1 <= len(name) <= MOST_CHARACTERS
    assert clean_name(name) == name
    assert all(unicodedata.category(sign)[0] in "LN" or sign in " -_.'" for sign in name)


@pytest.mark.parametrize(
    ("raw", "harmless"),
    [
        ("nice hand", "nice hand"),
        ("\x1b[31mred\x1b[0m", "red"),
        ("a\x1b]52;c;aGk=\x07b", "ab"),
        ("a\x1b]0;title\x1b\\b", "ab"),
        ("a\x9b2Jb", "ab"),
        ("left\u202eright\u2066", "leftright"),
        ("one\r\ntwo\u2028three\u0085four", "one two three four"),
        ("z\u0336\u0336\u0336\u0336\u0336", "z\u0336\u0336"),
        ("  \t ", ""),
        ("👍 ok", "👍 ok"),
    ],
)
def test_fault_40_chat_loses_what_could_drive_a_terminal(raw: str, harmless: str) -> None:
    assert clean(raw, 200) == harmless


def test_chat_is_cut_at_200_characters() -> None:
    assert clean("x" * 500, 200) == "x" * 200


@given(st.text(max_size=300), st.integers(1, 200))
def test_trap_A27_no_chat_holds_a_control_whatever_was_typed(raw: str, most: int) -> None:
    text = clean(raw, most)
    assert len(text) <= most
    assert not any(unicodedata.category(sign)[0] == "C" for sign in text)
    assert "\n" not in text
