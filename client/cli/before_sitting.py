"""What ``ryo join`` shows before somebody sits down: the table, its games and its house rules. Nothing is taken yet."""

import shutil
from typing import TYPE_CHECKING

from replays.cli.output import echo
from server.engine.games.house_card import as_lines, house_rules
from server.terminal import ask

if TYPE_CHECKING:  # at run time `ryo join --help` would pay for the import of trio
    from client.cli.session_factory import SessionFactory
    from protocol.wire.messages import TableInfo

WIDEST = 100
"""Columns of a line that can still be read well."""


def wants_to_sit(factory: "SessionFactory", chips: int) -> bool:
    """Shows a person at the terminal where they are about to sit down, and asks whether they want to.

    Somebody who comes back to their seat is not asked. Raises what a connection raises.

    Args:
        factory: with the name under which they play. It then has the table, too.
        chips: with how many they want to sit down; 0 for the usual number.
    """
    import trio

    info = trio.run(factory.look)
    if _comes_back(factory, info):
        return True
    card = house_rules(
        info.rules, info.players, info.hosts,
        watching=info.watching, hand=info.hand, where=str(factory.destination.address),
    )  # fmt: skip
    for line in as_lines(card, min(_columns(), WIDEST)):
        echo(line, err=True)
    full = len(info.players) >= info.rules.seats
    question = "Watch until a seat is free" if full else f"Sit down with {chips or info.rules.buy_in} chips"
    while True:
        answer = ask(f"{question}, as {factory.name}? (yes/no)", default="yes").strip().lower()
        if answer in ("y", "yes"):
            return True
        if answer in ("n", "no", "q", "quit"):
            echo("You did not sit down; nothing was taken.", err=True)
            return False
        echo("Type yes or no.", err=True)


def _comes_back(factory: "SessionFactory", info: "TableInfo") -> bool:
    """Whether the player has sat at this table before; a table that is not open to strangers names nobody."""
    if factory.name in info.players:
        return True
    last = factory.last
    here = last.address == str(factory.destination.address) and last.table == info.table and last.name == factory.name
    return here and "" in info.players


def _columns() -> int:
    return shutil.get_terminal_size().columns
