"""The rules of the game that is being played: one of the catalogue, or a house game that the table's offer defines."""

from functools import lru_cache

from protocol.view import TableView
from server.engine.games.catalogue import GAMES
from server.engine.games.game import Game
from server.engine.games.house_games import BadGame, load_game
from server.engine.steps.vocabulary import Pass


@lru_cache(maxsize=64)
def game_of(game: str, definition: str = "") -> Game | None:
    """The game with that id. A `definition` (`protocol.table_rules.GameOffer`) comes before the catalogue.

    None for a game that is not known: a newer server may have games and steps that this program has not.
    """
    if definition:
        try:
            return load_game(definition)
        except BadGame:
            return None
    return GAMES.get(game)


def definition_of(view: TableView) -> str:
    """The text that defines the running game, if it is a house game."""
    offers = view.rules.games if view.rules is not None else ()
    return next((offer.definition for offer in offers if offer.id == view.game), "")


def game_at(view: TableView) -> Game | None:
    """The game that is being played at a table."""
    return game_of(view.game, definition_of(view))


def title_of(view: TableView, game: str) -> str:
    """The title of a game that the table offers; its id if it does not."""
    offers = view.rules.games if view.rules is not None else ()
    return next((offer.title for offer in offers if offer.id == game), game)


def pass_side(view: TableView, count: int) -> str:
    """``left``, ``right`` or ``across``: where the game passes that many cards; empty if it is not certain."""
    game = game_at(view)
    steps = game.steps if game is not None else ()
    sides = {step.to for step in steps if isinstance(step, Pass) and step.count == count}
    return next(iter(sides)) if len(sides) == 1 else ""
