"""``ryo replay``: the options of ``python -m replays replay``, and on a terminal a screen or lines to step through."""

import contextlib
import sys
from collections.abc import AsyncIterable
from dataclasses import replace
from pathlib import Path

import click

from client.cli.failures import exit_on_errors
from client.cli.options import look_options
from client.cli.preferences import player_settings, screen_options, theme_of, wants_line_mode
from client.display.theme import Theme
from client.profile.settings import Settings
from replays.cli.output import echo
from replays.cli.verbs import open_replay, replay_options, tell_story
from replays.navigator import Navigator
from replays.what_if.branch import Branch
from server.storage.folders import data_folder

SPECTATOR = 0
"""The viewer of a file of somebody who watched."""


@click.command()
@click.option("--plain", is_flag=True, help="Lines instead of a screen, for screen readers and plain terminals.")
@look_options
@click.option("--at", metavar="PLACE", help="Begin there; for example: hand 41 step 12")
@replay_options
def replay(
    plain: bool,
    at: str | None,
    what: str,
    seat: int | None,
    player: str | None,
    everything: bool,
    hand: int | None,
    blind: bool | None,
    data_dir: Path | None,
) -> None:
    """Step through a recorded hand: a FILE, the hand with that ID, or the last one.

    Without a terminal its story is printed, and nothing more; from PLACE on, to the end of that hand.
    """
    opened = open_replay(what, seat, player, everything, hand, data_dir)
    only_watched = opened.recording.header.viewer == SPECTATOR
    navigator = Navigator(
        opened.recording, opened.playback, opened.viewpoint, blind=only_watched if blind is None else blind
    )
    if at is not None:
        if refused := navigator.go_to(at):
            raise click.UsageError(refused)
        opened = replace(opened, whole=False)
    if not sys.stdin.isatty():
        tell_story(opened, echo)
        return
    with exit_on_errors():
        settings = player_settings()
        theme = None if wants_line_mode(plain, settings) else theme_of(settings)
    if theme is None:
        _show_in_lines(navigator)
    else:
        _show_on_screen(navigator, theme, settings, data_folder(data_dir))


def _show_on_screen(navigator: Navigator, theme: Theme, settings: Settings, folder: Path) -> None:
    from client.terminal.replay_app import run_replay

    branch = run_replay(navigator, theme, export=_export)
    while branch is not None:
        from client.cli.what_if import play_on_screen

        told = play_on_screen(branch, screen_options(settings, folder))
        branch = run_replay(navigator, theme, export=_export, note=told)


def _show_in_lines(navigator: Navigator) -> None:
    import trio

    from client.terminal.replay_line_mode import run_replay_lines
    from client.terminal.stdin import lines

    with contextlib.suppress(KeyboardInterrupt):
        trio.run(run_replay_lines, navigator, lines(sys.stdin.fileno()), echo, _export, _play_on_in_lines)


async def _play_on_in_lines(branch: Branch, typed: AsyncIterable[str]) -> str:
    from client.cli.what_if import play_in_lines  # a server takes as long to import as the rest of the replay

    return await play_in_lines(branch, typed)


def _export(navigator: Navigator) -> str:
    from replays.cli.exporting import export_here  # what writes all the formats takes as long to import as the screen

    return export_here(navigator)
