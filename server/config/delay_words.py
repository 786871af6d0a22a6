"""How a host writes how late spectators see every card: ``1 hand``, ``3 hands``, ``10 minutes``."""

import re

from protocol.near_matches import did_you_mean
from protocol.table_rules import OpenCards
from server.errors import ConfigError

FORM = re.compile(r"(?P<delay>\d{1,3}) (?P<unit>hand|minute)s?", re.IGNORECASE)
LEAST = {"hands": 1, "minutes": 5}
"""A running hand is never told; minutes are no shorter than a player might need to ask somebody."""
MOST = {"hands": 20, "minutes": 120}


def parse_delay(text: str) -> OpenCards:
    """What the host has written. Raises ConfigError."""
    found = FORM.fullmatch(" ".join(text.split()))
    if found is None:
        words = re.findall(r"[a-z]{2,}", text.lower())
        meant = did_you_mean(words[0], ("hands", "minutes")) if words else ""
        raise ConfigError(f'open_delay = {text!r} is not understood; write "1 hand", "3 hands" or "10 minutes".{meant}')
    delay = int(found["delay"])
    unit = "hands" if found["unit"].lower() == "hand" else "minutes"
    if not LEAST[unit] <= delay <= MOST[unit]:
        raise ConfigError(f"open_delay = {text!r}: it is {LEAST[unit]} to {MOST[unit]} {unit}.")
    return OpenCards(delay=delay, unit="hands" if unit == "hands" else "minutes")
