"""The arena: minds against each other with duplicate deals.

The theory. Luck is much larger than skill: one hand of stud swings by some ten chips, and a good player wins a fraction
of one in each. So every deck is played several times, with the minds moved on by one seat each time, until every mind
has had every seat. What the cards were worth then cancels out, and what remains is what the minds made of them. As soon
as the minds act differently, later cards go to other seats; what these deals were worth is counted and taken away
(`client.bots.luck`). The error is that of the mean over decks, because hands with the same deck depend on each other.
"""

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from itertools import combinations
from math import log10, sqrt
from typing import NamedTuple

from client.bots.luck import Luck
from client.bots.minds import Mind, MindMaker, history_of
from protocol import commands as cmd
from protocol.actions import Action, refusal
from protocol.cards import Card
from protocol.events import AnyEvent, Seat
from protocol.table_rules import GameOffer, TableRules
from protocol.view import TableView
from protocol.visibility import project
from server.engine.games.game import Game
from server.engine.table_state import TableState
from server.table.shuffler import Shuffler

CHIPS = 1000
"""Chips of everybody at the start of each hand: nobody is all in by chance of earlier hands."""
SLOW = 1.0
"""Seconds of processor time for a decision; a mind that takes longer has lost the decision: the table makes it."""
WAITING = 30.0
"""Seconds on the wall, for a mind that waits for something else. So a busy machine changes no result."""
EVEN = 400
"""Elo points for a factor of ten in the odds."""


@dataclass
class Score:
    """How one mind has done.

    Fields:
        name: of the mind.
        results: for every deck its chips in a hand, averaged over its seats and the repetitions.
        luck: the part of each result that the cards dealt in the course of the hand were worth (`client.bots.luck`).
        hands: how many hands it has played, in all its seats.
        illegal: decisions that no option allowed, and exceptions; slow: decisions that took too long.
        seconds: processor time of all its decisions; longest: of one of them; decisions: their number.
    """

    name: str
    results: list[float] = field(default_factory=list)
    luck: list[float] = field(default_factory=list)
    hands: int = 0
    illegal: int = 0
    slow: int = 0
    seconds: float = 0.0
    longest: float = 0.0
    decisions: int = 0

    @property
    def chips(self) -> "Average":
        """Chips a hand."""
        return Average.of(self.results)

    @property
    def adjusted(self) -> "Average":
        """Chips a hand without the luck: the same in the long run, and sooner precise."""
        return Average.of([won - lucky for won, lucky in zip(self.results, self.luck, strict=True)])


class Average(NamedTuple):
    """The average of some numbers, and half of its 95 % interval."""

    mean: float
    error: float

    @classmethod
    def of(cls, numbers: Sequence[float]) -> "Average":
        """Of these numbers; the error of fewer than two is 0."""
        count = len(numbers)
        if count < 2:
            return cls(sum(numbers), 0.0)
        mean = sum(numbers) / count
        return cls(mean, 1.96 * sqrt(sum((one - mean) ** 2 for one in numbers) / (count - 1) / count))

    def __str__(self) -> str:
        return f"{self.mean:+.2f} ± {self.error:.2f}"


