"""The cards that somebody may know, counted from the events by the rules of `rules.md` 9; the cards a text names."""

import re
from collections.abc import Iterable
from typing import Literal

from protocol import events as ev
from protocol.cards import Card, card
from protocol.events import AnyEvent, Seat

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
