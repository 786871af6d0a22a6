"""The story of a table as the full screen keeps it, to be scrolled back through."""

from collections.abc import Sequence
from dataclasses import replace

from client.display.screen import stage
from client.display.screen_state import ScreenState
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


class StoryLog:
    """Puts sentences into the story of a screen. A reader who has scrolled back keeps their place."""

    def __init__(self, state: ScreenState) -> None:
        self.lines: list[StoryLine] = []
        self._state = state
        state.story = self.lines

    def add(self, event: AnyEvent, view: TableView, seat: Seat) -> None:
        """Tell the event to the reader in that seat; `view` stands directly behind it."""
        chat, secret = isinstance(event, ev.Said), isinstance(event, _OWN_CARDS)
        told = [StoryLine(line, chat, secret=secret) for line in tell(event, view, seat or None, winning_cards)]
        if isinstance(event, ev.RoundOpened | ev.RoundSkipped):
            # The boards stand at the seats; here a street has a short head.
            told[0] = StoryLine((f"{stage(view).capitalize()}, pot {view.pot()}",), head=True)
        elif isinstance(event, ev.HandStarted):
            told[0] = replace(told[0], head=True)
        self._append(told)

    def answer(self, sentences: Sequence[Sentence], *, own_cards: bool = False) -> None:
        """Add sentences for the reader alone; `own_cards`: they tell the reader's own hidden cards."""
        self._append([StoryLine(compose("* ", one), secret=own_cards, private=own_cards) for one in sentences])

    def _append(self, told: Sequence[StoryLine]) -> None:
        self.lines += told
        if len(self.lines) > STORY:
            del self.lines[: STORY // 10]
        if self._state.scroll:
            self._state.scroll += len(told)
