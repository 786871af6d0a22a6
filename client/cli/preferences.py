"""What the settings, the options and the terminal mean for a verb: screen or lines, looks, keys, the player's name."""

import dataclasses
import getpass
import os
import sys
from collections.abc import Callable
from pathlib import Path

import click
from msgspec.structs import replace

from client.cli.options import chosen_looks
from client.display.theme import Theme, choose_theme
from client.errors import BadSettings
from client.input.keymap import Keymap
from client.presenter.options import Options
from client.profile.met_games import MetGames
from client.profile.settings import Settings, config_file, load_settings
from server.admission.player_names import BadName, clean_name
from server.terminal import ask, put


def is_terminal() -> bool:
    """Whether input and output are a terminal, so that a person can type and read."""
    return sys.stdin.isatty() and sys.stdout.isatty()


def wants_line_mode(plain: bool, settings: Settings) -> bool:
    """Whether to write lines instead of a screen: because somebody asks for it, or the terminal can do no more."""
    asked = plain or settings.plain or bool(os.environ.get("ACCESSIBLE"))
    term = os.environ.get("TERM", "dumb" if os.name == "posix" else "")
    return asked or term == "dumb" or not is_terminal()


def player_settings() -> Settings:
    """The player's settings, and for this run what `client.cli.options.look_options` say. Raises BadSettings."""
    settings, looks = load_settings(), chosen_looks()
    if looks.get("palette") == "four" and settings.palette not in (None, "none"):
        del looks["palette"]  # colours are wanted: those that the player has chosen
    return replace(settings, **looks)


def theme_of(settings: Settings) -> Theme:
    """How the screen looks, from the settings, the player's theme and the terminal. Raises BadSettings.

    The terminal is asked for its background where nothing says it; it must not be in use then.
    """
    theme = choose_theme(
        os.environ,
        sys.stdout.encoding or "ascii",
        palette=settings.palette,
        dark=settings.dark,
        symbols=settings.symbols,
        ascii_only=settings.ascii,
    )
    if settings.dark is None and theme.palette != "none" and not os.environ.get("COLORFGBG"):
        from client.terminal.background import background_is_dark

        dark = background_is_dark()
        theme = theme if dark is None else dataclasses.replace(theme, dark=dark)
    if settings.theme:
        from client.terminal.theme_file import load_theme  # it imports prompt_toolkit, which takes long

        theme = load_theme(config_file().parent / Path(settings.theme).expanduser(), theme)
    return theme


def first_meeting(settings: Settings, folder: Path) -> Callable[[str], bool] | None:
    """Tells whether a game is met for the first time, from the data directory; None where games are not explained."""
    return MetGames(folder).first_meeting if settings.explain_games else None


def screen_options(settings: Settings, folder: Path) -> Options:
    """How the screen looks and behaves, from the settings, the data directory and the terminal. Raises BadSettings."""
    theme = theme_of(settings)
    try:
        keymap = Keymap(settings.keys)
    except ValueError as error:
        raise BadSettings(f"{config_file()}, keys: {error}.") from None
    return Options(
        theme,
        keymap,
        settings.bell,
        covered=settings.cover,
        mouse=settings.mouse,
        notify=settings.notify,
        worth=settings.worth,
        first_meeting=first_meeting(settings, folder),
        reload=lambda: theme_of(player_settings()),
    )


def default_name(asked: str | None, settings: Settings, last: str = "") -> str:
    """The name to play under: from the option, the settings, the last visit or the user's account, in this order.

    Raises click.BadParameter for a name that no server accepts.
    """
    wanted = asked or settings.name or last
    try:
        if wanted:
            return clean_name(wanted, right_to_left=True)  # the server knows what its tables allow
    except BadName as error:
        raise click.BadParameter(str(error), param_hint="--name") from None
    try:
        return clean_name(getpass.getuser()[:16], right_to_left=True)
    except (BadName, OSError, KeyError):
        return "Player"


def ask_name(asked: str | None, settings: Settings, last: str) -> str:
    """The name as from `default_name`; a person who has never chosen one is asked for it, at a terminal."""
    default = default_name(asked, settings, last)
    if asked or settings.name or last or not is_terminal():
        return default
    while True:
        try:
            return clean_name(ask("Your name at the table", default=default), right_to_left=True)
        except BadName as error:
            put(f"{str(error)[:1].upper()}{str(error)[1:]}.", err=True)
