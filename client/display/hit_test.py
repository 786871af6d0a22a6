"""The mouse: which key stands where somebody clicked.

The screen shows keys with what they do; clicking on one, or on its words, is pressing it.
"""

from client.display.text_cells import Line, width

_NAMES = {
    "Space": "space", "Enter": "enter", "Esc": "escape", "Backspace": "backspace", "Tab": "tab",
    "PageUp": "pageup", "PageDown": "pagedown", "Home": "home", "End": "end", "Up": "up", "Down": "down",
}  # fmt: skip
"""Keys with names, as the screen and as prompt_toolkit call them."""


def key_at(line: Line, column: int) -> str:
    """The name of the key in that column of a line of the screen; empty where there is none."""
    key = ""
    end = 0
    for style, text in line:
        if style == "class:key":
            key = text
        elif style or not text.startswith(" ") or not text.strip():
            key = ""  # neither a key nor the words beside one
        end += width(text)
        if column < end:
            return _NAMES.get(key, key)
    return ""
