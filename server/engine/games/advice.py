"""A sentence or two of advice for a game, from what its steps ask of the players."""

from server.engine.games.game import Game
from server.engine.games.ranking_help import has_wilds
from server.engine.steps.vocabulary import BringBack, Choose, Declare, Draw, Pass


def advice(game: Game) -> list[str]:
    """What to look for, in at most three sentences; the first says with which cards to stay in."""
    end = game.showdown
    kinds = {type(step) for step in game.steps}
    told = []
    if has_wilds(game):
        told.append("With wild cards two pair seldom wins: stay in for three of a kind and better.")
    elif end.high is None:
        told.append("Stay in with small cards of different ranks: three under nine are a start.")
    elif end.low is None:
        told.append("Stay in with a pair, three high cards or three of one suit; let the rest go.")
    elif Declare in kinds:
        told.append("Low wants five small cards of different ranks, high three of a kind or better.")
    else:
        told.append("Small cards with an ace are best: they can win both halves, high pairs only one.")
    if Declare in kinds:
        told.append("Watch which way the others go: where nobody else goes, half is yours for little.")
    elif end.spade:
        told.append("With the ace of spades face down half of the pot is yours: make it a big one.")
    elif end.low is not None and end.high is not None:
        told.append("Half a pot is often just your own money back: pay little for a second-best hand.")
    if Choose in kinds:
        told.append("You choose what the others see: show what says least about your hand.")
    elif Pass in kinds:
        told.append("Decide early for high or low, and pass what does not fit.")
    elif Draw in kinds:
        told.append("Throw away whatever does not belong to your plan.")
    elif BringBack not in kinds:
        told.append("Look at what has been folded: those cards cannot come to you any more.")
    return told
