"""The directory of recordings, and how a hand is found in it.

Recordings are files ``hands/*.ryo`` in the data directory. The list needs only these files; the index of what was read
before makes it faster.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from replays.hand_summaries import HandSummary, summaries
from replays.index import Index
from replays.recording import Recording, Unreadable, open_recording
from server.errors import EXIT_FAILED

PATTERN = "*.ryo"
SPECTATOR = 2
"""Rank of a spectator's file among the files that hold the same hand."""


class NotFound(Exception):
    """There is no such hand or file. The text is a sentence for the user."""

    exit_code = EXIT_FAILED


@dataclass(frozen=True, slots=True)
class ListedHand:
    """A recorded hand and the file that holds it."""

    path: Path
    hand: HandSummary


def recordings(folder: Path) -> list[Path]:
    """The journal files in the folder in the order of their names; none if there is no folder."""
    return sorted(path for path in folder.glob(PATTERN) if path.is_file()) if folder.is_dir() else []


def list_hands(folder: Path, complaints: list[str] | None = None) -> Iterator[ListedHand]:
    """Every recorded hand in the order of dealing. For each unreadable file a sentence is added to `complaints`.

    A hand in several files is listed once, from the file that shows most: the host's, else a player's, else a
    spectator's. Of copies that show the same, the one whose name comes first.
    """
    found: list[ListedHand] = []
    index = Index(folder)
    for path in recordings(folder):
        try:
            hands = index.get(path)
            if hands is None:
                before = path.stat()
                hands = summaries(open_recording(path).steps)
                index.put(path, before.st_size, before.st_mtime_ns, hands)
        except (Unreadable, OSError) as error:
            if complaints is not None:
                complaints.append(str(error))
            continue
        found += [ListedHand(path, hand) for hand in hands]
    if found:
        index.save()
    found.sort(key=lambda row: row.hand.started)
    best: dict[str, ListedHand] = {}
    for row in found:
        other = best.setdefault(row.hand.id, row)
        if _hidden(row.path) < _hidden(other.path):
            best[row.hand.id] = row
    yield from best.values()


def _hidden(path: Path) -> int:
    """How much a file hides, by its name: a host's nothing, a player's some cards, a spectator's most."""
    if path.name.endswith(".watching.ryo"):
        return SPECTATOR
    return int(".seat" in path.suffixes[-2]) if len(path.suffixes) > 1 else 0


def find(what: str, folder: Path) -> tuple[Recording, HandSummary | None]:
    """The recording that `what` names: a file, the id of a hand (or an unambiguous beginning of it), or ``last``.

    ``last`` is the last hand that is over. The second value is the hand that an id or ``last`` means; None for a file.
    Raises NotFound, Unreadable, OSError.
    """
    path = Path(what)
    if path.is_file():
        return open_recording(path), None
    if path.suffix == ".ryo" or len(path.parts) > 1:
        beside = folder / what
        if beside.is_file():
            return open_recording(beside), None
        raise NotFound(f"{what} is a folder." if path.is_dir() else f"There is no file {what}.")
    complaints: list[str] = []
    rows = list(list_hands(folder, complaints))
    hint = f" ({'; '.join(complaints)})" if complaints else ""
    if not rows:
        raise NotFound(f"No hand has been recorded in {folder} yet.{hint}")
    if what == "last":
        over = [row for row in rows if row.hand.ended is not None]
        if not over:
            raise NotFound(f"No hand in {folder} is over yet; ryo replay FILE follows the one that is played.{hint}")
        return _opened(over[-1])
    exact = [row for row in rows if row.hand.id == what] or [row for row in rows if row.hand.id.startswith(what)]
    if not exact:
        raise NotFound(f"There is no recorded hand {what!r} in {folder}; ryo hands lists them.{hint}")
    if len(exact) > 1:
        some = ", ".join(row.hand.id for row in exact[:4])
        raise NotFound(f"{what!r} begins the ids of {len(exact)} hands: {some} ...")
    return _opened(exact[0])


def _opened(row: ListedHand) -> tuple[Recording, HandSummary]:
    recording = open_recording(row.path)
    hands = summaries(recording.steps)
    return recording, next(hand for hand in hands if hand.id == row.hand.id)
