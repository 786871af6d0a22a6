"""The keyboard of a full screen: it tells pasted text from keys.

A key that a person presses arrives alone. Text keys that arrive together in one read were pasted, or typed while the
line was too slow; which of the two cannot be known, so they are text and never press anything. Terminals that mark a
paste (bracketed paste) say it themselves.
"""

import time
from collections.abc import Callable
from contextlib import AbstractContextManager

from prompt_toolkit.input import Input
from prompt_toolkit.key_binding.key_processor import KeyPress
from prompt_toolkit.keys import Keys

GAP = 0.1
"""Seconds after a paste in which a text key still belongs to it: a long paste arrives in several reads."""
_TEXT = (Keys.ControlM, Keys.ControlJ, Keys.ControlI)
"""Keys that a text may hold, besides its characters."""
_NOT_KEYS = (Keys.Vt100MouseEvent, Keys.WindowsMouseEvent, Keys.CPRResponse, Keys.BracketedPaste)
"""Messages of the terminal; they may arrive together with anything."""


class Together(KeyPress):
    """Text keys that arrived together without being marked as a paste; `data` is the text."""

    def __init__(self, text: str) -> None:
        super().__init__(Keys.BracketedPaste, text)


class WrappedInput(Input):
    """An input that passes everything on to another one."""

    def __init__(self, inner: Input) -> None:
        self.inner = inner

    def fileno(self) -> int:
        """See `prompt_toolkit.input.Input`."""
        return self.inner.fileno()

    def typeahead_hash(self) -> str:
        """See `prompt_toolkit.input.Input`."""
        return self.inner.typeahead_hash()

    def read_keys(self) -> list[KeyPress]:
        """See `prompt_toolkit.input.Input`."""
        return self.inner.read_keys()

    def flush_keys(self) -> list[KeyPress]:
        """See `prompt_toolkit.input.Input`."""
        return self.inner.flush_keys()

    def flush(self) -> None:
        """See `prompt_toolkit.input.Input`."""
        self.inner.flush()

    @property
    def closed(self) -> bool:
        """See `prompt_toolkit.input.Input`."""
        return self.inner.closed

    def raw_mode(self) -> AbstractContextManager[None]:
        """See `prompt_toolkit.input.Input`."""
        return self.inner.raw_mode()

    def cooked_mode(self) -> AbstractContextManager[None]:
        """See `prompt_toolkit.input.Input`."""
        return self.inner.cooked_mode()

    def attach(self, input_ready_callback: Callable[[], None]) -> AbstractContextManager[None]:
        """See `prompt_toolkit.input.Input`."""
        return self.inner.attach(input_ready_callback)

    def detach(self) -> AbstractContextManager[None]:
        """See `prompt_toolkit.input.Input`."""
        return self.inner.detach()

    def close(self) -> None:
        """See `prompt_toolkit.input.Input`."""
        self.inner.close()


class Keyboard(WrappedInput):
    """The keys of another input, with the text keys of one read as one `Together`."""

    def __init__(self, inner: Input, now: Callable[[], float] = time.monotonic) -> None:
        super().__init__(inner)
        self._now = now
        self._pasted = -GAP - 1

    def read_keys(self) -> list[KeyPress]:
        """The keys of one read. Where some of them are a paste, the other keys between them are dropped."""
        keys = self.inner.read_keys()
        text = [press for press in keys if _is_text(press)]
        now = self._now()
        if not text or (len(text) == 1 and now - self._pasted > GAP):
            return keys
        self._pasted = now
        return [Together("".join(press.data for press in text)), *(press for press in keys if press.key in _NOT_KEYS)]


def _is_text(press: KeyPress) -> bool:
    return press.key in _TEXT or (not isinstance(press.key, Keys) and press.key.isprintable())
