"""Pots and side pots from what each player has put in (`rules.md` 4.6)."""

from collections.abc import Sequence
from typing import TypeAlias

Pots: TypeAlias = list[tuple[int, tuple[int, ...]]]
"""(chips, players that can win them), main pot first."""


def build_pots(put: Sequence[int], live: Sequence[int]) -> Pots:
    """Layers by the contributions of the live players.

    `put` holds the chips of every player of the hand, folded ones included, `live` the numbers of those that have
    not folded. Folded chips stay in the layers that they reached; what they put above the highest live
    contribution belongs to the last pot. The pots always add up to ``sum(put)``.
    """
    levels = sorted({put[i] for i in live})
    if len(levels) == 1:
        total = sum(put)
        return [(total, tuple(live))] if total else []
    pots: Pots = []
    below = 0
    for level in levels:
        amount = sum([min(chips, level) - below for chips in put if chips > below])
        if level == levels[-1]:
            amount += sum([chips - level for chips in put if chips > level])
        if amount:
            pots.append((amount, tuple([i for i in live if put[i] >= level])))
        below = level
    return pots


def uncalled(put: Sequence[int], live: Sequence[int]) -> tuple[int, int]:
    """(player, chips) of what nobody matched: the excess of the largest contribution over the second largest.

    (-1, 0) where there is none, also if the largest contribution is of a player who has folded.
    """
    second, largest = sorted(put)[-2:]
    if second == largest:
        return -1, 0
    player = put.index(largest)
    return (player, largest - second) if player in live else (-1, 0)


def shares(amount: int, winners: Sequence[int]) -> list[int]:
    """Equal shares; what cannot be divided goes one chip each to the first of `winners` (`rules.md` 5)."""
    each, odd = divmod(amount, len(winners))
    return [each + (place < odd) for place in range(len(winners))]
