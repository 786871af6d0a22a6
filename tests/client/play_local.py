"""A table on this terminal with an engine instead of a server: ``python -m tests.client.play_local [GAME [PLAYERS]]``.

For looking at the screen, and for the tests that need the real program in a pseudo-terminal. ``--crash`` binds F8 to
a bug in a key handler and F9 to one in the network task.
"""

import os
import sys
from collections.abc import Awaitable, Callable

import trio

from client.app import Options, run_table
from client.theme import choose_theme
from tests.client.localtable import LocalSession, LocalTable

PACE = float(os.environ.get("PACE", "0.4"))
"""Seconds between two decisions of the others."""


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
    session = table.session(1)

    async def around(run: Callable[[], Awaitable[None]]) -> None:
        async with trio.open_nursery() as nursery:
            nursery.start_soon(others, table, session)
            await run()
            nursery.cancel_scope.cancel()

    theme = choose_theme(os.environ, sys.stdout.encoding)
    return run_table(session, Options(theme=theme), around=around)


if __name__ == "__main__":
    print("ended:", main(sys.argv[1:]))
