"""The decisions of one seat in a hand, each with what this seat could see when it was asked."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from protocol import events as ev
from protocol.actions import WAGERS, Action
from protocol.events import ActionRequested, AnyEvent, Seat
from protocol.stakes import Stakes
from protocol.view import TableView


@dataclass(frozen=True, slots=True)
class SeenHand:
    """A hand that is over, as one seat has seen it: the table before it, and its events from the first one on."""

    before: TableView
    events: Sequence[AnyEvent]
    seat: Seat


@dataclass(frozen=True, slots=True)
class Decision:
    """A request to a player, and their answer.

    Fields:
        number: which of the seat's decisions in the hand it is, from 1.
        step: the number of the request among the events of the hand, from 1 (``hand 12 step 40``).
        before: the table before the hand; events: those of the hand up to the request, both as the seat saw them.
        view: the table with the request open.
        action: what the player did.
    """

    number: int
    step: int
    before: TableView
    view: TableView
    request: ActionRequested
    events: tuple[AnyEvent, ...]
    action: Action

    @property
    def seat(self) -> Seat:
        """The seat that was asked."""
        return self.request.seat


def decisions(before: TableView, events: Sequence[AnyEvent], seat: Seat) -> list[Decision]:
    """What a player decided in a hand. What a clock decided, and what left no choice, is left out.

    Args:
        before: the table before the hand, as the seat saw it; it is not changed.
        events: those of the hand from `HandStarted` on, as the seat saw them.
    """
    return list(_decisions(before, events, seat))


def _decisions(before: TableView, events: Sequence[AnyEvent], seat: Seat) -> Iterable[Decision]:
    view, number = before.copy(), 0
    asked: tuple[int, TableView, ActionRequested] | None = None
    for step, event in enumerate(events, 1):
        view.apply(event)
        if isinstance(event, ActionRequested) and event.seat == seat:
            number += 1
            asked = (step, view.copy(), event)
        elif isinstance(event, ev.Acted | ev.ChoiceMade) and event.seat == seat and asked is not None:
            action = _action(event)
            if action is not None and event.cause == "player" and leaves_choice(asked[2]):
                step_asked, seen, request = asked
                yield Decision(number, step_asked, before, seen, request, tuple(events[:step_asked]), action)
            asked = None


def _action(event: ev.Acted | ev.ChoiceMade) -> Action | None:
    """The answer that the event tells of; None where it is hidden."""
    if isinstance(event, ev.ChoiceMade):
        return event.action
    return Action(event.action, to=event.to if event.action in WAGERS else None)


def leaves_choice(request: ActionRequested) -> bool:
    """Whether there is more than one way to answer, and the answer is about the hand."""
    if request.decision == "game":
        return False
    if len(request.options) > 1:
        return True
    option = request.options[0]
    if option.kind in WAGERS:
        return option.least < option.most
    if option.kind == "declare":
        return len(option.directions) > 1
    return option.kind == "discard" or (bool(option.cards) and (option.count < len(option.cards)))


def small_bet(stakes: Stakes | None) -> float:
    """The small bet in chips; in spread limit, which has none, the middle between the bounds of a bet."""
    if stakes is None:
        return 1.0
    return float(stakes.small) if stakes.limit == "fixed" else (stakes.least + stakes.most) / 2
