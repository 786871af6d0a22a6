"""The levels and the characters of the bots, as data: what each of them does less well than it could.

A bot is never weakened by random moves. It has the weaknesses of people: it forgets cards, does not count the pot,
plays too many hands, believes every bet or none, and does not think for long. `client.bots.thinker` plays with them.
"""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Literal, TypeAlias

Memory: TypeAlias = Literal["own", "boards", "all"]
Reads: TypeAlias = Literal["nobody", "bets", "hand", "habits"]


@dataclass(frozen=True, slots=True)
class Weaknesses:
    """How a bot thinks.

    Fields:
        memory: which cards it knows to be gone: its own, those that lie on the table, or all that it has seen.
        reads: what it believes of the others: nothing, their bets in this hand, also which cards they have chosen to
            turn up in it, or also what they usually do.
        samples: on how many deals of all cards that it cannot see it judges its hand; on few it is often wrong, most of
            all against many players, of whom one has the cards that it did not think of.
        deals: how many ways to play on it thinks through for a decision at most; at 0 it bets as it thinks
            first, and does with its cards what seems best without a thought of the rest of the hand.
        price: how much of what a call costs it feels; at 0.5 half, at 1 all, above that it is afraid for its chips.
        patience: how many small bets a hand must be worth on its first street; below 0 it plays worse ones, too.
        bluffs: by how many small bets a bluff seems better to it than it is, or worse below 0; `NEVER` makes it honest.
        caution: at 1 it bets only what is clearly ahead and gives up the rest, at 0 it takes the chances as they are.
    """

    memory: Memory = "all"
    reads: Reads = "habits"
    samples: int = 200
    deals: int = 400
    price: float = 1.0
    patience: float = 0.0
    bluffs: float = 0.0
    caution: float = 0.0


@dataclass(frozen=True, slots=True)
class Character:
    """A bot with a name. `sentence`: how they play, as the rest of a sentence that begins with the name."""

    name: str
    sentence: str
    weaknesses: Weaknesses


NEVER = -100.0
"""No bluff seems good."""

EASY = Weaknesses("own", "nobody", 20, 0, price=0.4, patience=-1.0, caution=1.0)
USUAL = Weaknesses("boards", "bets", 80, 0, price=0.8, caution=1.0)
STRONG = Weaknesses()

LEVELS: Mapping[str, Weaknesses] = {"easy": EASY, "usual": USUAL, "strong": STRONG}

_THOUGHTFUL = replace(USUAL, deals=24, price=0.6, patience=-0.5, bluffs=-0.5)
"""Like the usual bot, but it thinks its bets through a little: a bluff needs that."""

CHARACTERS: tuple[Character, ...] = (
    Character(
        "Ida",
        "remembers every folded card, waits for a good hand, and never bluffs.",
        replace(STRONG, patience=0.5, bluffs=NEVER),
    ),
    Character(
        "Jonas",
        "pays to see one more card, whatever the pot is.",
        replace(_THOUGHTFUL, price=0.4),
    ),
    Character(
        "Klara",
        "tells stories with the up cards; about half of them are true.",
        replace(_THOUGHTFUL, bluffs=0.6),
    ),
    Character(
        "Linus",
        "likes every hand, and forgets to look at the cards of the others.",
        replace(EASY, samples=80, deals=12, patience=-0.5, price=0.7, bluffs=-1.0),
    ),
    Character(
        "Mira",
        "knows after an hour how you play, and hates to give up a hand.",
        replace(STRONG, price=0.8),
    ),
    Character(
        "Nils",
        "counts every chip, and believes everybody who bets.",
        replace(_THOUGHTFUL, price=1.4, bluffs=NEVER),
    ),
)
"""Six people to play with; their names go on where those of the other bots end (`client.bots.company.BOT_NAMES`)."""


def character_named(name: str) -> Character | None:
    """The character of that name, in small letters or large ones; None if there is none."""
    return next((one for one in CHARACTERS if one.name.lower() == name.lower()), None)
