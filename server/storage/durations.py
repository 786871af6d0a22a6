"""How long something takes, counted by size: a histogram of plain numbers, cheap enough for every batch."""

from bisect import bisect_left

BOUNDS = (0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0)
"""Seconds: a duration counts at the first bound that it does not exceed, or behind the last one."""


class Durations:
    """The durations so far.

    Attributes:
        counts: how many there were for each of `BOUNDS`, and behind the last one.
        total: their sum in seconds.
    """

    def __init__(self) -> None:
        self.counts = [0] * (len(BOUNDS) + 1)
        self.total = 0.0

    def add(self, seconds: float) -> None:
        """One more."""
        self.counts[bisect_left(BOUNDS, seconds)] += 1
        self.total += seconds
