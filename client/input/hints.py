"""How keys stand on the screen.

Keys are named as prompt_toolkit names them (``c``, ``pageup``, ``c-l``); on the screen they are called what keyboards
call them.
"""

from collections.abc import Mapping

KEY_LABELS: Mapping[str, str] = {
    "space": "Space", "enter": "Enter", "escape": "Esc", "backspace": "Backspace", "tab": "Tab",
    "pageup": "PageUp", "pagedown": "PageDown", "home": "Home", "end": "End",
    "up": "Up", "down": "Down", "left": "Left", "right": "Right",
    "f1": "F1", "c-c": "Ctrl+C", "c-l": "Ctrl+L", "c-r": "Ctrl+R",
}  # fmt: skip
"""The keys that are not called by their character."""


def key_label(name: str) -> str:
    """How the usual key of that name stands on the screen; `client.input.keymap.Keymap.label` knows the moved ones."""
    return KEY_LABELS.get(name, name)
