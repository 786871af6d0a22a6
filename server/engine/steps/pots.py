"""Pots and side pots from what each player has put in (`rules.md` 4.6)."""

from collections.abc import Sequence
from typing import TypeAlias

Pots: TypeAlias = list[tuple[int, tuple[int, ...]]]
"""(chips, players that can win them), main pot first."""


def build_pots(put: Sequence[int], live: Sequence[int]) -> Pots:
    """Layers by the contributions of the live players.

    `put` holds the chips of every player of the hand, also of those who have folded; `live` the numbers of the players
    who have not. Chips of folded players stay in the layers that they reached; what is above the highest live
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
    """(player, chips) that nobody matched: the excess of the largest contribution over the second largest.

    (-1, 0) if there is none, or if the player with the largest contribution has folded.
    """
    second, largest = sorted(put)[-2:]
    if second == largest:
        return -1, 0
    player = put.index(largest)
    return (player, largest - second) if player in live else (-1, 0)


def shares(amount: int, winners: Sequence[int]) -> list[int]:
    """Equal shares; chips that cannot be divided go one each to the first of `winners` (`rules.md` 5)."""
    each, odd = divmod(amount, len(winners))
    return [each + (place < odd) for place in range(len(winners))]
