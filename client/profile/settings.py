"""The player's own files: settings, what was last used, and the key of his seats.

====================  ========================================================================
``client.toml``       settings, in the user's configuration directory; written by the user only
``last.json``         the last name, address and table, in the data directory
``seats.key``         32 secret bytes, mode 0600, in the data directory
``known_hosts.json``  the keys of the servers, in the data directory (`client.profile.known_servers`)
====================  ========================================================================

Directories are made with mode 0700 when something is first written.
"""

import contextlib
import hashlib
import hmac
import os
import secrets
import stat
import unicodedata
from pathlib import Path
from typing import Literal

import msgspec
from platformdirs import user_config_path, user_data_path

from client.errors import BadSettings

APP = "rollyourown"
KEY_BYTES = 32


class Settings(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What stands in ``client.toml``; every key may be left out.

    Fields:
        name: the name to play under.
        plain: line mode always.
        palette: colours of the suits (`client.display.theme`); dark: whether the terminal's background is dark;
        symbols: suits as signs or as letters. What is left out is guessed from the terminal.
        ascii: draw with ASCII only.
        theme: a file with colours of one's own (`client.terminal.theme_file`); looked for beside ``client.toml``.
        cover: own cards begin face down; mouse: clicks press the keys on the screen.
        bell: ring when the turn comes.
        keep_hands: keep the hands played or watched at other people's tables, as one saw them.
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
    keep_hands: bool = True
    keys: dict[str, str] = {}


class Last(msgspec.Struct, frozen=True):
    """What was used last time; `plain_tcp`: without encryption."""

    name: str = ""
    address: str = ""
    table: str = ""
    plain_tcp: bool = False


def config_file() -> Path:
    """Where ``client.toml`` is looked for."""
    return user_config_path(APP, appauthor=False) / "client.toml"


def data_dir(override: str | Path | None = None) -> Path:
    """The directory of recorded hands, the key and the last address: the user's own, or the one given."""
    return Path(override) if override else user_data_path(APP, appauthor=False)


def load_settings(path: Path | None = None) -> Settings:
    """The settings; the usual ones where there is no file. Raises BadSettings."""
    path = path or config_file()
    try:
        return msgspec.toml.decode(path.read_bytes(), type=Settings)
    except FileNotFoundError:
        return Settings()
    except OSError as error:
        raise BadSettings(f"{path}: {error.strerror}.") from None
    except (msgspec.DecodeError, UnicodeDecodeError) as error:
        raise BadSettings(f"{path}: {error}.") from None


def load_last(folder: Path) -> Last:
    """What was used last; nothing where that is not known or not readable."""
    try:
        return msgspec.json.decode((folder / "last.json").read_bytes(), type=Last)
    except (OSError, msgspec.DecodeError):
        return Last()


def save_last(folder: Path, last: Last) -> None:
    """Remember it for the next time. A directory that cannot be written is no reason to stop: then nothing is kept."""
    with contextlib.suppress(OSError):
        make_folder(folder)
        write_new(folder / "last.json.new", msgspec.json.encode(last))
        os.replace(folder / "last.json.new", folder / "last.json")


def load_key(folder: Path) -> bytes:
    """The 32 bytes from which seat tokens are made; made on first use. Raises BadSettings.

    Two programs that start at once get the same key: the file appears complete, and only once.
    """
    path = folder / "seats.key"
    try:
        if not path.exists():
            make_folder(folder)
            fresh = folder / f"seats.key.{os.getpid()}.{secrets.token_hex(4)}"
            write_new(fresh, secrets.token_bytes(KEY_BYTES))
            try:
                with contextlib.suppress(FileExistsError):
                    os.link(fresh, path)
            finally:
                fresh.unlink()
        key = path.read_bytes()
        mode = path.stat().st_mode
    except OSError as error:
        raise BadSettings(f"{error.filename or path}: {error.strerror}.") from None
    if len(key) != KEY_BYTES:
        raise BadSettings(f"{path} is damaged ({len(key)} bytes, not {KEY_BYTES}); your seats hang on it.")
    if os.name == "posix" and mode & (stat.S_IRWXG | stat.S_IRWXO):
        raise BadSettings(f"{path} can be read by others; run: chmod 600 {path}")
    return key


def seat_token(key: bytes, server: str, table: str, name: str) -> bytes:
    """The 32-byte token of a name's seat at a table: the same whenever it is asked for, useless anywhere else.

    `server` is the fingerprint of the server's key, or without TLS the address as the player uses it (``host:port``).
    """
    folded = unicodedata.normalize("NFKC", name).casefold()
    parts = [part.encode() for part in ("ryo seat 1", server, table, folded)]
    message = b"".join([len(part).to_bytes(4, "big") + part for part in parts])
    return hmac.new(key, message, hashlib.sha256).digest()


def make_folder(folder: Path) -> None:
    """A private directory (mode 0700), unless it is there. Raises OSError."""
    folder.mkdir(mode=0o700, parents=True, exist_ok=True)


def write_new(path: Path, data: bytes) -> None:
    """A file of mode 0600 with this content, on the disk when this returns. Raises OSError."""
    path.unlink(missing_ok=True)
    descriptor = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    with os.fdopen(descriptor, "wb") as file:
        file.write(data)
        file.flush()
        os.fsync(file.fileno())
