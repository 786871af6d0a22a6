"""The presenter of a review on the full screen: the price list, and each costly decision at its table."""

from collections.abc import Callable

from client.coach.decisions import Decision
from client.display.screen import render
from client.display.screen_state import Hint, ScreenState
from client.display.text_cells import Line, clip, cut, wrap
from client.display.theme import Theme
from client.input.key_labels import key_label
from client.presenter.seen_story import decision_screen
from client.presenter.terminal_port import TerminalPort
from client.review.price_list import SMALL, Costly, PriceList, hand_name, look_back, summary, table

GONE = "The recording of this hand cannot be read any more."
_QUIT = ("q", "c-c", "<sigint>")
_DOWN, _UP = ("down", "j"), ("up", "k")
_OPEN, _BACK = ("enter", "right"), ("escape", "left", "backspace")


class ReviewPresenter:
    """A price list on a screen.

    Args:
        found: the price list.
        terminal: the port of the terminal; theme: colours and signs.
        decision_of: a costly decision as the player saw it; None where it cannot be read any more.
    """

    def __init__(
        self,
        found: PriceList,
        terminal: TerminalPort,
        theme: Theme,
        decision_of: Callable[[Costly], Decision | None],
    ) -> None:
        self.terminal = terminal
        self.theme = theme
        self._found = found
        self._decision_of = decision_of
        self._chosen = 0  # the costly decision that is marked
        self._top = 0
        self._note = ""
        self._decision: Decision | None = None  # which is looked at
        self._state = ScreenState()

    # ----------------------------------------------------------------- drawing

    def lines(self, columns: int, rows: int) -> list[Line]:
        """The screen as it should be now."""
        if self._decision is not None:
            return self._table(self._decision, columns, rows)
        return self._list(columns, rows)

    def _list(self, columns: int, rows: int) -> list[Line]:
        head: list[Line] = []
        gap: Line = []
        for number, line in enumerate(summary(self._found)):
            head += [[("class:title" if not number else "", part)] for part in wrap(line, columns, "  ")]
        prices: list[Line] = [[("", cut(line, columns))] for line in table(self._found)]
        head += [gap, *prices, gap]
        body = list(head)
        marked = (0, len(head))
        for number, one in enumerate(self._found.costly):
            text = f"{hand_name(one, listed=self._found.listed)}: {one.price.told}"
            style = "class:turn" if number == self._chosen else ""
            sign = "> " if number == self._chosen else "  "
            told = wrap(text, columns - 2, "  ")
            if number == self._chosen:
                marked = (len(body) if number else 0, len(body) + len(told))
            body += [[(style, (sign if not at else "  ") + part)] for at, part in enumerate(told)]
        body.append(gap)
        body += [[("class:faint", part)] for part in wrap(SMALL, columns, "  ")]
        room = max(1, rows - 1)
        self._top = min(max(self._top, marked[1] - room), marked[0], max(0, len(body) - room))
        shown = body[self._top : self._top + room]
        shown += [[] for _ in range(room - len(shown))]
        return [clip(line, columns) for line in [*shown, self._foot(columns)]][:rows]

    def _foot(self, columns: int) -> Line:
        if self._note:
            return [("class:note", cut(self._note, columns))]
        keys = [("q", "quit")]
        if self._found.costly:
            up_down = f"{key_label('up')} {key_label('down')}"
            keys = [(up_down, "choose"), (key_label("enter"), "look at the table then"), *keys]
        line: Line = []
        for key, label in keys:
            line += [("class:faint", self.theme.dot if line else ""), ("class:key", key), ("", f" {label}")]
        return line

    def _table(self, decision: Decision, columns: int, rows: int) -> list[Line]:
        one = self._found.costly[self._chosen]
        state = self._state
        look = look_back(one, self._found.player, listed=self._found.listed)
        state.preview = [part for text in (one.price.told, look) for part in wrap(text, columns, "  ")]
        state.question = f"{self._chosen + 1} of {len(self._found.costly)}"
        up_down = f"{key_label('up')} {key_label('down')}"
        state.hints = [Hint(up_down, "other decisions"), Hint(key_label("escape"), "price list"), Hint("q", "quit")]
        return render(decision.view, state, self.theme, columns, rows)

    # -------------------------------------------------------------------- keys

    def press(self, name: str) -> None:
        """A key, by the name that prompt_toolkit gives it."""
        self._note = ""
        if name in _QUIT:
            self.terminal.exit("left")
        elif name == "c-l":
            self.terminal.redraw_all()
        elif name == "c-z":
            self.terminal.suspend()
        elif name in (*_DOWN, *_UP) and self._found.costly:
            step = 1 if name in _DOWN else -1
            self._chosen = min(max(self._chosen + step, 0), len(self._found.costly) - 1)
            if self._decision is not None:
                self._open()
        elif name in _OPEN and self._found.costly and self._decision is None:
            self._open()
        elif name in _BACK:
            self._decision = None
        elif name in ("pageup", "pagedown") and self._decision is not None:
            self._state.scroll_back(self.terminal.page() * (1 if name == "pageup" else -1))
        self.terminal.redraw()

    def _open(self) -> None:
        self._decision = self._decision_of(self._found.costly[self._chosen])
        if self._decision is None:
            self._note = GONE
        else:
            self._state = decision_screen(self._decision)

    def beat(self) -> bool:
        """Nothing changes by itself."""
        return False
