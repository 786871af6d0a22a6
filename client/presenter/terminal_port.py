"""What the presenters ask of the terminal that they are shown on."""

from typing import Literal, Protocol, TypeAlias

Exit: TypeAlias = Literal["left", "closed"]
"""Why the screen ended: the user left it (a seat is kept), or the session was over."""


class TerminalPort(Protocol):
    """What every presenter asks of its terminal. None of it waits."""

    def redraw(self) -> None:
        """Draw when there is time."""

    def redraw_all(self) -> None:
        """Draw everything again."""

    def exit(self, reason: Exit) -> None:
        """End the screen."""

    def page(self) -> int:
        """Lines by which the story scrolls."""


class TableTerminalPort(TerminalPort, Protocol):
    """What the presenter of a table asks besides."""

    def ring(self) -> None:
        """Sound the bell."""

    def title(self, text: str) -> None:
        """Put a text into the window's title."""

    def open_chat(self, beginning: str) -> None:
        """Give the keyboard to the chat line."""

    def close_chat(self) -> None:
        """Take it back; what was typed stays."""
