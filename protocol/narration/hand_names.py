"""Names of hands as players say them: ``a ten-high flush``, ``king-queen high``, two of them ``ten-high flushes``.

Events name a hand as the rankings do (``pair of aces, king kicker``, ``seven-five low``); here these names become parts
of a sentence. A name of another kind, such as one with wild cards, stays as it is.
"""

import re

_NO_PAIR = re.compile(r"^(\w+) high, (\w+) kicker")
_COUNTED = ("pair of ", "full house", "wheel", "royal flush")
"""Beginnings of names that take an article, beside straights, flushes and lows."""
_PLURALS = (("pair of ", "pairs of "), ("full house", "full houses"), ("royal flush", "royal flushes"))


def spoken(name: str) -> str:
    """The name as players say it: ``king-queen high`` for ``king high, queen kicker``"""
    return _NO_PAIR.sub(r"\1-\2 high", name)


def without_kicker(name: str) -> str:
    """``two pair, kings and nines`` for ``two pair, kings and nines, jack kicker``"""
    return name.rpartition(", ")[0] if name.endswith(" kicker") else name


def beside(side: str, name: str) -> str:
    """The name where the word ``low`` or ``high`` stands before it anyway: ``seven-five`` for ``seven-five low``"""
    name = spoken(name)
    return name.removesuffix(" low") if side == "low" else name


def one(name: str) -> str:
    """With its article, if it has one: ``a ten-high flush``, ``an eight-six low``, ``two pair, kings and nines``"""
    name = spoken(name)
    if not (name.startswith(_COUNTED) or name.endswith((" straight", " flush", " low"))) or name.startswith("no "):
        return name
    return f"{'an' if name.startswith(('ace', 'eight')) else 'a'} {name}"


def several(name: str) -> str:
    """The name for tied hands: ``ace-high straights``, ``pairs of aces``, ``wheels``"""
    name = spoken(name)
    if name.startswith("no "):
        return name
    for singular, plural in _PLURALS:
        if name.startswith(singular):
            return plural + name[len(singular) :]
    if name.endswith(" flush"):
        return f"{name}es"
    if name == "wheel" or name.endswith((" straight", " low")):
        return f"{name}s"
    return name
