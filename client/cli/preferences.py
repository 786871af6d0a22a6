"""What the settings, the options and the terminal mean for a verb: screen or lines, looks and keys, the player's name.

What takes long to import is imported by the function that needs it.
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

if TYPE_CHECKING:  # at run time every help text would pay for the import of prompt_toolkit
    from client.display.theme import Theme
    from client.presenter.options import Options


def is_terminal() -> bool:
    """Whether input and output are a terminal, so that a person can type and read."""
    return sys.stdin.isatty() and sys.stdout.isatty()


def wants_line_mode(plain: bool, settings: Settings) -> bool:
    """Whether to write lines instead of a screen: because somebody asks for it, or the terminal can do no more."""
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


def screen_options(settings: Settings) -> "Options":
    """How the screen looks and behaves, from the settings and the terminal. Raises BadSettings."""
    from client.input.keymap import Keymap
    from client.presenter.options import Options

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


def default_name(asked: str | None, settings: Settings, last: str = "") -> str:
    """The name to play under: from the option, the settings, the last visit or the user's account, in this order.

    Raises click.BadParameter for a name that no server accepts.
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


def ask_name(asked: str | None, settings: Settings, last: str) -> str:
    """The name as from `default_name`; a person who has never chosen one is asked for it, at a terminal."""
    from server.admission.player_names import BadName, clean_name

    default = default_name(asked, settings, last)
    if asked or settings.name or last or not is_terminal():
        return default
    while True:
        try:
            return clean_name(click.prompt("Your name at the table", default=default, err=True))
        except BadName as error:
            click.echo(f"{str(error)[:1].upper()}{str(error)[1:]}.", err=True)
