"""A table's story in sentences, for people who read lines: line mode, log pane, replay, export.

`tell` puts one event into words. Lines are only ever added, never taken back or redrawn, each stands for itself,
and together they say on every street who shows what, what is in the pot and what was done. Nothing is told that
the event does not hold, so a projected event gives a projected story.
"""

from collections.abc import Sequence
from typing import assert_never

from protocol import events as ev
from protocol.cards import MaybeCard
from protocol.events import AnyEvent, Cause, Seat
from protocol.narration import hand_names, phrases
from protocol.narration.awards import WinningCards, awarded, scooper, voided
from protocol.narration.phrases import player, safe
from protocol.narration.spans import CardSpan, Sentence, cards, compose, finished, joined, listed, plain
from protocol.sanitize import clean
from protocol.seat_view import SeatView
from protocol.view import TableView
from protocol.visibility import Viewer


def tell(
    event: AnyEvent, view: TableView, viewer: Viewer = None, winning_cards: WinningCards | None = None
) -> list[Sentence]:
    """What the event means, in no, one or several lines.

    Args:
        event: as the viewer may see it.
        view: the table directly *behind* the event (`TableView.apply` was just called with it).
        viewer: the seat that reads, so that its own cards can be called so; None for a spectator.
        winning_cards: tells which five cards win; without it the story does not name them.

    A hand's story begins with ``Hand N``.
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
            all_in = " and is all in" if event.all_in and event.amount else ""
            return [compose(player(view, event.seat), " ", phrases.acted(event), all_in, _CAUSES[event.cause], ".")]
        case (
            ev.CardsDealt() | ev.CommunityDealt() | ev.WildsNamed() | ev.ChoiceMade() | ev.CardsTurned()
            | ev.BroughtBack() | ev.CardsPassed() | ev.CardsDiscarded() | ev.Declared()
        ):  # fmt: skip
            return _cards(event, view, viewer)
        case ev.BetReturned():
            reason = phrases.filled(event.why.rstrip("."), view) or (
                f"nobody could call {'it' if event.amount == 1 else 'them'}",
            )
            return [compose(player(view, event.seat), f" gets {event.amount} back: ", reason, ".")]
        case ev.PotAwarded():
            return [awarded(event, view, winning_cards)]
        case ev.HandShown() | ev.HandMucked() | ev.HandEnded() | ev.HandVoided():
            return _end(event, view)
        case _:
            assert_never(event)


_CAUSES: dict[Cause, str] = {"player": "", "timeout": " (time)", "left": " (left)"}


# --------------------------------------------------------------------- the table


def _at_the_table(
    event: ev.TableOpened | ev.PlayerSeated | ev.PlayerLeft | ev.PlayerAway | ev.PlayerBack
    | ev.ConnectionChanged | ev.ChipsAdded | ev.ChipsOrdered | ev.Said | ev.GamePicked | ev.WentOn,
    view: TableView,
) -> list[Sentence]:  # fmt: skip
    match event:
        case ev.TableOpened():
            rules = event.rules
            lines = [f"Table {clean(rules.name, 40)}: {rules.seats} seats, the usual buy-in is {rules.buy_in}."]
            # A table of imported hands offers one game a hand; nobody wants to read the same line hundreds of times.
            played = dict.fromkeys(
                f"Played here: {safe(offer.title)}, {offer.stakes.words()}." for offer in rules.games
            )
            return [(line,) for line in (*lines, *played)]
        case ev.PlayerSeated():
            bot = " (bot)" if event.bot else ""
            return [compose(player(view, event.seat), bot, " takes seat ", event.seat, " with ", event.chips, ".")]
        case ev.PlayerLeft():
            who = clean(event.name, phrases.NAME_LIMIT)
            return [compose(who, " leaves with ", event.chips, phrases.because(event.why, view), ".")]
        case ev.PlayerAway():
            seat = view.seat(event.seat)
            when = " from the next hand on" if view.playing and seat.hand != "out" else ""
            return [compose(player(view, event.seat), " sits out", when, phrases.because(event.why, view), ".")]
        case ev.PlayerBack():
            return [compose(player(view, event.seat), " is back.")]
        case ev.ConnectionChanged():
            return [compose(player(view, event.seat), f" is {'connected again' if event.online else 'disconnected'}.")]
        case ev.ChipsOrdered():
            arrive = "it arrives" if event.amount == 1 else "they arrive"
            return [compose(player(view, event.seat), f" buys {event.amount}; {arrive} after this hand.")]
        case ev.ChipsAdded():
            verb = "buys" if event.amount >= 0 and not event.why else "gets" if event.amount >= 0 else "gives back"
            told = f" {verb} {abs(event.amount)} and has {event.chips}"
            return [compose(player(view, event.seat), told, phrases.because(event.why, view), ".")]
        case ev.Said():
            who = clean(event.name, phrases.NAME_LIMIT) or "The house"
            return [(f"{who}{'' if event.seat or not event.name else ' (watching)'}: {safe(event.text)}",)]
        case ev.GamePicked():
            title = safe(event.title)
            return [compose(player(view, event.seat), " deals ", title, ".") if event.seat else (f"Next: {title}.",)]
        case ev.WentOn():
            return []


# -------------------------------------------------------------- the hand's course


def _course(
    event: ev.HandStarted | ev.AntesPosted | ev.RoundOpened | ev.RoundSkipped | ev.PotsGathered, view: TableView
) -> list[Sentence]:
    match event:
        case ev.HandStarted():
            played = f"Hand {event.hand}: {safe(event.title)}, {event.stakes.words()}. "
            return [
                compose(played, player(view, event.button), " deals."),
                compose("Stacks: ", _amounts(event.stacks, view), "."),
            ]
        case ev.AntesPosted():
            if not event.antes:
                return []
            amounts = {amount for _, amount in event.antes}
            if len(amounts) == 1:
                return [(f"Everybody antes {amounts.pop()}; the pot is {view.pot()}.",)]
            return [compose("Antes: ", _amounts(event.antes, view), f"; the pot is {view.pot()}.")]
        case ev.RoundOpened():
            opens = phrases.reason(event.why, view)
            says_who_acts = plain(opens).endswith(" acts first.")
            first = () if says_who_acts else compose(player(view, event.first), " acts first.")
            return [street_line(view), compose(opens, " " if opens and first else "", first)]
        case ev.RoundSkipped():
            return [street_line(view), compose("No betting: ", phrases.filled(event.why.rstrip("."), view), ".")]
        case ev.PotsGathered():
            if len(event.pots) < 2:
                return []
            return [finished(phrases.pots_of(event.pots, view))]


def _amounts(rows: Sequence[tuple[Seat, int]], view: TableView) -> Sentence:
    """``Ann 100, Bob 40``"""
    return joined([compose(player(view, seat), " ", amount) for seat, amount in rows])


def street_line(view: TableView) -> Sentence:
    """``Fourth street, pot 12: Ann [?? ??] Kd 9h - Bob [?? ??] 4c 4s (all in)``, the seats still in the hand."""
    boards = joined([_board(seat, view) for seat in view.in_hand()], " - ")
    common = compose(" - common card ", cards(view.community)) if view.community else ()
    street = phrases.street(view)
    street = street[:1].upper() + street[1:] or "Now"
    return compose(f"{street}, pot {view.pot()}: ", boards, common)


def _board(seat: SeatView, view: TableView) -> Sentence:
    declared = f" {seat.declared}" if seat.declared else ""
    all_in = " (all in)" if seat.all_in else ""
    return compose(player(view, seat.seat), declared, " ", phrases.hand(seat), all_in)


# ---------------------------------------------------------------------- the cards


def _cards(
    event: ev.CardsDealt | ev.CommunityDealt | ev.WildsNamed | ev.ChoiceMade | ev.CardsTurned | ev.BroughtBack
    | ev.CardsPassed | ev.CardsDiscarded | ev.Declared,
    view: TableView,
    viewer: Viewer,
) -> list[Sentence]:  # fmt: skip
    match event:
        case ev.CardsDealt():
            return _dealt(event, view, viewer)
        case ev.CommunityDealt():
            reason = phrases.because(event.why, view)
            return [compose("One card for everybody in the middle: ", CardSpan(event.card), reason, ".")]
        case ev.WildsNamed():
            wild = f"{phrases.ranks(event.ranks)} are wild" if event.ranks else "nothing is wild"
            return [finished(compose(wild, phrases.because(event.why, view)))]
        case ev.ChoiceMade():
            return _chosen(event, view, viewer)
        case ev.CardsTurned():
            return _turned(event, view)
        case ev.BroughtBack():
            kept = phrases.count(event.keep, "card")
            if not any(view.seat(seat).before for seat in event.seats):
                return [(f"Everybody keeps {kept} and sets the order in which they are rolled.",)]
            return [(f"Bring 'em back: up cards return to the hands; everybody keeps {kept} and sets the order.",)]
        case ev.CardsPassed():
            return [
                compose(player(view, giver), " passes ", _known(passed), " to ", player(view, taker), ".")
                for giver, taker, passed in event.passes
            ]
        case ev.CardsDiscarded():
            away = [compose(player(view, seat), " ", _known(gone)) for seat, gone in event.cards]
            return [compose("Discarded: ", joined(away), ".")] if away else []
        case ev.Declared():
            said = joined([compose(player(view, seat), f" {direction}") for seat, direction in event.declarations])
            odd = compose(player(view, event.odd_man), " is the odd man.") if event.odd_man else ()
            why = phrases.reason(event.why, view) or odd
            return [compose("Declared: ", said, ".", " " if why else "", why)]


def _dealt(event: ev.CardsDealt, view: TableView, viewer: Viewer) -> list[Sentence]:
    if not event.cards:
        return []
    street = phrases.street(view)
    street = street[:1].upper() + street[1:]
    own = next((row for row in event.cards if row[0] == viewer), None)
    if own is not None:
        _, down, up = own
        parts = [compose(cards(down), " down")] if down else []
        parts += [compose(cards(up), " up")] if up else []
        return [compose(street, ", you are dealt ", listed(parts), ".")]
    _, down, up = event.cards[0]
    parts = [(f"{phrases.count(len(down), 'card')} down",)] if down else []
    parts += [(f"{phrases.count(len(up), 'card')} up",)] if up else []
    return [compose(street, " is dealt: ", listed(parts), " to each.")]


def _turned(event: ev.CardsTurned, view: TableView) -> list[Sentence]:
    if len(event.cards) == 1:
        ((seat, card),) = event.cards
        verb = {"choose": "turns up", "roll": "rolls", "buy": "buys"}[event.how]
        return [compose(player(view, seat), f" {verb} ", CardSpan(card), ".")]
    turned = joined([compose(player(view, seat), " ", CardSpan(card)) for seat, card in event.cards])
    return [compose("Rolled: " if event.how == "roll" else "Turned up: ", turned, ".")] if turned else []


def _chosen(event: ev.ChoiceMade, view: TableView, viewer: Viewer) -> list[Sentence]:
    action = event.action
    if event.seat == viewer and action is not None:
        late = "Your time is up; chosen for you" if event.cause != "player" else "Your choice"
        if event.decision == "arrange" and action.cards is not None:
            return [compose(f"{late}, in rolling order: ", cards(action.cards), ".")]
        if event.decision == "declare":
            return [(f"{late}: {action.direction}.",)]
        if event.decision == "choose" and event.cause == "player":
            return []  # it will be turned up before everybody
        return [compose(f"{late}: ", cards(action.cards or ()) or "no cards", ".")]
    if event.cause == "player":
        return []  # that somebody is ready is for the screen; lines would only be noise
    what = {"arrange": "arranges the cards of", "declare": "declares for"}.get(event.decision, "chooses for")
    return [compose(f"The table {what} ", player(view, event.seat), _CAUSES[event.cause], ".")]


def _known(row: tuple[MaybeCard, ...]) -> Sentence:
    """The cards where they may be seen, else how many."""
    if None in row or not row:
        return (phrases.count(len(row), "card"),)
    return cards(row)


# ------------------------------------------------------------------------ the end


def _end(event: ev.HandShown | ev.HandMucked | ev.HandEnded | ev.HandVoided, view: TableView) -> list[Sentence]:
    match event:
        case ev.HandShown():
            who = player(view, event.seat)
            if len(event.cards) < len(view.seat(event.seat).down):
                return [compose(who, " shows ", cards(event.cards), ".")]
            values = safe("; ".join([hand_names.spoken(value) for _, value in event.values]))
            shown = phrases.board(event.cards, view.seat(event.seat).up)
            return [compose(who, " shows ", shown, f": {values}" if values else "", ".")]
        case ev.HandMucked():
            return [compose(player(view, event.seat), " mucks.")]
        case ev.HandEnded():
            seat = scooper(view.awards, lambda seat: view.seat(seat).values)
            lines = [] if seat is None else [compose(player(view, seat), " scoops.")]
            nets = [(seat, phrases.signed(chips - view.seat(seat).stack)) for seat, chips in event.stacks]
            told = joined([compose(player(view, seat), " ", net) for seat, net in nets])
            return [*lines, compose(f"Hand {event.hand} is over: ", told, ".")]
        case ev.HandVoided():
            return [voided(event.hand, event.why, view)]
