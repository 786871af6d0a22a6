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
        told.append("With wild cards around, two pair seldom wins: stay in for three of a kind and better.")
    elif end.high is None:
        told.append("Stay in with small cards of different ranks: three cards of eight or under are a start.")
    elif end.low is None:
        told.append("Stay in with a pair, with three high cards or with three of one suit; let the rest go.")
    elif Declare in kinds:
        told.append(
            "A low wants five small cards of different ranks and two suits or more, a high three of a kind or better."
        )
    else:
        told.append("Small cards with an ace are best, since they can win both halves; high pairs win only one.")
    if Declare in kinds:
        told.append("Watch which way the others go: where nobody else goes, half of the pot is yours for little.")
    elif end.spade:
        told.append("The ace of spades face down is half of the pot for certain: make that pot a big one.")
    elif end.low is not None and end.high is not None:
        told.append("Half of the pot is often just your own money back, so do not pay much for the second-best hand.")
    if Choose in kinds:
        told.append("You choose what the others see, so show what says least about your hand.")
    elif Pass in kinds:
        told.append("Decide early for high or low, and pass what does not fit.")
    elif Draw in kinds:
        told.append("Throw away whatever does not belong to your plan.")
    elif BringBack not in kinds:
        told.append("Look at what has been folded: those cards cannot come to you any more.")
    return told
