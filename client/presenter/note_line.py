"""The note on the last line of the screen: a sentence about a moment.

What lasts is no note; it has a fixed place for as long as it is true. A note is taken away by the next key that does
something, by the next event of the table, and in any case after a while.
"""

from collections.abc import Callable

STANDS = 8.0
"""Seconds after which a note goes by itself."""
READABLE = 2.0
"""Seconds for which a note stands whatever happens; an answer is in the story, too, and goes with the next event."""


class NoteLine:
    """One sentence, or none.

    Args:
        now: seconds on any steady scale.
    """

    def __init__(self, now: Callable[[], float]) -> None:
        self._now = now
        self._text = ""
        self._since = self._until = 0.0
        self._stale = False
        self._answer = self._own_cards = False

    def say(self, text: str, *, answer: bool = False, own_cards: bool = False) -> None:
        """Show a sentence.

        Args:
            answer: it says how the table stood when it was asked for.
            own_cards: it tells the player's own hidden cards.
        """
        self._text, self._answer, self._own_cards, self._stale = text, answer, own_cards, False
        self._since = self._now()
        self._until = self._since + STANDS

    def clear(self) -> None:
        """A key did something: the note belongs to the past."""
        self._text = ""

    def outdated(self) -> None:
        """Something happened at the table."""
        if self._answer:
            self.clear()
        elif self._text and not self._stale:
            self._stale = True
            self._until = max(self._now(), self._since + READABLE)

    def text(self, *, hide_cards: bool = False) -> str:
        """The note as it stands now; `hide_cards`: nothing about the player's own cards."""
        over = self._now() >= self._until if self._stale else self._now() > self._until
        if over or (self._own_cards and hide_cards):
            self._text = ""
        return self._text
