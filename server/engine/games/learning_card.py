"""A game on one small card, for somebody who meets it for the first time: what wins, what happens, what to look for.

Made from the steps of the game, as the page of its rules is (`server.engine.games.rules_page`).
"""

from protocol.cards import RANK_NAMES
from server.engine.games.advice import advice
from server.engine.games.game import Game
from server.engine.games.rules_page import hand_size, what_wins
from server.engine.ranking.hand_names import NUMBERS, PLURALS
from server.engine.steps.vocabulary import BringBack, Choose, Deal, Declare, Draw, Pass, Roll, Wilds

MOST_LINES = 7
"""Lines of a card, its title included; one more is for the keys."""
MOST_COLUMNS = 80
"""Columns of its longest line."""


def learning_card(game: Game) -> list[str]:
    """The card, line by line; the first line is the title in capitals."""
    end = game.showdown
    lines = [game.title.upper(), what_wins(game), _cards(game), *_exchanged(game), *_wild(game), *_arranged(game)]
    if any(isinstance(step, Declare) for step in game.steps):
        lines.append("Last you declare high or low. Alone in your direction you have half for sure.")
    if end.spade:
        lines.append("In the hole means face down. The ace of spades there is half the pot for sure.")
    if end.high is not None:
        lines.append("High, going up: pair, two pair, three alike, straight, flush, full house, four.")
    if end.low is not None:
        lines.append(_LOW[end.low.key])
    return [*lines, *advice(game)][:MOST_LINES]


def _number(count: int) -> str:
    return NUMBERS[count] if count < len(NUMBERS) else str(count)


def _times(count: int) -> str:
    return {1: "Once", 2: "Twice"}.get(count, f"{_number(count).capitalize()} times")


def _cards(game: Game) -> str:
    size = hand_size(game)
    chosen = sum([isinstance(step, Choose) for step in game.steps])
    up = sum([step.up for step in game.steps if isinstance(step, Deal)])
    if chosen:
        return f"You get {_number(size)} cards. {_times(chosen)} you turn one up and bet: you choose which."
    if up:
        return f"You get {_number(size)} cards, {_number(up)} of them face up for all to see, and bet in between."
    return f"You get {_number(size)} cards face down{_passed(game)}."


def _exchanged(game: Game) -> list[str]:
    """Passing and drawing, in one line; cards that are passed where all are hidden are told with the cards."""
    parts = [_passed(game)[2:]] if _passed(game) and _shown(game) else []
    parts += [f"you may draw up to {_number(step.most)} new ones" for step in game.steps if isinstance(step, Draw)]
    text = ", and ".join(parts)
    return [f"{text[0].upper()}{text[1:]}."] if text else []


def _passed(game: Game) -> str:
    passed = [step.to for step in game.steps if isinstance(step, Pass)]
    if not passed:
        return ""
    whom = {"left": "to your left", "right": "to your right", "across": "across"}[passed[0]]
    return f"; {_times(len(passed)).lower()} you pass some {whom}, and bet"


def _shown(game: Game) -> bool:
    """Whether some cards lie face up before hands are arranged."""
    return any(isinstance(step, Choose) or (isinstance(step, Deal) and step.up > 0) for step in game.steps)


def _wild(game: Game) -> list[str]:
    for step in game.steps:
        if isinstance(step, Wilds):
            return [f"Wild, standing for any card: {', '.join(PLURALS[rank] for rank in step.ranks)}."]
        if isinstance(step, Deal) and step.wild_after is not None:
            name = RANK_NAMES[step.wild_after]
            return [f"The up card after a {name} names the wild rank: wild cards stand for any card."]
    return []


def _arranged(game: Game) -> list[str]:
    kept = next((step.keep for step in game.steps if isinstance(step, BringBack)), 0)
    rolls = sum([isinstance(step, Roll) for step in game.steps])
    if not kept:
        return []
    begin = "Then you take all back," if _shown(game) else "Then you"
    return [f"{begin} keep {_number(kept)}, and turn {_number(rolls)} one by one, betting each time."]


_LOW = {
    "a5": "Low: small cards of different ranks, the highest one decides. 5-4-3-2-A is best.",
    "8low": "Low: five ranks of eight or under; 5-4-3-2-A is best. With none, high takes all.",
    "a6": "Low: small cards, no pair, no straight, no flush. 6-4-3-2-A is best.",
}
