"""What somebody writes beside recordings: marks of hands, and notes at their steps. Nothing of it is in a recording.

They are in one file of the folder, ``notes.json``: for each hand by its id whether it is marked, and the notes by the
number of the step in the hand.
"""

from pathlib import Path

import msgspec

from server.errors import EXIT_CONFIG
from server.storage.atomic_file import write_file
from server.storage.text_file import read_text

FILE = "notes.json"
LONGEST = 500
"""Characters of a note."""


class BadNotes(Exception):
    """The file of the notes cannot be read or written. The text is a sentence for the user."""

    exit_code = EXIT_CONFIG


class HandNotes(msgspec.Struct, omit_defaults=True):
    """What was written about one hand. `notes`: by the step in the hand, from 1."""

    marked: bool = False
    notes: dict[int, str] = {}

    def __bool__(self) -> bool:
        return self.marked or bool(self.notes)


class Notes:
    """The marks and notes of the hands of one folder. Every change is written at once.

    Every method may raise BadNotes; a damaged file is never overwritten.
    """

    def __init__(self, folder: Path) -> None:
        self._path = folder / FILE

    def of(self, hand: str) -> HandNotes:
        """What was written about the hand with that id."""
        return self._read().get(hand, HandNotes())

    def toggle_mark(self, hand: str) -> bool:
        """Marks a hand, or takes the mark away. Returns whether it is marked now."""
        known = self._read()
        entry = known.setdefault(hand, HandNotes())
        entry.marked = not entry.marked
        self._write(known)
        return entry.marked

    def write(self, hand: str, step: int, text: str) -> None:
        """Writes the note of a step in the place of the one before; an empty text deletes it."""
        known = self._read()
        entry = known.setdefault(hand, HandNotes())
        if text := " ".join(text.split())[:LONGEST]:
            entry.notes[step] = text
        else:
            entry.notes.pop(step, None)
        self._write(known)

    def marked(self) -> list[str]:
        """The ids of the marked hands."""
        return [hand for hand, entry in self._read().items() if entry.marked]

    def with_text(self, text: str) -> list[str]:
        """The ids of the hands with a note that holds the text, in upper or lower case."""
        wanted = text.casefold()
        notes = ((hand, note) for hand, entry in self._read().items() for note in entry.notes.values())
        return [hand for hand, note in notes if wanted in note.casefold()]

    def _read(self) -> dict[str, HandNotes]:
        try:
            return msgspec.json.decode(read_text(self._path), type=dict[str, HandNotes])
        except FileNotFoundError:
            return {}
        except OSError as error:
            raise BadNotes(f"{self._path}: {error.strerror}.") from None
        except (msgspec.DecodeError, UnicodeDecodeError) as error:
            raise BadNotes(f"The file of your notes is damaged, and is left as it is: {self._path}: {error}.") from None

    def _write(self, known: dict[str, HandNotes]) -> None:
        kept = {hand: entry for hand, entry in known.items() if entry}
        try:
            write_file(self._path, msgspec.json.format(msgspec.json.encode(kept), indent=2))
        except OSError as error:
            raise BadNotes(f"{self._path}: {error.strerror}.") from None
