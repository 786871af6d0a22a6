"""A screen with one presenter: keys by their names, no paste, and what the presenter does by itself."""

import pytest
from prompt_toolkit.input import create_pipe_input
from prompt_toolkit.output import DummyOutput

from client.display.text_cells import Line
from client.display.theme import Theme
from client.presenter.terminal_port import TerminalPort
from client.terminal.page_app import PageApp, run_page
from tests.support.terminal import Typist


class Page:
    """Remembers the keys; ``q`` and Ctrl+C end it."""

    def __init__(self, terminal: TerminalPort) -> None:
        self.theme = Theme()
        self.terminal = terminal
        self.keys: list[str] = []
        self.beats = 0

    def lines(self, columns: int, rows: int) -> list[Line]:
        return [[("", "page")], *([] for _ in range(rows - 1))]

    def press(self, name: str) -> None:
        self.keys.append(name)
        if name in ("q", "c-c"):
            self.terminal.exit("left")

    def beat(self) -> bool:
        self.beats += 1
        return self.beats == 1


@pytest.mark.parametrize(
    ("pasted", "typed", "keys"),
    [("", "\x1b[Bf \rq", ["down", "f", "space", "enter", "q"]), ("qfq", "\x03", ["c-c"])],
)
def test_keys_come_by_their_names_and_a_paste_does_nothing(pasted: str, typed: str, keys: list[str]) -> None:
    pages: list[Page] = []

    def make(terminal: TerminalPort) -> Page:
        pages.append(Page(terminal))
        return pages[-1]

    with create_pipe_input() as pipe:
        keyboard = Typist(pipe)
        if pasted:
            keyboard.paste(pasted)
        keyboard.type(typed)
        run_page(make, terminal_input=keyboard, terminal_output=DummyOutput())
    assert pages[0].keys == keys


def test_what_the_presenter_does_by_itself_is_drawn() -> None:
    with create_pipe_input() as pipe:
        app = PageApp(Page, pipe, DummyOutput())
        drawn = app.app.render_counter
        app.tick()
        assert (app.presenter.beats, app.app.render_counter) == (1, drawn)  # drawing waits for the loop
