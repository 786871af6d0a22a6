"""A table on this terminal with an engine instead of a server: ``python -m tests.support.play_local [GAME [PLAYERS]]``.

For looking at the screen, and for the tests that need a program in a pseudo-terminal. With ``--crash``, sitting out is
a bug in a key handler, and chat one in the network task.
"""

import os
import sys
from collections.abc import Awaitable, Callable

import trio

from client.display.theme import choose_theme
from client.presenter.options import Options
from client.terminal.table_app import run_table
from tests.support.local_table import LocalSession, LocalTable

PACE = float(os.environ.get("PACE", "0.4"))
"""Seconds between two decisions of the others."""


class Buggy(LocalSession):
    """A session with a bug in each loop."""

    def __init__(self, table: LocalTable, seat: int) -> None:
        super().__init__(table, seat)
        self.crash = trio.Event()

    def sit_out(self) -> None:
        raise ZeroDivisionError("a bug in a key handler")

    def say(self, text: str) -> None:
        self.crash.set()

    async def bug(self) -> None:
        await self.crash.wait()
        raise KeyError("a bug in the network task")


async def others(table: LocalTable, session: LocalSession) -> None:
    """Play the other seats and deal hand after hand once the reader goes on."""
    while True:
        await trio.sleep(PACE)
        if table.step():
            continue
        own = table.state.view.seat(session.seat)
        if table.state.can_deal() and (own.went_on or not table.state.view.hand):
            table.deal()


def main(arguments: list[str]) -> str:
    """Play until the screen is left; why it ended."""
    words = [word for word in arguments if not word.startswith("-")]
    table = LocalTable(words[0] if words else "stud8", int(words[1]) if len(words) > 1 else 5)
    session = Buggy(table, 1) if "--crash" in arguments else LocalSession(table, 1)
    table.sessions[1] = session

    async def around(run: Callable[[], Awaitable[None]]) -> None:
        async with trio.open_nursery() as nursery:
            nursery.start_soon(others, table, session)
            if isinstance(session, Buggy):
                nursery.start_soon(session.bug)
            await run()
            nursery.cancel_scope.cancel()

    theme = choose_theme(os.environ, sys.stdout.encoding)
    return run_table(session, Options(theme=theme), around=around)


if __name__ == "__main__":
    print("ended:", main(sys.argv[1:]))
