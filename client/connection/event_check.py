"""Whether an event is possible: its seats are at the table and its cards are in the deck.

A message may be well formed and still make no sense. The view, the story and the screens rely on these two things, so
the table's replica checks every event here before it applies it.
"""

from collections.abc import Iterator

from protocol import events as ev
from protocol.actions import Action
from protocol.cards import MaybeCard
from protocol.events import AnyEvent, Seat
from protocol.facts import HostChanged


def plausible(event: AnyEvent, seats: int) -> bool:
    """Whether all seats are 1 to `seats` (0 and None mean nobody) and all cards are 0 to 51."""
    if isinstance(event, ev.TableOpened):
        return bool(event.rules.games) and 0 < event.rules.seats < 100
    if isinstance(event, ev.WildsNamed):
        return all(0 <= rank <= 12 for rank in event.ranks)
    return all(1 <= seat <= seats for seat in _seats(event)) and all(
        one is None or 0 <= one <= 51 for one in _cards(event)
    )


def _seats(event: AnyEvent) -> Iterator[Seat]:
    match event:
        case ev.Said() | ev.GamePicked():
            if event.seat is not None:
                yield event.seat
            if isinstance(event, ev.Said) and isinstance(event.fact, HostChanged):
                yield event.fact.seat
        case ev.HandStarted():
            yield event.button
            yield from [seat for seat, _ in event.stacks]
        case ev.AntesPosted():
            yield from [seat for seat, _ in event.antes]
        case ev.CardsDealt():
            yield from [seat for seat, _, _ in event.cards]
        case ev.RoundOpened():
            yield event.opener
            yield event.first
        case ev.CardsTurned() | ev.CardsDiscarded():
            yield from [row[0] for row in event.cards]
        case ev.BroughtBack():
            yield from event.seats
        case ev.CardsPassed():
            yield from [seat for giver, taker, _ in event.passes for seat in (giver, taker)]
        case ev.Declared():
            yield from [seat for seat, _ in event.declarations]
            if event.odd_man:
                yield event.odd_man
        case ev.PotsGathered():
            yield from [seat for _, row in event.pots for seat in row]
        case ev.PotAwarded():
            yield from [seat for seat, _ in event.winners]
            yield from event.odd
        case ev.HandEnded() | ev.HandVoided():
            yield from [seat for seat, _ in event.stacks]
        case _:
            seat = getattr(event, "seat", None)
            if seat is not None:
                yield seat


def _cards(event: AnyEvent) -> Iterator[MaybeCard]:
    match event:
        case ev.CardsDealt():
            for _, down, up in event.cards:
                yield from down
                yield from up
        case ev.CommunityDealt():
            yield event.card
        case ev.ActionRequested():
            for option in event.options:
                yield from option.cards
        case ev.ChoiceMade():
            yield from _of(event.action)
        case ev.CardsTurned():
            yield from [card for _, card in event.cards]
        case ev.CardsPassed():
            for _, _, cards in event.passes:
                yield from cards
        case ev.CardsDiscarded():
            for _, cards in event.cards:
                yield from cards
        case ev.HandShown():
            yield from event.cards
        case _:
            return


def _of(action: Action | None) -> Iterator[MaybeCard]:
    if action is not None and action.cards is not None:
        yield from action.cards
