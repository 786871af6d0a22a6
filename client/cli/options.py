"""The click options and arguments that several verbs share."""

import os
from collections.abc import Callable
from pathlib import Path
from typing import Any, TypeVar

import click

from client.cli.completion import servers, tables
from server.config.passwords import problem_of_verifier
from server.storage.folders import default_folder
from server.storage.text_file import read_text

F = TypeVar("F", bound=Callable[..., Any])
LOOKS = "client.looks"
"""Beginning of the names under which the looks are kept in click's context."""

name_option = click.option(
    "--name", metavar="NAME", help="Name to play under. [default: the last one, or that of your account]"
)
plain_option = click.option("--plain", is_flag=True, help="Lines instead of a screen.")
table_option = click.option(
    "--table", metavar="TABLE", default="", shell_complete=tables, help="Which table. [default: the first with room]"
)
data_dir_option = click.option(
    "--data-dir",
    type=click.Path(file_okay=False, path_type=Path),
    envvar="RYO_DATA_DIR",
    help=f"Where hands and keys are kept. [default: {default_folder()}]",
)
chips_option = click.option(
    "--chips", type=click.IntRange(1), help="How many chips to sit down with. [default: the table's usual buy-in]"
)
server_argument = click.argument("server", metavar="[HOST[:PORT]|LINK]", default="", shell_complete=servers)
plain_tcp_option = click.option("--plain-tcp", is_flag=True, help="Without encryption, for servers that have none.")
password_file_option = click.option(
    "--password-file",
    type=click.Path(dir_okay=False, path_type=Path),
    help="Where the table's password is. [default: RYO_PASSWORD, or it is asked for]",
)


host_key_file_option = click.option(
    "--host-key-file",
    type=click.Path(dir_okay=False, path_type=Path),
    help="Where the host key is: you sit down as a host of the table. [default: RYO_HOST_KEY]",
)


def look_options(command: F) -> F:
    """Adds the options that change the looks once; `client.cli.preferences.player_settings` knows what they say."""
    for decorate in (
        click.option("--ascii", is_flag=True, default=None, expose_value=False, callback=_keep, help="ASCII only."),
        click.option(
            "--color", type=click.Choice(["auto", "always", "never"]), expose_value=False, callback=_keep,
            help="Colours: as the terminal and NO_COLOR say, always, or never.",
        ),
        click.option("--light/--dark", default=None, expose_value=False, callback=_keep,
                     help="Colours for a light or a dark background. [default: the terminal is asked]"),
    ):  # fmt: skip
        command = decorate(command)
    return command


def _keep(context: click.Context, parameter: click.Parameter, value: Any) -> None:
    """Keeps the value of an option for the whole run."""
    if value is not None:
        context.meta[f"{LOOKS}.{parameter.name}"] = value


def chosen_looks() -> dict[str, Any]:
    """The values of `look_options` of the verb that runs, by the names of `Settings`."""
    context = click.get_current_context(silent=True)
    meta = context.meta if context is not None else {}
    looks: dict[str, Any] = {}
    if meta.get(f"{LOOKS}.ascii"):
        looks["ascii"] = True
    if (light := meta.get(f"{LOOKS}.light")) is not None:
        looks["dark"] = not light
    match meta.get(f"{LOOKS}.color"):
        case "never":
            looks["palette"] = "none"
        case "always":
            looks["palette"] = "four"
    return looks


def read_password(file: Path | None) -> str:
    """The first line of the file, or without a file the value of RYO_PASSWORD; empty if there is none.

    Raises click.UsageError for a file that cannot be read.
    """
    return os.environ.get("RYO_PASSWORD", "") if file is None else _first_line(file, "password")


def read_host_key(file: Path | None) -> str:
    """The first line of the file, or without a file the value of RYO_HOST_KEY; empty if there is none.

    A server keeps what `ryo passwd` prints under the same name: that is no key, and is left alone. Raises
    click.UsageError for a file that cannot be read.
    """
    if file is not None:
        return _first_line(file, "host key")
    key = os.environ.get("RYO_HOST_KEY", "")
    return key if problem_of_verifier(key) else ""


def _first_line(file: Path, what: str) -> str:
    try:
        return read_text(file).partition("\n")[0]
    except (OSError, UnicodeDecodeError) as error:
        reason = error.strerror if isinstance(error, OSError) else "it is not UTF-8"
        raise click.UsageError(f"The {what} in {file} cannot be read: {reason}.") from None
