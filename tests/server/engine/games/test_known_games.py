"""A house game is known at the table by the text that came with the table's offer."""

from client.presenter.queries import rules
from protocol.cards import cards
from protocol.narration.spans import plain
from protocol.stakes import Stakes
from protocol.table_rules import GameOffer, TableRules
from protocol.view import TableView
from server.engine.games.catalogue import RAZZ_ROLL_YOUR_OWN
from server.engine.games.hand_words import hand_names
from server.engine.games.known_games import game_at, game_of

GRANDPAS = """
id = "grandpas"
title = "Grandpa's game"
players = 7
[[steps]]
do = "ante"
[[steps]]
do = "deal"
down = 4
up = 1
[[steps]]
do = "bet"
opens = "high_board"
[[steps]]
do = "showdown"
high = "high"
low = "8low"
"""


def table(definition: str) -> TableView:
    stakes = Stakes(ante=3)
    offer = GameOffer("grandpas", "Grandpa's game", stakes, 7, definition)
    return TableView(
        game="grandpas",
        title="Grandpa's game",
        stakes=stakes,
        rules=TableRules(name="Kitchen", seats=7, games=(offer,)),
    )


def test_a_house_game_has_its_rules_and_its_names_of_hands_at_the_table() -> None:
    view = table(GRANDPAS)
    page = "\n".join(map(plain, rules(view)))
    assert page.startswith("Grandpa's game")
    assert "the ante of 3." in page, "the rules are those of this table's stakes"
    assert (
        hand_names(view, cards("As Ad 4c")) == "high: pair of aces, four kicker   low: four-ace so far, two low cards"
    )


def test_an_unknown_game_has_no_rules_and_no_names_of_hands() -> None:
    for definition in ("", "no toml", "id = " + "[" * 50_000, GRANDPAS.replace('"ante"', '"juggle"')):
        view = table(definition)
        assert game_at(view) is None
        assert hand_names(view, cards("As Ad 4c")) == ""
        assert rules(view) == [("This program does not know the rules of Grandpa's game.",)]


def test_the_games_of_the_catalogue_need_no_text() -> None:
    assert game_of("razz") is RAZZ_ROLL_YOUR_OWN
    assert game_of("unheard") is None
