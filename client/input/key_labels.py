"""The names of keys on the screen.

Inside the program a key has its name of prompt_toolkit (``c``, ``pageup``, ``c-l``); on the screen it has the name that
is printed on keyboards.
"""

from collections.abc import Mapping

KEY_LABELS: Mapping[str, str] = {
    "space": "Space", "enter": "Enter", "escape": "Esc", "backspace": "Backspace", "tab": "Tab",
    "pageup": "PageUp", "pagedown": "PageDown", "home": "Home", "end": "End",
    "up": "Up", "down": "Down", "left": "Left", "right": "Right",
    "f1": "F1", "c-c": "Ctrl+C", "c-l": "Ctrl+L", "c-r": "Ctrl+R", "c-z": "Ctrl+Z",
}  # fmt: skip
"""The keys whose name on the screen is not their character."""


def key_label(name: str) -> str:
    """The name of a usual key on the screen; `client.input.keymap.Keymap.label` knows the moved keys too."""
    return KEY_LABELS.get(name, name)
