"""The common part of the full-screen applications: lines for prompt_toolkit, keys from it, and the terminal port."""

from collections.abc import Callable, Iterable
from functools import lru_cache
from typing import TYPE_CHECKING

from prompt_toolkit.application import Application
from prompt_toolkit.formatted_text import StyleAndTextTuples
from prompt_toolkit.key_binding import KeyPressEvent
from prompt_toolkit.keys import KEY_ALIASES, Keys
from prompt_toolkit.mouse_events import MouseEvent

from client.display.screen import WIDE
from client.display.text_cells import Line, width
from client.presenter.terminal_port import Exit
from client.terminal import event_loop

if TYPE_CHECKING:  # a name that prompt_toolkit has for type checkers only
    from prompt_toolkit.key_binding.key_bindings import NotImplementedOrNone

ESCAPE = 0.1
"""Seconds after which an escape character is the Esc key and not the beginning of another one."""

_NAMES = {code: name for name, code in KEY_ALIASES.items() if not name.startswith("s-")} | {
    "c-j": "enter",
    " ": "space",
}


class FullScreen:
    """A terminal that shows an application: the `client.presenter.terminal_port.TerminalPort` of a presenter."""

    app: Application[Exit]
    left = False
    """Whether the application was told to end."""

    def redraw(self) -> None:
        """See `TerminalPort`."""
        self.app.invalidate()

    def redraw_all(self) -> None:
        """See `TerminalPort`."""
        self.app.renderer.clear()

    def exit(self, reason: Exit) -> None:
        """See `TerminalPort`."""
        if self.app.is_running and not self.app.is_done:
            self.left = True
            self.app.exit(result=reason)

    def suspend(self) -> None:
        """See `TerminalPort`."""
        event_loop.suspend()

    def page(self) -> int:
        """See `TerminalPort`."""
        size = self.app.output.get_size()
        wide = size.columns >= WIDE[0] and size.rows >= WIDE[1]
        return max(1, size.rows // (2 if wide else 4))


def formatted(lines: Iterable[Line], encoding: str = "utf-8") -> StyleAndTextTuples:
    """The lines as prompt_toolkit takes them; a fragment that can be clicked gets a mouse handler.

    Characters that the terminal's encoding does not have become ``?``, as wide as they were.
    """
    text: StyleAndTextTuples = []
    for line in lines:
        if text:
            text.append(("", "\n"))
        if line and line[-1][1].isspace() and not line[-1][0]:
            line = [
                *line[:-1],
                ("", " "),
            ]  # a long blank end costs time; one blank stays, so that a click there is no click on a hint
        for fragment in line:
            shown = fragment[1] if encoding == "utf-8" else _spelled(fragment[1], encoding)
            text.append((fragment[0], shown) if len(fragment) == 2 else (fragment[0], shown, _handler(fragment[2])))
    return text


@lru_cache(maxsize=4096)
def _spelled(text: str, encoding: str) -> str:
    try:
        text.encode(encoding)
    except UnicodeEncodeError:
        return "".join("?" * width(char) if char.encode(encoding, "replace") == b"?" else char for char in text)
    return text


def _handler(press: Callable[[], None]) -> "Callable[[MouseEvent], NotImplementedOrNone]":
    def handle(event: MouseEvent) -> None:
        press()

    return handle


def key_name(event: KeyPressEvent) -> str:
    """The key as the lists of commands name it: ``enter`` rather than ``c-m``."""
    key = event.key_sequence[0].key
    code = key.value if isinstance(key, Keys) else key
    return _NAMES.get(code, code)
