"""The PHH format: what is read, what is refused with which sentence, and that any text survives being written."""

import tomllib

import pytest
from hypothesis import given
from hypothesis import strategies as st

from protocol.cards import card
from protocol.stakes import Stakes
from replays.cli.importing import HANDS_A_FILE
from replays.phh.deck_reconstruction import TRIES
from replays.phh.exporter import STANDARD_STAKES
from replays.phh.format import BOARD, CHOICES, STANDARD, BadPhh, Move, PhhHand, read, write
from replays.toml_values import toml_text, toml_value
from tests.support.paths import DOCS

HAND = """
variant = 'F7S'
antes = [1, 1]
bring_in = 2
small_bet = 5
big_bet = 10
starting_stacks = [40, 59]
actions = ['d dh p1 5d3hQd', 'd dh p2 ????Td', 'p2 pb', 'p1 cc # a limp', '# nothing but talk', 'd dh p1 2c',
  'd dh p2 Ac', 'p2 cbr 5', 'p1 f']
players = ['Ann', 'Ben']
seats = [1, 5]
finishing_stacks = [37, 62]
author = 'nobody'
_status = "ok"
"""


def test_one_hand() -> None:
    (hand,) = read(HAND)
    assert (hand.entry, hand.variant, hand.antes, hand.bring_in) == ("1", "F7S", (1, 1), 2)
    assert (hand.small_bet, hand.big_bet, hand.starting_stacks, hand.finishing_stacks) == (5, 10, (40, 59), (37, 62))
    assert (hand.players, hand.seats) == (("Ann", "Ben"), (1, 5))
    assert hand.own == {"_status": "ok"}
    assert hand.actions[:4] == (
        Move("dh", 0, (card("5d"), card("3h"), card("Qd")), text="d dh p1 5d3hQd"),
        Move("dh", 1, (None, None, card("Td")), text="d dh p2 ????Td"),
        Move("pb", 1, text="p2 pb"),
        Move("cc", 0, text="p1 cc"),
    )
    assert hand.actions[-2:] == (Move("cbr", 1, to=5, text="p2 cbr 5"), Move("f", 0, text="p1 f"))


def test_several_hands_keep_order_and_names() -> None:
    hands = read(f"[7]\n{HAND}\n[final]\n{HAND}\n[2]\n{HAND}")
    assert [hand.entry for hand in hands] == ["7", "final", "2"]


def test_what_is_optional_may_be_missing() -> None:
    (hand,) = read("variant = 'NT'\nstarting_stacks = [5, 5]\nactions = []\n")
    assert (hand.antes, hand.bring_in, hand.players, hand.seats, hand.finishing_stacks) == ((0, 0), 0, (), (), None)


def test_shows_and_mucks() -> None:
    rows = "'p1 sm', 'p1 sm -', 'p1 sm AhKh', 'd db 6h'"
    (hand,) = read(f"variant = 'FR'\nstarting_stacks = [5, 5]\nactions = [{rows}]\n")
    muck, show, named, board = hand.actions
    assert (muck.cards, show.cards, named.cards) == (None, (), (card("Ah"), card("Kh")))
    assert (board.verb, board.player, board.cards) == ("db", BOARD, (card("6h"),))


def test_decimals_become_whole_chips() -> None:
    text = HAND.replace("bring_in = 2", "bring_in = 2.5").replace("cbr 5'", "cbr 5.25'")
    (hand,) = read(text)
    assert hand.unit == 100
    assert (hand.antes, hand.bring_in, hand.small_bet, hand.finishing_stacks) == ((100, 100), 250, 500, (3700, 6200))
    assert [move.to for move in hand.actions if move.verb == "cbr"] == [525]
    assert read(HAND.replace("bring_in = 2", "bring_in = 2.00"))[0].unit == 1


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("", "it has neither a variant nor numbered hands"),
        ("hello", "it is not TOML"),
        ("x = 1", "it has neither a variant nor numbered hands"),
        (HAND.replace("variant = 'F7S'", "variant = 7"), "entry 1: variant must be a text"),
        ("[4]\nvariant = 'F7S'\n", "entry 4 has no actions"),
        ("[4]\nantes = [1]\n", "entry 4 has no variant"),
        (HAND.replace("starting_stacks", "stacks"), "entry 1 has no starting_stacks"),
        (HAND.replace("[40, 59]", "'all'"), "entry 1: starting_stacks must be a list of amounts"),
        (HAND.replace("[40, 59]", "[40, -1]"), "starting_stacks holds -1, which is no amount"),
        (HAND.replace("[40, 59]", "[40, true]"), "starting_stacks holds True, which is no amount"),
        (HAND.replace("[40, 59]", "[40, inf]"), "is no amount"),
        (HAND.replace("[40, 59]", "[40, 0.12345678]"), "an amount has more than 6 decimals"),
        (HAND.replace("antes = [1, 1]", "antes = [1]"), "antes has 1 amounts for 2 players"),
        (HAND.replace("'Ben'", "8"), "players must be a list of names, one for each of 2 players"),
        (HAND.replace("[1, 5]", "[1, 5, 6]"), "seats must be a list of numbers, one for each of 2 players"),
        (HAND.replace("p2 pb", "p3 pb"), "entry 1: 'p3 pb' is no action"),
        (HAND.replace("p2 pb", "p0 pb"), "entry 1: 'p0 pb' is no action"),
        (HAND.replace("p2 pb", "p2 posts"), "entry 1: 'p2 posts' is no action"),
        (HAND.replace("cbr 5'", "cbr five'"), "entry 1: 'p2 cbr five' is no action"),
        (HAND.replace("Ac'", "Xx'"), "entry 1: 'd dh p2 Xx' is no action"),
        (HAND.replace("Ac'", "A'"), "entry 1: 'd dh p2 A' is no action"),
    ],
)
def test_no_phh(text: str, sentence: str) -> None:
    with pytest.raises(BadPhh) as caught:
        read(text)
    assert sentence in str(caught.value)
    assert "\n" not in str(caught.value)


@given(st.text(st.characters(exclude_categories=["Cs"])))
def test_any_text_survives(text: str) -> None:
    assert tomllib.loads(f"x = {toml_text(text)}") == {"x": text}


def test_half_a_pair_is_replaced() -> None:
    assert tomllib.loads(f"x = {toml_text(chr(0xD800))}") == {"x": "\ufffd"}


def test_values() -> None:
    value = {"a": [1, True, "x'\"\\"], "b": {"c": False}}
    assert tomllib.loads(f"x = {toml_value(value)}") == {"x": value}
    with pytest.raises(TypeError):
        toml_value(object())


def test_what_is_written_is_read_again() -> None:
    (hand,) = read(HAND.replace("'Ann'", "'''A\"n]n'#'''"))
    assert hand.players[0] == "A\"n]n'#"
    (again,) = read(write([hand]))
    assert again == hand
    both = read(write([hand, hand]))
    assert [(copy.entry, copy.actions, copy.players) for copy in both] == [
        ("1", hand.actions, hand.players),
        ("2", hand.actions, hand.players),
    ]
    assert isinstance(again, PhhHand)


def test_the_page_names_every_field_of_ours() -> None:
    page = (DOCS / "hand-formats.md").read_text()
    ours = [*CHOICES.values(), "_id", "_game", "_stakes", "_definition", "_cards_filled", *STANDARD]
    assert [name for name in ours if f"`{name}`" not in page] == []
    assert [name for name in Stakes.__struct_fields__ if f"`{name}`" not in page and name not in STANDARD_STAKES] == []
    assert f"after {HANDS_A_FILE} hands" in page
    assert f"no deck of {TRIES}" in page
