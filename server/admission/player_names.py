"""Names of players: text that can neither break a line on another screen nor pass for another name."""

import unicodedata

from protocol.sanitize import INVISIBLE_LETTERS

MOST_CHARACTERS = 16
_PUNCTUATION = frozenset(" -_.'")
_LETTERS = frozenset({"Lu", "Ll", "Lt", "Lo", "Nd"})
_SCRIPTS = frozenset({"LATIN", "CYRILLIC", "GREEK"})


class BadName(ValueError):
    """The name is refused; the text is a sentence for the player."""


def clean_name(raw: str) -> str:
    """The name as it is shown: in NFC, without spaces at the ends. Raises BadName.

    A name has 1 to 16 letters, digits, single spaces and ``- _ . '``. Its letters are of at most one of the scripts
    Latin, Cyrillic and Greek, so that no name looks like another one.
    """
    name = unicodedata.normalize("NFC", raw[:256]).strip(" ")
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
    plain = unicodedata.normalize("NFKC", name)
    scripts = {unicodedata.name(char, "").split(" ")[0] for char in plain if char.isalpha()} & _SCRIPTS
    if len(scripts) > 1:
        raise BadName("A name has letters of one script only.")
    return name


def name_key(name: str) -> str:
    """What two spellings of the same name have in common; it must be unique at a table."""
    folded = unicodedata.normalize("NFKC", unicodedata.normalize("NFKC", name).casefold())
    return " ".join(folded.split())
