"""The directory of recordings, and how a hand is found in it.

Recordings are files ``hands/*.ryo`` in the data directory. The list needs only these files; the index of what was read
before makes it fast.
"""

import os
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from replays.hand_summaries import HandSummary
from replays.index import Filter, Index, IndexedHand
from replays.part import open_part
from replays.playback import Part
from replays.recording import Recording, Unreadable, open_good_parts
from replays.summary_reader import read_summaries
from server.errors import EXIT_FAILED

PATTERN = "*.ryo"
SPECTATOR = 2
"""Rank of a spectator's file among the files that hold the same hand."""
EVERY_HAND = Filter()


class NotFound(Exception):
    """There is no such hand or file. The text is a sentence for the user."""

    exit_code = EXIT_FAILED


@dataclass(frozen=True, slots=True)
class ListedHand:
    """A recorded hand.

    Fields:
        number: its number in the list of all hands, from 1; it names the hand as well as the id does.
        path: the file that holds it; session: 16 bytes that name the session of the table.
    """

    number: int
    path: Path
    session: bytes
    hand: HandSummary


def recordings(folder: Path) -> list[Path]:
    """The journal files in the folder in the order of their names; none if there is no folder."""
    return sorted(path for path in folder.glob(PATTERN) if path.is_file()) if folder.is_dir() else []


class Library:
    """The hands in a folder, read from what is new in its files. To be used with `with`.

    Attributes:
        complaints: for each file that is damaged or unreadable, a sentence.
        index: what is known of the files.
    """

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.complaints: list[str] = []
        self._paths = recordings(folder)
        self.index = Index(folder)

    def __enter__(self) -> "Library":
        return self

    def __exit__(self, *error: object) -> None:
        self.index.close()

    def refresh(self, read: Callable[[int], None] = lambda size: None) -> None:
        """Reads what is new in the files; `read` is told the size of each file when it is done with it."""
        names = {os.fsencode(path.name) for path in self._paths}
        for gone in self.index.names() - names:
            self.index.forget(gone)
        for path in self._paths:
            try:
                read(self._refresh(path))
            except (Unreadable, OSError) as error:
                self.index.forget(os.fsencode(path.name))
                self.complaints.append(str(error))

    def _refresh(self, path: Path) -> int:
        name, found = os.fsencode(path.name), path.stat()
        known = self.index.known(name)
        if known is None or known[:2] != (found.st_size, found.st_mtime_ns):
            read = read_summaries(path, known[2] if known is not None else None)
            self.index.put(name, found.st_size, found.st_mtime_ns, _hidden(path), read)
            trouble = read.trouble
        else:
            trouble = known[3]
        if trouble:
            self.complaints.append(trouble)
        return found.st_size

    @property
    def size(self) -> int:
        """Bytes in all files."""
        return sum(path.stat().st_size for path in self._paths)

    def hands(self, wanted: Filter = EVERY_HAND, newest: int | None = None) -> list[ListedHand]:
        """The wanted hands in the order of dealing; only the newest so many.

        A hand in several files is listed once, from the file that shows most: the host's, else a player's, else a
        spectator's. Of copies that show the same, the one whose name comes first.
        """
        return [self._listed(row) for row in self.index.hands(wanted, newest)]

    def with_last_corrections(self, rows: Sequence[ListedHand]) -> list[ListedHand]:
        """The rows; the last hand of a file with what a host gave or took after it."""
        after: dict[str, dict[str, int]] = {}
        for path in {row.path for row in rows}:
            found = self.index.known(os.fsencode(path.name))
            mark = None if found is None else found[2]
            running = mark is not None and any(row.path == path and row.hand.first > mark.position for row in rows)
            if mark is not None and not running:  # a hand that runs has these corrections before it
                after[mark.hand] = mark.corrected
        return [replace(row, hand=replace(row.hand, corrected_after=after.get(row.hand.id, {}))) for row in rows]

    def nth(self, number: int) -> ListedHand | None:
        """The hand of that number; None if there are not so many."""
        row = self.index.nth(number)
        return None if row is None else self._listed(row)

    def open_part(self, row: ListedHand) -> tuple[Recording, Part] | None:
        """The hands around this one; None where the whole file must be read."""
        name = os.fsencode(row.path.name)
        known, places = self.index.known(name), self.index.places(name, row.hand.first)
        if known is None or known[2] is None or known[3] or not places:
            return None
        opened = open_part(row.path, places[0], places[1] if len(places) > 1 else None)
        if opened is None:
            return None
        recording, table = opened
        part = Part(places[0].position, table, known[2].position, self.index.count(name), recording.read_all)
        return recording, part

    def _listed(self, row: IndexedHand) -> ListedHand:
        return ListedHand(row.number, self.folder / os.fsdecode(row.file), row.session, row.hand)


