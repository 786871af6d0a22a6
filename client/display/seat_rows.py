"""The seats of a table as rows of a screen.

A row reads: whose turn, seat number, name, marks, chips, bet of this round, cards, what the player did or is doing.
Hidden cards stand before those that are face up, which begin at the same column for every seat: ``[?? ??] 9h Kd 2c``.
Cards are tiles; without colours hidden ones stand in brackets.
"""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from math import ceil
from typing import NamedTuple

from client.display.card_tiles import Look, card_row, down_cards, result_row
from client.display.text_cells import Fragment, Line, clean, clip, fit, line_width, width
from client.display.theme import Theme
from protocol.cards import Card
from protocol.narration import phrases
from protocol.seat_view import SeatView
from protocol.view import TableView

DOING = {
    "bet": "to act",
    "choose": "choosing",
    "arrange": "arranging",
    "declare": "declaring",
    "pass": "choosing",
    "discard": "choosing",
    "buy": "thinking",
    "game": "names the game",
}
"""What a seat does while its request is open."""

MARKS = (("D", "deals this hand (the button)"), ("o", "opens the betting (bring-in)"), ("b", "a bot"))
"""The letters beside a name."""


@dataclass(frozen=True, slots=True)
class RowLayout:
    """How many columns each field of a row has.

    Fields:
        up: where the cards that are face up begin, counted from the first card.
        words: what the player does; 0 if that stands in a line below.
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


def row_layout(view: TableView, columns: int, *, two_lines: bool) -> RowLayout:
    """The fields of a row in so many columns."""
    players = view.players()
    number = len(str(len(view.seats)))
    chips = max((len(str(seat.chips)) + 1 for seat in players), default=0)
    chips = max(6, chips)
    up = up_column(players)
    full = max((_cards_width(seat, up) for seat in players), default=0)
    name = max((width(clean(seat.name)) for seat in players), default=4)
    fixed = 1 + number + 1 + 1 + len(MARKS) + chips + 5 + 1
    short = columns - fixed - max(22, full) - (0 if two_lines else 17) < 8
    cards = 15 if short else max(22, full)
    room = columns - fixed - cards
    if short:
        up = min(up, _SHORT)
    if two_lines:
        return RowLayout(number, max(4, min(name, room, 20)), chips, cards, up, 0, short)
    words = 25 if room >= 36 else max(7, min(25, room - 9))
    name = max(4, min(max(name, 6), room - words - 1, 16))
    return RowLayout(number, name, chips, cards, up, room - name - 1, short)


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
        return [("class:faint", "("), *board, ("class:faint", ")")] if seat.before else []
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


class ClockLeft(NamedTuple):
    """What is left to a player: seconds of the clock, and of the time bank that runs when the clock is at 0."""

    seconds: float
    bank: float = 0.0

    def short(self) -> str:
        """``23s``; ``bank 42s`` when the time bank runs (`rules.md` 10)."""
        return f"{ceil(self.seconds)}s" if self.seconds > 0 or not self.bank else f"bank {ceil(self.bank)}s"

    def whole(self) -> str:
        """``23s + 42 bank``: never clock and bank in one number."""
        both = self.seconds > 0 and self.bank > 0
        return f"{self.short()} + {ceil(self.bank)} bank" if both else self.short()


def request_words(seat: SeatView, left: ClockLeft | None) -> str:
    """What the seat is asked for, with its clock: ``to act 12s``; empty without an open request."""
    if seat.pending is None:
        return ""
    text = DOING.get(seat.pending.request.decision, "thinking")
    return text if left is None else f"{text} {left.short()}"


def seat_words(view: TableView, seat: SeatView, left: ClockLeft | None) -> list[str]:
    """Everything that is worth saying about a seat now, the most important first."""
    said: list[str] = []
    over = not view.playing and bool(view.awards) and seat.hand != "out"
    if over:
        net = seat.won - seat.total
        said.append(f"wins {seat.won} ({net:+d})" if seat.won else f"{net:+d}")
    if seat.declared:
        said.append(seat.declared.upper() + (" odd man" if view.odd_man == seat.seat else ""))
    if not seat.online:
        said.append("offline")
    if seat.away:
        said.append("away")
    if seat.hand == "folded":
        said.append("folded")
        return said
    if over:
        said += ["mucks"] * (seat.mucked and not seat.shown) + ["ready"] * seat.went_on
        return said
    if seat.all_in:
        said.append("all-in")
    if seat.pending is not None:
        said.append(request_words(seat, left))
    elif seat.choice is not None:
        said.append("chosen")
    elif seat.last is not None:
        said.append(phrases.acted(seat.last))
    if view.playing and seat.hand == "out" and not seat.away:
        said.append("waits for the next hand")
    return said


def _words_style(seat: SeatView) -> str:
    if seat.pending is not None:
        return "class:turn"
    if seat.won:
        return "class:win"
    return "class:faint" if seat.hand != "live" else ""


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


def seat_line(
    view: TableView,
    seat: SeatView,
    layout: RowLayout,
    theme: Theme,
    *,
    own: bool = False,
    covered: bool = False,
    before: bool = False,
    clocks: Mapping[int, ClockLeft] | None = None,
    playing: Collection[Card] | None = None,
) -> Line:
    """The row of a seat, not yet cut to its width. `playing`: at the result, the cards of the seat that play."""
    asked = seat.pending is not None
    style = "class:own" if own else "class:turn" if asked else "class:folded" if seat.hand != "live" else ""
    marks = (
        ("D" if view.button == seat.seat else " ")
        + ("o" if view.opener == seat.seat and view.playing else " ")
        + ("b" if seat.bot else " ")
    )
    row = seat_cards(
        seat,
        theme,
        layout.up,
        short=layout.short,
        covered=covered and own,
        before=before and view.playing,
        playing=playing,
    )
    line: Line = [
        ("class:turn", ">" if asked else " "),
        (style, str(seat.seat).rjust(layout.number) + " " + fit(clean(seat.name), layout.name) + " "),
        ("class:faint", marks),
        (style, str(seat.chips).rjust(layout.chips)),
        ("class:pot", (str(seat.bet) if seat.bet else "").rjust(5)),
        ("", " "),
        *clip(row, max(layout.cards, line_width(row) if own or seat.shown else 0)),  # own and shown cards are never cut
    ]
    if layout.words:
        said = theme.dot.join(seat_words(view, seat, (clocks or {}).get(seat.seat)))
        line += [("", " "), (_words_style(seat), said)]
    return line


def second_line(
    view: TableView, seat: SeatView, layout: RowLayout, theme: Theme, clocks: Mapping[int, ClockLeft] | None = None
) -> Line:
    """The line below a seat's row: what it does, chips put in, upcards before bring 'em back, hands at the showdown."""
    said = theme.dot.join(seat_words(view, seat, (clocks or {}).get(seat.seat)))
    line: Line = [("", " " * (layout.number + 2)), (_words_style(seat), said)]
    if seat.values:
        line.append(("class:note", ("  " if said else "") + "; ".join(clean(name) for _, name in seat.values)))
    elif seat.before and seat.hand == "live" and view.playing:
        line += [("class:faint", "  was "), *card_row(seat.before, "folded", theme)]
    elif seat.total > seat.bet and view.playing:
        line.append(("class:faint", f"  {seat.total} in this hand"))
    return line if line_width(line) > layout.number + 2 else []
