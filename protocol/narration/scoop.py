"""Who scoops a hand: one player wins the high and the low half, and everything else there is (`rules.md` 5)."""

from collections.abc import Callable, Iterable, Sequence

from protocol.events import PotAwarded, Seat

Values = Sequence[tuple[str, str]]
"""(ranking, name of the hand) of what a player showed, as in `HandShown`."""


def scooper(awards: Iterable[PotAwarded], values: Callable[[Seat], Values]) -> Seat | None:
    """The seat that scoops by these awards, or None. `values` are those of the hand that a seat has shown.

    A pot whose halves go to the same player is one award of the whole, which names both his hands.
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
