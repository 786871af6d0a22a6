"""Names and chat that cannot forge a line on another screen (traps A27, A28, faults 28, 40)."""

import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from protocol.sanitize import clean
from server.admission.player_names import MOST_CHARACTERS, BadName, clean_name, name_key, taken_by


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


@pytest.mark.parametrize(
    ("name", "twin"),
    [
        ("copa", "\u0441\u043e\u0440\u0430"),  # all in Cyrillic
        ("BEPA", "\u0412\u0415\u0420\u0410"),  # capitals of Cyrillic, which are not alike when they are small
        ("\u0412\u0415\u0420\u0410", "bepa"),
        ("NIKO", "\u039d\u0399\u039a\u039f"),  # Greek
        ("Oo", "\u0555\u0585"),  # Armenian
        ("ACE", "\u13aa\u13df\u13ac"),  # Cherokee
        ("Will", "WiII"),
        ("Will", "wi11"),
        ("Ob", "0b"),
        ("modern", "rnodern"),
        ("Aaron", "\ua732ron"),  # a ligature, which is like two letters
        ("\u0259", "\u04d9"),  # Latin and Cyrillic: what stands for both is like three signs
        ("\u0c67", "\u0ce7"),  # Telugu and Kannada: two signs that are like each other and nothing else
        ("Ann", "\uff21\uff4e\uff4e"),
        ("Ann", "\u0410nn"),
    ],
)
def test_fault_90_a_name_that_looks_like_another_is_taken(name: str, twin: str) -> None:
    assert taken_by(twin, ["Cho", name]) == name
    assert taken_by(name, [twin]) == twin


@pytest.mark.parametrize(
    ("name", "other"), [("Ann", "Anna"), ("Zoe", "Zo\u00eb"), ("Bot 1", "Bot 11"), ("Ann", "A n n")]
)
def test_fault_90_names_that_can_be_told_apart_are_not_taken(name: str, other: str) -> None:
    assert taken_by(other, [name]) is None


@pytest.mark.parametrize("name", ["Ann\u13aa", "\u0555lga", "A\u674e", "\u0412\u03b1", "\u05d0nn", "Ann\u0967"])
def test_fault_90_letters_of_several_scripts_are_refused(name: str) -> None:
    with pytest.raises(BadName, match="one script"):
        clean_name(name, right_to_left=True)


@pytest.mark.parametrize("name", ["\u3055\u304f\u3089\u5b50", "\u674e 7", "\u1112\u1161\u11ab", "\u0531\u0576\u056b"])
def test_fault_90_scripts_of_one_language_are_taken(name: str) -> None:
    assert clean_name(name) == unicodedata.normalize("NFC", name)


@pytest.mark.parametrize("name", ["\u05d3\u05d5\u05d3", "\u0639\u0644\u064a"])
def test_fault_90_names_from_right_to_left_are_taken_where_the_host_allows_them(name: str) -> None:
    with pytest.raises(BadName, match="left to right"):
        clean_name(name)
    assert clean_name(name, right_to_left=True) == name


@pytest.mark.parametrize("name", ["n" * 65, "\ufdfa" * 4000, " " * 15000 + "Ann", "e\u0301" * 8000])
def test_fault_92_a_long_name_is_refused_before_it_is_folded(name: str) -> None:
    with pytest.raises(BadName):
        clean_name(name)
    assert taken_by(name, [name]) is None


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
