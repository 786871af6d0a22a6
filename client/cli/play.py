"""``ryo play``: a game against bots, with a server inside the program.

What takes long to import is imported by the function that needs it.
"""

import dataclasses
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click
from msgspec.structs import replace

from client.bots.characters import CHARACTERS
from client.cli.completion import minds
from client.cli.failures import exit_on_errors
from client.cli.options import data_dir_option, look_options, name_option, plain_option
from client.cli.preferences import (
    ask_name,
    first_meeting,
    is_terminal,
    player_settings,
    screen_options,
    wants_line_mode,
)
from client.cli.stakes_options import stakes_changes, stakes_options
from client.presenter.options import Options
from client.profile.last_visit import load_last_visit, save_last_visit
from protocol.near_matches import did_you_mean
from replays.cli.completion import games
from replays.cli.output import echo
from server.storage.folders import data_folder

if TYPE_CHECKING:  # at run time `ryo play --help` would pay for the import of trio and of the engine
    from client.local_game import LocalGameOptions
    from client.presenter.evening import Evening

HANDS_WITHOUT_TERMINAL = 3
MOST_BOTS = 7
USUAL_GAME = "barneys"
WHO = "\n".join(
    ["\b", "Levels of bots: easy, usual, strong. Characters:", *[f"  {one.name:6}{one.sentence}" for one in CHARACTERS]]
)


@click.command(epilog=WHO)
@click.option(
    "--game",
    metavar="GAME",
    help="What is played; see: ryo rules  [default: barneys, or the games of the preset]",
    shell_complete=games,
)
@click.option("--preset", metavar="NAME", help="Settings for a kind of evening: family, casino, barney.")
@click.option(
    "--bots",
    metavar="LIST",
    default="3",
    show_default=True,
    help="Who plays along: how many, or a level, or names: 5  easy  Ida,Nils  5,Ida,strong",
    shell_complete=minds,
)
@click.option("--pace", type=click.FloatRange(0, 60), metavar="SECONDS", help="How long bots think. [default: 1.2]")
@click.option("--buy-in", type=click.IntRange(1), metavar="CHIPS", help="Chips of everybody. [default: fits the game]")
@stakes_options
@click.option("--web", is_flag=True, help="Play in the browser: the page opens, and the table stays here until Ctrl+C.")
@click.option("--hands", type=click.IntRange(1), metavar="N", help="Stop after N hands.")
@click.option("--test", is_flag=True, help="For tests: allows --seed.")
@click.option("--seed", metavar="TEXT", help="Deal the decks of this seed; only with --test.")
@name_option
@plain_option
@look_options
@data_dir_option
def play(
    game: str | None,
    preset: str | None,
    bots: str,
    pace: float | None,
    buy_in: int | None,
    web: bool,
    hands: int | None,
    test: bool,
    seed: str | None,
    name: str | None,
    plain: bool,
    data_dir: Path | None,
    **stakes: Any,
) -> None:
    """Play against bots, here and now.

    A server runs inside the program while you play, and the hands are recorded. Without a terminal a bot takes your
    seat for three hands, and their story is told.
    """
    if seed is not None and not test:
        raise click.UsageError("--seed makes every deck known beforehand; it is allowed with --test only.")
    with exit_on_errors():
        settings = player_settings()
        alone = not web and not plain and not is_terminal()
        options = _options(game, preset, bots, stakes_changes(**stakes), buy_in, alone)
        folder = data_folder(data_dir)
        known = load_last_visit(folder)
        called = name or known.name or "" if web else ask_name(name, settings, known.name)  # the page asks, too
        save_last_visit(folder, replace(known, name=called))
        options = dataclasses.replace(
            options, name=called, hands=hands, data_dir=data_dir, seed=seed, web=web, coach=settings.coach
        )
        if pace is not None:
            options = dataclasses.replace(options, pace=pace)
        if web:
            journal = _play_in_browser(options)
        elif alone:
            journal = _play_alone(options)
        elif wants_line_mode(plain, settings):
            journal = _play_in_lines(options, first_meeting(settings, folder), settings.worth)
        else:
            journal = _play_on_screen(options, screen_options(settings, folder))
        echo(f"The hands are recorded in {journal}")


