"""What a game pays, as far as a player must know it to judge their cards."""

from dataclasses import dataclass
from functools import cache

from client.known_games import definition_of, game_of
from protocol.view import TableView
from server.engine.ranking.rankings import ACE_TO_FIVE, HIGH, Ranking
from server.engine.steps.betting import Bet
from server.engine.steps.vocabulary import Deal, Declare


@dataclass(frozen=True, slots=True)
class GameTerms:
    """Who wins the pot.

    Fields:
        high, low: the rankings that win it; None where that direction wins nothing.
        spade: whether the highest spade in the hole wins half of it, instead of a low hand.
        declares: whether players say before the showdown which half they play for.
        size: cards that a player has in the end (before they keep some of them for the showdown).
        brings_in: whether the first round begins with a forced bet.
    """

    high: Ranking | None = HIGH
    low: Ranking | None = ACE_TO_FIVE
    spade: bool = False
    declares: bool = False
    size: int = 7
    brings_in: bool = True


def terms_of(view: TableView) -> GameTerms:
    """The terms of the game that is being played at a table."""
    return terms_of_game(view.game, definition_of(view))


@cache
def terms_of_game(game: str, definition: str = "") -> GameTerms:
    """The terms of a game, read from its steps; for a game that this program does not know, high and low win half each.

    `definition` is the text of a house game (`protocol.table_rules.GameOffer`).
    """
    known = game_of(game, definition)
    if known is None:
        return GameTerms()
    return GameTerms(
        high=known.showdown.high,
        low=known.showdown.low,
        spade=known.showdown.spade,
        declares=any(isinstance(step, Declare) for step in known.steps),
        size=sum(step.down + step.up for step in known.steps if isinstance(step, Deal)),
        brings_in=any(isinstance(step, Bet) and step.bring_in for step in known.steps),
    )
