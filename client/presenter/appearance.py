"""How the full screen looks and sounds: theme, bell, and whether the player's own cards lie face down."""

from collections.abc import Callable
from dataclasses import replace
from typing import assert_never

from client.display.theme import PALETTES
from client.input.table_commands import AppearanceCommand
from client.presenter.options import Options
from protocol.cards import Card

PEEK = 1.2
"""Seconds for which one press shows face-down cards; longer than a keyboard waits before it repeats a held key."""


class Appearance:
    """The looks that a player can change while the table is open.

    Attributes:
        theme: colours and signs; bell: bell and title when the turn comes.
        covered: whether the player's own cards lie face down.
    """

    def __init__(self, options: Options, now: Callable[[], float]) -> None:
        self.theme = options.theme
        self.bell = options.bell
        self.covered = options.covered
        self._keymap = options.keymap
        self._reload = options.reload
        self._now = now
        self._peek_until = 0.0

    @property
    def peeking(self) -> bool:
        """Whether the player looks at their face-down cards just now: a key that is held comes again and again."""
        return self._now() < self._peek_until

    @property
    def hides_cards(self) -> bool:
        """Whether the player's hidden cards must not stand on the screen now."""
        return self.covered and not self.peeking

    @property
    def covered_note(self) -> str:
        """The sentence in the place of the player's hand while it is hidden."""
        turn, look = self._keymap.label_of("cover"), self._keymap.label_of("peek")
        return f"your cards are face down; {turn} turns them, {look} held down looks at them"

    def card_name(self, card: Card) -> str:
        """The card as the keys name it; face-down cards keep their secret."""
        return "??" if self.hides_cards else self.theme.card(card)

    def do(self, command: AppearanceCommand, argument: str = "") -> str:
        """Carry out the command. Returns a sentence for the player, or nothing to say. Raises BadSettings."""
        match command.name:
            case "cover":
                self.covered = not self.covered
            case "peek" if self.covered:
                self._peek_until = self._now() + PEEK
            case "peek":
                return f"Your cards are face up; {self._keymap.label_of('cover')} turns them face down."
            case "bell":
                self.bell = not self.bell
                return f"Bell and title on your turn: {'on' if self.bell else 'off'}."
            case "suits":
                self.theme = replace(self.theme, symbols=not self.theme.symbols)
                return f"Suits as {'signs' if self.theme.symbols and not self.theme.ascii else 'letters'}."
            case "background":
                self.theme = replace(self.theme, dark=not self.theme.dark)
                return f"Colours for a {'dark' if self.theme.dark else 'light'} background."
            case "colours":
                palette = next((palette for palette in PALETTES if palette == argument), None)
                if palette is None:
                    return f"Colours: {', '.join(PALETTES)}."
                self.theme = replace(self.theme, palette=palette)
                return f"Colours of the suits: {palette}."
            case "theme":
                return self._reload_theme()
            case _:
                assert_never(command.name)
        return ""

    def _reload_theme(self) -> str:
        if self._reload is None:
            return "There is no file to read again here."
        self.theme = self._reload()
        return "Colours and theme are read again."
