"""Which cards play at a showdown: the one answer for the seats and for the panel of the result.

Rankings and winners come from the events (`TableView.awards`, `SeatView.values`); which five cards of a hand make its
name is a question of rules, so `server.engine.ranking` answers it.
"""

from collections.abc import Mapping
from functools import lru_cache
from itertools import combinations
from typing import Literal, TypeAlias

from protocol.cards import Card
from protocol.events import PotAwarded, Seat
from protocol.view import TableView
from server.engine.ranking.rankings import RANKINGS
from server.engine.ranking.wild_cards import high_with_wilds

Side: TypeAlias = Literal["high", "low", "spade"]
"""What a hand is shown for."""

SPADES = 3


def shown_hands(view: TableView, seat: Seat) -> tuple[tuple[Side, str, tuple[Card, ...]], ...]:
    """(side, name, cards that play) of every hand that a seat showed, as they are read out; none if it showed nothing.

    The cards are empty where nothing makes the name: ``no low: a pair``, ``no spade in the hole``.
    """
    own = view.seat(seat)
    holding = _holding(view, seat)
    return tuple([(_side(key), name, _cards(view, key, own.shown, holding)) for key, name in own.values])


def playing_cards(view: TableView) -> Mapping[Seat, frozenset[Card]]:
    """The cards with which each winner wins, by seat. Winners who did not show their cards are not in it.

    Of a low that is none and wins all the same (`rules.md` 7.4) the five cards play if there are no more than five.
    """
    playing: dict[Seat, frozenset[Card]] = {}
    for award in view.awards:
        for seat, _ in award.winners:
            if not 1 <= seat <= len(view.seats):
                continue
            cards = [card for five in _winning(view, award, seat) for card in five]
            if cards:
                playing[seat] = playing.get(seat, frozenset()).union(cards)
    return playing


def _winning(view: TableView, award: PotAwarded, seat: Seat) -> list[tuple[Card, ...]]:
    """The cards of every hand with which a seat wins this share."""
    shown = shown_hands(view, seat)
    both = " and ".join([name for _, name, _ in shown]) == award.hand
    holding = _holding(view, seat)
    found = []
    for side, name, cards in shown:
        if side == award.part or (award.part == "whole" and (both or name == award.hand)):
            found.append(cards or (holding if side == "low" and len(holding) == 5 else ()))
    return found


def _holding(view: TableView, seat: Seat) -> tuple[Card, ...]:
    """All cards that everybody may see of a hand."""
    own = view.seat(seat)
    return (*own.shown, *own.up, *view.community)


def _side(key: str) -> Side:
    if key == "spade":
        return "spade"
    return "low" if key in RANKINGS and RANKINGS[key].is_low else "high"


def _cards(view: TableView, key: str, shown: tuple[Card, ...], holding: tuple[Card, ...]) -> tuple[Card, ...]:
    if key == "spade":
        return tuple(sorted([card for card in shown if card & 3 == SPADES])[-1:])
    if key not in RANKINGS or len(holding) < 5:
        return ()
    wild = [card for card in holding if card >> 2 in view.wilds]
    if wild and key == "high":
        strength = high_with_wilds(holding, wild)
        return next(five for five in combinations(holding, 5) if high_with_wilds(five, wild) == strength)
    return _five(key, holding)


@lru_cache(maxsize=256)
def _five(key: str, holding: tuple[Card, ...]) -> tuple[Card, ...]:
    """The five of a hand that play. They are looked for once and not at every drawing of a result."""
    return RANKINGS[key].best(holding)
