"""Hand histories in the text format of PokerStars, read into hands that can be played (`replays.phh.format.PhhHand`).

A file is cut into hands at its header lines. A hand that cannot be read is refused with the number of the line, and the
others are read. Amounts are multiplied by one factor for the whole file, which makes all of them whole chips. What
people say, and who comes and goes, is left out.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import time

from replays.phh.format import PhhHand
from replays.pokerstars.draft import BadLine, Draft
from replays.pokerstars.words import TITLES

_HEADER = re.compile(r"^[^\w]*PokerStars\b[^#]*(?:Hand|Game) #(?P<id>\d+):\s*(?P<rest>.*)$", re.IGNORECASE)
_GAME = re.compile(
    r"\b(?P<game>7 Card Stud Hi/Lo|7 Card Stud|Razz) (?P<limit>(?:No |Pot |Fixed )?Limit)\b", re.IGNORECASE
)
_STAKES = re.compile(r"(?P<small>[\d.,]*\d)/[^\d\s]{0,4}\s?(?P<big>[\d.,]*\d)")
_DATE = re.compile(r"(\d{4})/(\d\d?)/(\d\d?)[ -]+(\d\d?):(\d\d):(\d\d)(?: (\w+))?")
_ZONES = {"UTC": "UTC", "ET": "America/New_York"}
_IDS = {title.casefold(): game for game, title in TITLES.items()}


@dataclass(frozen=True, slots=True)
class TextHand:
    """A hand of the file.

    Fields:
        entry: its number in its header; line: the line of the header.
        readings: the hand as it can be played; several where the text does not name the dealer's seat.
        why: why it cannot be played, as a clause; empty if it can.
    """

    entry: str
    line: int
    readings: tuple[PhhHand, ...] = ()
    why: str = ""


@dataclass(frozen=True, slots=True)
class TextFile:
    """The hands of a file, and how many chips are one unit of its money."""

    hands: tuple[TextHand, ...]
    unit: int


def is_hand_history(text: str) -> bool:
    """Whether the text begins like a hand history of PokerStars."""
    first = next((line for line in text.splitlines() if line.strip()), "")
    return _HEADER.match(first) is not None


def read_history(text: str) -> TextFile:
    """The hands of a text, in its order."""
    drafts: list[tuple[str, int, Draft | None, str]] = []
    for line, header, body in _cut(text.splitlines()):
        entry = header["id"]
        try:
            drafts.append((entry, line, _draft(entry, line, header["rest"], body), ""))
        except BadLine as bad:
            drafts.append((entry, line, None, str(bad)))
    unit = 10 ** max((draft.places for _, _, draft, _ in drafts if draft is not None), default=0)
    return TextFile(tuple([_read(entry, line, draft, why, unit) for entry, line, draft, why in drafts]), unit)


def _read(entry: str, line: int, draft: Draft | None, why: str, unit: int) -> TextHand:
    if draft is None:
        return TextHand(entry, line, why=why)
    try:
        return TextHand(entry, line, draft.readings(unit))
    except BadLine as bad:
        return TextHand(entry, line, why=str(bad))


def _cut(lines: Sequence[str]) -> Iterator[tuple[int, re.Match[str], list[tuple[int, str]]]]:
    """(line of the header, the header, its lines with their numbers) for every hand."""
    header: re.Match[str] | None = None
    start = 0
    body: list[tuple[int, str]] = []
    for number, line in enumerate(lines, 1):
        found = _HEADER.match(line)
        if found is None:
            body.append((number, line.strip()))
            continue
        if header is not None:
            yield start, header, body
        start, header, body = number, found, []
    if header is not None:
        yield start, header, body


def _draft(entry: str, line: int, rest: str, body: list[tuple[int, str]]) -> Draft:
    """The hand with what its header says and all its lines. Raises BadLine."""
    game = _GAME.search(rest)
    if game is None:
        raise BadLine(line, f"{rest.split(' - ')[0].strip()!r:.60} is none of the games {', '.join(TITLES.values())}")
    if game["limit"].casefold() not in ("limit", "fixed limit"):
        raise BadLine(line, f"{game['limit']} is not played here, only fixed limit")
    date = _DATE.search(rest)
    stakes = _STAKES.search(rest, game.end(), date.start() if date else len(rest))
    if stakes is None:
        raise BadLine(line, "the header names no limits")
    draft = Draft(entry, line, _IDS[game["game"].casefold()], stakes["small"], stakes["big"], _date(rest))
    for number, text in body:
        draft.read(number, text)
    return draft


def _date(rest: str) -> dict[str, object]:
    """The date as in a PHH file; of several that in a zone that is known."""
    found = _DATE.findall(rest)
    if not found:
        return {}
    year, month, day, *clock, zone = next((one for one in found if one[6] in _ZONES), found[0])
    try:
        hours, minutes, seconds = map(int, clock)
        moment = time(hours, minutes, seconds)
    except ValueError:
        return {}
    own: dict[str, object] = {"year": int(year), "month": int(month), "day": int(day), "time": moment}
    return own | ({"time_zone": _ZONES[zone]} if zone in _ZONES else {})
