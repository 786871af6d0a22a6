"""The one place where secrets are removed.

`project(event, viewer)` is what a viewer may know of an event. Every kind of event is named here, with
the fields that everybody may see; what is not named does not go out. No event is ever dropped, so that
numbers have no gaps for anybody.

A viewer is a seat number, or None for somebody who only watches.
"""

from collections.abc import Callable
from typing import TypeAlias, TypeVar, cast

import msgspec

from protocol import events as ev
from protocol.actions import Option
from protocol.cards import hidden
from protocol.events import AnyEvent, Seat

Viewer: TypeAlias = Seat | None
E = TypeVar("E", bound=AnyEvent)

PUBLIC: frozenset[type[AnyEvent]] = frozenset({
    ev.TableOpened, ev.PlayerLeft, ev.PlayerAway, ev.PlayerBack, ev.ConnectionChanged, ev.ChipsAdded,
    ev.ChipsOrdered, ev.Said, ev.GamePicked, ev.WentOn, ev.HandStarted, ev.AntesPosted, ev.CommunityDealt,
    ev.WildsNamed, ev.RoundOpened, ev.RoundSkipped, ev.Acted, ev.CardsTurned, ev.BroughtBack, ev.Declared,
    ev.BetReturned, ev.PotsGathered, ev.HandShown, ev.HandMucked, ev.PotAwarded, ev.HandEnded, ev.HandVoided,
})  # fmt: skip
"""Kinds in which every field is for everybody."""


def _player_seated(event: ev.PlayerSeated, viewer: Viewer) -> ev.PlayerSeated:
    return ev.PlayerSeated(event.seat, event.name, event.chips, event.bot)


def _cards_dealt(event: ev.CardsDealt, viewer: Viewer) -> ev.CardsDealt:
    return ev.CardsDealt(
        event.street,
        tuple([(seat, down if seat == viewer else hidden(down), up) for seat, down, up in event.cards]),
    )


def _hidden_option(option: Option) -> Option:
    return msgspec.structs.replace(option, cards=hidden(option.cards)) if option.cards else option


def _action_requested(event: ev.ActionRequested, viewer: Viewer) -> ev.ActionRequested:
    if event.decision == "bet" or event.seat == viewer:
        return event
    return ev.ActionRequested(
        event.seat,
        event.decision,
        tuple(map(_hidden_option, event.options)),
        event.call,
        event.seconds,
        event.note,
    )


def _choice_made(event: ev.ChoiceMade, viewer: Viewer) -> ev.ChoiceMade:
    if event.seat == viewer:
        return event
    return ev.ChoiceMade(event.seat, event.decision, None, event.cause)


def _cards_passed(event: ev.CardsPassed, viewer: Viewer) -> ev.CardsPassed:
    return ev.CardsPassed(
        tuple([(giver, taker, cards if taker == viewer else hidden(cards)) for giver, taker, cards in event.passes])
    )


def _cards_discarded(event: ev.CardsDiscarded, viewer: Viewer) -> ev.CardsDiscarded:
    return ev.CardsDiscarded(tuple([(seat, cards if seat == viewer else hidden(cards)) for seat, cards in event.cards]))


_PARTLY = {
    ev.PlayerSeated: _player_seated,
    ev.CardsDealt: _cards_dealt,
    ev.ActionRequested: _action_requested,
    ev.ChoiceMade: _choice_made,
    ev.CardsPassed: _cards_passed,
    ev.CardsDiscarded: _cards_discarded,
}

PARTLY_HIDDEN = cast("dict[type[AnyEvent], Callable[[AnyEvent, Viewer], AnyEvent]]", _PARTLY)
"""Kinds with fields that are not for everybody, and what remains of them for a viewer."""


def project(event: E, viewer: Viewer) -> E:
    """What `viewer` may know of the event; the event itself where nothing is hidden from him."""
    kind = cast("type[AnyEvent]", type(event))
    if kind in PUBLIC:
        return event
    return cast("E", PARTLY_HIDDEN[kind](event, viewer))


def same_for_all(event: AnyEvent) -> bool:
    """True if every viewer gets the event as it is, so that one encoding serves all."""
    return type(event) in PUBLIC or (type(event) is ev.ActionRequested and event.decision == "bet")


def owners(event: AnyEvent) -> tuple[Seat, ...]:
    """The seats that may see more of the event than a spectator."""
    match event:
        case ev.CardsDealt() | ev.CardsDiscarded():
            return tuple([row[0] for row in event.cards])
        case ev.ActionRequested() if event.decision != "bet":
            return (event.seat,)
        case ev.ChoiceMade():
            return (event.seat,)
        case ev.CardsPassed():
            return tuple([taker for _, taker, _ in event.passes])
        case _:
            return ()
