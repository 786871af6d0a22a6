"""The games that the player has met on this machine: ``games.json`` in the data directory."""

import contextlib
from pathlib import Path

import msgspec

from server.storage.atomic_file import make_private_folder, write_file

MOST = 500
"""Games that are remembered; a file with more is not one of ours."""


class MetGames:
    """Remembers which games were met, so that each is explained once."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._now: set[str] = set()  # in this program, also where nothing can be written

    def first_meeting(self, game: str) -> bool:
        """Whether the game with that id is met for the first time; from now on it is not."""
        met = self._load()
        if game in met or game in self._now:
            return False
        self._now.add(game)
        with contextlib.suppress(OSError):
            make_private_folder(self._folder)
            write_file(self._folder / "games.json", msgspec.json.encode(sorted({*met, game})[:MOST]))
        return True

    def _load(self) -> list[str]:
        try:
            return msgspec.json.decode((self._folder / "games.json").read_bytes(), type=list[str])
        except (OSError, msgspec.DecodeError):
            return []
