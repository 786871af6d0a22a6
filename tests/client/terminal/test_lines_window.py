"""Finished lines on the screen: the cells of a line, and what a click hits."""

from prompt_toolkit.data_structures import Point
from prompt_toolkit.layout.mouse_handlers import MouseHandlers
from prompt_toolkit.layout.screen import Screen, WritePosition
from prompt_toolkit.mouse_events import MouseButton, MouseEvent, MouseEventType

from client.display.text_cells import Line
from client.terminal.lines_window import LinesWindow, cells_of


def test_every_column_has_its_cell_and_the_blank_end_has_none() -> None:
    cells = cells_of((("class:own", "A王"), ("", "e\u0301b  "), ("class:felt", "  "), ("", "   ")), "utf-8")
    assert {column: (cell.char, cell.style) for column, cell in cells.items()} == {
        0: ("A", "class:own"),
        1: ("王", "class:own"),
        2: ("", ""),
        3: ("e\u0301", ""),
        4: ("b", ""),
        5: (" ", ""),
        6: (" ", ""),
        7: (" ", "class:felt"),
        8: (" ", "class:felt"),
    }
    assert cells_of((("", "   "),), "utf-8") == {}


def test_a_click_presses_what_it_hits_and_the_wheel_scrolls() -> None:
    pressed: list[str] = []
    steps: list[int] = []
    lines: list[Line] = [[("", "王 "), ("class:key", "c", lambda: pressed.append("c")), ("", " word")], [("", "below")]]
    window = LinesWindow(lambda columns, rows: lines, lambda: "utf-8", steps.append)
    screen, handlers = Screen(), MouseHandlers()
    window.write_to_screen(screen, handlers, WritePosition(0, 1, 20, 2), "", erase_bg=False, z_index=None)

    def act(column: int, row: int, kind: MouseEventType = MouseEventType.MOUSE_UP) -> None:
        event = MouseEvent(Point(column, row), kind, MouseButton.LEFT, frozenset())
        handlers.mouse_handlers[row][column](event)

    for column in range(20):
        act(column, 1)
        act(column, 2)
        act(column, 0)
    assert pressed == ["c"]
    act(3, 1, MouseEventType.MOUSE_MOVE)
    act(5, 2, MouseEventType.SCROLL_UP)
    act(5, 2, MouseEventType.SCROLL_DOWN)
    assert (pressed, steps) == (["c"], [1, -1])
    assert "".join(screen.data_buffer[1][column].char for column in range(5)) == "王 c "
    assert (screen.height, screen.show_cursor) == (3, False)
