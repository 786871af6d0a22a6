"""What every viewer of a recording does, whatever it looks like: moves, eyes, jumps, autoplay, following a game.

No terminal here: a line viewer and a screen call the same methods and show the same things.
"""

import re
from typing import Literal, TypeAlias

from protocol import events as ev
from protocol.events import AnyEvent
from protocol.narration import phrases as words
from protocol.narration.requests import request_line
from protocol.narration.spans import plain
from protocol.view import TableView
from replays.narration import clock, safe, seen_by
from replays.playback import Playback, Viewpoint
from replays.recording import NOT_IN_IT, Recording

Speed: TypeAlias = Literal["real time", "half", "normal", "double", "fast"]
SPEEDS: tuple[Speed, ...] = ("real time", "half", "normal", "double", "fast")
_BEATS = {"half": 3.0, "normal": 1.5, "double": 0.75, "fast": 0.2}
"""Seconds that an event stands."""
LONGEST_WAIT = 20.0
"""Seconds after which real time goes on although the players were still thinking."""

_GOTO = re.compile(
    r"(?:(?:hand|h)\s*(?P<hand>\d+)(?:\s*,?\s*(?:step|s|\.)\s*(?P<step>\d+))?|(?:event\s*)?(?P<event>\d+))"
)


class Navigator:
    """A recording, where we are in it, and whose eyes look.

    Attributes:
        playback: the place.
        eyes: whose eyes look; `everything` overrides them while it is true.
        speed: of autoplay; `playing` whether it runs.
    """

    def __init__(self, recording: Recording, playback: Playback, viewpoint: Viewpoint = None) -> None:
        self.recording, self.playback = recording, playback
        self.everything = viewpoint == "all"
        self._viewpoint: Viewpoint = (recording.header.viewer or None) if viewpoint == "all" else viewpoint
        self.speed: Speed = "normal"
        self.playing = False

    @property
    def viewpoint(self) -> Viewpoint:
        return "all" if self.everything else self._viewpoint

    @property
    def view(self) -> TableView:
        """The table as it is seen now."""
        return self.playback.view(self.viewpoint)

    # ------------------------------------------------------------------- eyes

    def look_as(self, viewpoint: Viewpoint) -> str:
        """See with these eyes; a sentence that says so, or why not. A number of a free seat changes nothing."""
        if isinstance(viewpoint, int) and viewpoint not in self.playback.names():
            return f"Nobody sits in seat {viewpoint}."
        self.everything = viewpoint == "all"
        if viewpoint != "all":
            self._viewpoint = viewpoint
        return self.seen()

    def next_viewpoint(self) -> str:
        """The next seat's eyes; after the last seat a spectator's."""
        taken = sorted(self.playback.names())
        now = 0 if self.everything or not isinstance(self._viewpoint, int) else self._viewpoint
        return self.look_as(next((seat for seat in taken if seat > now), None))

    def toggle_all(self) -> str:
        """All cards shown, or hidden again from the eyes that looked before."""
        self.everything = not self.everything
        if self.everything and self.recording.of_a_player:
            return f"{self.seen()} {NOT_IN_IT}"
        return self.seen()

    def seen(self) -> str:
        """``Seen by Ann.``"""
        return words.sentence(seen_by(self.view, self.viewpoint))

    # ------------------------------------------------------------------- moves

    def at_end(self) -> bool:
        """Whether nothing is recorded behind this place, even after looking again. Raises Unreadable, OSError."""
        if self.playback.position < len(self.playback):
            return False
        steps = self.recording.refresh()
        self.playback.extend(steps)
        return self.playback.position >= len(self.playback)

    def go_to(self, text: str) -> str:
        """Go to ``120``, ``hand 41`` or ``hand 41 step 12``; empty, or a sentence that says why not."""
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

    def place(self) -> str:
        """``hand 41 step 12``: what `go_to` takes, on this machine and on a friend's with the same file."""
        start = self.playback.hand_start()
        if not start:
            return f"event {self.playback.position}"
        return f"hand {self.view.hand} step {self.playback.position - start + 1}"

    def time(self) -> str:
        """The reader's wall clock at the last event."""
        return clock(self.playback.moment(self.playback.position).at) if self.playback.position else ""

    def event(self) -> AnyEvent | None:
        """The event that has just happened, as it is seen; None before the first."""
        return self.playback.moment(self.playback.position, self.viewpoint).event if self.playback.position else None

    # ---------------------------------------------------------------- autoplay

    def faster(self, steps: int = 1) -> str:
        """The next speed up (down with -1); a sentence that names it."""
        self.speed = SPEEDS[min(max(SPEEDS.index(self.speed) + steps, 0), len(SPEEDS) - 1)]
        return f"Speed: {self.speed}."

    def wait(self) -> float:
        """Seconds until the next event in autoplay; 0 where nothing is to be seen in between."""
        here = self.playback.position
        if here == 0 or here >= len(self.playback):
            return 0.0
        now, then = self.playback.moment(here), self.playback.moment(here + 1)
        if self.speed == "real time":
            return min(max(then.at - now.at, 0) / 1000, LONGEST_WAIT)
        silent = isinstance(now.event, ev.ActionRequested | ev.PotsGathered | ev.WentOn | ev.GamePicked)
        return 0.0 if silent else _BEATS[self.speed]


def plainly(event: AnyEvent, view: TableView) -> str:
    """A short line for an event that the story passes over in silence. `view` stands behind the event."""
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
