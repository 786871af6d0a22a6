"""The seats of a table as rows of a screen.

A row reads: whose turn, seat number, name, marks, chips, bet of this round, cards, what the player did or is doing.
Hidden cards stand before those that are face up, which begin at the same column for every seat: ``[?? ??] 9h Kd 2c``.
Cards are tiles; without colours hidden ones stand in brackets.
"""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass

from client.display.card_tiles import Look, card_row, down_cards, result_row
from client.display.screen_state import ScreenState
from client.display.seat_words import seat_words, words_style
from client.display.text_cells import Fragment, Line, clean, clip, fit, line_width, width
from client.display.theme import Theme
from protocol.cards import Card
from protocol.events import Seat
from protocol.seat_view import SeatView
from protocol.view import TableView

MARKS = (("D", "deals this hand (the button)"), ("o", "opens the betting (bring-in)"), ("b", "a bot"))
"""The letters beside a name."""


@dataclass(frozen=True, slots=True)
class RowLayout:
    """How many columns each field of a row has.

    Fields:
        up: where the cards that are face up begin, counted from the first card.
        words: what the player does.
        short: hidden cards are shown as their number only.
    """

    number: int
    name: int
    chips: int
    cards: int
    up: int
    words: int
    short: bool

    @property
    def before_cards(self) -> int:
        """Columns to the left of the cards."""
        return self.number + self.name + self.chips + len(MARKS) + 9


@dataclass(frozen=True, slots=True)
class TableDrawing:
    """What all seats of one drawing share.

    Fields:
        playing: at the result, the cards with which each winner wins (`client.display.playing_cards`); else empty.
    """

    view: TableView
    state: ScreenState
    theme: Theme
    layout: RowLayout
    playing: Mapping[Seat, Collection[Card]]

    def shows_old_board(self, seat: SeatView) -> bool:
        """Whether the board from before bring 'em back stands at a seat: looked at again, or while hands are arranged.

        The others' boards would be gone just when they matter.
        """
        arranging = any(one.pending and one.pending.request.decision == "arrange" for one in self.view.seats)
        old = arranging and seat.seat != self.state.seat and bool(seat.before)
        return self.view.playing and (self.state.before or old)

    def playing_of(self, seat: SeatView) -> Collection[Card] | None:
        """The cards of a seat that play; None while there is no result."""
        return self.playing.get(seat.seat, ()) if self.playing else None


def row_layout(view: TableView, columns: int, boxes: int = 0) -> RowLayout:
    """The fields of a row in so many columns; `boxes`: columns of the boxes of cards, 0 for cards in a row."""
    players = view.players()
    number = len(str(len(view.seats)))
    chips = max((len(str(seat.chips)) + 1 for seat in players), default=0)
    chips = max(6, chips)
    up = up_column(players)
    full = max((_cards_width(seat, up) for seat in players), default=0)
    name = max((width(clean(seat.name)) for seat in players), default=4)
    fixed = 1 + number + 1 + 1 + len(MARKS) + chips + 5 + 1
    short = columns - fixed - max(22, full) - 17 < 8
    cards = 15 if short else max(22, full, boxes)
    room = columns - fixed - cards
    words = 25 if room >= 36 else max(7, min(25, room - 9))
    name = max(4, min(max(name, 6), room - words - 1, 16))
    return RowLayout(number, name, chips, cards, min(up, _SHORT) if short else up, room - name - 1, short)


_SHORT = 4
"""Columns of ``[3]`` and a blank."""
_THREE_DOWN = 11
"""Columns of ``[?? ?? ??]`` and a blank."""


def up_column(seats: Sequence[SeatView]) -> int:
    """Where the cards that are face up begin, for all seats alike: behind the hidden cards of those who have both.

    While nobody who is in the hand has both, those of folded hands begin behind at most three.
    """
    both = [3 * len(down_cards(seat)) + 2 for seat in seats if seat.hand == "live" and seat.up and seat.down]
    if both:
        return max(both)
    hidden = max((len(down_cards(seat)) for seat in seats), default=0)
    return min(3 * hidden + 2, _THREE_DOWN) if hidden else 0


def _cards_width(seat: SeatView, up: int) -> int:
    """Columns of ``[?? ??] 9h Kd``, with the cards that are face up from column `up` on."""
    down = len(down_cards(seat))
    hidden = 3 * down + 1 if down else 0
    if seat.before and not seat.up:
        hidden = max(hidden, up + 3 * len(seat.before))  # those cards are looked at again
    return max(up, hidden + 1 if down else 0) + 3 * len(seat.up) - 1 if seat.up else hidden


