"""Keys as the player wants them: other letters for the usual ones."""

from collections.abc import Mapping

from client.input.key_labels import key_label
from client.input.table_commands import KEY_OF

USUAL: Mapping[str, str] = {
    "fold": "f",
    "call": "c",
    "bet": "b",
    "raise": "r",
    "bigger_bet": "B",
    "bigger_raise": "R",
    "yes": "y",
    "no": "n",
    "high": "h",
    "low": "l",
    "best_high": "H",
    "best_low": "L",
    "keep": "k",
    "decline": "d",
    **{name: key for name, key in KEY_OF.items() if len(key) == 1 or key == "space"},
}
"""The actions whose key can be moved, and their usual keys."""


class Keymap:
    """The usual keys with some of them moved.

    Args:
        moved: action (one of `USUAL`) to a single character. Raises ValueError, with a sentence, for an unknown
            action, a key that is no single character, or one that would mean two things.
    """

    def __init__(self, moved: Mapping[str, str] | None = None) -> None:
        moved = moved or {}
        for action, key in moved.items():
            if action not in USUAL:
                raise ValueError(f"there is no key for {action!r}; there are {', '.join(sorted(USUAL))}")
            if len(key) != 1 or not key.isprintable() or key.isdigit() or key == " ":
                raise ValueError(f"the key for {action} must be one character and no digit, not {key!r}")
        self._now = {USUAL[action]: key for action, key in moved.items()}
        self._usual = {key: USUAL[action] for action, key in moved.items()}
        taken = {key for key in USUAL.values() if key not in self._now}
        for action, key in moved.items():
            if key in taken or list(moved.values()).count(key) > 1:
                raise ValueError(f"the key {key!r} for {action} has another meaning already; move that one too")

    def usual(self, pressed: str) -> str:
        """The usual name of a key that was pressed; empty for a usual key whose action was moved to another key."""
        if pressed in self._usual:
            return self._usual[pressed]
        return "" if pressed in self._now else pressed

    def label(self, usual: str) -> str:
        """The text for a key on the screen: ``Space``, ``f``, or the letter to which it was moved."""
        return self._now.get(usual) or key_label(usual)

    def label_of(self, command: str) -> str:
        """The text on the screen for the key of a command of the table."""
        return self.label(KEY_OF[command])
