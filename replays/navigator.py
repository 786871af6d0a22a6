"""What every replay does, whatever it looks like: moves, viewpoints, jumps, autoplay, following a running game.

There is no terminal here. The full screen and the line mode call the same methods and show the same things.
"""

import re
from typing import Literal, TypeAlias

from protocol import events as ev
from protocol.events import AnyEvent
from protocol.narration import phrases as words
from protocol.narration.requests import request_line
from protocol.narration.spans import plain
from protocol.view import TableView
from replays.narration import clock, safe, seen_by, story
from replays.notes import LONGEST, Notes
from replays.playback import Playback, Viewpoint
from replays.recording import Recording

Speed: TypeAlias = Literal["real time", "half", "normal", "double", "fast"]
SPEEDS: tuple[Speed, ...] = ("real time", "half", "normal", "double", "fast")
_BEATS = {"half": 3.0, "normal": 1.5, "double": 0.75, "fast": 0.2}
"""Seconds for which an event is shown."""
RUNNING = "This hand is not over: until it is, everybody sees what a spectator sees."
LONGEST_TEXT = 40
"""Characters of a text that is looked for, in the sentence that it was not found."""
LONGEST_WAIT = 20.0
"""Longest pause of real time, in seconds; players may have taken longer."""

_GOTO = re.compile(
    r"(?:(?:hand|h)\s*(?P<hand>\d+)(?:\s*,?\s*(?:step|s|\.)\s*(?P<step>\d+))?|(?:event\s*)?(?P<event>\d+))"
)