class Arena:
    """Plays minds against each other. A mind keeps its seat for all decks of a rotation, and so may learn.

    Args:
        makers: name and maker of each mind; two or more.
        game: what is played, for its usual stakes.
        seats: players of a hand; the minds take them in turn.
        seed: the decks follow from it.
    """

    def __init__(self, makers: Sequence[tuple[str, MindMaker]], game: Game, seats: int, seed: str) -> None:
        self.scores = [Score(name) for name, _ in makers]
        self._seats = seats
        self._turns = [_Turn(makers, seats, moved) for moved in range(len(makers))]
        self._shuffler = Shuffler(seed)
        self._luck = Luck(game)
        offer = GameOffer(game.id, game.title, game.stakes, game.most_players)
        self._rules = TableRules(name="Arena", seats=seats, games=(offer,), buy_in_most=CHIPS, buy_in=CHIPS)

    def play(self, decks: int, told: Callable[[int], None] = lambda done: None) -> None:
        """Plays so many decks, each as often as there are minds. `told`: called after each deck."""
        for number in range(1, decks + 1):
            deck = self._shuffler.deck()
            rows: list[list[tuple[int, float]]] = [[] for _ in self.scores]
            for turn in self._turns:
                for mind, won in zip(turn.at, self._hand(deck, turn, number), strict=True):
                    rows[mind].append(won)
            for score, row in zip(self.scores, rows, strict=True):
                score.results.append(sum(chips for chips, _ in row) / len(row))
                score.luck.append(sum(lucky for _, lucky in row) / len(row))
                score.hands += len(row)
            told(number)

    def _hand(self, deck: tuple[Card, ...], turn: "_Turn", number: int) -> list[tuple[int, float]]:
        """Plays one hand: for each seat the chips that it has won or lost, and what luck was worth to it."""
        table = _Table(self._rules, self._seats, self._luck)
        self._tell(turn, table, cmd.StartHand(deck, f"arena-{number}"))
        while table.state.pending:
            seat, answers = next(iter(table.state.pending.items()))
            action = self._decide(self.scores[turn.at[seat - 1]], turn.minds[seat - 1], table.views[seat - 1], seat)
            if action is None:
                self._tell(turn, table, cmd.TimeUp(seat, answers))
            else:
                self._tell(turn, table, cmd.Act(seat, answers, action, table.state.last_ids.get(seat, 0) + 1))
        won = [player.chips - CHIPS for player in table.state.view.players()]
        return list(zip(won, table.luck, strict=True))

    def _tell(self, turn: "_Turn", table: "_Table", command: cmd.AnyCommand) -> None:
        """Does a command; the minds that want to know hear what their seats see of it."""
        for seat, events in enumerate(table.do(command)):
            see = turn.histories[seat]
            if see is None:
                continue
            score, begun = self.scores[turn.at[seat]], time.thread_time()
            try:
                for event in events:
                    see(event)
            except Exception:  # the mistake of a mind is its own
                score.illegal += 1
            score.seconds += time.thread_time() - begun

    def _decide(self, score: Score, mind: Mind, view: TableView, seat: Seat) -> Action | None:
        """What the mind does; None if it is not allowed, or came too late."""
        pending = view.seat(seat).pending
        assert pending is not None
        begun, processor = time.perf_counter(), time.thread_time()
        try:
            action = mind(view.copy(), seat, pending.request)
            allowed = not refusal(pending.request.options, action)
        except Exception:  # the mistake of a mind is its own
            action, allowed = None, False
        taken, worked = time.perf_counter() - begun, time.thread_time() - processor
        score.seconds += worked
        score.longest = max(score.longest, worked)
        score.decisions += 1
        if worked > SLOW or taken > WAITING:
            score.slow += 1
            return None
        if not allowed:
            score.illegal += 1
            return None
        return action


class _Turn:
    """The minds in their seats, moved on by so many; `at`: the number of the mind of each seat."""

    def __init__(self, makers: Sequence[tuple[str, MindMaker]], seats: int, moved: int) -> None:
        self.at = [(seat + moved) % len(makers) for seat in range(seats)]
        self.minds = [makers[mind][1]() for mind in self.at]
        self.histories = [history_of(mind) for mind in self.minds]


class _Table:
    """A table for one hand, what each seat sees of it, and the `luck` that each seat has had."""

    def __init__(self, rules: TableRules, seats: int, deals: Luck) -> None:
        self.state = TableState()
        self.luck = [0.0] * seats
        self._deals = deals
        self.views = [TableView() for _ in range(seats)]
        self.do(cmd.OpenTable("arena", rules))
        for seat in range(1, seats + 1):
            self.do(cmd.SitDown(f"Seat {seat}", CHIPS, bytes([seat]) * 32, seat, bot=True))

    def do(self, command: cmd.AnyCommand) -> list[list[AnyEvent]]:
        """Does it; the events as each seat sees them."""
        events = self.state.apply(command)
        for seat, chips in self._deals.of(events, self.state.view).items():
            self.luck[seat - 1] += chips
        seen = [[project(event, seat) for event in events] for seat in range(1, len(self.views) + 1)]
        for view, told in zip(self.views, seen, strict=True):
            view.apply_all(told)
        return seen


def odds(one: Score, other: Score) -> float:
    """The share of decks in which the first mind won more than the other one; half of those that were even."""
    pairs = list(zip(one.results, other.results, strict=True))
    better = sum((mine > theirs) + 0.5 * (mine == theirs) for mine, theirs in pairs)
    return (better + 0.5) / (len(pairs) + 1)


def ratings(scores: Sequence[Score]) -> list[int]:
    """Points like Elo's, with an average of 0: each mind's average over all others of what the odds are worth."""
    points = [0.0] * len(scores)
    for (at, one), (place, other) in combinations(enumerate(scores), 2):
        share = odds(one, other)
        worth = EVEN * log10(share / (1 - share))
        points[at] += worth / (len(scores) - 1)
        points[place] -= worth / (len(scores) - 1)
    return [round(point) for point in points]
