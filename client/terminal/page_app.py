"""A full screen that shows one presenter without a network: replay, review and drill."""

import time
from collections.abc import Callable, Iterable
from typing import Generic, Protocol, TypeVar

from prompt_toolkit.application import Application
from prompt_toolkit.input import Input, create_input
from prompt_toolkit.key_binding import KeyBindings, KeyPressEvent
from prompt_toolkit.keys import Keys
from prompt_toolkit.layout import Layout
from prompt_toolkit.output import Output
from prompt_toolkit.styles import DynamicStyle

from client.display.text_cells import Line
from client.display.theme import Theme
from client.presenter.terminal_port import TerminalPort
from client.terminal import event_loop
from client.terminal.full_screen import ESCAPE, FullScreen, key_name
from client.terminal.keyboard import Keyboard
from client.terminal.lines_window import LinesWindow
from client.terminal.resize import Resizing
from client.terminal.style import style_of

TICK = 0.05
"""Seconds between looks at what the presenter does by itself."""
NAMED = (
    "enter", "escape", "backspace", "up", "down", "left", "right", "home", "end", "pageup", "pagedown", "c-c",
    "<sigint>", "c-l", "c-z",
)  # fmt: skip
"""The named keys of a screen that does not say which ones it has."""


class PagePresenter(Protocol):
    """What a screen asks of its presenter."""

    theme: Theme

    def lines(self, columns: int, rows: int) -> list[Line]: ...
    def press(self, name: str) -> None: ...
    def beat(self) -> bool:
        """Goes on with what it does by itself. Returns whether something has changed."""


P = TypeVar("P", bound=PagePresenter)


class PageApp(FullScreen, Generic[P]):
    """One terminal that shows one presenter.

    Args:
        make: makes the presenter for this terminal.
        named: the keys with a name that the presenter knows; characters need not be named.
    """

    def __init__(
        self,
        make: Callable[[TerminalPort], P],
        keyboard: Input | None = None,
        output: Output | None = None,
        now: Callable[[], float] = time.monotonic,
        named: Iterable[str] = NAMED,
    ) -> None:
        self.presenter: P = make(self)
        self.app = Application(
            layout=Layout(LinesWindow(self.presenter.lines, lambda: self.app.output.encoding())),
            key_bindings=self._bindings(named),
            style=DynamicStyle(lambda: style_of(self.presenter.theme, self.app.color_depth)),
            full_screen=True,
            input=Keyboard(keyboard or create_input(), now),
            output=output,
        )
        self.resizing = Resizing(self.app)
        self.app.ttimeoutlen = self.app.timeoutlen = ESCAPE

    def _bindings(self, named: Iterable[str]) -> KeyBindings:
        bindings = KeyBindings()

        def handle(event: KeyPressEvent) -> None:
            self.presenter.press(key_name(event))

        for name in sorted({name for name in named if len(name) > 1}):
            bindings.add(name)(handle)
        bindings.add(Keys.Any)(handle)
        bindings.add(Keys.BracketedPaste)(lambda event: None)  # a paste does nothing
        return bindings

    def tick(self) -> None:
        """What goes on beside the keys."""
        self.resizing.look()
        if self.presenter.beat():
            self.app.invalidate()


def run_page(
    make: Callable[[TerminalPort], PagePresenter],
    *,
    terminal_input: Input | None = None,
    terminal_output: Output | None = None,
) -> None:
    """Show a presenter until it ends the screen. Raises what `client.terminal.event_loop.run_alone` raises."""
    page = PageApp(make, terminal_input, terminal_output)
    event_loop.run_alone(page.app, page.tick, TICK)
