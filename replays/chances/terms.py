"""What a game pays, as far as a player must know it to judge their cards."""

from dataclasses import dataclass

from server.engine.games.game import Game
from server.engine.games.rules_page import hand_size
from server.engine.ranking.rankings import ACE_TO_FIVE, HIGH, Ranking
from server.engine.steps.betting import Bet
from server.engine.steps.vocabulary import Declare, Draw


@dataclass(frozen=True, slots=True)
class GameTerms:
    """Who wins the pot.

    Fields:
        high, low: the rankings that win it; None where that direction wins nothing.
        spade: whether the highest spade in the hole wins half of it, instead of a low hand.
        declares: whether players say before the showdown which half they play for.
        size: cards that a player has in the end (before they keep some of them for the showdown).
        brings_in: whether the first round begins with a forced bet.
        draws: whether players exchange cards for others of the deck.
    """

    high: Ranking | None = HIGH
    low: Ranking | None = ACE_TO_FIVE
    spade: bool = False
    declares: bool = False
    size: int = 7
    brings_in: bool = True
    draws: bool = False

    @property
    def as_dealt(self) -> bool:
        """Whether hands are played as they are dealt: nobody declares a direction or draws other cards."""
        return not (self.declares or self.draws)

    @property
    def lowball(self) -> bool:
        """Whether the lowest hand wins, as it is dealt."""
        return self.high is None and self.as_dealt


def terms_from(game: Game | None) -> GameTerms:
    """The terms of a game, read from its steps; for a game that is not known, high and low win half each."""
    if game is None:
        return GameTerms()
    return GameTerms(
        high=game.showdown.high,
        low=game.showdown.low,
        spade=game.showdown.spade,
        declares=any(isinstance(step, Declare) for step in game.steps),
        size=hand_size(game),
        brings_in=any(isinstance(step, Bet) and step.bring_in for step in game.steps),
        draws=any(isinstance(step, Draw) for step in game.steps),
    )