def _options(
    game: str | None, preset: str | None, bots: str, stakes: dict[str, Any], buy_in: int | None, alone: bool
) -> "LocalGameOptions":
    """What is to be played, checked; `alone`: without a person. Raises click.UsageError, and ConfigError for a preset
    that does not exist.
    """
    from client.bots.company import USUAL_MIND, BadCompany, company
    from client.bots.minds import UnknownMind
    from client.local_game import HOUSE, LocalGameOptions, most_bots
    from protocol.narration.phrases import counted
    from server.config.presets import preset_named
    from server.engine.games.catalogue import GAMES

    if game is not None and game not in GAMES:
        meant = did_you_mean(game, GAMES)
        raise click.BadParameter(
            f"there is no game {game!r};{meant} There are {', '.join(GAMES)}.", param_hint="--game"
        )
    games = preset_named(preset).table["games"] if preset and game is None else (game or USUAL_GAME,)
    try:
        minds = company(bots, HOUSE if alone else USUAL_MIND)
    except (BadCompany, UnknownMind) as error:
        raise click.BadParameter(str(error), param_hint="--bots") from None
    room = min(MOST_BOTS, *map(most_bots, games))
    if len(minds) > room:
        who = GAMES[games[0]].title if len(games) == 1 else "The preset"
        raise click.BadParameter(f"{who} has room for {counted(room, 'bot')}.", param_hint="--bots")
    for one in games:
        if problem := replace(GAMES[one].stakes, **stakes).problem():
            raise click.UsageError(f"These stakes cannot be played: {problem}.")
    only = games[0] if len(games) == 1 else ""
    return LocalGameOptions(only, len(minds), "", stakes=stakes, buy_in=buy_in or 0, preset=preset or "", minds=minds)


def _play_alone(options: "LocalGameOptions") -> str:
    """A bot plays the player's seat; the story goes to standard output. Returns the recording's path."""
    import trio

    from client.local_game import LocalGame, narrate
    from protocol.narration.phrases import count

    hands = options.hands or HANDS_WITHOUT_TERMINAL
    game = LocalGame(dataclasses.replace(options, hands=hands, pace=0.0, autopilot=True))
    echo(f"There is no terminal here: a bot takes the seat of {options.name} for {count(hands, 'hand')}.")
    trio.run(narrate, game, echo)
    return game.journal_path


def _play_in_browser(options: "LocalGameOptions") -> str:
    """The player's seat is played on the page until the hands are over, or Ctrl+C. Returns the recording's path."""
    import signal
    from urllib.parse import quote

    import trio

    from client.local_game import LocalGame

    game = LocalGame(options)

    async def close_on_signal() -> None:
        with trio.open_signal_receiver(signal.SIGINT, signal.SIGTERM) as signals:
            async for _ in signals:
                game.session.close()

    async def person() -> None:
        link = game.link + (f"#name={quote(options.name)}" if options.name else "")
        echo(f"Play in the browser: {link}")
        echo("The table is open until you press Ctrl+C here.")
        await trio.to_thread.run_sync(_open_browser, link)
        async with trio.open_nursery() as nursery:
            nursery.start_soon(close_on_signal)
            await game.session.run()
            nursery.cancel_scope.cancel()

    trio.run(game.host, person)
    return game.journal_path


def _open_browser(link: str) -> None:
    """Opens the page where there is a window system; a browser within the terminal cannot show it."""
    import os
    import webbrowser

    if sys.platform in ("win32", "darwin") or os.environ.get("DISPLAY") or os.environ.get("WAYLAND_DISPLAY"):
        webbrowser.open(link)


def _play_in_lines(options: "LocalGameOptions", first_meeting: Callable[[str], bool] | None, worth: bool) -> str:
    import trio

    from client.local_game import LocalGame
    from client.presenter.evening import Evening
    from client.terminal.line_mode import run_lines
    from client.terminal.stdin import lines

    game = LocalGame(options)
    evening = Evening(game.session, time.monotonic)

    async def person() -> None:
        typed = lines(sys.stdin.fileno())
        await run_lines(
            game.session, typed, echo, kept=False, first_meeting=first_meeting, worth=worth, coach=game.coach
        )

    trio.run(game.host, person)
    _sum_up(evening)
    return game.journal_path


def _play_on_screen(options: "LocalGameOptions", looks: Options) -> str:
    from client.local_game import LocalGame
    from client.presenter.evening import Evening
    from client.presenter.goodbye import goodbye
    from client.terminal.table_app import run_table

    game = LocalGame(options)
    evening = Evening(game.session, time.monotonic)
    looks = dataclasses.replace(looks, pace=game.pace, seat_kept=False, coach=game.coach)
    run_table(game.session, looks, around=game.host)
    echo(goodbye(game.session, kept=False))
    _sum_up(evening)
    return game.journal_path


def _sum_up(evening: "Evening") -> None:
    if summary := evening.summary(look_back=True):
        echo(summary)
