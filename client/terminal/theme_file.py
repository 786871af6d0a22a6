"""A theme from the player's own file, which can be read again while the table is open.

    palette = "four"          # as in client.toml, and dark, symbols, ascii: these values win
    dark = true

    [colours]                 # of the parts of the screen, in prompt_toolkit's words
    turn = "bold #ffcc00"
    hearts = "ansired"

`PARTS` names the parts.
"""

from pathlib import Path

import msgspec
from prompt_toolkit.styles import Style

from client.display.theme import PLAIN, Palette, Theme
from client.errors import BadSettings
from protocol.cards import SUIT_NAMES
from server.storage.text_file import read_text

PARTS = tuple(sorted({*PLAIN, *SUIT_NAMES}))
"""The parts of the screen that can have a colour of their own."""


class ThemeFile(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The keys of a theme file; without a key the value stays as it is (`client.display.theme.Theme`)."""

    palette: Palette | None = None
    dark: bool | None = None
    symbols: bool | None = None
    ascii: bool | None = None
    colours: dict[str, str] = {}


def load_theme(path: Path, base: Theme) -> Theme:
    """`base` with what the file says. Raises BadSettings, with the file and what is wrong."""
    try:
        file = msgspec.toml.decode(read_text(path), type=ThemeFile)
    except OSError as error:
        raise BadSettings(f"{path}: {error.strerror}.") from None
    except (msgspec.DecodeError, UnicodeDecodeError) as error:
        words = str(error).replace("Invalid enum value", "there is no").replace(" - at `$.", " for `")
        raise BadSettings(f"{path}: {words}.") from None
    for part, colour in file.colours.items():
        if part not in PARTS:
            raise BadSettings(f"{path}: there is no part {part[:30]!r}; there are {', '.join(PARTS)}.")
        try:
            Style.from_dict({part: colour})
        except ValueError:
            raise BadSettings(f"{path}: {colour[:30]!r} for {part} is no colour.") from None
    return Theme(
        base.palette if file.palette is None else file.palette,
        base.dark if file.dark is None else file.dark,
        base.symbols if file.symbols is None else file.symbols,
        base.ascii if file.ascii is None else file.ascii,
        tuple(sorted(file.colours.items())),
    )
