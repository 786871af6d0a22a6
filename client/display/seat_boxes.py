"""A seat with its cards as boxes, in as many rows as the boxes have."""

from client.display.card_boxes import Group, boxes_width, card_boxes
from client.display.card_tiles import Look, card_row, down_cards
from client.display.seat_rows import TableDrawing, marks_in_words, seat_fields
from client.display.seat_words import seat_words, words_style
from client.display.text_cells import Line, clean, cut, line_width, wrap
from protocol.cards import MaybeCard
from protocol.narration.hand_names import spoken, without_kicker
from protocol.seat_view import SeatView
from server.engine.games.hand_words import board_words


def seat_groups(drawing: TableDrawing, seat: SeatView) -> tuple[Group, Group]:
    """The hidden cards of a seat and those that are face up, each with its look.

    While the boards from before bring 'em back are looked at, there are those alone.
    """
    state = drawing.state
    if drawing.shows_old_board(seat):
        return (), tuple([(card, "folded") for card in seat.before])
    down = down_cards(seat, covered=state.covered and seat.seat == state.seat)
    playing = drawing.playing_of(seat)

    def group(cards: tuple[MaybeCard, ...], look: Look) -> Group:
        if playing is None:
            return tuple([(card, look) for card in cards])
        return tuple([(card, "playing" if card in playing else "resting") for card in cards])

    return group(down, "shown" if seat.shown else "down"), group(seat.up, "up")


def seat_boxes(drawing: TableDrawing, seat: SeatView, columns: int, height: int) -> list[Line]:
    """A seat that is in the hand: its fields, the boxes, and at the right what it does and what its board shows."""
    layout = drawing.layout
    groups = seat_groups(drawing, seat)
    frame = "class:turn" if seat.pending is not None else "class:box"
    boxes = card_boxes(groups, height, drawing.theme, frame)
    at = layout.before_cards
    left = [seat_fields(drawing, seat), _put_in(seat, at), _marks(drawing, seat, at)]
    words_at = at + max(layout.cards, boxes_width(len(groups[0]), len(groups[1]), height)) + 1
    words = _words(drawing, seat, columns - words_at)
    lines: list[Line] = []
    for number, row in enumerate(boxes):
        line = left[number] if number < len(left) else []
        line = [*line, ("", " " * (at - line_width(line))), *row]
        if number < len(words):
            line += [("", " " * (words_at - line_width(line))), *words[number]]
        lines.append(line)
    return lines


def _put_in(seat: SeatView, columns: int) -> Line:
    """The chips that were put in before this round, right below the bet."""
    before = seat.total - seat.bet
    return [("class:faint", f"{before} put in ".rjust(columns))] if before > 0 else []


def _marks(drawing: TableDrawing, seat: SeatView, columns: int) -> Line:
    """What the letters beside the name mean."""
    said = drawing.theme.dot.join(marks_in_words(drawing.view, seat))
    return [("class:faint", cut(" " * (drawing.layout.number + 2) + said, columns))]


def _words(drawing: TableDrawing, seat: SeatView, columns: int) -> list[Line]:
    """What a seat does, and the hands that it showed, or its board from before bring 'em back and what it shows now."""
    view = drawing.view
    said = drawing.theme.dot.join(seat_words(view, seat, drawing.state.clocks.get(seat.seat)))
    lines: list[Line] = [[(words_style(seat), part)] for part in wrap(said, columns, "")]
    if seat.values:
        names = [without_kicker(spoken(clean(name))) for _, name in seat.values]
        short = [name.partition(":")[0] if name.startswith("no low") else name for name in names]
        return lines + [[("class:note", part)] for name in short for part in wrap(name, columns, "")]
    if seat.before and view.playing and not drawing.shows_old_board(seat):
        board = card_row(seat.before, "folded", drawing.theme)
        fits = line_width([*board]) + len("was ") <= columns
        lines += [[("class:faint", "was "), *board]] if fits else [[("class:faint", "was")], [*board]]
    shows = board_words(view, seat.up)
    if shows:
        lines += [[("class:faint", part)] for part in wrap(f"shows {shows}" if columns >= 20 else shows, columns, "")]
    return lines