class Navigator:
    """A recording, the position in it, and the viewpoint.

    Attributes:
        playback: the position.
        viewpoint: whose view is shown; while `everything` is true, all cards are. In a host's file a hand that is not
            over is seen as by a spectator, whatever was chosen.
        speed: the speed of autoplay; `playing`: whether it runs.
        blind: how much is still to come is not shown: the end is to be a surprise.
    """

    def __init__(
        self, recording: Recording, playback: Playback, viewpoint: Viewpoint = None, *, blind: bool = False
    ) -> None:
        self.recording, self.playback, self.blind = recording, playback, blind
        self._notes = Notes(recording.path.parent)
        self.everything = viewpoint == "all"
        self._viewpoint: Viewpoint = recording.viewer if viewpoint == "all" else viewpoint
        self.speed: Speed = "normal"
        self.playing = False

    @property
    def viewpoint(self) -> Viewpoint:
        return self.playback.permitted(self._chosen)

    @property
    def _chosen(self) -> Viewpoint:
        return "all" if self.everything else self._viewpoint

    @property
    def view(self) -> TableView:
        """The table as it is seen now."""
        return self.playback.view(self.viewpoint)

    # -------------------------------------------------------------- viewpoint

    def look_as(self, viewpoint: Viewpoint) -> str:
        """Changes the viewpoint. Returns a sentence that says so; for a free seat nothing changes, and it says why."""
        if isinstance(viewpoint, int) and viewpoint not in self.playback.names():
            return f"Nobody sits in seat {viewpoint}."
        self.everything = viewpoint == "all"
        if viewpoint != "all":
            self._viewpoint = viewpoint
        return self.seen()

    def next_viewpoint(self) -> str:
        """Changes to the view of the next seat; after the last seat to that of a spectator."""
        taken = sorted(self.playback.names())
        now = 0 if self.everything or not isinstance(self._viewpoint, int) else self._viewpoint
        return self.look_as(next((seat for seat in taken if seat > now), None))

    def toggle_all(self) -> str:
        """Shows all cards, or goes back to the viewpoint before that."""
        self.everything = not self.everything
        return f"{self.seen()} {self.recording.missing()}".rstrip() if self.everything else self.seen()

    def seen(self) -> str:
        """``Seen by Ann.``, or why not."""
        if self.viewpoint != self._chosen:
            return RUNNING
        return words.sentence(seen_by(self.view, self.viewpoint))

    # ------------------------------------------------------------------- moves

    def at_end(self) -> bool:
        """Whether the recording ends here, after reading what was added to it. Raises Unreadable, OSError."""
        if self.playback.position < len(self.playback):
            return False
        steps = self.recording.refresh()
        self.playback.extend(steps)
        return self.playback.position >= len(self.playback)

    def go_to(self, text: str) -> str:
        """Goes to ``120``, ``hand 41`` or ``hand 41 step 12``. Returns a sentence where that is not possible."""
        found = _GOTO.fullmatch(text.strip().lower())
        if found is None:
            return "Say the number of an event, or for example: hand 41 step 12"
        if found["event"] is not None:
            number = int(found["event"][:9])
            if not 1 <= number <= len(self.playback):
                return f"There are {len(self.playback)} events."
            self.playback.goto(number)
            return ""
        start = self.playback.hand_at(int(found["hand"][:9]))
        if start is None:
            return f"There is no hand {int(found['hand'][:9])} here."
        step = int(found["step"][:9]) if found["step"] else 1
        self.playback.goto(min(start + max(step, 1) - 1, self.playback.hand_end(start)))
        return ""

    def next_decision(self, *, back: bool = False) -> str:
        """Goes to the next decision of the seat that sees it (of anybody, for a spectator), or to the one before.

        Returns a sentence where there is none.
        """
        seat = self.viewpoint if isinstance(self.viewpoint, int) else None
        found = self.playback.decision(seat, back=back)
        if found is None:
            return f"There is no {'earlier' if back else 'later'} decision here."
        self.playback.goto(found)
        return ""

    def search(self, text: str) -> str:
        """Goes to the next event whose story holds the text, in upper or lower case; from the end on at the beginning.

        Returns a sentence where there is none.
        """
        wanted, playback = text.casefold(), self.playback
        here = playback.position
        for first, last in ((here, len(playback)), (0, here)):
            at = first
            while at < last:  # hand by hand, so that the first place is found before the whole evening is told
                end = min(max(playback.hand_end(at + 1), at + 1), last)
                for line in story(playback, at, end, self.viewpoint):
                    if wanted in line.text.casefold():
                        playback.goto(line.seq)
                        return ""
                at = end
        return f"{text[:LONGEST_TEXT]!r} is not in this recording."

    # ------------------------------------------------------------ marks and notes

    def mark(self) -> str:
        """Marks the hand, or takes the mark away. Returns a sentence that says so. Raises BadNotes."""
        hand = self.playback.hand_id()
        if not hand:
            return "There is no hand here."
        if self._notes.toggle_mark(hand):
            return "This hand is marked; ryo hands --marked lists it."
        return "This hand is not marked any more."

    def note(self) -> str:
        """The note of this step; empty if there is none. Raises BadNotes."""
        return self._notes.of(self.playback.hand_id()).notes.get(self.step, "")

    def write_note(self, text: str) -> str:
        """Writes the note of this step; an empty text deletes it. Returns a sentence that says so. Raises BadNotes."""
        hand = self.playback.hand_id()
        if not hand:
            return "There is no hand here."
        self._notes.write(hand, self.step, text)
        return "Written down." if text.strip() else "There is no note here now."

    def remarks(self) -> str:
        """``marked``, ``note: ...`` or both, for this step; empty if there is nothing. Raises BadNotes."""
        entry = self._notes.of(self.playback.hand_id())
        note = entry.notes.get(self.step, "")
        said = ("marked" if entry.marked else "", f"note: {safe(note, LONGEST)}" if note else "")
        return "; ".join(part for part in said if part)

    @property
    def step(self) -> int:
        """The step in the hand, from 1."""
        return self.playback.position - self.playback.hand_start() + 1

    def place(self) -> str:
        """``hand 41 step 12``, for `go_to` on this machine and on any other one with the same file."""
        start = self.playback.hand_start()
        if not start:
            return f"event {self.playback.position}"
        return f"hand {self.view.hand} step {self.step}"

    def time(self) -> str:
        """The local time of the last event."""
        return clock(self.playback.moment(self.playback.position).at) if self.playback.position else ""

    def event(self) -> AnyEvent | None:
        """The last event from this viewpoint; None before the first one."""
        return self.playback.moment(self.playback.position, self.viewpoint).event if self.playback.position else None

    # ---------------------------------------------------------------- autoplay

    def faster(self, steps: int = 1) -> str:
        """Makes autoplay faster by so many steps, slower with -1. Returns a sentence that names the speed."""
        self.speed = SPEEDS[min(max(SPEEDS.index(self.speed) + steps, 0), len(SPEEDS) - 1)]
        return f"Speed: {self.speed}."

    def wait(self) -> float:
        """Seconds until the next event in autoplay; 0 after an event that changes nothing on the table."""
        here = self.playback.position
        if here == 0 or here >= len(self.playback):
            return 0.0
        now, then = self.playback.moment(here), self.playback.moment(here + 1)
        if self.speed == "real time":
            return min(max(then.at - now.at, 0) / 1000, LONGEST_WAIT)
        silent = isinstance(now.event, ev.ActionRequested | ev.PotsGathered | ev.WentOn | ev.GamePicked)
        return 0.0 if silent else _BEATS[self.speed]


def plainly(event: AnyEvent, view: TableView) -> str:
    """A short line for an event that the story does not tell. `view` is the table after the event."""
    match event:
        case ev.ActionRequested():
            return plain(request_line(view, view.seat(event.seat)))
        case ev.ChoiceMade():
            return f"{words.name(view, event.seat)} has chosen."
        case ev.PotsGathered():
            return f"The bets go into the pot: {view.pot()}."
        case ev.WentOn():
            return f"{words.name(view, event.seat)} would go on."
        case _:
            return words.sentence(safe(str(type(event).__struct_config__.tag).replace("_", " ")))
