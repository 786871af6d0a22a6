"""One thing that was looked at, and what was found."""

from dataclasses import dataclass
from typing import Literal, TypeAlias

State: TypeAlias = Literal["ok", "warning", "fault"]
"""fault: something will not work. warning: it may not, or not for everybody."""


@dataclass(frozen=True, slots=True)
class Finding:
    """What was found.

    Fields:
        area: what was looked at, in a word or two.
        state: whether it is as it should be.
        text: a sentence for the person at the machine; it may hold paths and addresses.
        advice: what to do, in a sentence; empty where nothing has to be done.
        fact: the same for a report that strangers read: no names, paths or addresses.
    """

    area: str
    state: State
    text: str
    advice: str = ""
    fact: str = ""
