"""Tables on which cards that a seat cannot see are other ones: what is told to that seat must not change."""

import random
from collections.abc import Callable, Iterable, Sequence

from msgspec.structs import replace

from protocol import events as ev
from protocol.cards import DECK, MaybeCard
from protocol.events import AnyEvent, Seat
from protocol.view import TableView
from protocol.visibility import project


def shuffled(view: TableView, dice: random.Random, seat: Seat = 1) -> TableView:
    """The all-seeing view with other cards wherever that seat cannot see them."""
    view = view.copy()
    seen = {card for one in view.seats for card in (*one.up, *one.before)} | set(view.community)
    seen |= {card for card in view.seat(seat).down if card is not None}
    hidden = [card for card in DECK if card not in seen]
    dice.shuffle(hidden)
    for one in view.seats:
        if one.seat == seat:
            continue
        brought = [card for card in one.down if card in one.before]
        others = [hidden.pop() for _ in range(len(one.down) - len(brought))]
        one.down = tuple(dice.sample([*brought, *others], len(one.down)))
    return view


def elsewhere(events: Sequence[AnyEvent], dice: random.Random, seat: Seat = 1) -> list[AnyEvent]:
    """The all-seeing events of a hand with other cards wherever that seat has not seen them.

    Cards that it has passed on stay where they went; it does not see them there any more, and may remember them.
    """
    seen = {card for event in events for card in _cards_in(project(event, seat)) if card is not None}
    hidden = [card for card in DECK if card not in seen]
    others = dict(zip(hidden, dice.sample(hidden, len(hidden)), strict=True))
    changed = [_with_others(event, lambda card: card if card is None else others.get(card, card)) for event in events]
    assert [project(event, seat) for event in changed] == [project(event, seat) for event in events]
    return changed


def _cards_in(event: AnyEvent) -> list[MaybeCard]:
    found: list[MaybeCard] = []

    def note(card: MaybeCard) -> MaybeCard:
        found.append(card)
        return card

    _with_others(event, note)
    match event:
        case ev.CardsDealt():
            found += [card for _, _, up in event.cards for card in up]
        case ev.CommunityDealt():
            found.append(event.card)
        case ev.CardsTurned():
            found += [card for _, card in event.cards]
        case ev.HandShown():
            found += event.cards
        case _:
            pass
    return found


def _with_others(event: AnyEvent, other: Callable[[MaybeCard], MaybeCard]) -> AnyEvent:
    """The event with other cards in the fields that are hidden from somebody."""

    def row(cards: Iterable[MaybeCard]) -> tuple[MaybeCard, ...]:
        return tuple(map(other, cards))

    match event:
        case ev.CardsDealt():
            return replace(event, cards=tuple([(seat, row(down), up) for seat, down, up in event.cards]))
        case ev.ActionRequested():
            return replace(event, options=tuple([replace(one, cards=row(one.cards)) for one in event.options]))
        case ev.ChoiceMade() if event.action is not None and event.action.cards is not None:
            return replace(event, action=replace(event.action, cards=row(event.action.cards)))
        case ev.CardsPassed():
            return replace(event, passes=tuple([(giver, taker, row(cards)) for giver, taker, cards in event.passes]))
        case ev.CardsDiscarded():
            return replace(event, cards=tuple([(seat, row(cards)) for seat, cards in event.cards]))
        case _:
            return event
