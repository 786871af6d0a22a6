"""A table's story in sentences, for people who read lines: line mode, log pane, replay, export.

`tell` puts one event into words. Lines are only ever added, never taken back or redrawn, each stands for itself,
and together they say on every street who shows what, what is in the pot and what was done. Nothing is told that
the event does not hold, so a projected event gives a projected story.
"""

from collections.abc import Callable
from typing import assert_never

from protocol import events as ev
from protocol.cards import card_text, cards_text
from protocol.events import AnyEvent, Cause
from protocol.narration import phrases as words
from protocol.narration.scoop import scooper
from protocol.sanitize import clean
from protocol.view import SeatView, TableView
from protocol.visibility import Viewer

CHAT_LIMIT = 300
"""Longest chat text in a line."""


def tell(event: AnyEvent, view: TableView, viewer: Viewer = None) -> list[str]:
    """What the event means, in no, one or several lines.

    `view` stands directly *behind* the event (`TableView.apply` was just called with it). `viewer` is the seat that
    reads, so that its own cards can be called so; None for a spectator. A hand's story begins with ``Hand N``.
    """
    match event:
        case (
            ev.TableOpened() | ev.PlayerSeated() | ev.PlayerLeft() | ev.PlayerAway() | ev.PlayerBack()
            | ev.ConnectionChanged() | ev.ChipsAdded() | ev.ChipsOrdered() | ev.Said() | ev.GamePicked() | ev.WentOn()
        ):  # fmt: skip
            return _at_the_table(event, view)
        case ev.HandStarted() | ev.AntesPosted() | ev.RoundOpened() | ev.RoundSkipped() | ev.PotsGathered():
            return _course(event, view)
        case ev.ActionRequested():
            return []
        case ev.Acted():
            return [_acted(event, view)]
        case (
            ev.CardsDealt() | ev.CommunityDealt() | ev.WildsNamed() | ev.ChoiceMade() | ev.CardsTurned()
            | ev.BroughtBack() | ev.CardsPassed() | ev.CardsDiscarded() | ev.Declared()
        ):  # fmt: skip
            return _cards(event, view, viewer)
        case ev.BetReturned():
            reason = words.because(event.why, view) or " (nobody could call it)"
            return [f"{event.amount} go back to {words.name(view, event.seat)}{reason}."]
        case ev.HandShown() | ev.HandMucked() | ev.PotAwarded() | ev.HandEnded() | ev.HandVoided():
            return _end(event, view)
        case _:
            assert_never(event)


# --------------------------------------------------------------------- the table


def _at_the_table(
    event: ev.TableOpened | ev.PlayerSeated | ev.PlayerLeft | ev.PlayerAway | ev.PlayerBack
    | ev.ConnectionChanged | ev.ChipsAdded | ev.ChipsOrdered | ev.Said | ev.GamePicked | ev.WentOn,
    view: TableView,
) -> list[str]:  # fmt: skip
    match event:
        case ev.TableOpened():
            rules = event.rules
            lines = [f"Table {clean(rules.name, 40)}: {rules.seats} seats, the usual buy-in is {rules.buy_in}."]
            # Brought-in hands have an offer each; nobody wants to hear the same line hundreds of times.
            played = dict.fromkeys(f"Played here: {offer.title}, {offer.stakes.words()}." for offer in rules.games)
            return [*lines, *played]
        case ev.PlayerSeated():
            bot = " (bot)" if event.bot else ""
            return [f"{words.name(view, event.seat)}{bot} takes seat {event.seat} with {event.chips}."]
        case ev.PlayerLeft():
            who = clean(event.name, words.NAME_LIMIT)
            return [f"{who} leaves with {event.chips}{words.because(event.why, view)}."]
        case ev.PlayerAway():
            return [f"{words.name(view, event.seat)} sits out{words.because(event.why, view)}."]
        case ev.PlayerBack():
            return [f"{words.name(view, event.seat)} is back."]
        case ev.ConnectionChanged():
            return [f"{words.name(view, event.seat)} is {'connected again' if event.online else 'disconnected'}."]
        case ev.ChipsOrdered():
            return [f"{words.name(view, event.seat)} buys {event.amount} more for after this hand."]
        case ev.ChipsAdded():
            verb = "buys" if event.amount >= 0 and not event.why else "gets" if event.amount >= 0 else "gives back"
            reason = words.because(event.why, view)
            return [f"{words.name(view, event.seat)} {verb} {abs(event.amount)} and has {event.chips}{reason}."]
        case ev.Said():
            who = clean(event.name, words.NAME_LIMIT) or "The house"
            return [f"{who}{'' if event.seat or not event.name else ' (watching)'}: {clean(event.text, CHAT_LIMIT)}"]
        case ev.GamePicked():
            return [f"{words.name(view, event.seat)} deals {event.title}." if event.seat else f"Next: {event.title}."]
        case ev.WentOn():
            return []


# -------------------------------------------------------------- the hand's course


