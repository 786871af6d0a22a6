"""The player's settings."""

from pathlib import Path
from typing import Literal

import msgspec
from platformdirs import user_config_path

from client.errors import BadSettings
from protocol.versions import APP
from server.storage.text_file import read_text


class Settings(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The content of ``client.toml``; every key may be left out.

    Fields:
        name: the name to play under.
        plain: use line mode always.
        palette: colours of the suits (`client.display.theme`); dark: whether the terminal's background is dark;
        symbols: suits as symbols or as letters. A value that is left out is guessed from the terminal.
        ascii: draw with ASCII only.
        theme: a file with the player's own colours (`client.terminal.theme_file`), relative to ``client.toml``.
        cover: own cards begin face down; mouse: clicks press the keys on the screen.
        bell: ring when the turn comes; notify: tell the desktop too, in the words that this terminal knows
            (``osc9``: iTerm2, kitty, Windows Terminal, WezTerm; ``osc777``: foot, urxvt, Ghostty, VTE with a patch).
        explain_games: a card with the essence of a game at the first hand of it on this machine.
        worth: say before each bet what it costs and what the hand wins on average.
        coach: at tables against bots the coach is on from the beginning.
        keep_hands: keep the hands played or watched at other people's tables, as this player saw them.
        keys: action to key, where the usual key does not suit (`client.input.keymap`).
    """

    name: str = ""
    plain: bool = False
    palette: Literal["four", "two", "blind", "none"] | None = None
    dark: bool | None = None
    symbols: bool | None = None
    ascii: bool = False
    theme: str = ""
    cover: bool = False
    mouse: bool = True
    bell: bool = True
    notify: Literal["off", "osc9", "osc777"] = "off"
    explain_games: bool = True
    worth: bool = False
    coach: bool = False
    keep_hands: bool = True
    keys: dict[str, str] = {}


def config_file() -> Path:
    """The path of ``client.toml``, whether the file exists or not. Raises RuntimeError without a home directory."""
    return user_config_path(APP, appauthor=False) / "client.toml"


def load_settings(path: Path | None = None) -> Settings:
    """The settings; the defaults if there is no file. Raises BadSettings."""
    try:
        path = path or config_file()
    except RuntimeError:
        return Settings()  # a user without a home directory has none
    try:
        return msgspec.toml.decode(read_text(path), type=Settings)
    except FileNotFoundError:
        return Settings()
    except OSError as error:
        raise BadSettings(f"{path}: {error.strerror}.") from None
    except (msgspec.DecodeError, UnicodeDecodeError) as error:
        raise BadSettings(f"{path}: {error}.") from None
