"""Colours, suits and symbols.

The palette of a theme is ``four`` (a colour for every suit), ``two`` (red and black), ``blind`` (colours that everybody
can tell apart, also by brightness) or ``none``. Nothing on the screen is told by colour alone: hidden cards stand in
brackets, suits are also symbols or letters, and a mark shows whose turn it is.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal, TypeAlias, get_args

from protocol.cards import RANKS, SUIT_NAMES, SUITS, MaybeCard

Palette: TypeAlias = Literal["four", "two", "blind", "none"]
PALETTES: tuple[Palette, ...] = get_args(Palette)

_SUIT_SYMBOLS = "♣♦♥♠"

_SUIT_COLOURS: Mapping[tuple[Palette, bool], tuple[str, str, str, str]] = {
    # clubs, diamonds, hearts, spades; True: on a dark background
    ("four", True): ("ansibrightgreen", "ansibrightblue", "ansibrightred", ""),
    ("four", False): ("ansigreen", "ansiblue", "ansired", ""),
    ("two", True): ("", "ansibrightred", "ansibrightred", ""),
    ("two", False): ("", "ansired", "ansired", ""),
    ("blind", True): ("#33ccaa", "#66b8ff", "#ffa04d", ""),
    ("blind", False): ("#00795c", "#005a9c", "#b34700", ""),
}


@dataclass(frozen=True, slots=True)
class Theme:
    """How the screen looks.

    Fields:
        palette: see above.
        dark: whether the terminal's background is dark.
        symbols: suits as symbols instead of letters.
        ascii: nothing but ASCII is drawn, except in names and chat.
        colours: (style class, style) of the player's own (`client.terminal.theme_file`); not with the palette ``none``.
    """

    palette: Palette = "four"
    dark: bool = True
    symbols: bool = False
    ascii: bool = False
    colours: tuple[tuple[str, str], ...] = ()

    @staticmethod
    def suit_class(card: MaybeCard) -> str:
        """The style class for a card's suit."""
        return "class:unseen" if card is None else f"class:{SUIT_NAMES[card & 3]}"

    @property
    def rule(self) -> str:
        """The character of horizontal lines."""
        return "-" if self.ascii else "─"

    @property
    def bar(self) -> str:
        """The character of vertical lines."""
        return "|" if self.ascii else "│"

    @property
    def dot(self) -> str:
        """What stands between the items of a row."""
        return " - " if self.ascii else " · "

    def card(self, card: MaybeCard) -> str:
        """Two columns for a card; ``??`` for a hidden one."""
        if card is None:
            return "??"
        if self.symbols and not self.ascii:
            return RANKS[card >> 2] + _SUIT_SYMBOLS[card & 3]
        return RANKS[card >> 2] + SUITS[card & 3]

    def styles(self) -> dict[str, str]:
        """Style rules by class, for prompt_toolkit's `Style.from_dict`."""
        if self.palette == "none":
            return {**PLAIN, **dict.fromkeys(SUIT_NAMES, "")}
        strong = "ansibrightcyan" if self.dark else "ansiblue"
        warm = "ansibrightyellow" if self.dark else "ansimagenta"
        faint = "ansigray" if self.dark else "ansibrightblack"
        rules = {
            **PLAIN,
            "title": "bold",
            "rule": faint,
            "faint": faint,
            "turn": f"bold {warm}",
            "own": f"bold {strong}",
            "key": f"bold {strong}",
            "pot": f"bold {warm}",
            "win": f"bold {warm}",
            "say": strong,
            "folded": faint,
            "note": warm,
            "hurry": "bold reverse",
        }
        for suit, colour in zip(SUIT_NAMES, _SUIT_COLOURS[self.palette, self.dark], strict=True):
            rules[suit] = colour
        rules.update(self.colours)
        return rules


PLAIN: Mapping[str, str] = {
    "title": "bold",
    "rule": "",
    "faint": "",
    "turn": "bold",
    "own": "bold",
    "key": "bold",
    "pot": "bold",
    "win": "bold",
    "say": "",
    "note": "bold",
    "hurry": "bold reverse",
    "banner": "reverse",
    "up": "bold",
    "down": "",
    "shown": "bold underline",
    "folded": "",
    "unseen": "",
}
"""The styles of the parts of the screen, without colours."""


def choose_theme(
    environment: Mapping[str, str],
    encoding: str,
    *,
    palette: Palette | None = None,
    dark: bool | None = None,
    symbols: bool | None = None,
    ascii_only: bool = False,
) -> Theme:
    """The theme for a terminal with this environment and output encoding; arguments that are given come first.

    `NO_COLOR` removes the colours, `COLORFGBG` tells a light background, and symbols are drawn only if the encoding has
    them. `LC_ALL=C` asks for ASCII, although Python writes UTF-8 then, too.
    """
    if palette is None:
        palette = "none" if environment.get("NO_COLOR") or environment.get("TERM") == "dumb" else "four"
    if dark is None:
        dark = environment.get("COLORFGBG", "").rpartition(";")[2] not in {"7", "15"}
    if environment.get("LC_ALL") in {"C", "POSIX"}:
        ascii_only = True
    if not ascii_only:
        try:
            (_SUIT_SYMBOLS + "─│·").encode(encoding)
        except (UnicodeEncodeError, LookupError):
            ascii_only = True
    return Theme(palette, dark, not ascii_only if symbols is None else symbols and not ascii_only, ascii_only)
