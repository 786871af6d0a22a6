"""A recording on the full screen: `client.presenter.replay` behind a prompt_toolkit application.

`run_replay` shows it until the reader quits.
"""

import time
from collections.abc import Callable

from prompt_toolkit.application import Application
from prompt_toolkit.input import Input, create_input
from prompt_toolkit.key_binding import KeyBindings, KeyPressEvent
from prompt_toolkit.keys import Keys
from prompt_toolkit.layout import Layout
from prompt_toolkit.output import Output
from prompt_toolkit.styles import DynamicStyle

from client.display.theme import Theme
from client.presenter.replay import ReplayPresenter, no_export
from client.presenter.replay_commands import BY_KEY
from client.terminal import event_loop
from client.terminal.full_screen import ESCAPE, FullScreen, key_name
from client.terminal.keyboard import Keyboard
from client.terminal.lines_window import LinesWindow
from client.terminal.resize import Resizing
from client.terminal.style import style_of
from replays.navigator import Navigator
from replays.what_if.branch import Branch

TICK = 0.05
"""Seconds between looks at the clock of autoplay."""
_TYPING = ("enter", "backspace")
"""Named keys that are needed while a place is typed."""


class ReplayApp(FullScreen):
    """One terminal that shows one recording."""

    def __init__(
        self,
        navigator: Navigator,
        theme: Theme,
        keyboard: Input | None,
        output: Output | None,
        now: Callable[[], float] = time.monotonic,
        export: Callable[[Navigator], str] = no_export,
    ) -> None:
        self.presenter = ReplayPresenter(navigator, self, theme, now, export)
        self.app = Application(
            layout=Layout(LinesWindow(self.presenter.lines, lambda: self.app.output.encoding())),
            key_bindings=self._bindings(),
            style=DynamicStyle(lambda: style_of(self.presenter.theme, self.app.color_depth)),
            full_screen=True,
            input=Keyboard(keyboard or create_input(), now),
            output=output,
        )
        self.resizing = Resizing(self.app)
        self.app.ttimeoutlen = self.app.timeoutlen = ESCAPE

    def _bindings(self) -> KeyBindings:
        bindings = KeyBindings()

        def handle(event: KeyPressEvent) -> None:
            self.presenter.press(key_name(event))

        for name in sorted({name for name in (*BY_KEY, *_TYPING) if len(name) > 1}):
            bindings.add(name)(handle)
        bindings.add(Keys.Any)(handle)
        bindings.add(Keys.BracketedPaste)(lambda event: None)  # a paste moves nothing
        return bindings

    def tick(self) -> None:
        """The clock of autoplay, beside the application."""
        self.resizing.look()
        if self.presenter.beat():
            self.app.invalidate()


def run_replay(
    navigator: Navigator,
    theme: Theme | None = None,
    *,
    terminal_input: Input | None = None,
    terminal_output: Output | None = None,
    export: Callable[[Navigator], str] = no_export,
    note: str = "",
) -> Branch | None:
    """Show a recording until the reader quits, or wants to play on.

    Args:
        export: writes a hand.
        note: a sentence that is shown first.

    Returns:
        The step from which they want to play on; None if they have quit.

    Raises what `client.terminal.event_loop.run_alone` raises.
    """
    replay = ReplayApp(navigator, theme or Theme(), terminal_input, terminal_output, export=export)
    replay.presenter.state.note = note
    event_loop.run_alone(replay.app, replay.tick, TICK)
    return replay.presenter.wanted
