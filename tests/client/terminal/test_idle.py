"""An idle screen draws nothing and wakes up for its clocks only."""

import pytest
import trio

import client.terminal.table_app
from client.display.theme import Theme
from client.presenter.options import Options
from protocol.events import Seat
from tests.support.local_table import LocalSession, LocalTable
from tests.support.terminal import Terminal, show


class Watched(LocalSession):
    """Counts how often the clocks are looked at."""

    looks = 0
    enough: trio.Event

    def seconds_left(self, seat: Seat) -> float | None:
        self.looks += 1
        if self.looks > 200:
            self.enough.set()
        return super().seconds_left(seat)


def test_an_idle_screen_writes_no_byte(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(client.terminal.table_app, "TICK", 0.001)
    table = LocalTable("stud", 3)
    table.deal()
    session = Watched(table, 1)
    session.enough = trio.Event()
    session.clocks = dict.fromkeys((1, 2, 3), 24.9)

    async def script(terminal: Terminal) -> None:
        await terminal.see("25s")
        await session.enough.wait()  # the first drawing is over
        drawn = len(terminal.raw)
        session.looks, session.enough = 0, trio.Event()
        terminal.type("\x1b[<35;5;5M" * 20)  # the mouse is moved
        await session.enough.wait()
        assert len(terminal.raw) == drawn
        session.clocks = dict.fromkeys((1, 2, 3), 23.9)
        await terminal.see("24s")
        terminal.type("ctrl-c", "ctrl-c")

    show(session, script, options=Options(theme=Theme(palette="none"), settle=0, reveal=0))
