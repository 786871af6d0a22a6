"""``ryo completion SHELL``, and what the shell is offered of servers, tables and minds.

An offer is best effort: whatever cannot be read offers nothing.
"""

from pathlib import Path

import click
from click.shell_completion import CompletionItem, get_completion_class

from client.cli.main import COMPLETE
from client.errors import BadSettings
from server.errors import ConfigError
from server.storage.folders import data_folder
from server.terminal import put

SHELLS = {
    "bash": "~/.bashrc",
    "zsh": "~/.zshrc",
    "fish": "~/.config/fish/completions/ryo.fish",
}
"""Each shell, and the file from which it reads such a script."""


@click.command()
@click.argument("shell", type=click.Choice(list(SHELLS)))
def completion(shell: str) -> None:
    """Print the lines that let SHELL complete verbs, options, games and recordings.

    For bash: ryo completion bash >> ~/.bashrc
    """
    kind = get_completion_class(shell)
    if kind is None:
        raise click.UsageError(f"There is no completion for {shell} here.")
    script = kind(click.Command("ryo"), {}, "ryo", COMPLETE).source()
    put(f"# ryo completion {shell} >> {SHELLS[shell]}\n{script}")


def servers(context: click.Context, parameter: click.Parameter, begun: str) -> list[CompletionItem]:
    """The server of the last visit, and the servers whose keys are known."""
    from client.profile.known_servers import KnownServers  # here, because every verb imports this file
    from client.profile.last_visit import load_last_visit

    try:
        folder: Path = data_folder(context.params.get("data_dir"))
        known = [load_last_visit(folder).address, *KnownServers(folder).addresses()]
    except (ConfigError, BadSettings):
        return []
    return [CompletionItem(one) for one in dict.fromkeys(known) if one and one.startswith(begun)]


def tables(context: click.Context, parameter: click.Parameter, begun: str) -> list[CompletionItem]:
    """The table of the last visit."""
    from client.profile.last_visit import load_last_visit

    try:
        last = load_last_visit(data_folder(context.params.get("data_dir"))).table
    except ConfigError:
        return []
    return [CompletionItem(last)] if last and last.startswith(begun) else []


def minds(context: click.Context, parameter: click.Parameter, begun: str) -> list[CompletionItem]:
    """Levels, characters and the other minds, for the last word of a list."""
    from client.bots.characters import character_named
    from client.bots.minds import names

    before, comma, last = begun.rpartition(",")
    found = [name for name in names() if name.casefold().startswith(last.casefold())]
    told = {name: character.sentence for name in found if (character := character_named(name))}
    return [CompletionItem(before + comma + name, help=told.get(name)) for name in found]
