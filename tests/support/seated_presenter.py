"""The presenter of a seat without a terminal, for tests."""

from collections.abc import Callable

from client.display.text_cells import plain
from client.display.theme import Theme
from client.input.keymap import Keymap
from client.presenter.options import Notify, Options
from client.presenter.table import TablePresenter
from client.presenter.terminal_port import Exit
from tests.support.local_table import LocalSession, LocalTable

SIZE = (80, 24)


class RecordingTerminal:
    """A terminal that remembers what it was asked for."""

    def __init__(self) -> None:
        self.rung = 0
        self.suspended = 0
        self.titles: list[str] = []
        self.notified: list[tuple[str, Notify]] = []
        self.chat: list[str] = []
        self.ended: list[Exit] = []

    def redraw(self) -> None: ...

    def redraw_all(self) -> None: ...

    def suspend(self) -> None:
        self.suspended += 1

    def ring(self) -> None:
        self.rung += 1

    def notify(self, text: str, how: Notify) -> None:
        self.notified.append((text, how))

    def title(self, text: str) -> None:
        self.titles.append(text)

    def open_chat(self, beginning: str) -> None:
        self.chat.append(beginning)

    def close_chat(self) -> None: ...

    def exit(self, reason: Exit) -> None:
        self.ended.append(reason)

    def page(self) -> int:
        return 6


def sit(
    table: LocalTable,
    seat: int = 1,
    keymap: Keymap | None = None,
    *,
    now: Callable[[], float] = lambda: 1.0,
    reload: Callable[[], Theme] | None = None,
    reveal: float = 0.0,
    first_meeting: Callable[[str], bool] | None = None,
) -> tuple[TablePresenter, LocalSession, RecordingTerminal]:
    """The presenter of a seat, with keys that live at once."""
    session, terminal = table.session(seat), RecordingTerminal()
    theme = Theme(palette="none", ascii=True)
    options = Options(
        theme=theme, keymap=keymap or Keymap(), settle=0.0, reload=reload, reveal=reveal, first_meeting=first_meeting
    )
    return TablePresenter(session, terminal, options, now), session, terminal


def screen(presenter: TablePresenter, rows: int = SIZE[1]) -> str:
    """The screen as text."""
    return "\n".join(plain(line).rstrip() for line in presenter.lines(SIZE[0], rows))
