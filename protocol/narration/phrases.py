"""The words of the table: names, rows of cards, amounts, and the sentences made of them.

One spelling for all readers - full screen, line mode, replay, export: cards ``As Td``, hidden ones ``??``,
hidden cards in brackets before the up cards, a net result with its sign.
"""

import re
from collections.abc import Iterable, Sequence

from protocol.cards import RANK_NAMES, MaybeCard, cards_text
from protocol.events import Seat
from protocol.sanitize import clean
from protocol.view import SeatView, TableView

NAME_LIMIT = 24
"""Longest name in a sentence; the server's own limit is shorter."""
_SEAT = re.compile(r"\{(\d{1,3})\}")
_NUMBERS = ("no", "one", "two", "three", "four", "five", "six", "seven", "eight")


def name(view: TableView, seat: Seat) -> str:
    """The name at that seat, harmless for a terminal."""
    return clean(view.name(seat), NAME_LIMIT) or f"seat {seat}"


def names(view: TableView, seats: Iterable[Seat]) -> str:
    """``Ann, Bob and Cat``"""
    return listed([name(view, seat) for seat in seats])


def listed(words: Sequence[str]) -> str:
    """``a, b and c``"""
    if len(words) < 2:
        return "".join(words)
    return f"{', '.join(words[:-1])} and {words[-1]}"


def fill(text: str, view: TableView) -> str:
    """A `why` with the names in the places of ``{3}``. Never `str.format`: names may hold braces."""
    return _SEAT.sub(lambda found: name(view, int(found[1])), text)


def told(why: str, view: TableView) -> str:
    """A `why` as a sentence with the names in it; a name keeps its spelling also at the beginning."""
    return fill(sentence(why), view)


def sentence(text: str) -> str:
    """The text with a capital at the beginning and a stop at the end; empty stays empty."""
    text = text.strip()
    if not text:
        return ""
    return text[0].upper() + text[1:] + ("" if text[-1] in ".!?" else ".")


def because(why: str, view: TableView) -> str:
    """A reason in brackets with a blank before, or nothing."""
    return f" ({fill(why, view).rstrip('.')})" if why else ""


def count(number: int, thing: str) -> str:
    """``one card``, ``three cards``, ``12 cards``"""
    word = _NUMBERS[number] if 0 <= number < len(_NUMBERS) else str(number)
    return f"{word} {thing}" if number == 1 else f"{word} {thing}s"


def signed(chips: int) -> str:
    """``+46``, ``-20`` or ``0``"""
    return f"{chips:+d}" if chips else "0"


def ranks(row: Iterable[int]) -> str:
    """Ranks in the plural: ``threes and nines``"""
    return listed([RANK_NAMES[rank] + ("es" if RANK_NAMES[rank] == "six" else "s") for rank in row])


def board(down: Sequence[MaybeCard], up: Sequence[int]) -> str:
    """``[?? ??] Kd 9h``: hidden cards in brackets, then the up cards in the order they were turned."""
    parts = [f"[{cards_text(down)}]"] if down else []
    if up:
        parts.append(cards_text(up))
    return " ".join(parts) or "no cards"


def hand(seat: SeatView) -> str:
    """The cards of a seat: those shown at the end if he showed, else as the reader sees them."""
    return board(seat.shown or seat.down, seat.up)


def pot(number: int, pots: int) -> str:
    """``the pot``, or which of several: ``the main pot``, ``side pot 1``"""
    if pots < 2:
        return "the pot"
    return "the main pot" if number == 0 else ("the side pot" if pots == 2 else f"side pot {number}")
