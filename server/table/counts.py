"""What has happened at the tables of a server since it started, in plain numbers that cost a hand nothing."""

from dataclasses import dataclass


@dataclass(slots=True)
class Counts:
    """The numbers of all tables together.

    Fields:
        hands: that were dealt.
        actions: of players, that were done.
        refused: attempts to sit down or to watch that were refused.
        disk_errors: batches that the disk did not take.
    """

    hands: int = 0
    actions: int = 0
    refused: int = 0
    disk_errors: int = 0
