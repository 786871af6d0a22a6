"""A window of prompt_toolkit that shows finished lines and copies them row by row.

A window of text goes through all its characters at each drawing, several times. Here a line is made into cells once,
and a line that has not changed is copied as a whole.
"""

from collections import defaultdict
from collections.abc import Callable, Mapping, Sequence
from functools import lru_cache
from typing import TYPE_CHECKING

from prompt_toolkit.data_structures import Point
from prompt_toolkit.layout import FormattedTextControl, Window
from prompt_toolkit.layout.mouse_handlers import MouseHandler, MouseHandlers
from prompt_toolkit.layout.screen import Char, Screen, WritePosition
from prompt_toolkit.mouse_events import MouseEvent, MouseEventType
from wcwidth import wcwidth

from client.display.text_cells import Line, width

if TYPE_CHECKING:  # a name that prompt_toolkit has for type checkers only
    from prompt_toolkit.key_binding.key_bindings import NotImplementedOrNone

_BEHIND_WIDE = Char("", "")
"""What lies behind a character of two columns: unlike everything else, so that it is always drawn again."""


class LinesWindow(Window):
    """Shows the lines that `lines` makes for its columns and rows.

    Args:
        encoding: what the terminal can show; other characters become ``?``, as wide as they were.
        scroll: what the wheel does with so many steps up.
    """

    def __init__(
        self,
        lines: Callable[[int, int], Sequence[Line]],
        encoding: Callable[[], str],
        scroll: Callable[[int], None] | None = None,
    ) -> None:
        super().__init__(FormattedTextControl("", focusable=True, show_cursor=False), always_hide_cursor=True)
        self._lines = lines
        self._encoding = encoding
        self._scroll_by = scroll

    def write_to_screen(
        self,
        screen: Screen,
        mouse_handlers: MouseHandlers,
        write_position: WritePosition,
        parent_style: str,
        erase_bg: bool,
        z_index: int | None,
    ) -> None:
        """See `prompt_toolkit.layout.containers.Container`. The window begins at the left end of the screen."""
        top, height = write_position.ypos, write_position.height
        if height <= 0 or write_position.width <= 0:
            return
        lines = self._lines(write_position.width, height)
        encoding = self._encoding()
        for y, line in enumerate(lines, top):
            screen.data_buffer[y].update(cells_of(tuple([(part[0], part[1]) for part in line]), encoding))
        screen.height = max(screen.height, top + height)
        screen.set_cursor_position(self, Point(0, 0))
        screen.show_cursor = False
        screen.visible_windows_to_write_positions[self] = write_position

        def handle(event: MouseEvent) -> "NotImplementedOrNone":
            return self._mouse(event, lines[event.position.y - top])

        row: defaultdict[int, MouseHandler] = defaultdict(lambda: handle)
        mouse_handlers.mouse_handlers.update(dict.fromkeys(range(top, top + height), row))

    def _mouse(self, event: MouseEvent, line: Line) -> "NotImplementedOrNone":
        """A click presses what it hits; moving the mouse is no reason to draw."""
        match event.event_type:
            case MouseEventType.MOUSE_UP:
                press = _hit(line, event.position.x)
                if press is None:
                    return NotImplemented
                press()
            case MouseEventType.SCROLL_UP | MouseEventType.SCROLL_DOWN if self._scroll_by is not None:
                self._scroll_by(1 if event.event_type is MouseEventType.SCROLL_UP else -1)
            case _:
                return NotImplemented
        return None


def _hit(line: Line, column: int) -> Callable[[], None] | None:
    """What a click in that column of a line presses."""
    for fragment in line:
        column -= width(fragment[1])
        if column < 0:
            return fragment[2] if len(fragment) == 3 else None
    return None


@lru_cache(maxsize=2048)
def cells_of(line: tuple[tuple[str, str], ...], encoding: str) -> Mapping[int, Char]:
    """The cells of a line by their columns, without blanks at its end that have no style."""
    cells: dict[int, Char] = {}
    x = last = 0
    for style, text in line:
        for char in text if encoding == "utf-8" else _spelled(text, encoding):
            columns = max(0, wcwidth(char))
            if not columns:  # it belongs to the character before
                before = next((at for at in (x - 1, x - 2) if at in cells and cells[at].char), None)
                if before is not None:
                    cells[before] = Char(cells[before].char + char, cells[before].style)
                continue
            cells[x] = _char(char, style)
            if columns > 1:
                cells[x + 1] = _BEHIND_WIDE
            x += columns
            if style or char != " ":
                last = x
    return {at: cell for at, cell in cells.items() if at < last}


@lru_cache(maxsize=8192)
def _char(char: str, style: str) -> Char:
    return Char(char, style)


@lru_cache(maxsize=4096)
def _spelled(text: str, encoding: str) -> str:
    try:
        text.encode(encoding)
    except UnicodeEncodeError:
        return "".join("?" * width(char) if char.encode(encoding, "replace") == b"?" else char for char in text)
    return text
