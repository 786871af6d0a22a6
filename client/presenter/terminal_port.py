"""The ports of the presenters: their requests to the terminal."""

from typing import Literal, Protocol, TypeAlias

from client.presenter.options import Notify

Exit: TypeAlias = Literal["left", "closed"]
"""Why the screen ended: the user left it (a seat is kept), or the session was over."""


class TerminalPort(Protocol):
    """The requests of every presenter to its terminal. None of them waits."""

    def redraw(self) -> None:
        """Draw when there is time."""

    def redraw_all(self) -> None:
        """Draw everything again."""

    def suspend(self) -> None:
        """Put the program to sleep until the shell wakes it."""

    def exit(self, reason: Exit) -> None:
        """End the screen."""

    def page(self) -> int:
        """The number of lines by which the story scrolls."""


class TableTerminalPort(TerminalPort, Protocol):
    """The further requests of the presenter of a table."""

    def ring(self) -> None:
        """Sound the bell."""

    def notify(self, text: str, how: Notify) -> None:
        """Ask the terminal to tell the desktop something."""

    def title(self, text: str) -> None:
        """Put a text into the window's title."""

    def open_chat(self, beginning: str) -> None:
        """Give the keyboard to the chat line."""

    def close_chat(self) -> None:
        """Take the keyboard back; the typed text stays."""
