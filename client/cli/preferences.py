"""What the settings, the options and the terminal mean for a verb: screen or lines, looks, keys, the player's name."""

import getpass
import os
import sys
from contextlib import suppress
from pathlib import Path

import click

from client.display.theme import Theme, choose_theme
from client.errors import BadSettings
from client.input.keymap import Keymap
from client.presenter.options import Options
from client.profile.settings import Settings, config_file, load_settings
from server.admission.player_names import BadName, clean_name


def is_terminal() -> bool:
    """Whether input and output are a terminal, so that a person can type and read."""
    return sys.stdin.isatty() and sys.stdout.isatty()


def wants_line_mode(plain: bool, settings: Settings) -> bool:
    """Whether to write lines instead of a screen: because somebody asks for it, or the terminal can do no more."""
    asked = plain or settings.plain or bool(os.environ.get("ACCESSIBLE"))
    term = os.environ.get("TERM", "dumb" if os.name == "posix" else "")
    return asked or term == "dumb" or not is_terminal()


def theme_of(settings: Settings) -> Theme:
    """How the screen looks, from the settings, the player's theme and the terminal. Raises BadSettings."""
    theme = choose_theme(
        os.environ,
        sys.stdout.encoding or "ascii",
        palette=settings.palette,
        dark=settings.dark,
        symbols=settings.symbols,
        ascii_only=settings.ascii,
    )
    if settings.theme:
        from client.terminal.theme_file import load_theme  # it imports prompt_toolkit, which takes long

        theme = load_theme(config_file().parent / Path(settings.theme).expanduser(), theme)
    return theme


def screen_options(settings: Settings) -> Options:
    """How the screen looks and behaves, from the settings and the terminal. Raises BadSettings."""
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


def ask(question: str, default: str | None = None, *, hide: bool = False) -> str:
    """A person's answer at the terminal. What follows its first line was pasted and is nobody's move: it is dropped."""
    answer: str = click.prompt(question, default=default, hide_input=hide, err=True)
    if sys.platform != "win32":
        import termios

        with suppress(termios.error):
            termios.tcflush(sys.stdin.fileno(), termios.TCIFLUSH)
    return answer


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
            click.echo(f"{str(error)[:1].upper()}{str(error)[1:]}.", err=True)
