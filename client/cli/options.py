"""The click options and arguments that several verbs share."""

import os
from pathlib import Path

import click

from server.storage.folders import default_folder
from server.storage.text_file import read_text

name_option = click.option(
    "--name", metavar="NAME", help="Name to play under. [default: the last one, or that of your account]"
)
plain_option = click.option("--plain", is_flag=True, help="Lines instead of a screen.")
table_option = click.option("--table", metavar="TABLE", default="", help="Which table. [default: the first free seat]")
data_dir_option = click.option(
    "--data-dir",
    type=click.Path(file_okay=False, path_type=Path),
    envvar="RYO_DATA_DIR",
    help=f"Where hands and keys are kept. [default: {default_folder()}]",
)
chips_option = click.option(
    "--chips", type=click.IntRange(1), help="How many chips to sit down with. [default: the table's usual buy-in]"
)
server_argument = click.argument("server", metavar="[HOST[:PORT]|LINK]", default="")
plain_tcp_option = click.option("--plain-tcp", is_flag=True, help="Without encryption, for servers that have none.")
password_file_option = click.option(
    "--password-file",
    type=click.Path(dir_okay=False, path_type=Path),
    help="Where the table's password is. [default: RYO_PASSWORD, or it is asked for]",
)


def read_password(file: Path | None) -> str:
    """The first line of the file, or without a file the value of RYO_PASSWORD; empty if there is none.

    Raises click.UsageError for a file that cannot be read.
    """
    if file is None:
        return os.environ.get("RYO_PASSWORD", "")
    try:
        return read_text(file).partition("\n")[0]
    except (OSError, UnicodeDecodeError) as error:
        reason = error.strerror if isinstance(error, OSError) else "it is not UTF-8"
        raise click.UsageError(f"The password in {file} cannot be read: {reason}.") from None
