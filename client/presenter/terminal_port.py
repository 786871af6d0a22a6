"""What the desk asks of the terminal it is shown on."""

from typing import Literal, Protocol, TypeAlias

Exit: TypeAlias = Literal["left", "closed"]
"""Why the screen ended: the player left it (his seat is kept), or the session was over."""


class Shell(Protocol):
    """What the desk asks of the terminal. None of it waits."""

    def redraw(self) -> None:
        """Draw when there is time."""

    def redraw_all(self) -> None:
        """Draw everything again."""

    def ring(self) -> None:
        """Sound the bell."""

    def title(self, text: str) -> None:
        """Put a text into the window's title."""

    def open_chat(self, beginning: str) -> None:
        """Give the keyboard to the chat line."""

    def close_chat(self) -> None:
        """Take it back; what was typed stays."""

    def exit(self, reason: Exit) -> None:
        """End the screen."""

    def page(self) -> int:
        """Lines by which the story scrolls."""
