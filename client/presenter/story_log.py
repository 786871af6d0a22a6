"""The story of a table as the full screen keeps it, to be scrolled back through."""

from collections.abc import Sequence
from dataclasses import replace

from client.display.screen import stage
from client.display.story_pane import Tale
from protocol import events as ev
from protocol.events import AnyEvent, Seat
from protocol.view import TableView
from replays.telling import tell_whole

STORY = 3000
"""Sentences kept."""

_OWN_CARDS = (ev.CardsDealt, ev.ChoiceMade, ev.CardsPassed, ev.CardsDiscarded)
"""Events whose sentences may tell the reader's own hidden cards."""


class Storybook:
    """Sentences, oldest first. What adds some returns the new place of a reader who had scrolled back."""

    def __init__(self) -> None:
        self.tales: list[Tale] = []

    def add(self, event: AnyEvent, view: TableView, seat: Seat, scroll: int) -> int:
        """What the event means for the reader in that seat; `view` stands directly behind it."""
        lines = tell_whole(event, view, seat or None)
        told = [Tale(text, chat=isinstance(event, ev.Said), secret=isinstance(event, _OWN_CARDS)) for text in lines]
        if isinstance(event, ev.RoundOpened | ev.RoundSkipped):
            # The boards stand at the seats; here a street has a short head.
            told[0] = Tale(f"{stage(view).capitalize()}, pot {view.pot()}", head=True)
        elif isinstance(event, ev.HandStarted):
            told[0] = replace(told[0], head=True)
        return self._append(told, scroll)

    def answer(self, lines: Sequence[str], scroll: int) -> int:
        """Sentences for the reader alone."""
        return self._append([Tale(f"* {line}", secret=True) for line in lines], scroll)

    def _append(self, told: Sequence[Tale], scroll: int) -> int:
        self.tales += told
        if len(self.tales) > STORY:
            del self.tales[: STORY // 10]
        return scroll + len(told) if scroll else 0  # what the reader looks at stays where it is
