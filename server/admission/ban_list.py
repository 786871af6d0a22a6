"""Who may not come in: the file ``bans.toml`` beside the server's key.

The words `ban` and `unban` write it, and it may be edited by hand. A damaged file is never taken for an empty one: a
server does not start with it, and a running one keeps the list that it has.
"""

import json
import os
import tomllib
from collections.abc import Callable
from datetime import UTC, datetime
from functools import partial
from typing import Any

import msgspec
import trio

from server.admission.ban import Ban, Person
from server.config.toml_file import with_place
from server.errors import ConfigError
from server.storage.atomic_file import write_file
from server.storage.filesystem import FileSystem
from server.storage.system import System

FILE = "bans.toml"
_HEADING = """\
# Who may not come in. The words ban and unban write this file; a remark of your own is lost by that.
# name (names that look alike count), token (digests of seat tokens), address (or a network, 10.0.0.0/8): each of them
# is enough. Without until a ban has no end, without table it counts for all of them. contact: whom the banned may ask,
# if not the contact of the settings. With chat = true they may play, and not talk.
"""


class _File(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    ban: tuple[Ban, ...] = ()


class BanList:
    """The bans of a server. Empty until `load`.

    Args:
        folder: of the file.

    Attributes:
        contact: whom the banned may ask; empty for nobody in particular.
    """

    def __init__(self, folder: str, contact: str, system: System) -> None:
        self.contact = contact
        self._path, self._system = os.path.join(folder, FILE), system
        self._bans: tuple[Ban, ...] = ()
        self._one_at_a_time = trio.Lock()

    def now(self) -> datetime:
        """The time by which bans end."""
        return datetime.fromtimestamp(self._system.wall_clock() / 1000, UTC)

    def bans(self) -> list[Ban]:
        """The bans in force, in the order of the file."""
        now = self.now()
        return [ban for ban in self._bans if not ban.is_over(now)]

    def against(self, person: Person) -> Ban | None:
        """The ban that keeps a person out; None if they may come."""
        return next((ban for ban in self.bans() if not ban.chat and ban.is_about(person)), None)

    def silences(self, person: Person) -> Ban | None:
        """The ban that keeps a person from talking; None if they may."""
        return next((ban for ban in self.bans() if ban.chat and ban.is_about(person)), None)

    def told(self, ban: Ban) -> str:
        """What the banned read."""
        return ban.told(self.now(), self.contact)

    async def load(self) -> None:
        """Reads the file again. Raises ConfigError, and then the list is what it was."""
        async with self._one_at_a_time:
            await self._read()

    async def _read(self) -> None:
        self._bans = await self._system.work(partial(_read, self._system.fs, self._path))

    async def change(self, change: Callable[[list[Ban]], list[Ban]]) -> None:
        """Changes the file as it is now, edits by hand included: `change` gets the bans in force, and returns others.

        Raises ConfigError with nothing changed; and whatever `change` raises.
        """
        async with self._one_at_a_time:
            await self._read()
            after = tuple(change(self.bans()))
            await self._system.work(partial(_write, self._system.fs, self._path, after))
            self._bans = after


def _read(fs: FileSystem, path: str) -> tuple[Ban, ...]:
    try:
        if not fs.exists(path):
            return ()
        text = fs.read_all(path).decode()
        bans = msgspec.convert(tomllib.loads(text), _File).ban
    except UnicodeDecodeError:
        raise _damaged(path, f"{path}: it is not UTF-8") from None
    except tomllib.TOMLDecodeError as error:
        raise _damaged(path, f"{path}: {error}") from None
    except msgspec.ValidationError as error:
        raise _damaged(path, with_place(str(error), text, path, Ban.__struct_fields__).rstrip(".")) from None
    except OSError as error:
        raise ConfigError(f"The list of bans {path} cannot be read: {error.strerror}.") from None
    for number, ban in enumerate(bans, 1):
        if problem := ban.problem():
            raise _damaged(path, f"{path}: ban number {number}: {problem}")
    return bans


def _damaged(path: str, where: str) -> ConfigError:
    return ConfigError(f"{where}. Nobody is let in by a damaged list of bans: mend the file, or move it away.")


def _write(fs: FileSystem, path: str, bans: tuple[Ban, ...]) -> None:
    lines = [_HEADING]
    for ban in bans:
        values: dict[str, Any] = msgspec.to_builtins(ban)
        lines += ["[[ban]]", *[f"{key} = {_toml(key, value)}" for key, value in values.items()], ""]
    try:
        write_file(path, "\n".join(lines).encode(), fs=fs)
    except OSError as error:
        raise ConfigError(f"The list of bans {path} cannot be written: {error.strerror}.") from None


def _toml(key: str, value: Any) -> str:
    """A value as TOML has it. JSON writes texts in the same way but for one sign, and has no times."""
    return value if key in ("since", "until") else json.dumps(value, ensure_ascii=False).replace("\x7f", "\\u007f")
