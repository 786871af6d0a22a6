"""The levels against each other and against simple players: duplicate deals, in three games, for two and for six.

With six players three of one mind play against three of the other. Chips are those of one player in one hand, at the
usual stakes (2/4; Barney's 1 to 5), without the luck of later cards (`client.bots.luck`), and as they were won.
"""

from collections.abc import Iterator
from itertools import product
from typing import NamedTuple

from client.bots.arena import Arena, Score
from client.bots.minds import mind_maker
from server.engine.games.catalogue import GAMES

PLAYED = ("stud8", "razz", "barneys")
SIZES = (2, 6)
PAIRS = (
    ("strong", "usual", 0.3),
    ("usual", "easy", 0.0),
    ("usual", "house", 0.0),
    ("strong", "caller", 0.0),
    ("strong", "rock", 0.0),
    ("strong", "raiser", 0.0),
)
"""Who is to win from whom, and how many chips a hand at least."""

LEAST_DEALS = 30
"""Deals from which on an interval says something."""


class Match(NamedTuple):
    """One row of the table: a mind, the one that it is to beat by `goal` chips a hand, the game, and how many play."""

    mind: str
    other: str
    goal: float
    game: str
    seats: int


class Result(NamedTuple):
    """How a match went."""

    match: Match
    mind: Score
    other: Score

    @property
    def missed(self) -> bool:
        """Whether the goal lies outside the interval, above what was measured; few deals have no interval."""
        score = self.mind.adjusted
        return len(self.mind.results) >= LEAST_DEALS and score.mean + score.error < self.match.goal

    def line(self) -> str:
        """``strong-usual    razz     3:3  +0.71 ± 0.12 (as won +0.64 ± 0.29) in 300 deals; 21.3 ms, ...``"""
        one, two, three, four, seats = self.match
        score, errors = self.mind.adjusted, self.mind.illegal + self.other.illegal + self.mind.slow + self.other.slow
        sides = "1:1" if seats == 2 else f"{seats // 2}:{seats // 2}"
        told = (
            f"{f'{one}-{two}':14}{four:9}{sides}  {score} (as won {self.mind.chips}) in {len(self.mind.results)} deals"
        )
        verdict = "  MISSED" if self.missed else "  open" if score.mean - score.error < three else ""
        return f"{told}; {_time(self.mind)}, {_time(self.other)}{verdict}{f', {errors} mistakes' if errors else ''}"


def _time(score: Score) -> str:
    return f"{1000 * score.seconds / max(score.decisions, 1):.1f} ms (longest {1000 * score.longest:.0f})"


def matches(
    pairs: tuple[tuple[str, str, float], ...] = PAIRS,
    games: tuple[str, ...] = PLAYED,
    sizes: tuple[int, ...] = SIZES,
) -> Iterator[Match]:
    """The rows of the table, in their order."""
    for (mind, other, goal), game, seats in product(pairs, games, sizes):
        yield Match(mind, other, goal, game, seats)


def played(match: Match, deals: int, seed: str) -> Result:
    """Plays a match. The same seed deals the same cards."""
    makers = [(name, mind_maker(name)) for name in (match.mind, match.other)]
    arena = Arena(makers, GAMES[match.game], match.seats, seed)
    arena.play(deals)
    return Result(match, *arena.scores)
