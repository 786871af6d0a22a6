"""How the pots of a hand went: who won which share, which cards won it, and who scoops."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import TypeAlias

from protocol.actions import Direction
from protocol.cards import Card
from protocol.events import Part, PotAwarded, Seat
from protocol.narration.phrases import because, player, pot, safe
from protocol.narration.spans import Sentence, cards, compose, joined, listed
from protocol.view import TableView

PARTS: Mapping[Part, str] = {"whole": "", "high": "high", "low": "low", "spade": "the spade"}
"""The shares of a pot in words."""

WinningCards: TypeAlias = Callable[
    [PotAwarded, TableView], Sequence[tuple[Seat, Sequence[tuple[Direction, tuple[Card, ...]]]]]
]
"""Gives the winners of an award whose cards were shown, each with the five that win, one five for each direction.

Which five play is a question of rules, so the story is given a function: `server.engine.ranking.winning_cards`.
"""


def awarded(award: PotAwarded, view: TableView) -> Sentence:
    """``Ann wins high: 46 from the pot with pair of aces.``, ``Ann 23 and Bob 22 split low 45 from ...``"""
    part = PARTS[award.part]
    source = f" from {pot(award.pot, len(view.pots))}{f' with {safe(award.hand)}' if award.hand else ''}"
    reason = because(award.why, view)
    if len(award.winners) == 1:
        ((seat, amount),) = award.winners
        return compose(player(view, seat), f" wins{f' {part}:' if part else ''} {amount}", source, reason, ".")
    split = f" split{f' {part}' if part else ''} {award.amount}"
    return compose(listed(_shares(award, view)), split, source, reason, ".")


def award_line(award: PotAwarded, view: TableView) -> Sentence:
    """The same in short: ``side pot low: Ann 10, Bob 9 with seven-five low``"""
    pots = len(view.pots)
    source = pot(award.pot, pots) if pots < 2 else pot(award.pot, pots).removeprefix("the ")
    part = PARTS[award.part].removeprefix("the ")
    hand = f" with {safe(award.hand)}" if award.hand else ""
    return compose(source, f" {part}" if part else "", ": ", joined(_shares(award, view)), hand)


def _shares(award: PotAwarded, view: TableView) -> list[Sentence]:
    return [compose(player(view, seat), " ", amount) for seat, amount in award.winners]


def plays(award: PotAwarded, view: TableView, winning_cards: WinningCards) -> list[Sentence]:
    """``Ann plays As Kd Qh Jc Td.``, for every winner whose cards were shown."""
    lines = []
    for seat, hands in winning_cards(award, view):
        named = [compose(cards(five), f" {side}" if len(hands) > 1 else "") for side, five in hands]
        lines.append(compose(player(view, seat), " plays ", listed(named), "."))
    return lines


def voided(hand: int, why: str, view: TableView) -> Sentence:
    """``Hand 12 does not count (power cut): everybody has the chips back.``"""
    return compose(f"Hand {hand} does not count", because(why, view), ": everybody has the chips back.")


Values: TypeAlias = Sequence[tuple[str, str]]
"""(ranking, name of the hand) of what a player showed, as in `HandShown`."""


def scooper(awards: Iterable[PotAwarded], values: Callable[[Seat], Values]) -> Seat | None:
    """The seat that scoops by these awards, or None: it wins the high and the low half and all else (`rules.md` 5).

    `values` gives the values of the hand that a seat has shown. A pot whose halves go to the same player is one award
    of the whole, which names both hands.
    """
    seats: set[Seat] = set()
    parts: set[str] = set()
    for award in awards:
        seats.update([seat for seat, _ in award.winners])
        parts.add(award.part)
        if award.part == "whole" and len(award.winners) == 1:
            named = [name for _, name in values(award.winners[0][0])]
            if len(named) > 1 and award.hand == " and ".join(named):
                parts.update(("high", "low"))
    return next(iter(seats)) if len(seats) == 1 and {"high", "low"} <= parts else None
