"""What the settings and the terminal make of a visit: a screen or lines, its looks and keys, the player's name.

What takes long to import is imported where it is needed.
"""

import getpass
import os
import sys
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

import click

from client.errors import BadSettings
from client.profile.settings import Settings, config_file, load_settings

if TYPE_CHECKING:
    from client.display.theme import Theme
    from client.terminal.table_app import Options


def is_terminal() -> bool:
    """Whether somebody sits there who can type and read."""
    return sys.stdin.isatty() and sys.stdout.isatty()


def wants_lines(plain: bool, settings: Settings) -> bool:
    """Whether lines are wanted instead of a screen: asked for, or all that the terminal can do."""
    asked = plain or settings.plain or bool(os.environ.get("ACCESSIBLE"))
    term = os.environ.get("TERM", "dumb" if os.name == "posix" else "")
    return asked or term == "dumb" or not is_terminal()


def theme_of(settings: Settings) -> "Theme":
    """How the screen looks, from the settings, the player's theme and the terminal. Raises BadSettings."""
    from client.display.theme import choose_theme
    from client.terminal.theme_file import load_theme

    theme = choose_theme(
        os.environ,
        sys.stdout.encoding or "ascii",
        palette=settings.palette,
        symbols=settings.symbols,
        ascii_only=settings.ascii,
    )
    if settings.dark is not None:
        theme = replace(theme, dark=settings.dark)
    if settings.theme:
        theme = load_theme(config_file().parent / Path(settings.theme).expanduser(), theme)
    return theme


def options_of(settings: Settings) -> "Options":
    """How the screen looks and behaves, from the settings and the terminal. Raises BadSettings."""
    from client.input.keymap import Keymap
    from client.terminal.table_app import Options

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
        reload=lambda: theme_of(load_settings()),
    )


def usual_name(asked: str | None, settings: Settings, last: str = "") -> str:
    """The name to play under: the one asked for, of the settings, used last, or that of the user's account.

    Raises click.BadParameter for one that no server takes.
    """
    from server.admission.player_names import BadName, clean_name

    wanted = asked or settings.name or last
    try:
        if wanted:
            return clean_name(wanted)
    except BadName as error:
        raise click.BadParameter(str(error), param_hint="--name") from None
    try:
        return clean_name(getpass.getuser()[:16])
    except (BadName, OSError, KeyError):
        return "Player"


def asked_name(asked: str | None, settings: Settings, last: str) -> str:
    """As `usual_name`; whoever comes for the first time, and sits at a terminal, is asked: this, and nothing else."""
    from server.admission.player_names import BadName, clean_name

    usual = usual_name(asked, settings, last)
    if asked or settings.name or last or not is_terminal():
        return usual
    while True:
        try:
            return clean_name(click.prompt("Your name at the table", default=usual, err=True))
        except BadName as error:
            click.echo(f"{str(error)[:1].upper()}{str(error)[1:]}.", err=True)
