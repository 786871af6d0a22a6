"""How large the cards are: the largest size of seats and of the own hand for which the window has room."""

from dataclasses import dataclass, replace

from client.display.own_hand import has_own_hand, own_hand, own_hand_fits, widest_boxes
from client.display.playing_cards import playing_cards
from client.display.screen_state import ScreenState
from client.display.seat_boxes import seat_boxes
from client.display.seat_rows import TableDrawing, heading, row_layout, seat_line
from client.display.text_cells import Line
from client.display.theme import Theme
from protocol.seat_view import SeatView
from protocol.view import TableView


@dataclass(frozen=True, slots=True)
class Size:
    """How large the table is drawn.

    Fields:
        seat: rows of a seat that is in the hand: 1, or as many as a box of cards.
        own: rows of the boxes of the own hand; 0: the player has a row like everybody else.
        gap: empty rows after each of those seats.
        story: rows that the story must have where it stands below the table.
        heading: whether the columns of the seats have names over them.
        airy: whether there is an empty row after seats of one row, too.
    """

    seat: int
    own: int
    gap: int
    story: int
    heading: bool = False
    airy: bool = False


SIZES = (
    Size(7, 9, 1, 8),
    Size(7, 9, 0, 8),
    Size(5, 9, 1, 8),
    Size(5, 7, 1, 8),
    Size(5, 7, 0, 8),
    Size(5, 5, 1, 8),
    Size(5, 5, 0, 8),
    Size(3, 7, 1, 8),
    Size(3, 5, 1, 8),
    Size(3, 5, 0, 8),
    Size(3, 3, 0, 8),
    Size(1, 5, 0, 8),
    Size(1, 3, 0, 4),
    Size(1, 0, 0, 0),
)
"""The sizes from the largest to the smallest, in which every seat has a row and its cards stand in it."""
_FIELDS, _WORDS = 26, 12
"""Columns that a seat needs to the left and to the right of the boxes."""
_STORY = 9
"""Rows of story that come before the names of the columns."""
_AIR = 4
"""Rows that are still empty where every seat has an empty row."""
_FOOT = 4
"""Rows of the question and the last line, as a rule; that they change from turn to turn should not change the size."""


def choose_size(
    view: TableView, state: ScreenState, columns: int, rows: int, *, beside: bool, foot: int, result: int
) -> Size:
    """The largest size that fits.

    Args:
        columns: of the table; rows: of the window.
        beside: whether the story stands beside the table.
        foot, result: rows of the question and of the result.
    """
    below = 0 if beside else len(state.overlay)
    own_hand_here = has_own_hand(view, state.seat)
    seats = [seat for seat in view.players() if not own_hand_here or seat.seat != state.seat]
    live = sum(_in_boxes(seat) for seat in seats)
    room = rows - max(foot, _FOOT) - 2 - bool(state.banner) - 1
    for size in SIZES:
        own = size.own if own_hand_here else 0
        need = len(seats) + live * (size.seat - 1 + size.gap) + (own + 1 if own else 0)
        need += result if beside else max(result, size.story, below)
        wide = size.seat == 1 or columns >= _FIELDS + widest_boxes(seats, size.seat) + _WORDS
        if need <= room and wide and (not own or own_hand_fits(view.seat(state.seat), own, columns)):
            spare = room - need if beside else room - need + size.story - max(_STORY, below)
            airy = beside and spare > len(seats) + _AIR
            return replace(size, own=own, heading=size.seat == 1 and spare > 0, airy=airy)
    return SIZES[-1]


def _in_boxes(seat: SeatView) -> bool:
    """Whether the cards of a seat are drawn as boxes where there is room."""
    return seat.hand == "live" and bool(seat.down or seat.up)


def table_lines(view: TableView, state: ScreenState, theme: Theme, columns: int, size: Size) -> list[Line]:
    """The seats, and below them the own hand if it is drawn apart."""
    layout = row_layout(view, columns, widest_boxes(view.players(), size.seat) if size.seat > 1 else 0)
    drawing = TableDrawing(view, state, theme, layout, playing_cards(view) if not view.playing else {})
    lines: list[Line] = [heading(view, layout, theme, columns)] if size.heading else []
    for seat in view.players():
        if size.own and seat.seat == state.seat:
            continue
        if size.seat > 1 and _in_boxes(seat):
            lines += seat_boxes(drawing, seat, columns, size.seat)
            lines += [[] for _ in range(size.gap)]
        else:
            lines += [seat_line(drawing, seat), *([[]] if size.airy else [])]
    if size.own:
        lines += own_hand(drawing, columns, size.own)
    return lines
