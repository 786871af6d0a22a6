"""What the rankings mean, for the pages of rules: a paragraph and a worked example of each."""

from dataclasses import dataclass

from protocol.cards import cards, cards_text
from server.engine.games.game import Game
from server.engine.ranking.rankings import ACE_TO_FIVE, ACE_TO_SIX, EIGHT_OR_BETTER, HIGH, Ranking
from server.engine.ranking.wild_cards import name_with_wilds
from server.engine.steps.vocabulary import Deal, Wilds

RANKING_HELP = {
    "high": "From the best to the worst: straight flush (five cards in a row, all of one suit), four of a kind, full "
    "house (three of a kind and a pair), flush (five of one suit), straight (five in a row), three of a kind, two "
    "pair, a pair, high card. Between equal pairs the next card decides, the kicker. Aces are high, and low only in "
    "the straight 5-4-3-2-A.",
    "a5": "The lowest hand wins. Aces are low; straights and flushes do not count, so they do no harm. The highest "
    "card decides first, then the next. The best hand is 5-4-3-2-A, the wheel; a hand without a pair beats any pair.",
    "8low": "A low is five cards of different ranks, all of them eight or under. Aces are low; straights and flushes "
    "do not count, so they do no harm. The highest card decides first, then the next. The best low is 5-4-3-2-A, the "
    "wheel, the worst that counts is 8-7-6-5-4.",
    "a6": "Aces are low, the highest card decides first, then the next, and a pair is a bad low. A straight or a flush "
    "is no low at all, not even a small one. So the best low is 6-4-3-2-A.",
}
"""By the key of the ranking."""


@dataclass(frozen=True, slots=True)
class Example:
    """A hand, one that it beats, and one that beats it. Cards as text.

    Fields:
        hand: the five cards that play, and then perhaps cards that do not.
        beats, loses_to: five cards each.
        neither: five cards that are no hand at all in this ranking; empty where there are none.
    """

    ranking: Ranking
    hand: str
    beats: str
    loses_to: str
    neither: str = ""


EXAMPLES = {
    example.ranking.key: example
    for example in (
        Example(HIGH, "Kh Kd 9s 9c 6d 4h 2s", beats="As Ad Kc Qh Js", loses_to="2c 2d 2h 7s 5c"),
        Example(ACE_TO_FIVE, "8h 5d 4c 2s Ah Kd 2d", beats="9c 4d 3s 2h Ac", loses_to="7s 6d 5c 4h 3s"),
        Example(
            EIGHT_OR_BETTER, "8h 5d 4c 2s Ah Kd 2d",
            beats="8c 6d 3s 2h Ac", loses_to="7s 6d 5c 4h 3s", neither="9c 4d 3s 2h Ac",
        ),
        Example(
            ACE_TO_SIX, "7h 5d 4c 2s Ah",
            beats="8c 4d 3s 2h Ac", loses_to="6s 4d 3h 2c Ad", neither="5s 4d 3h 2c Ad",
        ),
    )
}  # fmt: skip
"""A worked example of each ranking, by its key."""


def ranking_help(ranking: Ranking, size: int) -> list[str]:
    """The paragraph and the example of a ranking, in a game in which `size` cards can play (5 to 7)."""
    example = EXAMPLES[ranking.key]
    held = cards(example.hand)[: max(5, size)]
    five = ranking.best(held)
    which = f"of {cards_text(held)} the best five are " if len(held) > 5 else ""
    text = (
        f"Example: {which}{cards_text(five)}, {ranking.name(five)}. It beats {_named(ranking, example.beats)} and "
        f"loses to {_named(ranking, example.loses_to)}."
    )
    if example.neither:
        text += f" {cards_text(cards(example.neither))} is {ranking.name(cards(example.neither))}."
    return [RANKING_HELP[ranking.key], text]


def _named(ranking: Ranking, text: str) -> str:
    return f"{cards_text(cards(text))} ({ranking.name(cards(text))})"


WILD_EXAMPLE = ("Kh Kd 9s 9c 7d", "7d")
"""A hand, and the card of it that is wild."""


def has_wilds(game: Game) -> bool:
    """Whether some cards can be wild."""
    return any(
        isinstance(step, Wilds) or (isinstance(step, Deal) and step.wild_after is not None) for step in game.steps
    )


def wild_help() -> str:
    """What wild cards do, with an example."""
    hand, wild = WILD_EXAMPLE
    made = name_with_wilds(cards(hand), cards(wild))
    return (
        "A wild card stands for any card that you do not hold, hidden or face up, in the best way for a high hand. "
        f"Five of a kind beats everything. Example: with {wild} wild, {hand} are a {made}."
    )
