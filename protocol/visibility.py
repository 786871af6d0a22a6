"""The one place where secrets are removed.

`project(event, viewer)` is what a viewer may know of an event. Every kind of event stands here either among the
public ones or with the fields that everybody may see; a kind that stands nowhere does not go out. No event is ever
dropped, so that numbers have no gaps for anybody.

A viewer is a seat number, or None for a spectator.
"""

from collections.abc import Callable
from typing import Any, TypeAlias, TypeVar, cast, get_args

import msgspec

from protocol import events as ev
from protocol.actions import Option
from protocol.cards import hidden
from protocol.events import EVENTS, AnyEvent, Seat

Viewer: TypeAlias = Seat | None
E = TypeVar("E", bound=AnyEvent)

Public: TypeAlias = (
    ev.TableOpened | ev.PlayerLeft | ev.PlayerAway | ev.PlayerBack | ev.ConnectionChanged | ev.ChipsAdded
    | ev.ChipsOrdered | ev.Said | ev.GamePicked | ev.WentOn | ev.HandStarted | ev.AntesPosted | ev.CommunityDealt
    | ev.WildsNamed | ev.RoundOpened | ev.RoundSkipped | ev.Acted | ev.CardsTurned | ev.BroughtBack | ev.Declared
    | ev.BetReturned | ev.PotsGathered | ev.HandShown | ev.HandMucked | ev.PotAwarded | ev.HandEnded | ev.HandVoided
)  # fmt: skip
"""The kinds in which every field is for everybody."""

PUBLIC: frozenset[type[AnyEvent]] = frozenset(get_args(Public))
PARTLY_HIDDEN: frozenset[type[AnyEvent]] = frozenset(EVENTS.values()) - PUBLIC
"""Kinds with fields that are not for everybody; `_look_for` knows what remains of them for a viewer."""


def project(event: E, viewer: Viewer) -> E:
    """What `viewer` may know of the event; the event itself where nothing is hidden from them."""
    if type(event) in PUBLIC:
        return event
    look = _KNOWN.get(type(event)) or _learn(event)
    return cast("E", look(event, viewer))


def uncovered(event: E) -> E:
    """What a spectator may know of an event of a hand that is over, where the table shows them every card.

    Only the digests of seat tokens stay hidden.
    """
    return cast("E", _player_seated(event, None)) if isinstance(event, ev.PlayerSeated) else event


def _player_seated(event: ev.PlayerSeated, viewer: Viewer) -> ev.PlayerSeated:
    return ev.PlayerSeated(event.seat, event.name, event.chips, event.bot)


def _all_face_up(event: ev.CardsDealt) -> bool:
    return not any(down for _, down, _ in event.cards)


def _cards_dealt(event: ev.CardsDealt, viewer: Viewer) -> ev.CardsDealt:
    if _all_face_up(event):
        return event
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


def same_for_all(event: AnyEvent) -> bool:
    """True if every viewer gets the event as it is, so that one encoding serves all."""
    if type(event) in PUBLIC:
        return True
    if type(event) is ev.CardsDealt:
        return _all_face_up(event)
    return type(event) is ev.ActionRequested and event.decision == "bet"


def owners(event: AnyEvent) -> tuple[Seat, ...]:
    """The seats that may see more of the event than a spectator."""
    match event:
        case ev.CardsDealt():
            return tuple([seat for seat, down, _ in event.cards if down])
        case ev.CardsDiscarded():
            return tuple([seat for seat, _ in event.cards])
        case ev.ActionRequested() if event.decision != "bet":
            return (event.seat,)
        case ev.ChoiceMade():
            return (event.seat,)
        case ev.CardsPassed():
            return tuple([taker for _, taker, _ in event.passes])
        case _:
            return ()


# ------------------------------------------------------------- which kind hides what

_Look: TypeAlias = Callable[[Any, Viewer], AnyEvent]

_KNOWN: dict[type[object], _Look] = {}
"""What hides the secrets of every kind met so far, so that the match below is asked once for each kind."""


def _learn(event: AnyEvent) -> _Look:
    look = _KNOWN[type(event)] = _look_for(event)
    return look


def _look_for(event: AnyEvent) -> _Look:
    match event:
        case ev.PlayerSeated():
            return _typed(_player_seated, event)
        case ev.CardsDealt():
            return _typed(_cards_dealt, event)
        case ev.ActionRequested():
            return _typed(_action_requested, event)
        case ev.ChoiceMade():
            return _typed(_choice_made, event)
        case ev.CardsPassed():
            return _typed(_cards_passed, event)
        case ev.CardsDiscarded():
            return _typed(_cards_discarded, event)
        case _:
            public: Public = event  # the type checker refuses a kind that is neither above nor public
            raise TypeError(f"it is not said who may see {type(public).__name__}")


def _typed(look: Callable[[E, Viewer], E], event: E) -> _Look:
    """The function itself; the type checker has seen that it takes and gives this kind of event."""
    return look
