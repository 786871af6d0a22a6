"""The options of the full screen, as the player's settings have them."""

from collections.abc import Callable
from dataclasses import dataclass, field

from client.display.theme import Theme
from client.input.keymap import Keymap

SETTLE = 0.3
"""Seconds after a new request in which its keys do nothing: a key meant for the old price must not pay the new one."""


@dataclass(frozen=True, slots=True)
class Options:
    """The options of the full screen.

    Fields:
        theme: colours and signs; keymap: moved keys; bell: bell and title when the turn comes.
        settle: seconds for which the keys of a new request do nothing.
        covered: the player's own cards begin face down; mouse: clicks press keys.
        reload: reads the theme from the player's files again, or raises BadSettings; None where there are no files.
    """

    theme: Theme = field(default_factory=Theme)
    keymap: Keymap = field(default_factory=Keymap)
    bell: bool = True
    settle: float = SETTLE
    covered: bool = False
    mouse: bool = True
    reload: Callable[[], Theme] | None = None
