"""The hands that a review is about: those of an evening, of a file, or one alone."""

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from pathlib import Path

from client.errors import ClientError
from replays.index import Filter
from replays.library import Library, ListedHand, NotFound, named
from replays.statistics import DAY_BEGINS, evening_of
from replays.summary_reader import read_summaries

_DATE = re.compile(r"\d{4}-\d\d-\d\d")


class NothingToReview(ClientError):
    """There are no such hands, or it is not said whose decisions are meant."""


@dataclass(frozen=True, slots=True)
class ChosenHands:
    """Hands that are over.

    Fields:
        title: ``Evening of 2026-12-31``, the name of a file, or ``Hand 32``.
        rows: in the order of dealing; void hands are left out.
        listed: whether `row.number` is the number of the hand in the list of all hands.
    """

    title: str
    rows: Sequence[ListedHand]
    listed: bool = True


def chosen_hands(what: str, library: Library) -> ChosenHands:
    """The hands that `what` names: a date, a file, the number or id of a hand, or ``last`` for the last evening.

    Raises NothingToReview, NotFound, Unreadable, OSError.
    """
    if file := _file(what, library.folder):
        rows = [ListedHand(hand.number, file, b"", hand) for hand in read_summaries(file).hands]
        return _over(ChosenHands(file.name, rows, listed=False))
    if _DATE.fullmatch(what):
        return _evening(what, library)
    row = named(what, library)
    if what == "last":
        return _evening(evening_of(row.hand.started), library)
    return _over(ChosenHands(f"Hand {row.number}", [row]))


def _file(what: str, folder: Path) -> Path | None:
    path = Path(what)
    if path.suffix != ".ryo" and len(path.parts) < 2:
        return path if path.is_file() else None
    found = next((one for one in (path, folder / what) if one.is_file()), None)
    if found is None:
        raise NotFound(f"{what} is a folder." if path.is_dir() else f"There is no file {what}.")
    return found


def _evening(date: str, library: Library) -> ChosenHands:
    try:
        begin = datetime.strptime(date, "%Y-%m-%d") + timedelta(hours=DAY_BEGINS)
    except ValueError:
        raise NothingToReview(f"{date} is no date.") from None
    since, until = (int(one.timestamp() * 1000) for one in (begin, begin + timedelta(days=1)))
    return _over(ChosenHands(f"Evening of {date}", library.hands(Filter(since=since, until=until))))


def _over(chosen: ChosenHands) -> ChosenHands:
    rows = [row for row in chosen.rows if row.hand.ended is not None and not row.hand.voided]
    if not rows:
        raise NothingToReview(f"{chosen.title}: no hand is over there.")
    return ChosenHands(chosen.title, rows, chosen.listed)


def player_of(chosen: ChosenHands, asked: str, usual: Sequence[str], viewer: Callable[[Path], int | None]) -> str:
    """Whose decisions are meant: the player that is asked for, else the owner of the files, else a usual name.

    Args:
        usual: names that the reader plays under.
        viewer: the seat whose file it is.

    Raises NothingToReview, which names the players.
    """
    names = {name.casefold(): name for row in chosen.rows for name in row.hand.names.values()}
    if asked:
        if asked.casefold() in names:
            return names[asked.casefold()]
        raise NothingToReview(f"{chosen.title}: there is no player {asked}; there are {', '.join(names.values())}.")
    owners = {row.hand.names.get(viewer(row.path) or 0, "") for row in chosen.rows} - {""}
    if len(owners) == 1:
        return owners.pop()
    known = next((names[name.casefold()] for name in usual if name and name.casefold() in names), None)
    if known is None:
        raise NothingToReview(f"Say whose decisions are meant: --player NAME; there are {', '.join(names.values())}.")
    return known
