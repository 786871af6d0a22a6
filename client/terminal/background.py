"""Whether the terminal's background is dark, as the terminal itself says (OSC 11)."""

from functools import cache

PATIENCE = 0.5
"""Seconds to wait for the terminal's answer. One that does not know the question answers the next one at once."""
UNKNOWN = (-1, -1, -1)


@cache
def background_is_dark() -> bool | None:
    """Asks the terminal, once in the life of the program; None if it does not say.

    To be called before anything else reads from the terminal.
    """
    from blessed import Terminal  # it takes 0.1 s

    red, green, blue = colour = Terminal().get_bgcolor(PATIENCE, bits=8)
    if colour == UNKNOWN:
        return None
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue < 128  # what the eye makes of red, green and blue
