"""A resize at any moment leads to a clean screen: what a cut drawing has left behind is cleared once the size rests."""

from client.display.theme import Theme
from client.presenter.options import Options
from tests.support.local_table import LocalTable
from tests.support.terminal import Terminal, show


def test_what_was_left_behind_by_a_resize_does_not_stay() -> None:
    table = LocalTable("stud", 3)
    table.deal()

    async def script(terminal: Terminal) -> None:
        await terminal.see("[3rd]")
        terminal.resize(120, 40)
        terminal.type("\x0c")
        await terminal.see("│")
        terminal.resize(60, 20)
        terminal.write("\x1b[3;1Hleft over from before\x1b[H")  # a drawing that was cut short, and nobody knows of
        assert "left over" in terminal.text()
        await terminal.lose("left over")
        await terminal.see("[3rd]", "Ann")
        terminal.type("ctrl-c", "ctrl-c")

    show(table.session(1), script, options=Options(theme=Theme(palette="none"), settle=0, reveal=0))
