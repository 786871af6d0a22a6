"""The player's own hand below the other seats: boxes of cards, the price at the left, what they make at the right."""

from collections.abc import Iterable, Sequence

from client.display.card_boxes import Group, boxes_width, card_boxes
from client.display.seat_boxes import seat_groups
from client.display.seat_rows import TableDrawing, marks, seat_fields
from client.display.seat_words import seat_words
from client.display.text_cells import Line, clean, clip, cut, line_width, width, wrap
from protocol.events import Seat
from protocol.seat_view import SeatView
from protocol.view import TableView
from server.engine.games.hand_words import made_hands

LEFT = 16
"""Columns for name, chips and price."""
RIGHT = 20
"""Columns that the names of the hands need at least."""
USUAL = (3, 4)
"""Hidden cards and cards face up for which there must be room."""


def has_own_hand(view: TableView, seat: Seat) -> bool:
    """Whether the player at a seat has cards in a hand that they have not folded; a spectator has none."""
    if not seat:
        return False
    own = view.seat(seat)
    return own.hand == "live" and bool(own.down or own.up)


def widest_boxes(seats: Iterable[SeatView], height: int) -> int:
    """Columns of the widest boxes of these seats, and at least those of the usual hand."""
    return max([boxes_width(len(seat.down), len(seat.up), height) for seat in seats] + [boxes_width(*USUAL, height)])


def own_hand_fits(own: SeatView, height: int, columns: int) -> bool:
    """Whether boxes of so many rows fit beside the words."""
    return columns >= LEFT + widest_boxes([own], height) + 2 + RIGHT


def own_hand(drawing: TableDrawing, columns: int, height: int) -> list[Line]:
    """A rule with what the player does, and below it so many rows with the own cards."""
    theme, own = drawing.theme, drawing.view.seat(drawing.state.seat)
    groups = seat_groups(drawing, own)
    wide = widest_boxes([own], height)
    at = max(LEFT, min(drawing.layout.before_cards, columns - wide - 2 - 28))
    aligned = at >= drawing.layout.before_cards
    said = seat_words(drawing.view, own, drawing.state.clocks.get(own.seat))
    left = _aligned(drawing, own, at) if aligned else _stacked(drawing, own, at - 1, height)
    if not aligned and height > len(left):  # what the player does has room there
        style = "class:turn" if own.pending else ""
        left += [[(style, f"   {part}")] for part in wrap(theme.dot.join(said), at - 4, "")]
        said = []
    right = _right(drawing, columns - at - wide - 2, height)
    lines = [_rule(drawing, own, groups, at, columns, height, said)]
    for number, row in enumerate(card_boxes(groups, height, theme, "class:own")):
        line = [*clip(left[number] if number < len(left) else [], at), *row]
        if number < len(right):
            line += [("", " " * (at + wide + 2 - line_width(line))), *right[number]]
        lines.append(line)
    return lines


def _rule(
    drawing: TableDrawing,
    own: SeatView,
    groups: tuple[Group, Group],
    at: int,
    columns: int,
    height: int,
    said: Sequence[str],
) -> Line:
    """``─ you · raises to 10 ──── hidden ── face up ───``: the words over the cards say who sees them."""
    theme = drawing.theme
    line: Line = [("class:rule", theme.rule), ("class:own", " you ")]
    while said and line_width(line) + width(theme.dot.join(said)) + 3 > at:
        said = said[:-1]
    if said:
        line.append(("class:turn" if own.pending else "", f"{theme.dot.strip()} {theme.dot.join(said)} "))
    column = at
    for group, names in zip(groups, (("hidden", "down"), ("face up",)), strict=True):
        if not group:
            continue
        line.append(("class:rule", theme.rule * (column - line_width(line))))
        column += boxes_width(len(group), 0, height) + 1
        word = next((name for name in names if line_width(line) + len(name) + 2 <= column or name == "face up"), "")
        if word:
            line.append(("class:faint", f" {word} "))
    line.append(("class:rule", theme.rule * max(0, columns - line_width(line))))
    return line


def _aligned(drawing: TableDrawing, own: SeatView, columns: int) -> list[Line]:
    """Name and chips in the columns of the other seats, and what staying in costs."""
    cost = drawing.view.to_call(own.seat)
    return [seat_fields(drawing, own), [("class:turn", f"{cost} to call ".rjust(columns) if cost else "")]]


def _stacked(drawing: TableDrawing, own: SeatView, columns: int, height: int) -> list[Line]:
    """Name, chips, and what staying in costs, below each other."""
    cost = drawing.view.to_call(own.seat)
    name: Line = [("class:own", f" {own.seat} {cut(clean(own.name), columns - 7)}  ")]
    lines: list[Line] = [
        [*name, ("class:faint", marks(drawing.view, own).strip())],
        [("class:own", f"   {own.chips} chips")],
    ]
    if own.bet and height > len(lines) + bool(cost):
        lines.append([("class:pot", f"   bet {own.bet}")])
    if cost:
        lines.append([("class:turn", f"   {cost} to call")])
    return lines


def _right(drawing: TableDrawing, columns: int, rows: int) -> list[Line]:
    """What the cards make, in at most so many rows: ``HIGH pair of kings``."""
    state, view = drawing.state, drawing.view
    if state.covered:
        covered: list[Line] = [[("class:own", part)] for part in wrap(state.covered_note, columns, "")]
        return covered[:rows]
    made = made_hands(view, state.seat)
    lines: list[Line] = []
    for short in (False, True):
        lines = []
        for side, name in made:
            label = f"{side.upper():<5}" if side else ""
            text = (name.rpartition(",")[0] or name.partition(":")[0]) if short else name
            first, *others = wrap(text, columns - len(label), "")
            lines.append([("class:faint", label), ("class:own", first)])
            lines += [[("class:own", " " * len(label) + part)] for part in others]
        if len(lines) <= rows:
            break
    return lines[:rows]
