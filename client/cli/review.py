"""``ryo review``: the price list of one's decisions.

What takes long to import is imported by the function that needs it.
"""

import json
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from client.cli.failures import exit_on_errors
from client.cli.options import data_dir_option, look_options, plain_option
from client.cli.preferences import player_settings, theme_of, wants_line_mode
from client.display.theme import Theme
from replays.cli.completion import recordings
from replays.cli.lists import opened_library, viewer_of
from replays.cli.options import failures
from replays.cli.output import echo
from server.storage.folders import data_folder
from server.terminal import put

if TYPE_CHECKING:  # at run time `ryo review --help` would pay for the import of the bots and of the engine
    from client.coach.decisions import Decision
    from client.review.chosen_hands import ChosenHands
    from client.review.counting import Counting
    from client.review.price_list import Costly, PriceList

TOLD = 10
"""Decisions that are told in lines."""
HOUSE = "house"


@click.command()
@click.argument("evening", metavar="[DATE|FILE|HAND|last]", default="last", shell_complete=recordings)
@click.option("--player", default="", metavar="NAME", help="Whose decisions. [default: yours]")
@click.option("--json", "as_json", is_flag=True, help="For programs.")
@plain_option
@look_options
@data_dir_option
def review(evening: str, player: str, as_json: bool, plain: bool, data_dir: Path | None) -> None:
    """See what your decisions gave up: of the last evening, of that DATE (2026-12-31), of a FILE, or of one HAND.

    Every decision is compared with the best option, by playing the hand to its end many times from what your seat could
    see then. The house bot plays your cards, too. What was counted is kept, so the second look is quick.
    """
    with exit_on_errors(), failures():
        settings = player_settings()
        found = _counted(evening, player, settings.name, data_folder(data_dir))
        if as_json:
            put(json.dumps(_as_json(found), ensure_ascii=False))
        elif wants_line_mode(plain, settings) or not sys.stdin.isatty() or not sys.stdout.isatty():
            _tell(found)
        else:
            _show(found, theme_of(settings), data_folder(data_dir))


def _counted(evening: str, player: str, usual: str, folder: Path) -> "PriceList":
    """The price list, counted with a bar that shows how far it is."""
    from client.bots.minds import mind_maker
    from client.coach.counting import count_options
    from client.profile.last_visit import load_last_visit
    from client.review.chosen_hands import chosen_hands, player_of
    from client.review.counting import Counting
    from client.review.kept_reviews import KeptReviews
    from client.review.price_list import price_list

    with opened_library(folder) as library:
        chosen = chosen_hands(evening, library)
        who = player_of(chosen, player, [usual, load_last_visit(folder).name], viewer_of)
        kept = KeptReviews(library.folder)
        try:
            counting = Counting(count_options, mind_maker(HOUSE), kept, library)
            return price_list(chosen.title, who, _with_bar(counting, chosen, who), listed=chosen.listed)
        finally:
            kept.close()


def _with_bar(counting: "Counting", chosen: "ChosenHands", player: str) -> Iterator[Any]:
    if not sys.stderr.isatty():
        yield from counting.hands(chosen, player)
        return
    with click.progressbar(length=len(chosen.rows), label="Counting hands", file=sys.stderr) as bar:
        yield from counting.hands(chosen, player, bar.update)


def _as_json(found: "PriceList") -> dict[str, Any]:
    from client.review.price_list import as_json

    return as_json(found)


def _tell(found: "PriceList") -> None:
    from client.review.price_list import lines

    for line in lines(found, TOLD):
        echo(line)


def _show(found: "PriceList", theme: Theme, folder: Path) -> None:
    from client.presenter.review import ReviewPresenter
    from client.review.seen_hand import OpenFiles, seen_decisions
    from client.terminal.page_app import run_page
    from replays.library import Library
    from replays.recording import Unreadable

    with Library(folder / "hands") as library:
        files = OpenFiles(library)

        def decision_of(one: "Costly") -> "Decision | None":
            try:
                _, playback = files.open(one.row)
            except (Unreadable, OSError, ValueError):
                return None
            seen = seen_decisions(playback, one.seat)
            return next((decision for decision in seen if decision.number == one.price.number), None)

        run_page(lambda terminal: ReviewPresenter(found, terminal, theme, decision_of))
