"""How a host writes that the limits rise: ``x2 every 20 hands``, ``x1.5 every 30 minutes, at most x8``."""

import re

from protocol.near_matches import did_you_mean
from protocol.table_rules import Rise
from server.errors import ConfigError

FORM = re.compile(
    r"x\s?(?P<factor>\d{1,2}(?:\.\d{1,2})?) every (?P<every>\d{1,4}) (?P<unit>hand|minute)s?"
    r"(?:,? at most x\s?(?P<most>\d{1,4}(?:\.\d{1,2})?))?",
    re.IGNORECASE,
)
EXAMPLES = '"x2 every 20 hands" or "x1.5 every 30 minutes, at most x8"'
LEAST_FACTOR, MOST_FACTOR = 1.2, 10.0
_WORDS = ("every", "hands", "minutes", "hand", "minute", "at", "most")


def parse_rise(text: str) -> Rise | None:
    """What the host has written; None for an empty text. Raises ConfigError, which names the word that was meant."""
    if not text:
        return None
    found = FORM.fullmatch(" ".join(text.split()))
    if found is None:
        unknown = [word for word in re.findall(r"[a-z]{2,}", text.lower()) if word not in _WORDS]
        meant = "".join([did_you_mean(word, _WORDS) for word in unknown[:1]])
        raise ConfigError(f"rise = {text!r} is not understood; write {EXAMPLES}.{meant}")
    factor, most, every = float(found["factor"]), float(found["most"] or 0), int(found["every"])
    if not LEAST_FACTOR <= factor <= MOST_FACTOR:
        raise ConfigError(f"rise = {text!r}: the limits rise by x{LEAST_FACTOR:g} to x{MOST_FACTOR:g} at a time.")
    if every < 1:
        raise ConfigError(f"rise = {text!r}: a level lasts at least one hand or one minute.")
    if most and most < factor:
        raise ConfigError(f"rise = {text!r}: with at most x{most:g} the limits never rise.")
    unit = found["unit"].lower()
    return Rise(
        percent=round(100 * factor), every=every, unit="hands" if unit == "hand" else "minutes", most=round(100 * most)
    )
