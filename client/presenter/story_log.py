"""The story of a table as the full screen keeps it, to be scrolled back through."""

from collections.abc import Sequence
from dataclasses import replace

from client.display.screen import stage
from client.display.story_pane import StoryLine
from protocol import events as ev
from protocol.events import AnyEvent, Seat
from protocol.narration.spans import Sentence, compose
from protocol.narration.story import tell
from protocol.view import TableView
from server.engine.ranking.winning_cards import winning_cards

STORY = 3000
"""Sentences kept."""

_OWN_CARDS = (ev.CardsDealt, ev.ChoiceMade, ev.CardsPassed, ev.CardsDiscarded)
"""Events whose sentences may tell the reader's own hidden cards."""


class Storybook:
    """Sentences, oldest first. What adds some returns the new place of a reader who had scrolled back."""

    def __init__(self) -> None:
        self.entries: list[StoryLine] = []

    def add(self, event: AnyEvent, view: TableView, seat: Seat, scroll: int) -> int:
        """What the event means for the reader in that seat; `view` stands directly behind it."""
        chat, secret = isinstance(event, ev.Said), isinstance(event, _OWN_CARDS)
        told = [StoryLine(line, chat, secret=secret) for line in tell(event, view, seat or None, winning_cards)]
        if isinstance(event, ev.RoundOpened | ev.RoundSkipped):
            # The boards stand at the seats; here a street has a short head.
            told[0] = StoryLine((f"{stage(view).capitalize()}, pot {view.pot()}",), head=True)
        elif isinstance(event, ev.HandStarted):
            told[0] = replace(told[0], head=True)
        return self._append(told, scroll)

    def answer(self, lines: Sequence[Sentence], scroll: int) -> int:
        """Sentences for the reader alone."""
        return self._append([StoryLine(compose("* ", line), secret=True) for line in lines], scroll)

    def _append(self, told: Sequence[StoryLine], scroll: int) -> int:
        self.entries += told
        if len(self.entries) > STORY:
            del self.entries[: STORY // 10]
        return scroll + len(told) if scroll else 0  # what the reader looks at stays where it is
