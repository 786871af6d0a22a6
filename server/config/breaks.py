"""Breaks by the clock: ``every 60 min for 10 min``."""

import re
from typing import NamedTuple

_TEXT = re.compile(r"every (\d{1,4}) ?(?:min|minutes?) for (\d{1,3}) ?(?:min|minutes?)")


class Breaks(NamedTuple):
    """Minutes from the end of one break to the next, and the minutes of a break."""

    every: int
    minutes: int


def breaks_of(text: str) -> Breaks | None:
    """What the setting says; None if it is empty. Raises ValueError for what is no such text."""
    if not text:
        return None
    found = _TEXT.fullmatch(" ".join(text.split()))
    if found is None or not int(found[1]) or not int(found[2]):
        raise ValueError('breaks is written like "every 60 min for 10 min"')
    return Breaks(int(found[1]), int(found[2]))
