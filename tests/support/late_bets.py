"""What minds do with bets from seventh street to the last roll, in the games that declare: whether they fold when they
are beaten, and bluff so much that always folding is not right.

Everybody at the table has the same mind. One seat after the other may be somebody else who differs in one thing only,
with the same decks, so that the difference is what this one thing costs.
"""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from itertools import product
from math import sqrt
from typing import NamedTuple, TypeAlias

from client.bots.arena import Arena, Score
from client.bots.minds import Mind, MindMaker, history_of, mind_maker
from protocol import events as ev
from protocol.actions import Action, Kind
from protocol.cards import cards
from protocol.events import ActionRequested, AnyEvent
from protocol.view import TableView
from server.engine.games.catalogue import ANACONDA, BARNEYS, GAMES
from server.engine.ranking.strength import ace_to_six

PLAYED = (BARNEYS.id, ANACONDA.id)
Answer: TypeAlias = Callable[[Action, frozenset[str]], Kind]
"""From what a mind would do and the kinds of its options to what is done instead."""
LEVELS = ("house", "easy", "usual", "strong")
JUDGED = frozenset({"usual", "strong"})
"""The levels that must fold when they are beaten, and bluff."""
SEATS = 5
CROWD = 4
"""Players who are still in at the declaration."""
_WORST_NINE = ace_to_six(cards("9c8d7h6s4c"))


@dataclass
class Counts:
    """What all seats of a mind have done.

    Fields:
        bets: decisions that faced a bet from seventh street to the fourth roll; folds: how many of them were folds.
        weak: how often somebody declared low among four or more with a ten-low or worse; put, back: their chips in
            these hands, paid and won.
    """

    bets: int = 0
    folds: int = 0
    weak: int = 0
    put: int = 0
    back: int = 0


def is_late(view: TableView, request: ActionRequested) -> bool:
    """Whether a bet must be answered in a round between the last new card and the declaration."""
    seventh = view.game == BARNEYS.id and view.street == "seventh street"
    return request.decision == "bet" and request.call > 0 and (seventh or view.street.endswith(" roll"))


class Watched:
    """A mind whose decisions are counted."""

    def __init__(self, mind: Mind, counts: Counts) -> None:
        self._mind = mind
        self._history = history_of(mind)
        self._counts = counts
        self._seat = 0
        self._low: int | None = None
        self._put = 0

    def __call__(self, view: TableView, seat: int, request: ActionRequested) -> Action:
        """What the mind does."""
        action = self._mind(view, seat, request)
        if request.decision == "declare" and action.direction == "low":
            own = view.seat(seat)
            low = ace_to_six([card for card in (*own.up, *own.down) if card is not None])
            if low < _WORST_NINE and len(view.in_hand()) >= CROWD:
                self._seat, self._low, self._put = seat, low, own.total
        elif is_late(view, request):
            self._counts.bets += 1
            self._counts.folds += action.kind == "fold"
        return action

    def see(self, event: AnyEvent) -> None:
        """Tells the mind, and looks at what a weak low costs after the declaration, and what comes back."""
        if self._history is not None:
            self._history(event)
        if self._low is None:
            return
        match event:
            case ev.Acted() if event.seat == self._seat:
                self._put += event.amount
            case ev.BetReturned() if event.seat == self._seat:
                self._put -= event.amount
            case ev.PotAwarded():
                self._counts.back += dict(event.winners).get(self._seat, 0)
            case ev.HandEnded():
                self._counts.weak += 1
                self._counts.put += self._put
                self._low = None
            case _:
                pass


class Differently:
    """A mind that answers late bets in a way of its own, and does everything else as another one does."""

    def __init__(self, mind: Mind, answer: Answer) -> None:
        self._mind = mind
        self._answer = answer
        self._history = history_of(mind)

    def __call__(self, view: TableView, seat: int, request: ActionRequested) -> Action:
        """What the mind does, but for late bets."""
        action = self._mind(view, seat, request)
        if not is_late(view, request):
            return action
        kind = self._answer(action, frozenset([option.kind for option in request.options]))
        return action if kind == action.kind else Action(kind)

    def see(self, event: AnyEvent) -> None:
        """Tells the mind."""
        if self._history is not None:
            self._history(event)


def always_fold(action: Action, offered: frozenset[str]) -> Kind:
    """Folds to every late bet."""
    return "fold" if "fold" in offered else action.kind


def never_fold(action: Action, offered: frozenset[str]) -> Kind:
    """Calls where the mind would fold."""
    return "call" if action.kind == "fold" and "call" in offered else action.kind


ALWAYS_FOLDS = "always folds"
ANSWERS: Mapping[str, Answer] = {ALWAYS_FOLDS: always_fold, "never folds": never_fold}


class Row(NamedTuple):
    """A line of the table: the counts of a mind, and what each other answer to late bets wins or loses in a hand."""

    game: str
    mind: str
    counts: Counts
    hands: int
    others: dict[str, Score]

    @property
    def wrong(self) -> bool:
        """Whether a level never folds, or always folding against it is right for certain."""
        folder = self.others[ALWAYS_FOLDS].adjusted
        lost = self.counts.bets > 100 and not self.counts.folds
        return self.mind in JUDGED and (lost or folder.mean > folder.error)

    def line(self) -> str:
        """``barneys   house    bets 812: folded 0.0 ± 0.5 %; weak lows 71: 89 in, 42 back; always folds -3.1 ± 2.0``"""
        one = self.counts
        share = one.folds / max(one.bets, 1)
        error = 196 * sqrt(max(share * (1 - share), 0.25 / max(one.bets, 1)) / max(one.bets, 1))
        weak = f"{one.put / one.weak:.0f} in, {one.back / one.weak:.0f} back" if one.weak else "none"
        others = ", ".join(f"{name} {score.adjusted}" for name, score in self.others.items())
        return (
            f"{self.game:9} {self.mind:8} {one.bets} bets: folded {100 * share:.1f} ± {error:.1f} %; "
            f"{one.weak} weak lows: {weak}; {others} chips a hand"
        )


def rows() -> Iterator[tuple[str, str]]:
    """Game and mind of each row of the table."""
    return product(PLAYED, LEVELS)


def measured(game: str, mind: str, hands: int, seed: str, seats: int = SEATS) -> Row:
    """Plays a mind against itself, and then with one player who answers late bets differently, for the same decks."""
    counts = Counts()
    make = mind_maker(mind)
    arena = Arena([("watched", lambda: Watched(make(), counts))], GAMES[game], seats, seed)
    arena.play(hands)
    others = {
        name: _against(make, answer, game, seats, max(2, hands // seats), seed) for name, answer in ANSWERS.items()
    }
    return Row(game, mind, counts, hands, others)


def _against(make: MindMaker, answer: Answer, game: str, seats: int, decks: int, seed: str) -> Score:
    """One player who answers late bets differently, in every seat once for each deck, against the mind in all others.

    Against itself the mind wins nothing, so that what the player wins or loses is the price of the other answer.
    """
    makers: list[tuple[str, MindMaker]] = [("differently", lambda: Differently(make(), answer))]
    arena = Arena([*makers, *[("usual", make)] * (seats - 1)], GAMES[game], seats, seed)
    arena.play(decks)
    return arena.scores[0]
