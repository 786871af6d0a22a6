"""``ryo drill``: one's costliest decisions as exercises.

What takes long to import is imported by the function that needs it.
"""

import contextlib
import datetime
import sys
from pathlib import Path
from typing import TYPE_CHECKING

import click

from client.cli.failures import exit_on_errors
from client.cli.options import data_dir_option, look_options, plain_option
from client.cli.preferences import player_settings, theme_of, wants_line_mode
from replays.cli.failures import fail
from replays.cli.lists import opened_library
from replays.cli.options import failures
from replays.cli.output import echo
from server.errors import EXIT_FAILED
from server.storage.folders import data_folder

if TYPE_CHECKING:  # at run time `ryo drill --help` would pay for the import of the engine
    from client.drill.session import Drill

EXERCISES = 10
NOTHING = "There is nothing to drill yet: ryo review finds what your decisions gave up."


@click.command()
@click.option("--player", default="", metavar="NAME", help="Whose decisions. [default: yours]")
@click.option(
    "--count", type=click.IntRange(1), default=EXERCISES, show_default=True, metavar="N", help="At most N exercises."
)
@plain_option
@look_options
@data_dir_option
def drill(player: str, count: int, plain: bool, data_dir: Path | None) -> None:
    """Do your costliest decisions again: the cards as you saw them then, and the answer in numbers afterwards.

    `ryo review` finds the decisions. An exercise comes again after a day, then after three, a week, and so on; after a
    wrong answer it begins anew.
    """
    with exit_on_errors(), failures():
        settings = player_settings()
        today = datetime.date.today()
        sitting = _sitting(player, settings.name, data_folder(data_dir), count, today)
        if sitting is None:
            return
        if wants_line_mode(plain, settings) or not sys.stdin.isatty() or not sys.stdout.isatty():
            from client.terminal.drill_lines import run_drill_lines

            with contextlib.suppress(KeyboardInterrupt):
                run_drill_lines(sitting, sys.stdin, echo)
            return
        from client.presenter.drill import DrillPresenter
        from client.terminal.page_app import run_page

        theme = theme_of(settings)
        run_page(lambda terminal: DrillPresenter(sitting, terminal, theme))


def _sitting(asked: str, usual: str, folder: Path, count: int, today: datetime.date) -> "Drill | None":
    """The exercises of today; None where none is due, which is said."""
    from client.coach.counting import count_options
    from client.drill.exercises import all_exercises, due_today, next_day, tasks
    from client.drill.session import Drill
    from client.profile.drill_file import DrillFile
    from client.profile.last_visit import load_last_visit
    from client.review.kept_reviews import KeptReviews
    from protocol.narration.phrases import counted

    file = DrillFile(folder)
    known = file.exercises()
    with opened_library(folder) as library:
        kept = KeptReviews(library.folder)
        try:
            names = {one.player.casefold(): one.player for one in known}
            names |= {review.player.casefold(): review.player for _, _, review in kept.every()}
            player = asked or next(
                (name for name in (usual, load_last_visit(folder).name) if name.casefold() in names), ""
            )
            player = player or (next(iter(names.values())) if len(names) == 1 else "")
            if not player and names:
                raise click.UsageError(f"Say whose decisions are meant: --player {', '.join(names.values())}")
            exercises = all_exercises(known, kept, player, today)
        finally:
            kept.close()
        if not exercises:
            fail(NOTHING, EXIT_FAILED)
        due = due_today(exercises, today, count)
        if not due:
            echo(f"Nothing is due today. The next exercise comes on {next_day(exercises)}.")
            return None
        found = tasks(due, library)
    if gone := len(due) - len(found):
        echo(f"Note: {counted(gone, 'exercise')} left out, because the recording is not there any more.", err=True)
    if not found:
        fail("None of the recordings is there any more.", EXIT_FAILED)
    return Drill(found, count_options, file.put, today)
