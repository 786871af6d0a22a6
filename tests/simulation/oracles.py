"""What must hold in every simulated session, whatever fails.

* What a client was shown stands in the journal, in the same words less the secrets: nothing is taken back.
* Numbers have no gap for anybody.
* No card that a seat may not know is in an event that it was sent; no token and no digest in any byte.
* Each action that is done was sent by its player, and is done once; each request is answered once.
* Chips are conserved.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

from protocol import commands as cmd
from protocol import events as ev
from protocol.actions import Action
from protocol.cards import Card
from protocol.events import AnyEvent, Seat
from protocol.journal.records import StepRecord
from protocol.view import TableView, hide
from protocol.visibility import project
from tests.support.known_cards import known_cards


class Violation(AssertionError):
    """The server broke its word."""


@dataclass
class Seen:
    """What one client was shown in one session of the table.

    Fields:
        events: (seat at that time, number, event).
        views: (seat, snapshot or view at a quiet moment).
    """

    events: list[tuple[Seat, int, AnyEvent]] = field(default_factory=list)
    views: list[tuple[Seat, TableView]] = field(default_factory=list)


class Sent(NamedTuple):
    """An action that a client has sent: `digest` names its seat token."""

    digest: bytes
    id: int
    answers: int
    action: Action


def check_journal(steps: Sequence[StepRecord], seen: Sequence[Seen], sent: Sequence[Sent]) -> None:
    """Raises Violation if what is in a journal is not what the clients were shown and asked for."""
    events = [event for step in steps for event in step.events]
    _check_numbers(steps)
    _check_chips(steps)
    check_events(events, seen)
    _check_views(events, seen)
    _check_actions(steps, sent)


def _check_numbers(steps: Sequence[StepRecord]) -> None:
    expected = 1
    for step in steps:
        if step.seq != expected:
            raise Violation(f"step {step.seq} follows event {expected - 1}")
        expected += len(step.events)


def check_events(events: Sequence[AnyEvent], seen: Sequence[Seen]) -> None:
    """Everything shown stands there, projected; and holds no card that the viewer may not know."""
    knowledge: dict[Seat, list[frozenset[Card]]] = {}
    for client in seen:
        for seat, number, event in client.events:
            if number > len(events):
                raise Violation(f"event {number} was shown and is not in the journal: {event}")
            if event != project(events[number - 1], seat or None):
                raise Violation(f"seat {seat} was shown {event} as number {number}; it is {events[number - 1]}")
            if seat not in knowledge:
                knowledge[seat] = known_cards(events, seat or None)
            if surplus := set(cards_in(event)) - knowledge[seat][number]:
                raise Violation(f"seat {seat} was shown cards {surplus} in event {number}: {event}")


def _check_views(events: Sequence[AnyEvent], seen: Sequence[Seen]) -> None:
    wanted: dict[int, list[tuple[Seat, TableView]]] = {}
    for client in seen:
        for seat, view in client.views:
            wanted.setdefault(view.seq, []).append((seat, view))
    folded = TableView()
    for event in events:
        folded.apply(event)
        for seat, view in wanted.pop(folded.seq, []):
            if hide(folded, seat or None) != view:
                raise Violation(f"seat {seat} has another view after event {folded.seq}")
    if wanted:
        raise Violation(f"views were shown behind the end of the journal: {sorted(wanted)}")


def _check_actions(steps: Sequence[StepRecord], sent: Sequence[Sent]) -> None:
    wanted = frozenset(sent)
    tokens: dict[Seat, bytes] = {}
    last: dict[Seat, int] = {}
    answered: set[int] = set()
    for step in steps:
        match step.command:
            case cmd.Act(seat, answers, action, number):
                if answers in answered:
                    raise Violation(f"request {answers} was answered twice")
                answered.add(answers)
                if number <= last.get(seat, 0):
                    raise Violation(f"action {number} of seat {seat} was done twice")
                last[seat] = number
                if Sent(tokens[seat], number, answers, action) not in wanted:
                    raise Violation(f"action {number} of seat {seat} was never sent like that: {action}")
            case cmd.TimeUp(_, answers):
                if answers in answered:
                    raise Violation(f"request {answers} was answered and timed out")
                answered.add(answers)
            case _:
                pass
        for event in step.events:
            if isinstance(event, ev.PlayerSeated):
                tokens[event.seat] = event.token or b""
                last.pop(event.seat, None)


def _check_chips(steps: Sequence[StepRecord]) -> None:
    table = TableView()
    bought = 0
    for step in steps:
        table.apply_all(step.events)
        bought += sum(_bought(event) for event in step.events)
        if table.chips() != bought:
            raise Violation(f"{table.chips()} chips after event {table.seq}, {bought} were bought")


def _bought(event: AnyEvent) -> int:
    match event:
        case ev.PlayerSeated():
            return event.chips
        case ev.ChipsAdded():
            return event.amount
        case ev.PlayerLeft():
            return -event.chips
        case _:
            return 0


def cards_in(event: AnyEvent) -> Iterator[Card]:
    """Every card that stands open in an event."""
    match event:
        case ev.CardsDealt():
            for _, down, up in event.cards:
                yield from [card for card in (*down, *up) if card is not None]
        case ev.CommunityDealt():
            yield event.card
        case ev.CardsTurned():
            yield from [card for _, card in event.cards]
        case ev.CardsPassed():
            for _, _, cards in event.passes:
                yield from [card for card in cards if card is not None]
        case ev.CardsDiscarded():
            for _, cards in event.cards:
                yield from [card for card in cards if card is not None]
        case ev.HandShown():
            yield from event.cards
        case ev.ActionRequested():
            for option in event.options:
                yield from [card for card in option.cards if card is not None]
        case ev.ChoiceMade() if event.action is not None:
            yield from event.action.cards or ()
        case _:
            pass