def list_hands(folder: Path, complaints: list[str] | None = None) -> list[ListedHand]:
    """Every recorded hand in the order of dealing. For each unreadable file a sentence is added to `complaints`."""
    with Library(folder) as library:
        library.refresh()
        if complaints is not None:
            complaints += library.complaints
        return library.hands()


def _hidden(path: Path) -> int:
    """How much a file hides, by its name: a host's nothing, a player's some cards, a spectator's most."""
    if path.name.endswith(".watching.ryo"):
        return SPECTATOR
    return int(".seat" in path.suffixes[-2]) if len(path.suffixes) > 1 else 0


def find(what: str, folder: Path) -> tuple[Recording, HandSummary | None]:
    """The recording that `what` names: a file, a number of the list, the id of a hand or its beginning, or ``last``.

    ``last`` is the last hand that is over. The second value is the hand that is meant; None for a file. Raises
    NotFound, Unreadable, OSError.
    """
    recording, hand, part = find_part(what, folder)
    if part is not None:
        recording.read_all()
    return recording, hand


def find_part(what: str, folder: Path) -> tuple[Recording, HandSummary | None, Part | None]:
    """As `find`; of a long file only the hands around the one that is meant are read, where that is possible.

    The third value says which part of the recording its steps are; None if they are all of it.
    """
    path = Path(what)
    if path.is_file():
        return open_good_parts(path), None, None
    if path.suffix == ".ryo" or len(path.parts) > 1:
        beside = folder / what
        if beside.is_file():
            return open_good_parts(beside), None, None
        raise NotFound(f"{what} is a folder." if path.is_dir() else f"There is no file {what}.")
    with Library(folder) as library:
        library.refresh()
        row = named(what, library)
        opened = library.open_part(row)
    if opened is None:
        return open_good_parts(row.path), row.hand, None
    return opened[0], row.hand, opened[1]


def named(what: str, library: Library) -> ListedHand:
    """The hand that a number, an id or ``last`` names. Raises NotFound."""
    hint = f" ({'; '.join(library.complaints)})" if library.complaints else ""
    folder = library.folder
    newest = library.hands(newest=1)
    if not newest:
        raise NotFound(f"No hand has been recorded in {folder} yet.{hint}")
    if what == "last":
        over = library.hands(Filter(finished=True), newest=1)
        if not over:
            raise NotFound(f"No hand in {folder} is over yet; ryo replay FILE follows the one that is played.{hint}")
        return over[0]
    begun = library.hands(Filter(id=what))
    exact = [row for row in begun if row.hand.id == what]
    number = what.removeprefix("#")
    if not exact and number.isascii() and number.isdecimal():
        row = library.nth(int(number[:9]))
        if row is None:
            raise NotFound(f"There is no hand {number}: {newest[0].number} are recorded in {folder}.{hint}")
        return row
    exact = exact or begun
    if not exact:
        raise NotFound(f"There is no recorded hand {what!r} in {folder}; ryo hands lists them.{hint}")
    if len(exact) > 1:
        some = ", ".join(row.hand.id for row in exact[:4])
        raise NotFound(f"{what!r} begins the ids of {len(exact)} hands: {some} ...")
    return exact[0]