def _course(
    event: ev.HandStarted | ev.AntesPosted | ev.RoundOpened | ev.RoundSkipped | ev.PotsGathered, view: TableView
) -> list[str]:
    match event:
        case ev.HandStarted():
            stacks = ", ".join([f"{words.name(view, seat)} {chips}" for seat, chips in event.stacks])
            return [
                f"Hand {event.hand}: {event.title}, {event.stakes.words()}. {words.name(view, event.button)} deals.",
                f"Stacks: {stacks}.",
            ]
        case ev.AntesPosted():
            if not event.antes:
                return []
            amounts = {amount for _, amount in event.antes}
            if len(amounts) == 1:
                return [f"Everybody antes {amounts.pop()}; the pot is {view.pot()}."]
            antes = ", ".join([f"{words.name(view, seat)} {amount}" for seat, amount in event.antes])
            return [f"Antes: {antes}; the pot is {view.pot()}."]
        case ev.RoundOpened():
            why = words.told(event.why, view)
            first = "" if why.endswith(" acts first.") else f"{words.name(view, event.first)} acts first."
            return [street_line(view), f"{why} {first}".strip()]
        case ev.RoundSkipped():
            return [street_line(view), f"No betting: {words.fill(event.why, view).rstrip('.')}."]
        case ev.PotsGathered():
            if len(event.pots) < 2:
                return []
            pots = [
                f"{words.pot(number, len(event.pots))} {amount} ({words.names(view, seats)})"
                for number, (amount, seats) in enumerate(event.pots)
            ]
            return [words.sentence(", ".join(pots))]


def street_line(view: TableView) -> str:
    """``Fourth street, pot 12: Ann [?? ??] Kd 9h - Bob [?? ??] 4c 4s (all in)``, the seats still in the hand."""
    boards = " - ".join([_board(seat, view) for seat in view.in_hand()])
    common = f" - common card {cards_text(view.community)}" if view.community else ""
    street = view.street[:1].upper() + view.street[1:] or "Now"
    return f"{street}, pot {view.pot()}: {boards}{common}"


def _board(seat: SeatView, view: TableView) -> str:
    declared = f" {seat.declared}" if seat.declared else ""
    return f"{words.name(view, seat.seat)}{declared} {words.hand(seat)}{' (all in)' if seat.all_in else ''}"


_DEEDS: dict[str, Callable[[ev.Acted], str]] = {
    "fold": lambda acted: "folds",
    "check": lambda acted: "checks",
    "call": lambda acted: f"calls {acted.amount}",
    "bring_in": lambda acted: f"brings in {acted.amount}",
    "bet": lambda acted: f"bets {acted.to}",
    "complete": lambda acted: f"completes to {acted.to}",
    "raise": lambda acted: f"raises to {acted.to}",
    "buy": lambda acted: f"pays {acted.amount} for a card",
    "decline": lambda acted: "does not pay",
}
_CAUSES: dict[Cause, str] = {"player": "", "timeout": " (time)", "left": " (left)"}


def _acted(event: ev.Acted, view: TableView) -> str:
    deed = _DEEDS.get(event.action)
    done = deed(event) if deed is not None else event.action
    all_in = " and is all in" if event.all_in and event.amount else ""
    return f"{words.name(view, event.seat)} {done}{all_in}{_CAUSES[event.cause]}."


# ---------------------------------------------------------------------- the cards


def _cards(
    event: ev.CardsDealt | ev.CommunityDealt | ev.WildsNamed | ev.ChoiceMade | ev.CardsTurned | ev.BroughtBack
    | ev.CardsPassed | ev.CardsDiscarded | ev.Declared,
    view: TableView,
    viewer: Viewer,
) -> list[str]:  # fmt: skip
    match event:
        case ev.CardsDealt():
            return _dealt(event, viewer)
        case ev.CommunityDealt():
            reason = words.because(event.why, view)
            return [f"One card for everybody in the middle: {card_text(event.card)}{reason}."]
        case ev.WildsNamed():
            wild = f"{words.ranks(event.ranks)} are wild" if event.ranks else "nothing is wild"
            return [words.sentence(wild + words.because(event.why, view))]
        case ev.ChoiceMade():
            return _chosen(event, view, viewer)
        case ev.CardsTurned():
            turned = [f"{words.name(view, seat)} {card_text(card)}" for seat, card in event.cards]
            if len(event.cards) == 1:
                ((seat, card),) = event.cards
                verb = {"choose": "turns up", "roll": "rolls", "buy": "buys"}[event.how]
                return [f"{words.name(view, seat)} {verb} {card_text(card)}."]
            return [f"{'Rolled' if event.how == 'roll' else 'Turned up'}: {', '.join(turned)}."] if turned else []
        case ev.BroughtBack():
            kept = words.count(event.keep, "card")
            if not any(view.seat(seat).before for seat in event.seats):
                return [f"Everybody keeps {kept} and sets the order in which they are rolled."]
            return [f"Bring 'em back: up cards return to the hands; everybody keeps {kept} and sets the order."]
        case ev.CardsPassed():
            return [_passed(view, *passed) for passed in event.passes]
        case ev.CardsDiscarded():
            away = [f"{words.name(view, seat)} {_known(cards)}" for seat, cards in event.cards]
            return [f"Discarded: {', '.join(away)}."] if away else []
        case ev.Declared():
            said = ", ".join([f"{words.name(view, seat)} {direction}" for seat, direction in event.declarations])
            odd = f"{words.name(view, event.odd_man)} is the odd man." if event.odd_man else ""
            why = words.told(event.why, view) or odd
            return [f"Declared: {said}. {why}".rstrip()]


