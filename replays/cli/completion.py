"""What the shell is offered of games and recordings, while somebody types a command.

An offer is best effort: whatever cannot be read offers nothing. What takes long to import is imported when needed.
"""

import click
from click.shell_completion import CompletionItem

NEWEST = 50
"""Recorded hands that are offered."""


def games(context: click.Context, parameter: click.Parameter, begun: str) -> list[CompletionItem]:
    """The ids of the games, with their titles."""
    from server.engine.games.catalogue import GAMES

    return [CompletionItem(game.id, help=game.title) for game in GAMES.values() if game.id.startswith(begun)]


def recordings(context: click.Context, parameter: click.Parameter, begun: str) -> list[CompletionItem]:
    """``last``, the ids of the newest hands, and the files of recordings."""
    from replays import library
    from server.errors import ConfigError
    from server.storage.folders import hands_folder

    items = [CompletionItem("last", help="the last hand that is over")]
    try:
        folder = hands_folder(context.params.get("data_dir"))
        rows = list(library.list_hands(folder))[-NEWEST:]
        items += [CompletionItem(row.hand.id, help=row.hand.title) for row in reversed(rows)]
        items += [CompletionItem(path.name, help="all hands of this file") for path in library.recordings(folder)]
    except (OSError, ConfigError):
        pass
    return [item for item in items if item.value.startswith(begun)] or [CompletionItem(begun, type="file")]
