"""Draws a resized window anew once its size no longer changes.

While a window changes its size a drawing may be cut short or land in a window of another size, and the next one begins
at a wrong position of the cursor. So the screen is cleared and drawn once more when the size stays the same.
"""

from contextlib import suppress
from typing import Any

from prompt_toolkit.application import Application


class Resizing:
    """Looks at the size of an application's window; `look` is to be called a few times in a second."""

    def __init__(self, app: Application[Any]) -> None:
        self._app = app
        self._size = app.output.get_size()
        self._restless = False

    def look(self) -> None:
        """Draw anew if the size has changed before the last look and has not since."""
        before, self._size = self._size, self._app.output.get_size()
        if self._size != before:
            self._restless = True
        elif self._restless:
            self._restless = False
            with suppress(OSError):  # the terminal may have gone; the code that reads from it finds out
                self._app.renderer.clear()
            self._app.invalidate()
