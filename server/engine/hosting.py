"""How a table is run: who its hosts are, and whether it stands still.

The view holds what everybody may know. `Hosting` takes the commands by which a host pauses the table and lets it go on.
Whose seat tokens make a host stands among the books of the seats (`seating`), because a name is no proof.
"""

from collections.abc import Callable

from protocol import commands as cmd
from protocol import events as ev
from protocol.events import AnyEvent, Seat
from protocol.facts import AnyFact, BreakPlanned, HostChanged, Pause, PlayPaused, PlayResumed
from protocol.narration.phrases import counted
from protocol.view import TableView
from server.engine.errors import IllegalAction
from server.engine.seating import Seating

PAUSED = "The table is paused; it goes on when a host says so."


class Hosting:
    """Hosts and pauses.

    Args:
        view: the whole table; `emit` changes it.
        emit: makes an event happen.
        seating: the seats and their tokens.

    Attributes:
        redeal: whether the last hand was void, so that its dealer deals again.
    """

    def __init__(self, view: TableView, emit: Callable[[AnyEvent], None], seating: Seating) -> None:
        self.redeal = False
        self._view, self._emit, self._seating = view, emit, seating

    def check_open(self) -> None:
        """Raises IllegalAction while nobody can act."""
        if self._view.stands_still:
            raise IllegalAction("paused", PAUSED)

    # -------------------------------------------------------------------- hosts

    def name(self, command: cmd.NameHost) -> None:
        """Makes a player a host, or takes the role from them."""
        seat, token = self._seating.taken(command.seat), self._seating.tokens.get(command.seat)
        if not token:
            raise IllegalAction("not_seated", "That seat has no owner.")
        if self._view.is_host(command.seat) == command.host:
            raise IllegalAction("not_now", f"{seat.name} is {'a' if command.host else 'no'} host already.")
        if command.host:
            self._seating.hosts.add(token)
        else:
            self._seating.hosts.discard(token)
        told = f"{seat.name} is {'a host of this table now' if command.host else 'no host any more'}"
        self._tell(
            f"{told}{f', by the word of {command.by}' if command.by else ''}.", HostChanged(seat.seat, command.host)
        )

    def seated(self, number: Seat) -> None:
        """A player has sat down: perhaps a host has come back to the table."""
        if self._seating.tokens.get(number) in self._seating.hosts:
            self._tell(f"{self._view.name(number)} is a host of this table.", HostChanged(number, True))

    # -------------------------------------------------------------------- pauses

    def pause(self, command: cmd.PausePlay) -> None:
        """The table stands still, or will after the hand."""
        new, old = command.pause, self._view.pause
        if old and (new == old or old.kind == "pause"):
            raise IllegalAction("paused", "The table is paused already.")
        self._tell(_paused(new, playing=self._view.playing), PlayPaused(new))

    def resume(self, command: cmd.ResumePlay) -> None:
        """The table goes on."""
        if not self._view.pause:
            raise IllegalAction("not_now", "The table is not paused.")
        told = "The break is over." if command.over else f"{_begun(command.by)} lets the table go on."
        self._tell(told, PlayResumed())

    def plan_break(self, command: cmd.PlanBreak) -> None:
        """When the next break begins is known."""
        after, length = counted(command.every, "minute"), counted(command.minutes, "minute")
        self._tell(f"After {after} there is a break of {length}.", BreakPlanned(command.at, command.minutes))

    def _tell(self, text: str, fact: AnyFact) -> None:
        self._emit(ev.Said("", text, fact=fact))


def _begun(by: str) -> str:
    """Who it was, at the beginning of a sentence."""
    return by[:1].upper() + by[1:]


def _paused(pause: Pause, *, playing: bool) -> str:
    """What everybody is told about a pause."""
    why = f": {pause.why}" if pause.why else ""
    if pause.kind == "break":
        length = counted(pause.minutes, "minute")
        if pause.until:
            return f"A break of {length} begins{why}."
        return f"After this hand there is a break of {length}{why}."
    if pause.kind == "stop":
        when = "stops the table after this hand" if playing else "stops the table; no more hands are dealt"
    else:
        when = "pauses the table"
    return f"{_begun(pause.by)} {when}{why}."
