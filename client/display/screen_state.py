"""What a screen shows besides the table itself; presenters set it, and `client.display.screen` draws it."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field

from client.display.seat_words import ClockLeft
from client.display.story_pane import StoryLine
from protocol.cards import Card


@dataclass(frozen=True, slots=True)
class Hint:
    """A key and what it does now.

    Fields:
        key: the key as it is written on the screen; empty for a hint of words only.
        label: what it does, in a few words.
        press: what a click on the hint does; None: nothing.
        card: the card that the label names, which is then drawn as one.
    """

    key: str
    label: str
    press: Callable[[], None] | None = None
    card: Card | None = None


@dataclass(slots=True)
class ScreenState:
    """The state of a screen.

    Fields:
        seat: the player's own seat; 0 for a spectator or a replay.
        story: what has happened at the table, oldest first; scroll: how many lines it is scrolled back.
        question: what the player is asked, or what the table waits for; hints: the keys for it.
        ready: who has read the result, and how long it stands.
        urgent: it is the player's turn; hurry: their clock has nearly run out.
        preview: lines about the answer that the player is preparing.
        clocks: what is left to every seat that is asked.
        note: a short message about this moment on the last line; keys: the keys that stand there while there is none.
        status: text at the right end of this line.
        lasting: what is true of the table for a while and no problem, such as how many watch.
        banner: a problem, shown across the top, such as a lost connection.
        overlay: lines shown in the place of the story, such as the help; overlay_top: the first one that is seen.
        covered: own hidden cards are face down; covered_note: how to turn them.
        before: show the upcards from before bring 'em back.
    """

    seat: int = 0
    story: Sequence[StoryLine] = ()
    scroll: int = 0
    question: str = ""
    hints: Sequence[Hint] = ()
    ready: str = ""
    urgent: bool = False
    hurry: bool = False
    preview: Sequence[str] = ()
    clocks: Mapping[int, ClockLeft] = field(default_factory=dict)
    note: str = ""
    keys: Sequence[Hint] = ()
    status: str = ""
    lasting: Sequence[str] = ()
    banner: str = ""
    overlay: Sequence[tuple[str, str]] = ()
    overlay_top: int = 0
    covered: bool = False
    covered_note: str = ""
    before: bool = False

    def lay_over(self, lines: Sequence[tuple[str, str]]) -> None:
        """Shows (style, text) lines in the place of the story, from the first one on; no lines: the story again."""
        self.overlay = lines
        self.overlay_top = 0

    def scroll_back(self, lines: int) -> None:
        """Scrolls the overlay, or else the story, back by so many lines; drawing limits it to the lines there are."""
        if self.overlay:
            self.overlay_top = max(0, self.overlay_top - lines)
        else:
            self.scroll = max(0, self.scroll + lines)
