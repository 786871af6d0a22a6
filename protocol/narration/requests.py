"""Open requests in words: who may do what, whom the table waits for, and why things are as they are."""

from protocol.actions import WAGERS, Kind, Option
from protocol.events import Seat
from protocol.narration.phrases import count, name, player, players, reason
from protocol.narration.spans import Sentence, cards, compose, listed
from protocol.seat_view import SeatView
from protocol.view import TableView


def wager_verb(kind: Kind) -> str:
    """``bet``, ``complete to`` or ``raise to``: what stands before the amount."""
    return "bet" if kind == "bet" else f"{kind} to"


def offered(option: Option) -> Sentence:
    """What an option lets a player do: ``check``, ``call 2``, ``raise to between 4 and 8``, ``choose one card``."""
    kind = option.kind.replace("_", " ")
    if option.kind in WAGERS:
        verb = wager_verb(option.kind)
        return (
            f"{verb} {option.least}"
            if option.least == option.most
            else f"{verb} between {option.least} and {option.most}",
        )
    if option.kind in ("call", "bring_in") and option.amount:
        return (f"{kind} {option.amount}",)
    if option.kind == "buy":
        return (f"buy for {option.amount}",)
    if option.kind == "declare":
        return (f"declare {' or '.join(option.directions)}",)
    if option.cards:
        known = compose(" of ", cards(option.cards)) if None not in option.cards else ()
        return compose(f"{kind} {count(option.count, 'card')}", known)
    return (kind,)


def request_line(view: TableView, seat: SeatView, reader: Seat | None = None) -> Sentence:
    """``Ann may check or bet 2.``, and why an option is missing; nothing for a seat that is not asked.

    `reader`: the seat of the reader, who is called ``You``.
    """
    if seat.pending is None:
        return ()
    request = seat.pending.request
    note = reason(request.note, view)
    may = listed([offered(option) for option in request.options], " or ")
    who = "You" if seat.seat == reader else player(view, seat.seat)
    return compose(who, " may ", may, ".", " " if note else "", note)


def question(view: TableView, seat: SeatView, side: str = "") -> Sentence:
    """What the player of this seat is asked, for a page with a button for each answer.

    ``Choose three cards to pass to Ada (left).``; the cards stand on the buttons. Nothing for a seat that is not asked.

    `side`: where the game passes cards (`passes_to`); empty where that is not certain.
    """
    if seat.pending is None:
        return ()
    request = seat.pending.request
    option = request.options[0]
    many = count(option.count, "card")
    match request.decision:
        case "choose":
            asks = f"Choose {many} to turn up."
        case "arrange":
            asks = f"Choose {many} in the order in which they are rolled; the last one stays hidden."
        case "pass":
            taker = passes_to(view, seat.seat, side)
            asks = f"Choose {many} to pass{' to ' if taker else ''}{taker}."
        case "discard":
            asks = f"Discard up to {many}, or none."
        case "declare":
            ways = [direction for each in request.options for direction in each.directions]
            asks = f"Do you go for {' or '.join(ways)}?"
        case "game":
            asks = "You deal. Which game is played?"
        case _:
            return request_line(view, seat, reader=seat.seat)
    note = reason(request.note, view)
    return compose(asks, " " if note else "", note)


def passes_to(view: TableView, seat: Seat, side: str) -> str:
    """``Ada (left)``: who gets the cards that this seat passes to that side; empty where there is no such side."""
    live = [player.seat for player in view.in_hand()]
    steps = {"left": 1, "right": -1, "across": len(live) // 2}.get(side)
    if steps is None or seat not in live:
        return ""
    return f"{name(view, live[(live.index(seat) + steps) % len(live)])} ({side})"


def to_act(view: TableView) -> Sentence:
    """``to act: Ann and Bob``, whom the table waits for; nothing while nobody is asked."""
    asked = [seat.seat for seat in view.asked()]
    return compose("to act: ", players(view, asked)) if asked else ()


def reasons(view: TableView, note: str = "") -> list[Sentence]:
    """Why things are as they are, each reason once: who opens, the note of a request, how chips were divided."""
    view = view.as_it_ended()
    whys = [view.why, note, *[award.why for award in view.awards]]
    return list(dict.fromkeys([reason(why, view) for why in whys if why]))
