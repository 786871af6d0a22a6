"""A recording stepped through in lines that are only ever added: for screen readers, pipes and plain terminals.

Every step tells what it stepped over; everything else is said when it is asked for. Commands are letters or words, one
on a line. An empty line is the next event.
"""

from collections.abc import Callable, Iterable, Mapping
from typing import Literal, TypeAlias

from protocol.sanitize import clean
from replays.narration import clock, describe, story, table_line, where, why
from replays.navigator import Viewer, plainly
from replays.playback import Playback
from replays.recording import Unreadable

Deed: TypeAlias = Literal[
    "forward", "back", "next_street", "previous_street", "next_hand", "previous_hand", "start", "end",
    "eyes", "all", "table", "where", "why", "help", "quit",
]  # fmt: skip

COMMANDS: tuple[tuple[tuple[str, ...], str, Deed], ...] = (
    (("n", "next", ""), "next event (an empty line too)", "forward"),
    (("p", "previous", "back"), "one event back", "back"),
    (("]", "street"), "to the next street", "next_street"),
    (("[", "street back"), "to the start of this street, then the one before", "previous_street"),
    (("N", "hand"), "to the next hand", "next_hand"),
    (("P", "hand back"), "to the start of this hand, then the one before", "previous_hand"),
    (("<", "start", "home"), "to the first event", "start"),
    ((">", "end"), "to the last event", "end"),
    (("v", "view"), "see with the next seat's eyes; v 3 with seat 3's, v 0 as a spectator", "eyes"),
    (("x", "all"), "show all cards, or hide them again", "all"),
    (("t", "table"), "the table in words", "table"),
    (("i", "where"), "where we are, and how to say it to a friend", "where"),
    (("w", "why"), "why it is so: who opens, what is missing, the odd chip", "why"),
    (("?", "help", "h"), "these commands", "help"),
    (("q", "quit", "exit"), "quit", "quit"),
)
"""Words, what they do in the help, and the deed."""

GOTO_HELP = "g 120, g hand 41, g hand 41 step 12: go there"
_DEEDS: Mapping[str, Deed] = {word: deed for typed, _, deed in COMMANDS for word in typed}
LINE_LIMIT = 1000


class ReplayLines:
    """`write` gets one line without its end at a time, `enter` takes one typed line; after `done` nothing more."""

    def __init__(self, viewer: Viewer, write: Callable[[str], object]) -> None:
        self.viewer = viewer
        self.done = False
        self._write = write

    def begin(self) -> None:
        """Says what this is and tells the event at which it begins."""
        viewer = self.viewer
        self._say(f"{viewer.recording.path.name}: {len(viewer.playback)} events, {len(viewer.playback.hands)} hands.")
        self._say(where(viewer.playback, viewer.eyes))
        self._tell(viewer.playback.position - 1)
        self._say("Type ? for help; an empty line is the next event.")

    def enter(self, text: str) -> None:
        """Does what one typed line says."""
        typed = " ".join(text.split())
        deed = _DEEDS.get(typed) or _DEEDS.get(typed.lower())
        if deed is not None:
            self._do(deed)
            return
        verb, _, rest = typed.partition(" ")
        match verb.lower():
            case "g" | "go" | "goto":
                self._go_to(rest)
            case "v" | "view" | "seat" if rest.isascii() and rest.isdecimal() and len(rest) < 3:
                self._say(self.viewer.look_as(int(rest) or None))
            case _:
                self._say(f"Not understood: {clean(typed, 40)}. Type ? for help.")

    def _do(self, deed: Deed) -> None:
        viewer = self.viewer
        playback = viewer.playback
        match deed:
            case "forward":
                self._forward(Playback.forward)
            case "next_street":
                self._forward(Playback.next_street)
            case "next_hand":
                self._forward(Playback.next_hand)
            case "back":
                self._back(Playback.back)
            case "previous_street":
                self._back(Playback.previous_street)
            case "previous_hand":
                self._back(Playback.previous_hand)
            case "start":
                playback.start()
                self._arrive()
            case "end":
                playback.end()
                self._arrive()
            case "eyes":
                self._say(viewer.next_eyes())
            case "all":
                self._say(viewer.toggle_all())
            case "table":
                self._say_all(describe(viewer.view))
            case "where":
                self._say(where(playback, viewer.eyes))
                self._say(f"To come back here: g {viewer.place()}")
            case "why":
                self._say_all(why(playback, viewer.eyes))
            case "help":
                self._help()
            case "quit":
                self.done = True

    # ------------------------------------------------------------------- moves

    def _forward(self, move: Callable[[Playback], int]) -> None:
        if self._at_end():
            return
        before = self.viewer.playback.position
        move(self.viewer.playback)
        self._tell(before)

    def _at_end(self) -> bool:
        try:
            over = self.viewer.at_end()
        except (Unreadable, OSError, ValueError) as error:
            self._say(f"The file can no longer be read: {error}")
            return True
        if over:
            running = self.viewer.view.playing
            self._say("Nothing more is recorded yet." if running else "That is all that has been recorded.")
        return over

    def _back(self, move: Callable[[Playback], int]) -> None:
        playback = self.viewer.playback
        if playback.position <= 1:
            self._say("This is the first event.")
            return
        move(playback)
        if move is Playback.back:
            self._tell(playback.position - 1)
        else:
            self._arrive()

    def _go_to(self, text: str) -> None:
        refused = self.viewer.go_to(text)
        if refused:
            self._say(refused)
        else:
            self._arrive()

    def _arrive(self) -> None:
        """Where we are after a jump: the place, the street, and what has just happened."""
        playback = self.viewer.playback
        self._say(where(playback, self.viewer.eyes))
        line = table_line(self.viewer.view)
        if line:
            self._say(line)
        self._tell(playback.position - 1)

    def _tell(self, after: int) -> None:
        """The story from a position to here; at least one line."""
        playback, eyes = self.viewer.playback, self.viewer.eyes
        told = list(story(playback, after, playback.position, eyes))
        for line in told:
            self._say(f"{clock(line.at)}  {line.text}")
        event = self.viewer.event()
        if not told and event is not None:
            self._say(f"{self.viewer.time()}  {plainly(event, self.viewer.view)}")

    # ------------------------------------------------------------------- words

    def _help(self) -> None:
        for typed, text, _ in COMMANDS:
            self._say(f"{', '.join(word for word in typed if word)}: {text}")
        self._say(GOTO_HELP)

    def _say_all(self, lines: Iterable[str]) -> None:
        for line in lines:
            self._say(line)

    def _say(self, line: str) -> None:
        self._write(clean(line, LINE_LIMIT))


def run_replay_lines(viewer: Viewer, typed: Iterable[str], write: Callable[[str], object]) -> None:
    """Steps through a recording until `typed` ends or says quit."""
    lines = ReplayLines(viewer, write)
    lines.begin()
    for text in typed:
        lines.enter(text)
        if lines.done:
            return
