"""The story of a table as the full screen keeps it, to be scrolled back through."""

from collections.abc import Iterable, Sequence
from dataclasses import replace

from client.display.screen import stage
from client.display.screen_state import ScreenState
from client.display.story_pane import StoryLine
from protocol import events as ev
from protocol.actions import Kind
from protocol.events import AnyEvent, Seat
from protocol.narration.phrases import players
from protocol.narration.spans import Sentence, compose
from protocol.narration.story import tell
from protocol.view import TableView
from server.engine.ranking.winning_cards import winning_cards

STORY = 3000
"""Sentences kept."""
SINCE = StoryLine(("since your last turn",), rule=True)
"""The faint line above what has happened since the reader acted."""

_OWN_CARDS = (ev.CardsDealt, ev.ChoiceMade, ev.CardsPassed, ev.CardsDiscarded)
"""Events whose sentences may tell the reader's own hidden cards."""
_TOGETHER: tuple[Kind, ...] = ("fold", "check")
"""Actions that stand in one line for several players who do the same one after the other."""


class StoryLog:
    """Puts sentences into the story of a screen. A reader who has scrolled back keeps their place."""

    def __init__(self, state: ScreenState) -> None:
        self.lines: list[StoryLine] = []
        self._state = state
        self._acted: int | None = None  # the number of lines when the reader has acted
        self._hand = 0
        self._began: int | None = None  # the number of lines when that hand began
        self._same: tuple[Kind, tuple[Seat, ...]] | None = None  # what the last line says that players have done
        state.story = self.lines

    def add(self, event: AnyEvent, view: TableView, seat: Seat) -> None:
        """Tell the event to the reader in that seat; `view` stands directly behind it."""
        if self._told_together(event, view, seat):
            return
        told = self._sentences(event, view, seat)
        if isinstance(event, ev.HandStarted):
            self._hand, self._began = event.hand, len(self.lines)
        if told:
            self._same = None
        self._append(told)
        if isinstance(event, ev.Acted) and event.action in _TOGETHER and event.cause == "player" and event.seat != seat:
            self._same = event.action, (event.seat,)
        if isinstance(event, ev.HandStarted):
            self._forget_turn()
        elif isinstance(event, ev.Acted | ev.ChoiceMade) and event.seat == seat:
            self._forget_turn()
            self._acted = len(self.lines)

    def _sentences(self, event: AnyEvent, view: TableView, seat: Seat) -> list[StoryLine]:
        chat, secret = isinstance(event, ev.Said), isinstance(event, _OWN_CARDS)
        told = [StoryLine(line, chat, secret=secret) for line in tell(event, view, seat or None, winning_cards)]
        if isinstance(event, ev.RoundOpened | ev.RoundSkipped):
            # The boards stand at the seats; here a street has a short head.
            told[0] = StoryLine((stage(view).capitalize(),), head=True, rule=True, right=f"pot {view.pot()}")
        elif isinstance(event, ev.HandStarted):
            told[0] = replace(told[0], head=True)
        return told

    def _told_together(self, event: AnyEvent, view: TableView, seat: Seat) -> bool:
        """Whether the last line says now that this player has done the same as those before: ``Ben and Cleo fold.``"""
        if not isinstance(event, ev.Acted) or self._same is None or event.seat == seat or event.cause != "player":
            return False
        action, seats = self._same
        if event.action != action:
            return False
        self._same = action, (*seats, event.seat)
        self.lines[-1] = StoryLine(compose(players(view, self._same[1]), f" {action}."))
        return True

    def retell(self, events: Iterable[tuple[AnyEvent, TableView]], seat: Seat, before: int) -> None:
        """Tell the running hand from its beginning, above the last `before` lines of the story.

        What the story had of this hand before, perhaps with gaps, goes.
        """
        past = StoryLog(ScreenState())
        for event, view in events:
            past.add(event, view, seat)
        if not past.lines:
            return
        end = max(0, len(self.lines) - before)
        start = self._began if self._began is not None and self._hand == past._hand else end
        start = min(start, end)
        self.lines[start:end] = past.lines
        self._began, self._hand = start, past._hand
        if self._acted is None or self._acted <= end:
            self._acted = None if past._acted is None else start + past._acted
        else:
            self._acted += len(past.lines) - (end - start)

    def asked(self) -> None:
        """The reader is asked for something: a faint line above what has happened since they acted."""
        if self._acted is not None and self._acted < len(self.lines):
            self.lines.insert(self._acted, SINCE)
            self._state.scroll += bool(self._state.scroll)
        self._acted = None

    def _forget_turn(self) -> None:
        """The reader has acted again, or another hand has begun: the faint line has done its work."""
        self._acted = None
        if SINCE in self.lines[-100:]:
            self.lines.remove(SINCE)
            self._state.scroll = max(0, self._state.scroll - 1)

    def answer(self, sentences: Sequence[Sentence], *, own_cards: bool = False) -> None:
        """Add sentences for the reader alone; `own_cards`: they tell the reader's own hidden cards."""
        self._same = None
        self._append([StoryLine(compose("* ", one), secret=own_cards, private=own_cards) for one in sentences])

    def _append(self, told: Sequence[StoryLine]) -> None:
        self.lines += told
        if len(self.lines) > STORY:
            del self.lines[: STORY // 10]
            self._acted = self._began = None
        if self._state.scroll:
            self._state.scroll += len(told)
