"""The terms of the game that is being played at a table."""

from functools import cache

from protocol.view import TableView
from replays.chances.terms import GameTerms, terms_from
from server.engine.games.known_games import definition_of, game_of


def terms_of(view: TableView) -> GameTerms:
    """The terms of the game that is being played at a table."""
    return terms_of_game(view.game, definition_of(view))


@cache
def terms_of_game(game: str, definition: str = "") -> GameTerms:
    """The terms of the game with that id, or of the house game with that definition."""
    return terms_from(game_of(game, definition))
