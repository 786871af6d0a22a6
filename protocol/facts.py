"""Facts about how a table is run, which the house tells everybody: who is host, whether the table is paused.

A fact stands in an event of kind ``said``, beside the sentence that tells it. So every client can tell it, a client of
an older version too, and a client that knows the fact shows it.
"""

from typing import Literal, TypeAlias

import msgspec

PauseKind: TypeAlias = Literal["pause", "stop", "break"]
"""How a table stands still: at once; after the running hand; after the running hand and for some time."""


class Pause(msgspec.Struct, frozen=True, omit_defaults=True):
    """A table that stands still, or will when the running hand is over.

    Fields:
        kind: `PauseKind`.
        by: who wanted it: the name of a host, or ``the operator``; empty for a break by the clock.
        why: their reason.
        minutes: the length of a break.
        until: UTC milliseconds at which a break ends; 0 before it has begun.
    """

    kind: PauseKind
    by: str = ""
    why: str = ""
    minutes: int = 0
    until: int = 0


class Fact(msgspec.Struct, frozen=True, tag_field="fact"):
    """Base of all facts; the key ``fact`` names the kind."""


class HostChanged(Fact, frozen=True, tag="host"):
    """The player at `seat` is a host of the table from now on (`host`), or is none any more."""

    seat: int
    host: bool


class PlayPaused(Fact, frozen=True, tag="paused"):
    """The table stands still, or will."""

    pause: Pause


class PlayResumed(Fact, frozen=True, tag="resumed"):
    """The table goes on."""


class BreakPlanned(Fact, frozen=True, tag="break_planned"):
    """A break of so many minutes begins between two hands, at `at` (UTC milliseconds) or later."""

    at: int
    minutes: int


AnyFact: TypeAlias = HostChanged | PlayPaused | PlayResumed | BreakPlanned

FACTS: dict[str, type[AnyFact]] = {str(kind.__struct_config__.tag): kind for kind in AnyFact.__args__}
"""Every kind of fact by its name on the wire."""
