"""The drill in lines: the table in words, the question, the answer in numbers; lines are only ever added."""

from collections.abc import Callable, Iterable

from msgspec.structs import replace

from client.drill.session import Drill
from client.input.decision_words import question, understand
from protocol.narration.spans import plain
from protocol.narration.story import tell
from protocol.sanitize import clean
from replays.narration import describe
from server.engine.games.hand_words import own_hand_names

LINE_LIMIT = 1000
"""Characters in a line that is written; longer ones are cut."""
NOT_UNDERSTOOD = "That is no answer to this question; q ends the drill, ? says it again."


class DrillLines:
    """A sitting of the drill in lines. `write` gets one line at a time, without its end."""

    def __init__(self, drill: Drill, write: Callable[[str], None]) -> None:
        self._drill = drill
        self._write = write
        self.done = False

    def begin(self) -> None:
        """Asks the first exercise."""
        self._ask()

    def enter(self, text: str) -> None:
        """Carries out one typed line; an empty one does nothing."""
        task, text = self._drill.task, text.strip()
        if not text or task is None:
            return
        if text.lower() in ("q", "quit", "exit"):
            self.done = True
        elif text == "?":
            self._ask()
        else:
            action = understand(text, task.decision.request)
            if action is None or isinstance(action, str):
                self._say(action or NOT_UNDERSTOOD)
                return
            for line in self._drill.answer(action):
                self._say(line)
            self._drill.go_on()
            self._ask()

    def _ask(self) -> None:
        task = self._drill.task
        if task is None:
            self._say(f"{self._drill.summary()} That was all for today.")
            self.done = True
            return
        decision = task.decision
        view, seat = decision.view, decision.seat
        self._say("")
        self._say(f"Exercise {self._drill.at + 1} of {len(self._drill)}, hand #{task.number}. What happened:")
        table = decision.before.copy()
        for event in decision.events:
            table.apply(event)
            for sentence in tell(event, table, seat):
                self._say(f"  {plain(sentence)}")
        for line in describe(view):
            self._say(line)
        if names := own_hand_names(view, seat):
            self._say(f"You: {names}")
        for line in question(replace(decision.request, seconds=None), view):  # no clock runs any more
            self._say(line)

    def _say(self, line: str) -> None:
        self._write(clean(line, LINE_LIMIT))


def run_drill_lines(drill: Drill, typed: Iterable[str], write: Callable[[str], None]) -> None:
    """The drill with the lines that are typed, to its end or that of the lines."""
    lines = DrillLines(drill, write)
    lines.begin()
    for text in typed:
        if lines.done:
            return
        lines.enter(text)
        if lines.done:
            return
