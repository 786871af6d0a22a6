"""What a word of the host is: its arguments, its help, its function, and what is said when it is done."""

import re
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from typing import Any, TypeAlias

Data: TypeAlias = dict[str, Any]
"""An answer for programs: names and values that JSON has. What the text says is in it, under names that stay."""


@dataclass(frozen=True, slots=True)
class Said:
    """What a word has to say.

    Fields:
        text: lines for the host.
        data: the same for programs (`ryo admin --json`).
    """

    text: str
    data: Data = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Answer:
    """What a word has done: lines for the host, the exit code of `ryo admin`, and the same for programs."""

    text: str
    code: int = 0
    data: Data = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Word:
    """One word.

    Fields:
        arguments: their names, those that may be left out in brackets; TEXT and REASON take all that follows.
        help: what the word does, in a line.
        do: is given the `HostedServer` and the arguments; returns what is said, a plain text where programs need
            nothing else. Raises WordRefused.
        at_table: whether a host who sits at a table may say it there, too.
    """

    arguments: str
    help: str
    do: Callable[..., Awaitable[Said | str]]
    at_table: bool = False

    def takes(self, count: int) -> bool:
        """Whether the word can be given so many arguments."""
        optional = re.findall(r"\[[^]]*\]", self.arguments)
        required = re.sub(r"\[[^]]*\]", "", self.arguments).split()
        endless = self.arguments.rstrip("]").endswith(("TEXT", "REASON"))
        return len(required) <= count and (endless or count <= len(required) + len(optional))
