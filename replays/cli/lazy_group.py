"""A group of commands in other modules, each imported only when it runs."""

import importlib
import keyword
from collections.abc import Mapping
from typing import Any

import click

from protocol.near_matches import did_you_mean
from server.errors import ConfigError
from server.terminal import put


class LazyGroup(click.Group):
    """A group that knows its commands by name, so that its help and the other commands start quickly.

    Args:
        modules: verb to the module that has a command of this name (with an underscore behind a word of Python).
    """

    def __init__(self, *args: Any, modules: Mapping[str, str], **options: Any) -> None:
        super().__init__(*args, **options)
        self._modules = modules

    def list_commands(self, ctx: click.Context) -> list[str]:
        """The verbs in the order of `modules`, then the commands that were added."""
        return [*self._modules, *super().list_commands(ctx)]

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """The command, imported now; None if there is none of that name."""
        if cmd_name not in self._modules:
            return super().get_command(ctx, cmd_name)
        module = importlib.import_module(self._modules[cmd_name])
        command: click.Command = getattr(module, f"{cmd_name}_" if keyword.iskeyword(cmd_name) else cmd_name)
        return command

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """The verb of a command line; for a verb that there is not, the error names the one that may be meant."""
        try:
            return super().resolve_command(ctx, args)
        except click.UsageError as error:
            raise click.UsageError(error.message + did_you_mean(args[0], self.list_commands(ctx)), ctx) from None

    def invoke(self, ctx: click.Context) -> Any:
        """Runs a verb; a user who has no folder for files is told so."""
        try:
            return super().invoke(ctx)
        except ConfigError as error:
            put(f"Error: {error}", err=True)
            raise click.exceptions.Exit(error.exit_code) from None
