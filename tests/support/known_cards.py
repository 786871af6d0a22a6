"""The cards that somebody may know, counted from the events by the rules of `rules.md` 9; the cards a text names."""

import re
from collections.abc import Iterable, Iterator
from typing import Literal

from protocol import events as ev
from protocol.cards import Card, card
from protocol.events import AnyEvent, Seat
from protocol.view import TableView
from protocol.wire.messages import Told, WireSentence

Viewpoint = Seat | None | Literal["all"]
"""A seat; None for a spectator; "all" for a host who looks back at every card."""
_NAMED = re.compile(r"\b[2-9TJQKA][cdhs]\b")


def known_cards(events: Iterable[AnyEvent], viewpoint: Viewpoint) -> list[frozenset[Card]]:
    """After so many events, from none to all: the cards of the running hand that may have been seen from there.

    Written from the rules, not from `protocol.visibility`.
    """
    known: set[Card] = set()
    after = [frozenset(known)]
    for event in events:
        match event:
            case ev.HandStarted():
                known = set()
            case ev.CardsDealt():
                for owner, down, up in event.cards:
                    known.update(up)
                    if viewpoint in (owner, "all"):
                        known.update(card for card in down if card is not None)
            case ev.CommunityDealt():
                known.add(event.card)
            case ev.CardsTurned():
                known.update(card for _, card in event.cards)
            case ev.HandShown():
                known.update(event.cards)
            case ev.CardsPassed():
                for _, taker, cards in event.passes:
                    if viewpoint in (taker, "all"):
                        known.update(card for card in cards if card is not None)
            case _:
                pass
        after.append(frozenset(known))
    return after


def cards_named(text: str) -> set[Card]:
    """The cards that a text names."""
    return {card(found) for found in _NAMED.findall(text)}


def cards_told(told: Told) -> Iterator[tuple[int, set[Card]]]:
    """The cards in the sentences of each event, with its number; those about the own hand belong to the last one."""
    for number, lines in enumerate(told.lines):
        for line in lines:
            yield number, _cards_in(line)
    yield len(told.lines) - 1, _cards_in(told.request)
    for text in (*told.offers, *(name for _, name in told.hands)):
        yield len(told.lines) - 1, cards_named(text)


def _cards_in(line: WireSentence) -> set[Card]:
    found = {span for span in line if isinstance(span, int)}
    return found.union(*[cards_named(span) for span in line if isinstance(span, str)])


def cards_seen(view: TableView) -> set[Card]:
    """The cards that are not face down in a view."""
    found = set(view.community)
    for seat in (*view.seats, *view.gone):
        chosen = seat.choice.action.cards if seat.choice is not None and seat.choice.action is not None else None
        options = seat.pending.request.options if seat.pending is not None else ()
        rows = (seat.down, seat.up, seat.before, seat.shown, chosen or (), *(option.cards for option in options))
        found.update(card for row in rows for card in row if card is not None)
    return found
