"""The options of the full screen, as the player's settings have them."""

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Literal, Protocol, TypeAlias

from client.display.theme import Theme
from client.input.keymap import Keymap
from protocol.view import TableView

Notify: TypeAlias = Literal["off", "osc9", "osc777"]
"""The escape sequence that asks the terminal to tell the desktop something; a terminal knows one or the other."""

NO_COACH = "The coach is at your own tables against bots only: ryo play"
SETTLE = 0.3
"""Seconds after a new request in which its keys do nothing: a key meant for the old price must not pay the new one."""
REVEAL = 0.8
"""Seconds from one shown hand to the next: time enough to look at it, as at a table."""


class BotPace(Protocol):
    """How long bots take (`client.bots.pace`). `hurrying`: they finish the hand without pauses."""

    @property
    def hurrying(self) -> bool: ...

    def faster(self, steps: int = 1) -> str:
        """Faster, or slower with -1. Returns a sentence that says how long they take now."""

    def run_to_result(self) -> None:
        """Finish this hand without pauses."""


class Coach(Protocol):
    """Who says after a hand what gave chips up (`client.coach.table_coach`). `on_line` is called with the line."""

    on_line: list[Callable[[str], None]]

    def toggle(self) -> str:
        """Switches it on or off. Returns a sentence that says so, or why not."""


class WhatIf(Protocol):
    """A table that plays on from a recorded hand (`client.what_if_game`)."""

    def remark(self, view: TableView) -> str:
        """What stands above the table all the time: that it is not the record; in the end the result, too."""


@dataclass(frozen=True, slots=True)
class Options:
    """The options of the full screen.

    Fields:
        theme: colours and signs; keymap: moved keys; bell: bell and title when the turn comes.
        settle: seconds for which the keys of a new request do nothing.
        reveal: seconds from one shown hand to the next at a showdown; 0: all at once.
        covered: the player's own cards begin face down; mouse: clicks press keys.
        seat_kept: whether the seat outlives the screen.
        notify: how the desktop is told that the turn has come.
        pace: how long the bots of this game take; None where they are not the player's own.
        coach: who says after a hand what gave chips up; None where the bots are not the player's own.
        what_if: what is said above a table that is not the record, and that is left without a question; None elsewhere.
        worth: before each bet, what it costs and what the hand wins on average.
        first_meeting: whether a game, by its id, is met for the first time on this machine, which is then remembered;
            None: games are not explained.
        reload: reads the theme from the player's files again, or raises BadSettings; None where there are no files.
    """

    theme: Theme = field(default_factory=Theme)
    keymap: Keymap = field(default_factory=Keymap)
    bell: bool = True
    settle: float = SETTLE
    reveal: float = REVEAL
    covered: bool = False
    mouse: bool = True
    seat_kept: bool = True
    notify: Notify = "off"
    pace: BotPace | None = None
    coach: Coach | None = None
    what_if: WhatIf | None = None
    worth: bool = False
    first_meeting: Callable[[str], bool] | None = None
    reload: Callable[[], Theme] | None = None
