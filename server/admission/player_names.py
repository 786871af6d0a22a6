"""Names of players: text that can neither break a line on another screen nor pass for another name."""

import unicodedata
from collections.abc import Iterable
from functools import lru_cache

from protocol.sanitize import INVISIBLE_LETTERS
from server.admission import look_alikes
from server.admission.look_alikes import Looks, alike, looks, mixes_scripts

MOST_CHARACTERS = 16
_PUNCTUATION = frozenset(" -_.'")
_LETTERS = frozenset({"Lu", "Ll", "Lt", "Lo", "Nd"})
_MOST_RAW = 64
"""Characters that are looked at, because composing and folding take their time: a name may be written decomposed."""


class BadName(ValueError):
    """The name is refused; the text is a sentence for the player."""


def clean_name(raw: str, *, right_to_left: bool = False) -> str:
    """The name as it is shown: in NFC, without spaces at the ends. Raises BadName.

    A name has 1 to 16 letters, digits, single spaces and ``- _ . '``. Its letters are of one script.

    Args:
        right_to_left: whether names may be written from right to left.
    """
    raw = raw[: 8 * _MOST_RAW].strip(" ")
    if len(raw) > _MOST_RAW:
        raise BadName(f"A name has at most {MOST_CHARACTERS} characters.")
    name = unicodedata.normalize("NFC", raw).strip(" ")
    if not name:
        raise BadName("A name needs at least one letter or digit.")
    if len(name) > MOST_CHARACTERS:
        raise BadName(f"A name has at most {MOST_CHARACTERS} characters.")
    for char in name:
        if char not in _PUNCTUATION and (unicodedata.category(char) not in _LETTERS or char in INVISIBLE_LETTERS):
            raise BadName("A name has only letters, digits, spaces and - _ . '")
    if not any(char.isalnum() for char in name):
        raise BadName("A name needs at least one letter or digit.")
    if "  " in name:
        raise BadName("A name has no two spaces in a row.")
    if mixes_scripts(name):
        raise BadName("A name has letters of one script only.")
    if not right_to_left and look_alikes.right_to_left(name):
        raise BadName("A name at this table is written from left to right.")
    return name


def name_key(name: str) -> str:
    """What two spellings of the same name have in common."""
    folded = unicodedata.normalize("NFKC", unicodedata.normalize("NFKC", name).casefold())
    return " ".join(folded.split())


def taken_by(name: str, others: Iterable[str]) -> str | None:
    """The one of the other names that the name cannot be told from; None for a name that is unique among them.

    Args:
        name: whatever a client has sent.
    """
    if len(name) > _MOST_RAW:
        return None  # no name: `clean_name` refuses it
    same, seen = name_key(name), looks(name)
    return next((other for other in others if name_key(other) == same or alike(_looks(other), seen)), None)


@lru_cache(256)
def _looks(name: str) -> Looks:
    return looks(name)