def seat_cards(
    seat: SeatView,
    theme: Theme,
    up: int = 0,
    *,
    short: bool = False,
    covered: bool = False,
    before: bool = False,
    playing: Collection[Card] | None = None,
) -> Line:
    """All cards of a seat, those that are face up from column `up` on: ``[As 3c] 9h Kd``.

    Folded hands show only what everybody saw. `playing`: at the result, the cards of the seat that play.
    """
    if before:
        board = card_row(seat.before, "folded", theme)
        left = "(".rjust(1 if short else max(up, 1))
        return [("class:faint", left), *board, ("class:faint", ")")] if seat.before else []
    down = down_cards(seat, covered=covered)
    folded = seat.hand == "folded"
    if short and down and all(card is None for card in down):
        hidden: Line = [("", f"[{len(down)}]")]
    elif down:
        look: Look = "shown" if seat.shown else "folded" if folded else "down"
        row = card_row(down, look, theme) if playing is None else result_row(down, playing, theme)
        left, right = (" ", " ") if theme.tiles else ("[", "]")
        hidden = [("", left), *row, ("", right)]
    else:
        hidden = []
    if not seat.up:
        return hidden
    if playing is None:
        shown: Sequence[Fragment] = card_row(seat.up, "folded" if folded else "up", theme)
    else:
        shown = result_row(seat.up, playing, theme)
    gap = max(up - line_width(hidden), 1 if hidden else 0)
    return [*hidden, ("", " " * gap), *shown] if gap else [*shown]


def heading(view: TableView, layout: RowLayout, theme: Theme, columns: int) -> Line:
    """The names of the columns, and if there is room the meaning of the letters beside the names."""
    text = " " * (layout.number + 2) + fit("name", layout.name) + " " * (len(MARKS) + 1)
    text += f"{'chips'.rjust(layout.chips)}{'bet'.rjust(5)} "
    text += "[down] up" if not theme.tiles else (" down".ljust(layout.up) if layout.up > 5 else "") + "up"
    legend = ["D deals", "o opens", *["b bot"] * any(seat.bot for seat in view.players())]
    while legend:
        words = theme.dot.join(legend)
        gap = columns - width(text) - width(words)
        if gap >= 2:
            return [("class:faint", f"{text}{' ' * gap}{words}")]
        legend.pop()
    return [("class:faint", text)]


def marks(view: TableView, seat: SeatView) -> str:
    """The letters beside a name (`MARKS`), each in its column."""
    return (
        ("D" if view.button == seat.seat else " ")
        + ("o" if view.opener == seat.seat and view.playing else " ")
        + ("b" if seat.bot else " ")
    )


def marks_in_words(view: TableView, seat: SeatView) -> list[str]:
    """The same in a word each."""
    opens = view.opener == seat.seat and view.playing
    return ["dealer"] * (view.button == seat.seat) + ["opens"] * opens + ["bot"] * seat.bot


def seat_fields(drawing: TableDrawing, seat: SeatView) -> Line:
    """The fields of a seat at the left of its cards."""
    layout = drawing.layout
    asked = seat.pending is not None
    own = seat.seat == drawing.state.seat
    style = "class:own" if own else "class:turn" if asked else "class:folded" if seat.hand != "live" else ""
    return [
        ("class:turn", ">" if asked else " "),
        (style, str(seat.seat).rjust(layout.number) + " " + fit(clean(seat.name), layout.name) + " "),
        ("class:faint", marks(drawing.view, seat)),
        (style, str(seat.chips).rjust(layout.chips)),
        ("class:pot", (str(seat.bet) if seat.bet else "").rjust(5)),
        ("", " "),
    ]


def seat_line(drawing: TableDrawing, seat: SeatView) -> Line:
    """The row of a seat, not yet cut to its width."""
    view, state, layout = drawing.view, drawing.state, drawing.layout
    own = seat.seat == state.seat
    old = drawing.shows_old_board(seat)
    row = seat_cards(
        seat,
        drawing.theme,
        layout.up,
        short=layout.short,
        covered=state.covered and own,
        before=old,
        playing=drawing.playing_of(seat),
    )
    whole = own or seat.shown or old  # these cards are never cut
    cards = max(layout.cards, line_width(row) if whole else 0)
    said = drawing.theme.dot.join(seat_words(view, seat, state.clocks.get(seat.seat)))
    return [*seat_fields(drawing, seat), *clip(row, cards), ("", " "), (words_style(seat), said)]
