"""What the next card can make of a hand: counted, not estimated, from what one seat can see.

A seat sees its own cards, everybody's up cards, also those of folded hands and those from before bring 'em back, and
the cards in the middle. Each of the other cards is as likely to come next as any other. A card that would help is
*live* if it is one of those, and *dead* if it lies face up somewhere else.
"""

from bisect import bisect
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from protocol.cards import DECK, RANK_NAMES, Card, cards
from protocol.view import TableView
from server.engine.ranking.card_order import EIGHT, low_rank
from server.engine.ranking.rankings import HIGH, Ranking

MADE = (
    "nothing", "a pair", "two pair", "three of a kind", "a straight", "a flush", "a full house", "four of a kind",
    "a straight flush",
)  # fmt: skip
"""The kinds of high hands, going up."""
LOW_CARD = "a low card"
"""What helps a low before there is one."""
_WEAKEST = tuple(
    HIGH.strength(cards(row))
    for row in (
        "2c 2d 3h 4s 5c", "2c 2d 3h 3s 4c", "2c 2d 2h 3s 4c", "As 2d 3h 4c 5s", "2s 3s 4s 5s 7s", "2c 2d 2h 3s 3c",
        "2c 2d 2h 2s 3c", "As 2s 3s 4s 5s",
    )
)  # fmt: skip
"""The strength of the weakest hand of each kind from a pair on."""


@dataclass(frozen=True, slots=True)
class Improvement:
    """Cards that would make something better of a hand.

    Fields:
        side: the direction in which it is better; makes: one of `MADE`, for low ``a better low`` or ``a low card``.
        live: unseen cards that do it; dead: cards that would have done it, and lie face up elsewhere.
    """

    side: Literal["high", "low"]
    makes: str
    live: tuple[Card, ...]
    dead: tuple[Card, ...]


def seen_cards(view: TableView, seat: int) -> frozenset[Card]:
    """All cards that the seat sees or has seen in this hand."""
    own = [card for card in view.seat(seat).down if card is not None]
    shown = [card for one in view.seats for card in (*one.up, *one.before, *one.shown)]
    return frozenset([*own, *shown, *view.community])


def kind_of(held: Sequence[Card]) -> int:
    """The kind of high hand that the cards make, as a place in `MADE`; fewer than five make pairs and the like only."""
    if len(held) >= 5:
        return bisect(_WEAKEST, HIGH.strength(held))
    first, second = [*sorted(Counter([card >> 2 for card in held]).values(), reverse=True), 0, 0][:2]
    return {4: 7, 3: 3, 2: 2 if second == 2 else 1}.get(first, 0)


def improvements(
    held: Sequence[Card], seen: frozenset[Card], high: Ranking | None, low: Ranking | None
) -> list[Improvement]:
    """What the next card can make of these cards, the best first; high hands before low ones.

    `seen`: all cards that are not in the deck for this player, their own included.
    """
    found = higher_kinds(held, seen) if high is not None else []
    others = [card for card in DECK if card not in held]
    if low is not None:
        made = low.strength(held) if len(held) >= 5 else 0
        helping = [card for card in others if _helps_low(low, held, card, made)]
        found.append(_improvement("low", "a better low" if made else LOW_CARD, helping, seen))
    return [one for one in found if one.live or one.dead]


def higher_kinds(held: Sequence[Card], seen: frozenset[Card]) -> list[Improvement]:
    """The better kinds of high hands that the next card can make, the best first."""
    now = kind_of(held)
    better: dict[int, list[Card]] = {}
    for card in DECK:
        if card not in held and (kind := kind_of((*held, card))) > now:
            better.setdefault(kind, []).append(card)
    return [_improvement("high", MADE[kind], better[kind], seen) for kind in sorted(better, reverse=True)]


def named_lows(held: Sequence[Card], seen: frozenset[Card], low: Ranking) -> list[Improvement]:
    """The lows that the next card can make, each by its highest card (``an eight-low``), the best first.

    Where no low can be made yet: the small cards that it still needs.
    """
    made = low.strength(held) if len(held) >= 5 else 0
    by_name: dict[int, list[Card]] = {}
    for card in DECK:
        five = low.best((*held, card)) if card not in held and len(held) >= 4 else ()
        if len({one >> 2 for one in five}) == 5 and low.strength(five) > made:
            by_name.setdefault(max(map(low_rank, five)), []).append(card)
    if by_name:
        return [_improvement("low", _low_name(top), by_name[top], seen) for top in sorted(by_name)]
    if made:
        return []
    helping = [card for card in DECK if card not in held and _helps_low(low, held, card, made)]
    return [_improvement("low", LOW_CARD, helping, seen)]


def _low_name(top: int) -> str:
    name = RANK_NAMES[(top - 1) % 13]
    return f"{'an' if name == 'eight' else 'a'} {name}-low"


def _helps_low(low: Ranking, held: Sequence[Card], card: Card, made: int) -> bool:
    """Whether the card makes the low better; before there is a low: whether it is a small rank that is not held."""
    if made:
        return low.strength((*held, card)) > made
    return low_rank(card) <= EIGHT and card >> 2 not in {one >> 2 for one in held}


def _improvement(side: Literal["high", "low"], makes: str, helping: list[Card], seen: frozenset[Card]) -> Improvement:
    live = tuple([card for card in helping if card not in seen])
    return Improvement(side, makes, live, tuple([card for card in helping if card in seen]))


def chance(live: int, unseen: int, to_come: int) -> float:
    """The chance, 0 to 1, that at least one of the live cards is among those that are still to come."""
    missed = 1.0
    for drawn in range(min(to_come, unseen)):
        missed *= max(0, unseen - live - drawn) / (unseen - drawn)
    return 1 - missed
