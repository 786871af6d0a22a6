"""Names and chat that cannot fake or break a line on somebody else's screen."""

import re
import unicodedata

MOST_CHARACTERS = 16
_SIGNS = frozenset(" -_.'")
_LETTERS = frozenset({"Lu", "Ll", "Lt", "Lo", "Nd"})
# Letters by their category, yet nothing is drawn for them.
_INVISIBLE = frozenset("\u115f\u1160\u17b4\u17b5\u3164\uffa0")
_SCRIPTS = frozenset({"LATIN", "CYRILLIC", "GREEK"})

# CSI sequences, then strings (OSC, DCS, APC, PM, SOS) up to their end, then any other escape.
_ANSI = re.compile(
    r"(?:\x1b\[|\x9b)[0-?]*[ -/]*[@-~]?"
    r"|(?:\x1b[\]PX^_]|[\x90\x98\x9d-\x9f])[^\x07\x1b\x9c]*(?:\x07|\x1b\\|\x9c)?"
    r"|\x1b[ -/]*[0-~]?"
)


class BadName(ValueError):
    """The text is a sentence for the player."""


def clean_name(raw: str) -> str:
    """The name as it is shown: NFC, trimmed, 1 to 16 letters, digits, single spaces and ``- _ . '``.

    Letters of at most one of Latin, Cyrillic and Greek, so that no name can be drawn like another one.
    Raises BadName.
    """
    name = unicodedata.normalize("NFC", raw[:256]).strip(" ")
    if not name:
        raise BadName("A name needs at least one letter or digit.")
    if len(name) > MOST_CHARACTERS:
        raise BadName(f"A name has at most {MOST_CHARACTERS} characters.")
    for sign in name:
        if sign not in _SIGNS and (unicodedata.category(sign) not in _LETTERS or sign in _INVISIBLE):
            raise BadName("A name has only letters, digits, spaces and - _ . '")
    if not any(sign.isalnum() for sign in name):
        raise BadName("A name needs at least one letter or digit.")
    if "  " in name:
        raise BadName("A name has no two spaces in a row.")
    plain = unicodedata.normalize("NFKC", name)
    scripts = {unicodedata.name(sign, "").split(" ")[0] for sign in plain if sign.isalpha()} & _SCRIPTS
    if len(scripts) > 1:
        raise BadName("A name has letters of one script only.")
    return name


def name_key(name: str) -> str:
    """What must be unique at a table: two names with the same key are the same name."""
    folded = unicodedata.normalize("NFKC", unicodedata.normalize("NFKC", name).casefold())
    return " ".join(folded.split())
