"""Keys as the player wants them: other letters for the usual ones."""

from collections.abc import Mapping

from client.input.bindings import TABLE_KEYS

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
    "keep": "k",
    "decline": "d",
    **{key.deed: key.press[0] for key in TABLE_KEYS if len(key.press[0]) == 1 or key.deed == "go_on"},
}
"""What can be given another key, and its usual one."""


class Keymap:
    """The usual keys with some of them moved.

    Args:
        wishes: action (one of `USUAL`) to a single character. Raises ValueError, with a sentence, for an unknown
            action, a key that is no single character, or one that would mean two things.
    """

    def __init__(self, wishes: Mapping[str, str] | None = None) -> None:
        wishes = wishes or {}
        for action, key in wishes.items():
            if action not in USUAL:
                raise ValueError(f"there is no key for {action!r}; there are {', '.join(sorted(USUAL))}")
            if len(key) != 1 or not key.isprintable() or key.isdigit() or key == " ":
                raise ValueError(f"the key for {action} must be one character and no digit, not {key!r}")
        self._shown = {USUAL[action]: key for action, key in wishes.items()}
        self._usual = {key: USUAL[action] for action, key in wishes.items()}
        taken = {key for key in USUAL.values() if key not in self._shown}
        for action, key in wishes.items():
            if key in taken or list(wishes.values()).count(key) > 1:
                raise ValueError(f"the key {key!r} for {action} has another meaning already; move that one too")

    def usual(self, pressed: str) -> str:
        """The usual name of a key that was pressed; empty for one that was moved away from."""
        if pressed in self._usual:
            return self._usual[pressed]
        return "" if pressed in self._shown else pressed

    def shown(self, text: str) -> str:
        """How a key stands on the screen: ``f`` or ``t Tab``, with its letter as it is now."""
        first, blank, rest = text.partition(" ")
        usual = "space" if first == "Space" else first
        return f"{self._shown.get(usual, first)}{blank}{rest}"
