"""The card of a game that is met for the first time: over the story, until it has been read."""

from client.connection.session_port import TableSession
from client.display.screen_state import ScreenState
from client.presenter.help_page import StyledLine, text_page
from client.presenter.options import Options
from client.presenter.queries import known_card


class GameCard:
    """Lays the essence of a game over the story at the first hand of it on this machine.

    It covers nothing but the story: clock, question and keys stay as they are.
    """

    def __init__(self, session: TableSession, state: ScreenState, options: Options) -> None:
        self._session = session
        self._state = state
        self._keymap = options.keymap
        self._first_meeting = options.first_meeting
        self._looked_at = ""  # the id of the game of which it is decided whether it is explained
        self._lines: list[StyledLine] = []

    def look(self) -> None:
        """Show the card if a hand of a new game is being played; put it away when the hand is over."""
        view = self._session.view
        if not view.playing:
            self.put_away()
            return
        if self._first_meeting is None or not self._session.seat or self._state.overlay or view.game == self._looked_at:
            return
        self._looked_at = view.game
        card = known_card(view)
        if card and self._first_meeting(view.game):
            label = self._keymap.label_of
            keys = f"{label('go_on')} begin   {label('rules')} all rules   {label('why')} what the words mean"
            self._lines = [*text_page(card), ("class:key", keys)]
            self._state.lay_over(self._lines)

    @property
    def lies(self) -> bool:
        """Whether the card lies over the story."""
        return bool(self._lines) and self._state.overlay is self._lines

    def put_away(self) -> None:
        """Show the story again, if the card lies over it."""
        if self.lies:
            self._state.lay_over([])
