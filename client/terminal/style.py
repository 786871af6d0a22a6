"""A theme's rules as a style of prompt_toolkit."""

from functools import lru_cache

from prompt_toolkit.styles import Style

from client.display.theme import Theme


@lru_cache(maxsize=16)
def style_of(theme: Theme) -> Style:
    """One object for each theme: prompt_toolkit keeps what it has worked out only while that is the same."""
    return Style.from_dict(theme.styles())