def _dealt(event: ev.CardsDealt, viewer: Viewer) -> list[str]:
    lines: list[str] = []
    own = next((row for row in event.cards if row[0] == viewer), None)
    if own is not None:
        _, down, up = own
        parts = [f"{cards_text(down)} down"] if down else []
        parts += [f"{cards_text(up)} up"] if up else []
        lines.append(f"{words.sentence(event.street)[:-1]}, you are dealt {' and '.join(parts)}.")
    elif event.cards:
        _, down, up = event.cards[0]
        parts = [f"{words.count(len(down), 'card')} down"] if down else []
        parts += [f"{words.count(len(up), 'card')} up"] if up else []
        lines.append(f"{words.sentence(event.street)[:-1]} is dealt: {' and '.join(parts)} to each.")
    return lines


def _chosen(event: ev.ChoiceMade, view: TableView, viewer: Viewer) -> list[str]:
    who = words.name(view, event.seat)
    action = event.action
    if event.seat == viewer and action is not None:
        late = "Your time is up; chosen for you" if event.cause != "player" else "Your choice"
        if event.decision == "arrange" and action.cards is not None:
            return [f"{late}, in rolling order: {cards_text(action.cards)}."]
        if event.decision == "declare":
            return [f"{late}: {action.direction}."]
        if event.decision == "choose" and event.cause == "player":
            return []  # it will be turned up before everybody
        return [f"{late}: {cards_text(action.cards or ()) or 'no cards'}."]
    if event.cause == "player":
        return []  # that somebody is ready is for the screen; lines would only be noise
    what = {"arrange": "arranges the cards of", "declare": "declares for"}.get(event.decision, "chooses for")
    return [f"The table {what} {who}{_CAUSES[event.cause]}."]


def _known(cards: tuple[int | None, ...]) -> str:
    """The cards where they may be seen, else how many."""
    if None in cards or not cards:
        return words.count(len(cards), "card")
    return cards_text(cards)


def _passed(view: TableView, giver: int, taker: int, cards: tuple[int | None, ...]) -> str:
    return f"{words.name(view, giver)} passes {_known(cards)} to {words.name(view, taker)}."


# ------------------------------------------------------------------------ the end


def _end(
    event: ev.HandShown | ev.HandMucked | ev.PotAwarded | ev.HandEnded | ev.HandVoided, view: TableView
) -> list[str]:
    match event:
        case ev.HandShown():
            values = "; ".join([value for _, value in event.values])
            if len(event.cards) < len(view.seat(event.seat).down):
                return [f"{words.name(view, event.seat)} shows {cards_text(event.cards)}."]
            cards = words.board(event.cards, view.seat(event.seat).up)
            return [f"{words.name(view, event.seat)} shows {cards}{': ' + values if values else ''}."]
        case ev.HandMucked():
            return [f"{words.name(view, event.seat)} mucks."]
        case ev.PotAwarded():
            return [_awarded(event, view)]
        case ev.HandEnded():
            seat = scooper(view.awards, lambda seat: view.seat(seat).values)
            lines = [] if seat is None else [f"{words.name(view, seat)} scoops."]
            nets = [(seat, chips - view.seat(seat).stack) for seat, chips in event.stacks]
            told = ", ".join([f"{words.name(view, seat)} {words.signed(net)}" for seat, net in nets])
            return [*lines, f"Hand {event.hand} is over: {told}."]
        case ev.HandVoided():
            reason = words.because(event.why, view)
            return [f"Hand {event.hand} does not count{reason}: everybody has the chips back."]


def _awarded(event: ev.PotAwarded, view: TableView) -> str:
    part = {"whole": "", "high": " high", "low": " low", "spade": " the spade"}[event.part]
    source = f"from {words.pot(event.pot, len(view.pots))}"
    hand = f" with {event.hand}" if event.hand else ""
    reason = words.because(event.why, view)
    if len(event.winners) == 1:
        ((seat, amount),) = event.winners
        return f"{words.name(view, seat)} wins{part}{':' if part else ''} {amount} {source}{hand}{reason}."
    shares = words.listed([f"{words.name(view, seat)} {amount}" for seat, amount in event.winners])
    return f"{shares} split{part or ''} {event.amount} {source}{hand}{reason}."
