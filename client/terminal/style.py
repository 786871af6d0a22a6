"""A theme's rules as a style of prompt_toolkit."""

from functools import lru_cache

from prompt_toolkit.output import ColorDepth
from prompt_toolkit.styles import Style

from client.display.theme import Theme


@lru_cache(maxsize=16)
def style_of(theme: Theme, depth: ColorDepth = ColorDepth.DEFAULT) -> Style:
    """The style of a theme, each time the same object: prompt_toolkit's caches live only as long as the style."""
    return Style.from_dict(theme.styles(few=depth is ColorDepth.DEPTH_4_BIT))
