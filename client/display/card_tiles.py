"""Cards in a row: tiles with a background where there are colours, else two letters, with hidden cards in brackets."""

from collections.abc import Collection, Sequence
from functools import lru_cache
from typing import Literal, TypeAlias

from client.display.text_cells import Fragment, Line
from client.display.theme import Theme
from protocol.cards import Card, MaybeCard
from protocol.seat_view import SeatView

Look: TypeAlias = Literal["up", "down", "shown", "folded", "playing", "resting"]
"""How a card is drawn: face up, known to its player alone, shown at the end, of a folded hand; at the result whether it
plays."""


@lru_cache(maxsize=4096)
def tile(card: MaybeCard, look: Look, theme: Theme) -> Fragment:
    """One card in two columns."""
    face = "class:tile " if theme.tiles else ""
    return f"{face}class:{look} {theme.suit_class(card)}", theme.tile(card)


@lru_cache(maxsize=4096)
def card_row(cards: tuple[MaybeCard, ...], look: Look, theme: Theme) -> Sequence[Fragment]:
    """Cards with a blank between them."""
    row: Line = []
    for card in cards:
        if row:
            row.append(("", " "))
        row.append(tile(card, look, theme))
    return row


def result_row(cards: Collection[MaybeCard], playing: Collection[Card], theme: Theme) -> Line:
    """Cards at the result: those that play are bright, the others dim."""
    row: Line = []
    for card in cards:
        if row:
            row.append(("", " "))
        row.append(tile(card, "playing" if card in playing else "resting", theme))
    return row


def down_cards(seat: SeatView, *, covered: bool = False) -> tuple[MaybeCard, ...]:
    """The hidden cards of a seat as this viewer sees them; of a folded hand only those that the viewer knows."""
    down: tuple[MaybeCard, ...] = seat.down
    if seat.shown and (None in down or len(seat.shown) >= len(down)):
        # What was shown, and how many cards were not; a player still sees all of their own cards.
        down = (*seat.shown, *(None for _ in down[len(seat.shown) :]))
    if covered and not seat.shown:
        down = (None,) * len(down)
    if seat.hand == "folded" and None in down and not seat.shown:
        return ()
    return down
