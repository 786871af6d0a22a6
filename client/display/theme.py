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

_ON_TILES: Mapping[tuple[bool, bool], tuple[str, str, str, str]] = {
    # clubs, diamonds, hearts, spades on the pale face of a card; (four colours, colours for the blind)
    (True, False): ("#005f00", "#0044cc", "#af0000", "#000000"),
    (False, False): ("#000000", "#af0000", "#af0000", "#000000"),
    (False, True): ("#005f46", "#004c87", "#953900", "#000000"),
}
_TILES: Mapping[bool, Mapping[str, str]] = {
    dark: {
        "tile": f"bg:{face} #000000 bold",
        "tile down": f"bg:{known}",
        "tile folded": f"bg:{dim} #000000 nobold",
        "tile resting": f"bg:{dim} #000000 nobold",
        "tile up": "",
        "tile shown": "nounderline",
        "tile playing": f"bg:{bright} nounderline",
        "tile unseen": "bg:#005f87 #5fafd7 nobold",
        "playing": "bold",
        "felt": "bg:#005f00 #ffffd7 bold",
        "past": "#d7d7af nobold",
        "here": "bg:#ffd75f #000000 bold",
        "ahead": "#87af87 nobold",
        "felt pot": "#ffd75f",
    }
    for dark, face, known, dim, bright in (
        (True, "#eeeeee", "#d0d0d0", "#a8a8a8", "#ffff87"),
        (False, "#d7d7d7", "#c6c6c6", "#eeeeee", "#ffd75f"),
    )
}
"""The faces of cards, and the title row. True: on a dark background.

A card that its player alone knows (`down`) is a little darker than one that is face up. A folded card is dim, and so is
one that does not play (`resting`) at the result; one that plays is bright.
"""
_FEW_COLOURS: Mapping[str, str] = {
    "tile": "bg:ansigray ansiblack",
    "tile down": "bg:ansigray",
    "tile folded": "bg:default default",
    "tile resting": "bg:default default",
    "tile up": "nobold",
    "tile shown": "nobold nounderline",
    "tile playing": "bg:ansiyellow ansiblack nobold",
    "tile unseen": "bg:ansiblue ansicyan nobold",
    "tile clubs": "ansiblack",
    "tile diamonds": "ansiblue",
    "tile hearts": "ansired",
    "tile spades": "ansiblack",
    "rule": "ansibrightblack",
    "box": "ansibrightblack",
    "faint": "",
    "folded": "ansibrightblack",
    "felt": "bg:ansiblue ansiwhite bold",
    "felt pot": "ansibrightyellow",
    "past": "ansiwhite nobold",
    "here": "bg:ansiyellow ansiblack nobold",
    "ahead": "ansigray nobold",
}
"""On a terminal with 16 colours. Bold is another colour there, bright backgrounds are missing on some, and green cannot
be read on grey: a dim card has no face, and clubs are black on theirs."""


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
    def tiles(self) -> bool:
        """Whether cards are drawn as tiles with a background; without colours they stand in brackets."""
        return self.palette != "none"

    @property
    def more(self) -> str:
        """One column where something was left out."""
        return "~" if self.ascii else "…"

    @property
    def end_of_rule(self) -> str:
        """Where a horizontal line meets a vertical one from the left."""
        return "+" if self.ascii else "┤"

    @property
    def foot_of_bar(self) -> str:
        """Where a vertical line ends on a horizontal one."""
        return "+" if self.ascii else "┴"

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

    def tile(self, card: MaybeCard) -> str:
        """Two columns for a card of a seat; a hidden one shows the pattern of its back."""
        return "░░" if card is None and self.tiles and not self.ascii else self.card(card)

    def styles(self, *, few: bool = False) -> dict[str, str]:
        """Style rules by class, for prompt_toolkit's `Style.from_dict`; `few`: the terminal has 16 colours."""
        if self.palette == "none":
            return {**PLAIN, **dict.fromkeys(SUIT_NAMES, "")}
        strong = "ansibrightcyan" if self.dark else "ansiblue"
        warm = "ansibrightyellow" if self.dark else "ansimagenta"
        faint = "#9e9e9e" if self.dark else "#626262"
        rules = {
            **PLAIN,
            "title": "bold",
            "rule": "#585858" if self.dark else "#b2b2b2",
            "box": "#8a8a8a",
            "faint": faint,
            "turn": f"bold {warm}",
            "own": f"bold {strong}",
            "key": f"bold {strong}",
            "pot": f"bold {warm}",
            "win": f"bold {warm}",
            "say": strong,
            "folded": "#808080",
            "note": warm,
            "hurry": "bold reverse",
        }
        for suit, colour in zip(SUIT_NAMES, _SUIT_COLOURS[self.palette, self.dark], strict=True):
            rules[suit] = colour
        rules.update(_TILES[self.dark])
        for suit, colour in zip(SUIT_NAMES, _ON_TILES[self.palette == "four", self.palette == "blind"], strict=True):
            rules[f"tile {suit}"] = colour
        if few:
            rules.update(_FEW_COLOURS)
            for look in ("folded", "resting"):
                rules.update({f"tile {look} {suit}": rules[suit] or "default" for suit in SUIT_NAMES})
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
    "tile": "",
    "playing": "bold underline",
    "resting": "",
    "felt": "bold",
    "past": "",
    "here": "bold reverse",
    "ahead": "",
    "box": "",
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
