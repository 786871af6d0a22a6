"""The stream of spectators who see every card: the table as it was, never a card of a running hand.

The theory. A spectator with open cards must not be able to help a player. So all that they are sent is late: each step
waits until its hand is over, and for as long as the table's rule says after that (`protocol.table_rules.OpenCards`).
Then it is told as it stands in the journal, with every card, and in the rhythm in which it was played. All spectators
of a table see the same, so there is one view of what they have been told, and one queue of what they have not.

A stream begins with the table as everybody sees it. Nothing is kept over a restart: what had not been told is never
told with its cards, and neither is a hand that was running when the stream began. So the clock of the process is
enough, which no change of the machine's time can hurry.
"""

from collections import deque
from collections.abc import Iterator
from dataclasses import dataclass
from math import inf

from protocol.commands import OpenTable
from protocol.events import HandEnded, HandStarted, HandVoided
from protocol.journal.records import StepRecord
from protocol.table_rules import OpenCards
from protocol.view import TableView
from protocol.visibility import project, uncovered
from protocol.wire.messages import Events

LONGEST_GAP = 3.0
"""Seconds between two steps at most, however long somebody thought."""
MOST_WAITING = 5000
"""Steps from which on they are told as soon as they may be, without their rhythm."""


@dataclass(frozen=True, slots=True)
class Waiting:
    """A step that is still to be told.

    Fields:
        decided: when (`trio.current_time`).
        hand: the one of the step, or the last one before it.
        open: whether it is told with every card.
    """

    step: StepRecord
    decided: float
    hand: int
    open: bool


class DelayedStream:
    """What the spectators of one table are still to be told.

    Args:
        view: the table now, as everybody sees it.

    Attributes:
        view: the table as they have been told of it.
        rule: how late they are.
    """

    def __init__(self, view: TableView, rule: OpenCards) -> None:
        self.view, self.rule = view, rule
        self._waiting: deque[Waiting] = deque()
        self._hand = view.hand
        self._over = view.hand - 1 if view.playing else view.hand
        self._open = False
        self._next = -inf  # when the next step may be told, for the rhythm

    def add(self, step: StepRecord, now: float) -> None:
        """A step was decided (`trio.current_time`); it need not be durable yet."""
        for event in step.events:
            if type(event) is HandStarted:
                self._hand, self._open = event.hand, True
        self._waiting.append(Waiting(step, now, self._hand, self._open))
        if any(type(event) is HandEnded or type(event) is HandVoided for event in step.events):
            self._over = self._hand

    def release(self, now: float, *, paced: bool) -> Iterator[Events | TableView]:
        """What is to be told now: the events of steps, and the whole view where the house rules have changed.

        To be called only when everything that was added is durable.

        Args:
            paced: in the rhythm of the table; False where nobody watches.
        """
        waiting = self._waiting
        while waiting and now >= self._free_at(waiting[0]):
            if paced and now < self._next and len(waiting) <= MOST_WAITING:
                return
            told = waiting.popleft()
            step = told.step
            events = tuple([uncovered(event) if told.open else project(event, None) for event in step.events])
            self.view.apply_all(events)
            self._next = now + min(waiting[0].decided - told.decided, LONGEST_GAP) if waiting else now
            yield self.view.copy() if type(step.command) is OpenTable else Events(step.seq, step.at, events)

    def _free_at(self, told: Waiting) -> float:
        """When a step may be told; infinity while a hand has to end first."""
        if self.rule.unit == "hands":
            return told.decided if told.hand + self.rule.delay - 1 <= self._over else inf
        return told.decided + self.rule.delay * 60 if told.hand <= self._over else inf

    def due(self, now: float) -> float:
        """When `release` has to be called; infinity if only another step can change that."""
        return max(now, self._next, self._free_at(self._waiting[0])) if self._waiting else inf
