"""What the verbs share: the option that says where the recordings are, and what errors of files say."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import click

from replays.cli.failures import fail
from replays.library import NotFound
from replays.notes import BadNotes
from replays.recording import Unreadable
from server.errors import EXIT_FAILED
from server.storage.folders import default_folder


@contextmanager
def failures() -> Iterator[None]:
    """Turns errors of files into sentences with exit codes."""
    try:
        yield
    except (Unreadable, NotFound, BadNotes) as error:
        fail(str(error), error.exit_code)
    except OSError as error:
        fail(f"{error.filename or 'the file'}: {error.strerror or error}.", EXIT_FAILED)


data_dir_option = click.option(
    "--data-dir",
    type=click.Path(file_okay=False, path_type=Path),
    envvar="RYO_DATA_DIR",
    help=f"Where hands/ lies. Default: {default_folder()}",
)
