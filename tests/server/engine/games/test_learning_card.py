"""The card for somebody who meets a game for the first time."""

import pytest

from server.engine.games.catalogue import ANACONDA, BARNEYS, CHICAGO, FOLLOW_THE_QUEEN, GAMES, STUD8
from server.engine.games.game import Game
from server.engine.games.house_games import load_game
from server.engine.games.learning_card import MOST_COLUMNS, MOST_LINES, learning_card
from tests.support.engine_table import PASS_AND_DRAW
from tests.support.house_games import GRANDPAS

HOUSE_GAMES = [load_game(PASS_AND_DRAW), load_game(GRANDPAS)]


@pytest.mark.parametrize("game", [*GAMES.values(), *HOUSE_GAMES], ids=lambda game: game.id)
def test_every_game_fits_on_a_card(game: Game) -> None:
    card = learning_card(game)
    assert card[0] == game.title.upper()
    assert 5 <= len(card) <= MOST_LINES
    assert all(len(line) <= MOST_COLUMNS for line in card[1:])
    assert len(set(card)) == len(card)


def test_barneys_card() -> None:
    assert learning_card(BARNEYS) == [
        "BARNEY'S POKER",
        "Two winners: the best high hand and the best low hand share the pot.",
        "You get seven cards. Four times you turn one up and bet: you choose which.",
        "Then you take all back, keep five, and turn four one by one, betting each time.",
        "Last you declare high or low. Alone in your direction you have half for sure.",
        "High, going up: pair, two pair, three alike, straight, flush, full house, four.",
        "Low: small cards, no pair, no straight, no flush. 6-4-3-2-A is best.",
    ]


@pytest.mark.parametrize(
    ("game", "line"),
    [
        (ANACONDA, "You get seven cards face down; three times you pass some to your left, and bet."),
        (ANACONDA, "Then you keep five, and turn four one by one, betting each time."),
        (CHICAGO, "In the hole means face down. The ace of spades there is half the pot for sure."),
        (FOLLOW_THE_QUEEN, "The up card after a queen names the wild rank: wild cards stand for any card."),
        (STUD8, "You get seven cards, four of them face up for all to see, and bet in between."),
        (HOUSE_GAMES[0], "Once you pass some to your left, and bet, and you may draw up to three new ones."),
        (HOUSE_GAMES[1], "Wild, standing for any card: threes."),
    ],
)
def test_a_card_says_what_the_game_is_about(game: Game, line: str) -> None:
    assert line in learning_card(game)
