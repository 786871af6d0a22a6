"""How the looks of the full screen change: each command once, and what it says."""

from client.display.theme import Theme
from client.input.table_commands import COMMANDS, AppearanceCommand
from client.presenter.appearance import PEEK, Appearance
from client.presenter.options import Options
from protocol.cards import card

LOOKS = {command.name: command for command in COMMANDS if isinstance(command, AppearanceCommand)}


def test_colours_background_and_suits() -> None:
    looks = Appearance(Options(theme=Theme(palette="four")), lambda: 0.0)
    before = looks.theme
    assert looks.do(LOOKS["colours"], "two") == "Colours of the suits: two."
    assert looks.theme.palette == "two"
    assert looks.do(LOOKS["colours"], "pink") == "Colours: four, two, blind, none."
    assert looks.theme.palette == "two", "a wrong word changes nothing"
    assert "background" in looks.do(LOOKS["background"])
    assert looks.theme.dark is not before.dark
    assert looks.do(LOOKS["suits"]).startswith("Suits as ")
    assert looks.theme.symbols is not before.symbols
    for name in ("background", "suits"):
        looks.do(LOOKS[name])
    looks.do(LOOKS["colours"], "four")
    assert looks.theme == before


def test_bell_on_and_off() -> None:
    looks = Appearance(Options(bell=True), lambda: 0.0)
    assert looks.do(LOOKS["bell"]) == "Bell and title on your turn: off."
    assert not looks.bell
    assert looks.do(LOOKS["bell"]) == "Bell and title on your turn: on."


def test_covered_cards_are_seen_while_the_key_is_held() -> None:
    now = [100.0]
    looks = Appearance(Options(), lambda: now[0])
    assert looks.do(LOOKS["peek"]) == "Your cards are face up; x turns them face down."
    looks.do(LOOKS["cover"])
    assert looks.card_name(card("As")) == "??"
    looks.do(LOOKS["peek"])
    assert looks.card_name(card("As")) != "??"
    now[0] += PEEK
    assert looks.card_name(card("As")) == "??"


def test_the_theme_is_read_again_where_there_is_a_file() -> None:
    assert Appearance(Options(), lambda: 0.0).do(LOOKS["theme"]) == "There is no file to read again here."
    looks = Appearance(Options(reload=lambda: Theme(palette="blind")), lambda: 0.0)
    assert looks.do(LOOKS["theme"]) == "Colours and theme are read again."
    assert looks.theme.palette == "blind"
