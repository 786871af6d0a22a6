"""Names that look alike: the "skeletons" of Unicode's UTS 39, with the table of confusables that Unicode keeps.

Two names can be mistaken for each other if they are the same once every character is replaced by what stands for all
characters that look like it. That is asked twice, because letters may look alike in one case only: capital I is like l,
small i is not; and a capital В of Cyrillic is like B.
"""

import unicodedata
from functools import cache
from typing import NewType

Looks = NewType("Looks", tuple[str, str])
"""How a name looks: its skeleton as it is written, and the one in small letters."""
_DIRECTION = "\u200e"
_ONE_WRITING = tuple(
    [frozenset(scripts.split()) for scripts in ("HAN HIRAGANA KATAKANA", "HAN HANGUL", "HAN BOPOMOFO")]
)
"""Scripts that are used together in one language."""


def looks(name: str) -> Looks:
    """How a name looks; takes its time for the first name, and for long ones."""
    plain = unicodedata.normalize("NFKC", name)
    return Looks((_skeleton(plain).casefold(), _skeleton(plain.casefold())))


def alike(one: Looks, other: Looks) -> bool:
    """Whether the names can be mistaken for each other."""
    return one[0] == other[0] or one[1] == other[1]


def mixes_scripts(name: str) -> bool:
    """Whether the letters are of several scripts that do not belong to one language."""
    if name.isascii():
        return False
    from confusable_homoglyphs.categories import unique_aliases

    scripts = unique_aliases(unicodedata.normalize("NFKC", name)) - {"COMMON", "INHERITED"}
    return len(scripts) > 1 and not any(scripts <= together for together in _ONE_WRITING)


def right_to_left(name: str) -> bool:
    """Whether some of it is written from right to left; it could reorder what stands around it."""
    return any(unicodedata.bidirectional(char) in ("R", "AL", "AN") for char in name)


def _skeleton(text: str) -> str:
    stands_for = _confusables()
    shown = "".join([stands_for.get(char, char) for char in unicodedata.normalize("NFD", text)])
    return " ".join(unicodedata.normalize("NFD", shown).split())


@cache
def _confusables() -> dict[str, str]:
    """For each character that looks like others: what stands for all of them."""
    # It is large, and programs that only check the user's own name do not need it.
    from confusable_homoglyphs.confusables import confusables_data

    table = {text: [other["c"].strip(_DIRECTION) for other in others] for text, others in confusables_data.items()}
    stands_for = {char: _prototype(char, table) for char in table if len(char) == 1}
    # What stands for a character may itself be like something.
    return {char: "".join([stands_for.get(part, part) for part in like]) for char, like in stands_for.items()}


def _prototype(char: str, table: dict[str, list[str]]) -> str:
    """What stands for the character.

    Unicode's table says for each character what stands for it, and the library lists every pair in both directions: a
    character with several partners stands for them, one with a single partner is what the partner stands for.
    """
    partners = table[char]
    if len(partners) > 1:
        return char
    (partner,) = partners
    return partner if len(partner) > 1 or len(table.get(partner, ())) > 1 else max(char, partner)
