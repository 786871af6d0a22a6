"""Who plays along: what may be typed for it, and how the bots are called then."""

import pytest

from client.bots.characters import CHARACTERS, LEVELS, STRONG
from client.bots.company import BOT_NAMES, USUAL_MIND, BadCompany, company, names_of
from client.bots.minds import UnknownMind
from tests.support.paths import DOCS


@pytest.mark.parametrize(
    ("typed", "minds"),
    [
        ("2", (USUAL_MIND, USUAL_MIND)),
        ("strong", ("strong", "strong", "strong")),
        ("house", ("house", "house", "house")),
        ("Ida", ("Ida",)),
        ("ida,NILS", ("Ida", "Nils")),
        ("easy,strong", ("easy", "strong")),
        ("4,Ida", ("Ida", *[USUAL_MIND] * 3)),
        ("4, Ida, strong", ("Ida", "strong", "strong", "strong")),
        ("3,easy,Ida", ("easy", "Ida", "easy")),
        ("1,Mira", ("Mira",)),
    ],
)
def test_what_is_typed_fills_the_seats(typed: str, minds: tuple[str, ...]) -> None:
    assert company(typed) == minds


@pytest.mark.parametrize(
    ("typed", "error", "sentence"),
    [
        ("0", BadCompany, "At least one bot plays along."),
        ("2,Ida,easy,Nils", BadCompany, "There are to be 2 bots, and 3 are named."),
        ("1,Ida,easy", BadCompany, "There are to be 1 bot, and 2 are named."),
        ("Ida,,Nils", BadCompany, "A name is missing."),
        ("", BadCompany, "A name is missing."),
        ("stong", UnknownMind, r"There is no mind 'stong'\. Did you mean strong\?"),
        ("3,Klar", UnknownMind, r"Did you mean Klara\?"),
        ("Ida,2", UnknownMind, "There is no mind '2'"),
    ],
)
def test_a_list_that_makes_no_sense_is_refused_in_a_sentence(typed: str, error: type[Exception], sentence: str) -> None:
    with pytest.raises(error, match=sentence):
        company(typed)


def test_characters_keep_their_names_and_nobody_is_called_like_the_player() -> None:
    assert names_of(["usual", "Ida", "easy"], "Ann") == ["Ada", "Ida", "Ben"]
    assert names_of(["usual", "Ida", "Ida"], "ada") == ["Ben", "Ida", "Ida 2"]
    assert names_of(["Ida"], "IDA") == ["Ida 2"]
    assert len(set(names_of(["usual"] * 7, "Greta"))) == 7


def test_each_character_has_a_name_of_its_own_and_weaknesses_of_its_own() -> None:
    assert len(CHARACTERS) == 6
    ways = [*LEVELS.values(), *[one.weaknesses for one in CHARACTERS]]
    assert len(set(ways)) == len(ways)
    assert all(one.weaknesses != STRONG for one in CHARACTERS)
    names = [*BOT_NAMES, *[one.name for one in CHARACTERS]]
    assert sorted(names) == names, "one after the other in the alphabet"


def test_the_page_has_every_level_and_every_character_with_its_sentence() -> None:
    page = (DOCS / "playing.md").read_text("utf-8")
    assert [level for level in LEVELS if f"| `{level}` |" not in page] == []
    rows = [f"| `{one.name}` | {one.sentence.removesuffix('.')} |" for one in CHARACTERS]
    assert [row for row in rows if row not in page] == []
