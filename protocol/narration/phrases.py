"""The words of the table: names, cards, amounts, pots, and the reasons that events give.

One spelling for all readers - full screen, line mode, replay, export: cards ``As Td``, hidden ones ``??``,
hidden cards in brackets before the up cards, a net result with its sign.
"""

import re
from collections.abc import Callable, Iterable, Mapping, Sequence

from protocol.actions import Kind
from protocol.cards import RANK_NAMES, MaybeCard, card
from protocol.events import Acted, Chips, Seat
from protocol.narration.spans import CardSpan, SeatSpan, Sentence, Span, cards, compose, finished, joined, listed, plain
from protocol.sanitize import clean
from protocol.seat_view import SeatView
from protocol.view import TableView

NAME_LIMIT = 24
"""Longest name in a sentence; the server's own limit is shorter."""
TEXT_LIMIT = 300
"""Longest chat, title or reason in a sentence."""
_FIRST_CARDS = 3
"""The most cards of a first street."""
_NUMBERS = ("no", "one", "two", "three", "four", "five", "six", "seven", "eight")


def safe(text: str) -> str:
    """A text that came from somebody else, harmless for a terminal."""
    return clean(text, TEXT_LIMIT)


# ----------------------------------------------------------------------- players


def name(view: TableView, seat: Seat) -> str:
    """The name at that seat, harmless for a terminal."""
    return clean(view.name(seat), NAME_LIMIT) or f"seat {seat}"


def player(view: TableView, seat: Seat) -> SeatSpan:
    """The player at that seat."""
    return SeatSpan(seat, name(view, seat))


def players(view: TableView, seats: Iterable[Seat]) -> Sentence:
    """``Ann, Bob and Cat``"""
    return listed([(player(view, seat),) for seat in seats])


def names(view: TableView, seats: Iterable[Seat]) -> str:
    """``Ann, Bob and Cat`` as plain text."""
    return plain(players(view, seats))


# ----------------------------------------------------------------------- reasons

_IN_A_REASON = re.compile(r"\{(?P<seat>\d{1,3})\}|\b(?P<card>[2-9TJQKA][cdhs])\b")


def filled(why: str, view: TableView) -> Sentence:
    """A `why` or `note` of an event as spans, with the names in the places of ``{3}``.

    On the wire a reason is text, with cards as ``As``; here it becomes spans. Not by `str.format`, because names may
    hold braces.
    """
    parts: list[Span] = []
    end = 0
    why = safe(why)
    for found in _IN_A_REASON.finditer(why):
        parts.append(why[end : found.start()])
        parts.append(player(view, int(found["seat"])) if found["seat"] else CardSpan(card(found["card"])))
        end = found.end()
    return compose(*parts, why[end:])


def reason(why: str, view: TableView) -> Sentence:
    """A `why` or `note` as a sentence."""
    return finished(filled(why, view))


def because(why: str, view: TableView) -> Sentence:
    """A `why` in brackets with a blank before, or nothing."""
    told = filled(why.rstrip("."), view)
    return compose(" (", told, ")") if told else ()


# ------------------------------------------------------------------ cards and pots


def board(down: Sequence[MaybeCard], up: Sequence[int]) -> Sentence:
    """``[?? ??] Kd 9h``: hidden cards in brackets, then the up cards in the order in which they were turned."""
    hidden = compose("[", cards(down), "]") if down else ()
    return compose(hidden, " " if down and up else "", cards(up)) or ("no cards",)


def hand(seat: SeatView) -> Sentence:
    """The cards of a seat: those shown at the end if the player showed, else as the reader sees them."""
    return board(seat.shown or seat.down, seat.up)


def pot(number: int, pots: int) -> str:
    """``the pot``, or which of several: ``the main pot``, ``side pot 1``"""
    if pots < 2:
        return "the pot"
    return "the main pot" if number == 0 else ("the side pot" if pots == 2 else f"side pot {number}")


def pots(view: TableView) -> Sentence:
    """``main pot: 20 (Ann, Bob and Cat), side pot: 8 (Ann and Cat)``: the pots and who can win them."""
    return pots_of([(one.amount, one.seats) for one in view.pots], view)


def pots_of(rows: Sequence[tuple[Chips, tuple[Seat, ...]]], view: TableView) -> Sentence:
    """The same for (chips, seats) of every pot, the main pot first."""
    return joined(
        [
            compose(pot(number, len(rows)).removeprefix("the "), f": {amount} (", players(view, seats), ")")
            for number, (amount, seats) in enumerate(rows)
        ]
    )


def street(view: TableView) -> str:
    """The name of the street. Where all cards are dealt at once and nobody has shown any, it is ``the deal``."""
    live = view.in_hand()
    at_once = view.street.endswith(" street") and len(live) > 0 and len(live[0].down) > _FIRST_CARDS
    return "the deal" if at_once and not any(seat.up for seat in live) else safe(view.street)


# ------------------------------------------------------------------------ actions

_ACTED: Mapping[Kind, Callable[[Acted], str]] = {
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


def acted(event: Acted) -> str:
    """``raises to 12``: a betting action without its player."""
    words = _ACTED.get(event.action)
    return event.action if words is None else words(event)


# -------------------------------------------------------------------- plain words


def sentence(text: str) -> str:
    """The text with a capital at the beginning and a stop at the end; empty stays empty."""
    return plain(finished(compose(text.strip())))


def count(number: int, thing: str) -> str:
    """``one card``, ``three cards``, ``12 cards``"""
    return f"{in_words(number)} {thing}" if number == 1 else f"{in_words(number)} {thing}s"


def counted(number: int, thing: str) -> str:
    """``1 chip``, ``94 chips``"""
    return f"{number} {thing}" if number == 1 else f"{number} {thing}s"


def in_words(number: int) -> str:
    """``no``, ``one``, ``eight``, ``12``"""
    return _NUMBERS[number] if 0 <= number < len(_NUMBERS) else str(number)


def signed(chips: int) -> str:
    """``+46``, ``-20`` or ``0``"""
    return f"{chips:+d}" if chips else "0"


def ranks(row: Iterable[int]) -> str:
    """Ranks in the plural: ``threes and nines``"""
    return plain(listed([(RANK_NAMES[rank] + ("es" if RANK_NAMES[rank] == "six" else "s"),) for rank in row]))
