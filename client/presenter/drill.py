"""The drill on the full screen: the table as it was seen then, the options as keys, then the answer in numbers."""

from collections.abc import Sequence
from typing import Literal, TypeAlias, assert_never

from client.display.screen import render
from client.display.screen_state import Hint, ScreenState
from client.display.text_cells import Line, wrap
from client.display.theme import Theme
from client.drill.exercises import Task
from client.drill.session import Drill
from client.input.decision_keys import Draft, Key, offer, pressed
from client.input.key_labels import key_label
from client.presenter import prompt
from client.presenter.seen_story import decision_screen
from client.presenter.terminal_port import TerminalPort
from protocol.actions import Action
from server.engine.games.hand_words import best_fives

Stage: TypeAlias = Literal["asked", "counting", "told", "over"]
"""Where the current exercise is: it is asked, its answer is counted, its answer stands there; or there is none left."""
COUNTING = "Counting ..."
_QUIT = ("q", "c-c", "<sigint>")
_ON = ("space", "enter", "n")


class DrillPresenter:
    """A sitting of the drill on a screen.

    Args:
        drill: the exercises; terminal: the port of the terminal; theme: colours and signs.
    """

    def __init__(self, drill: Drill, terminal: TerminalPort, theme: Theme) -> None:
        self.drill = drill
        self.terminal = terminal
        self.theme = theme
        self.stage: Stage = "asked"
        self._draft = Draft()
        self._answer: Action | None = None
        self._told: list[str] = []
        self._drawn = False  # whether the screen says that it counts
        self._state = self._begin()

    def _begin(self) -> ScreenState:
        task = self.drill.task
        self.stage, self._draft, self._told = "asked" if task is not None else "over", Draft(), []
        return ScreenState() if task is None else decision_screen(task.decision)

    # ----------------------------------------------------------------- drawing

    def lines(self, columns: int, rows: int) -> list[Line]:
        """The screen as it should be now."""
        task = self.drill.task
        if task is None:
            return self._over(columns, rows)
        state = self._state
        state.status = f"exercise {self.drill.at + 1} of {len(self.drill)}"
        state.lasting = (f"drill, hand #{task.number}",)
        state.urgent = self.stage == "asked"
        match self.stage:
            case "asked":
                shown = prompt.asked(
                    task.decision.view, task.decision.request, self._draft, self._keys(task), None, self.theme.card
                )
                state.question, state.hints, state.preview = shown.question, shown.hints, shown.preview
            case "counting":
                self._drawn = True
                state.question, state.hints, state.preview = COUNTING, (), ()
            case "told" | "over":
                state.question = "The answer stands above."
                state.hints = [Hint(key_label("space"), "next")]
                state.preview = [part for line in self._told for part in wrap(line, columns, "  ")]
            case _:
                assert_never(self.stage)
        state.keys = [Hint("q", "quit")]
        return render(task.decision.view, state, self.theme, columns, rows)

    def _over(self, columns: int, rows: int) -> list[Line]:
        text = f"{self.drill.summary()} That was all for today. Any key ends the drill."
        lines: list[Line] = [[("class:title", part)] for part in wrap(text, columns, "")]
        return [*lines[:rows], *([] for _ in range(rows - len(lines)))]

    def _keys(self, task: Task) -> Sequence[Key]:
        request = task.decision.request
        cards = [card for card in request.options[0].cards if card is not None] if request.decision == "arrange" else []
        return offer(request, self._draft, self.theme.card, best=best_fives(task.decision.view, cards))

    # -------------------------------------------------------------------- keys

    def press(self, name: str) -> None:
        """A key, by the name that prompt_toolkit gives it."""
        task = self.drill.task
        if name in _QUIT or task is None:
            self.terminal.exit("left")
        elif name == "c-l":
            self.terminal.redraw_all()
        elif name == "c-z":
            self.terminal.suspend()
        elif name in ("pageup", "pagedown"):
            self._state.scroll_back(self.terminal.page() * (1 if name == "pageup" else -1))
        elif self.stage == "told" and name in _ON:
            self.drill.go_on()
            self._state = self._begin()
        elif self.stage == "asked" and (key := pressed(self._keys(task), name)) is not None:
            self._do(key)
        self.terminal.redraw()

    def _do(self, key: Key) -> None:
        if isinstance(key.answer, Draft):
            self._draft = key.answer
        else:
            self._answer, self.stage, self._drawn = key.answer, "counting", False

    def beat(self) -> bool:
        """Counts the answer, once the screen says so. Returns whether something has changed."""
        if self.stage != "counting" or not self._drawn or self._answer is None:
            return False
        self._told = self.drill.answer(self._answer)
        self.stage = "told"
        return True
