"""The pages that lie over the story: help, rules, the words on the screen explained, the words that can be typed."""

from collections.abc import Callable, Sequence

from client.display.screen_state import ScreenState
from client.input.decision_keys import Key
from client.input.keymap import Keymap
from client.presenter.game_card import GameCard
from client.presenter.help_page import WORDS, StyledLine, help_page, text_page, words_page, words_to_type
from client.presenter.queries import NOTHING_TO_EXPLAIN
from protocol.narration.glossary import words_in
from protocol.narration.spans import plain


class Overlay:
    """Lays pages over the story, and takes them away: the key that shows a page takes it away again.

    Args:
        card: the card of a game that is met for the first time; it lies there, too.
        note: tells the player a sentence.
    """

    def __init__(self, state: ScreenState, keymap: Keymap, card: GameCard, note: Callable[[str], None]) -> None:
        self._state, self._keymap, self._card, self._note = state, keymap, card, note

    def help(self, keys: Sequence[Key], *, spectator: bool, host: bool) -> None:
        """The keys and words."""
        shown = self._state.overlay and not self._card.lies
        self._state.lay_over([] if shown else help_page(keys, self._keymap, spectator=spectator, host=host))

    def rules(self, lines: Sequence[str]) -> None:
        """The rules of the game."""
        page = text_page(lines)
        if page[0] in self._state.overlay:
            self._state.lay_over([])
        else:
            self._lay(page)

    def explain(self, screen: str, reasons: Sequence[str]) -> None:
        """The words that stand on the screen, and reasons for what has happened."""
        if ("class:title", WORDS) in self._state.overlay:
            self._state.lay_over([])
        elif reasons or words_in(screen):
            self._lay(words_page(screen, reasons))
        else:
            self._note(plain(NOTHING_TO_EXPLAIN))

    def commands(self, *, spectator: bool, host: bool) -> None:
        """The words that can be typed, unless something lies there."""
        if not self._state.overlay:
            self._state.lay_over(words_to_type(spectator=spectator, host=host))

    def commands_typed(self, *, spectator: bool, host: bool) -> None:
        """The words that can be typed are not needed any more."""
        if self._state.overlay == words_to_type(spectator=spectator, host=host):
            self._state.lay_over([])

    def _lay(self, page: Sequence[StyledLine]) -> None:
        self._state.lay_over([*page, ("class:faint", f"{self._keymap.label_of('close')} closes.")])
