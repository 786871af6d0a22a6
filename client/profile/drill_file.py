"""The player's exercises: ``drill.json`` in the data directory. It has no cards; those are in the recordings."""

import datetime
from collections.abc import Sequence
from pathlib import Path

import msgspec

from client.errors import BadSettings
from server.storage.atomic_file import make_private_folder, write_file
from server.storage.text_file import read_text

FILE = "drill.json"
DAYS = (1, 3, 7, 16, 35, 90)
"""Days until an exercise comes again, by its box (Leitner's): after a right answer it moves to the next box."""


class Exercise(msgspec.Struct, frozen=True):
    """A decision that is exercised.

    Fields:
        player: whose it is; hand: the id of the hand; seat: theirs in it; number: of the decision, from 1.
        chips: what the decision gave up.
        box: place in `DAYS`; due: the day on which it comes again.
        times: how often it was answered; right: how often rightly.
    """

    player: str
    hand: str
    seat: int
    number: int
    chips: float
    due: datetime.date
    box: int = 0
    times: int = 0
    right: int = 0

    @property
    def key(self) -> tuple[str, int, int]:
        """What names the decision."""
        return self.hand, self.seat, self.number

    def answered(self, today: datetime.date, *, right: bool) -> "Exercise":
        """The exercise after an answer: in the next box after a right one, else in the first."""
        box = min(self.box + (self.times > 0), len(DAYS) - 1) if right else 0
        due = today + datetime.timedelta(days=DAYS[box])
        return msgspec.structs.replace(self, box=box, due=due, times=self.times + 1, right=self.right + right)


class DrillFile:
    """The exercises on the disk. A damaged file is never overwritten; every method may raise BadSettings."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._path = folder / FILE

    def exercises(self) -> list[Exercise]:
        """All exercises, of all players."""
        try:
            return msgspec.json.decode(read_text(self._path), type=list[Exercise])
        except FileNotFoundError:
            return []
        except OSError as error:
            raise BadSettings(f"{self._path}: {error.strerror}.") from None
        except (msgspec.DecodeError, UnicodeDecodeError) as error:
            raise BadSettings(
                f"The file of your exercises is damaged, and is left as it is: {self._path}: {error}."
            ) from None

    def put(self, exercise: Exercise) -> None:
        """Writes one exercise, in the place of what was known of it."""
        kept = [one for one in self.exercises() if one.key != exercise.key]
        self._write([*kept, exercise])

    def _write(self, exercises: Sequence[Exercise]) -> None:
        try:
            make_private_folder(self._folder)
            write_file(self._path, msgspec.json.format(msgspec.json.encode(exercises), indent=2))
        except OSError as error:
            raise BadSettings(f"{self._path}: {error.strerror}.") from None
