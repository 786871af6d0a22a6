"""The common part of the full-screen applications: keys from prompt_toolkit, and the terminal port."""

from prompt_toolkit.application import Application
from prompt_toolkit.key_binding import KeyPressEvent
from prompt_toolkit.keys import KEY_ALIASES, Keys

from client.display.screen import WIDE
from client.presenter.terminal_port import Exit
from client.terminal import event_loop

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


def key_name(event: KeyPressEvent) -> str:
    """The key as the lists of commands name it: ``enter`` rather than ``c-m``."""
    key = event.key_sequence[0].key
    code = key.value if isinstance(key, Keys) else key
    return _NAMES.get(code, code)
