"""The cards that somebody may know, counted from the events by the rules of `rules.md` 9; the cards a text names."""

import re
from collections.abc import Iterable, Iterator, Sequence
from typing import Literal

from protocol import events as ev
from protocol.cards import Card, card
from protocol.events import AnyEvent, Seat

Viewpoint = Seat | None | Literal["all"]
"""A seat; None for a spectator; "all" for a host who looks back at every card."""
_NAMED = re.compile(r"\b[2-9TJQKA][cdhs]\b")


def known_cards(events: Iterable[AnyEvent], viewpoint: Viewpoint) -> Iterator[frozenset[Card]]:
    """After each event: the cards of the running hand that may be seen from this viewpoint.

    Written from the rules, not from `protocol.visibility`.
    """
    known: set[Card] = set()
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
        yield frozenset(known)


def known_after(events: Sequence[AnyEvent], viewpoint: Viewpoint) -> frozenset[Card]:
    """The cards of the running hand that may be known from this viewpoint after all of these events."""
    return [frozenset[Card](), *known_cards(events, viewpoint)][-1]


def cards_named(text: str) -> set[Card]:
    """The cards that a text names."""
    return {card(found) for found in _NAMED.findall(text)}
