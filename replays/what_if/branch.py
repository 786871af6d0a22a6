"""The place from which a hand is played on: a step of a hand that is over, and the seat that the player takes."""

from dataclasses import dataclass
from typing import Literal, TypeAlias

from msgspec import UNSET
from msgspec.structs import replace

from protocol import commands as cmd
from protocol import events as ev
from protocol.cards import Card
from protocol.events import AnyEvent, Chips, Seat
from protocol.table_rules import GameOffer, TableRules
from protocol.view import TableView, hide
from replays.navigator import Navigator
from replays.what_if.dealing import dealt_cards
from replays.what_if.refused import Refused

Order: TypeAlias = Literal["lay", "fresh"]
"""The cards that are still to come: as they lay in the recording, or shuffled."""

NO_HAND = "There is no hand here to play on from."
NOT_OVER = "This hand is not over; one plays on only from hands that are over."
VOID = "This hand was declared void, so it is not played on."
OTHER_RULES = "This hand was recorded under other rules: it can be shown, but not played on."
DAMAGED = "Something is missing in the recording of this hand, so it cannot be played on."
NO_DECK = "The cards that were to come are not in this recording; play on with fresh ones."
DECIDED = "Nothing is left to decide in this hand; go back to an earlier step."
WHICH_SEAT = "Say which seat you take, for example: 2 fresh"


@dataclass(frozen=True, slots=True)
class Branch:
    """A step of a hand that is over.

    Fields:
        place: ``hand 12, step 40``.
        seat: the seat that the player takes; name: that of the player there.
        order: the cards that are still to come.
        started: the beginning of the hand; offer: the game as the table offered it.
        before: the table before the hand, without cards; rules: the house rules there.
        events: the events of the hand up to the step, as the recording has them.
        lay: the cards as they lay, as far as the recording knows them; used with the order ``lay`` only.
        net: what the seat won in the recorded hand, or lost; None where the end is to be a surprise.
        whole: whether the recording has all cards that were dealt up to the step.
    """

    place: str
    seat: Seat
    name: str
    order: Order
    started: ev.HandStarted
    offer: GameOffer
    before: TableView
    rules: TableRules
    events: tuple[AnyEvent, ...]
    lay: tuple[Card, ...]
    net: Chips | None
    whole: bool


def find_branch(navigator: Navigator, text: str = "") -> Branch:
    """The place where a navigator stands. Raises Refused.

    Args:
        text: ``2``, ``fresh``, ``2 fresh``, ``lay``: the seat, if it is not the one that sees the replay, and the order
            of the cards to come; without a word for it they come as they lay where the recording knows that.
    """
    playback, recording = navigator.playback, navigator.recording
    start = playback.hand_start()
    first = playback.moment(start, "all").event if start else None
    if not isinstance(first, ev.HandStarted) or playback.position > playback.hand_end():
        raise Refused(NO_HAND)
    if playback.is_running():
        raise Refused(NOT_OVER)
    if recording.other_rules:
        raise Refused(OTHER_RULES)
    hand = [moment.event for moment in playback.moments(start - 1, playback.hand_end(), "all")]
    ended = _end(hand)
    seat, order = _wanted(navigator, text)
    view = navigator.view
    if not view.playing:
        raise Refused(DECIDED)
    name = view.name(seat)
    if seat not in dict(first.stacks):
        raise Refused(f"{name} was not dealt into this hand.")
    if view.seat(seat).hand != "live":
        raise Refused(f"{name} has folded here; take another seat, or go back to an earlier step.")
    lay = _cards_as_they_lay(navigator, first, hand)
    if order == "lay" and not lay:
        raise Refused(NO_DECK)
    before = playback.restart(start - 1, "all") or playback.view("all", start - 1)
    if before.rules is None:
        raise Refused(DAMAGED)
    offer = next((offer for offer in before.rules.games if offer.id == first.game), None)
    if offer is None:
        raise Refused(DAMAGED)
    net = dict(ended.stacks)[seat] - dict(first.stacks)[seat]
    events = tuple(hand[: playback.position - start + 1])
    return Branch(
        f"hand {first.hand}, step {navigator.step}",
        seat,
        name,
        order or ("lay" if lay else "fresh"),
        first,
        replace(offer, stakes=first.stakes),
        _table_before(before, first),
        before.rules,
        events,
        lay,
        None if navigator.blind else net,
        None not in dealt_cards(events),
    )


def _end(hand: list[AnyEvent]) -> ev.HandEnded:
    for event in hand:
        if isinstance(event, ev.HandVoided):
            raise Refused(VOID)
        if isinstance(event, ev.HandEnded):
            return event
    raise Refused(DAMAGED)


def _wanted(navigator: Navigator, text: str) -> tuple[Seat, Order | None]:
    """(seat, order of the cards) of what was typed. Raises Refused."""
    seat: Seat | None = navigator.viewpoint if isinstance(navigator.viewpoint, int) else None
    order: Order | None = None
    for word in text.lower().split():
        if word.isascii() and word.isdecimal() and len(word) < 3:
            seat = int(word)
        elif word in ("f", "fresh"):
            order = "fresh"
        elif word in ("l", "lay"):
            order = "lay"
        else:
            raise Refused("Say the number of a seat, fresh or lay, for example: 2 fresh")
    if seat is None:
        raise Refused(WHICH_SEAT)
    if seat not in navigator.playback.names():
        raise Refused(f"Nobody sits in seat {seat}.")
    return seat, order


def _cards_as_they_lay(navigator: Navigator, started: ev.HandStarted, hand: list[AnyEvent]) -> tuple[Card, ...]:
    """The deck of the hand, or as much of it as was dealt; empty where cards are not known."""
    dealt = dealt_cards(hand)
    known = tuple([card for card in dealt if card is not None])
    if len(known) < len(dealt):
        return ()
    for step in navigator.recording.steps:
        if isinstance(step.command, cmd.StartHand) and step.command.id == started.id:
            return step.command.deck
    return known


def _table_before(view: TableView, started: ev.HandStarted) -> TableView:
    """The table with the stacks of the hand. Who was not dealt in sits out, and nobody is a host."""
    before = hide(view, None)
    before.playing, before.pots, before.hand = False, (), started.hand - 1
    stacks = dict(started.stacks)
    for seat in before.seats:
        seat.down = seat.up = seat.before = seat.shown = ()
        seat.bet = 0
        seat.pending = seat.choice = None
        seat.chips = stacks.get(seat.seat, seat.chips)
        seat.away = seat.seat not in stacks
        seat.online = False  # everybody comes again
    return replace(before, hosts=UNSET, pause=UNSET, next_break=UNSET)
