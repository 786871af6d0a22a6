"""What recorded hands say about the players, in counts."""

import time
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from math import sqrt
from typing import Literal, TypeAlias

from protocol.events import Chips, Seat
from replays.hand_summaries import HandSummary
from replays.library import ListedHand

Grouping: TypeAlias = Literal["player", "game", "evening"]

DAY_BEGINS = 6
"""The hour at which a new evening begins: a hand after midnight belongs to the evening before."""
SMALL_RANKS = 8 / 13
"""Of thirteen ranks eight are small: the ace and two to eight."""
TWICE = 1.96
"""Standard deviations within which 19 of 20 shuffles stay."""


@dataclass(slots=True)
class Tally:
    """What a player did in some hands. All fields are counts, chips or sums of them.

    Fields:
        hands: that were not void; net: chips won less chips lost.
        best: the largest sum won in a hand.
        won: hands in which something was won; scoops: the whole pot of a game with two halves; quartered: only a share
            of one half.
        fourth: hands in which they saw the second street.
        brought_in, completed: as the opener.
        wagers, calls: bets, completions and raises; calls.
        showdowns, shown_down: how often they stayed to the end, and won something there.
        declared: declarations; right: those that won something.
        cards, small: cards dealt to them that are known, and how many of them were an eight or lower.
    """

    hands: int = 0
    net: Chips = 0
    best: Chips = 0
    won: int = 0
    scoops: int = 0
    quartered: int = 0
    fourth: int = 0
    brought_in: int = 0
    completed: int = 0
    wagers: int = 0
    calls: int = 0
    showdowns: int = 0
    shown_down: int = 0
    declared: int = 0
    right: int = 0
    cards: int = 0
    small: int = 0

    def add(self, hand: HandSummary, seat: Seat) -> None:
        """One more hand, which is over."""
        player, won = hand.players[seat], hand.won.get(seat, 0)
        self.hands += 1
        self.net += hand.net.get(seat, 0)
        self.best = max(self.best, won)
        self.won += won > 0
        self.scoops += hand.scooped == seat
        self.quartered += player.quartered
        self.fourth += player.fourth
        self.brought_in += player.brought_in
        self.completed += player.completed
        self.wagers += player.wagers
        self.calls += player.calls
        self.showdowns += player.showdown
        self.shown_down += player.showdown and won > 0
        self.declared += seat in hand.declared
        self.right += seat in hand.declared and won > 0
        self.cards += player.cards
        self.small += player.small

    @property
    def aggression(self) -> float | None:
        """Bets and raises for each call; None without a call."""
        return self.wagers / self.calls if self.calls else None

    @property
    def small_expected(self) -> tuple[float, float]:
        """The small cards that so many dealt cards hold on average, and the distance that 19 of 20 times is not passed.

        Cards come without replacement, which makes the true distance a little smaller.
        """
        return self.cards * SMALL_RANKS, TWICE * sqrt(self.cards * SMALL_RANKS * (1 - SMALL_RANKS))


def evening_of(started: int) -> str:
    """The evening of a hand that started at these UTC milliseconds, as the date on which it began: ``2026-12-31``."""
    return time.strftime("%Y-%m-%d", time.localtime(started // 1000 - DAY_BEGINS * 3600))


def tallies(rows: Iterable[ListedHand], by: Grouping = "player", player: str = "") -> dict[str, Tally]:
    """A tally for each player, or for each game or evening of one player, by its name in the order of coming.

    Void hands and those that are not over do not count. The same name is the same player, in upper or lower case.
    """
    found: dict[str, Tally] = {}
    names: dict[str, str] = {}
    key_of: Mapping[Grouping, Callable[[HandSummary, str], str]] = {
        "player": lambda hand, name: names.setdefault(name.casefold(), name),
        "game": lambda hand, name: hand.title,
        "evening": lambda hand, name: evening_of(hand.started),
    }
    wanted = player.casefold()
    for row in rows:
        hand = row.hand
        if hand.ended is None or hand.voided:
            continue
        for seat, name in hand.names.items():
            if not wanted or name.casefold() == wanted:
                found.setdefault(key_of[by](hand, name), Tally()).add(hand, seat)
    return found
