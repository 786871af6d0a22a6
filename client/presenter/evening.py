"""The evening of one player: hands, net, time and the biggest pot, from what this program has seen itself."""

from collections.abc import Callable, Sequence

from client.connection.session_port import TableSession, own_seat
from protocol import events as ev
from protocol.events import AnyEvent, Chips
from protocol.narration.phrases import counted, signed

LOOK_BACK = "Look back with: ryo replay last, ryo hands"


class Evening:
    """Adds up the hands of a session's player. Making one is enough: it listens to the session.

    The net is the sum of what the hands won and lost, so chips that were bought count as what they are: a stack, and no
    winnings. Hands that ended while this program was not there are left out, and the words say so.

    Attributes:
        hands: those in which the player was dealt in and whose end was seen; net: their sum.
        biggest: the biggest pot of all hands seen, and the number of its hand.
    """

    def __init__(self, session: TableSession, now: Callable[[], float]) -> None:
        self.hands = 0
        self.net: Chips = 0
        self.biggest: tuple[Chips, int] = (0, 0)
        self._session = session
        self._now = now
        self._began: float | None = None
        self._hand = 0  # the last one of which this program knows
        self._first = 0  # the first hand seen, if the player has played before at this table
        self._missed = False
        session.on_event.append(self._event)
        session.on_change.append(self._changed)
        self._changed(())

    def _event(self, event: AnyEvent) -> None:
        view = self._session.view
        match event:
            case ev.HandStarted():
                self._hand = event.hand
            case ev.HandEnded():
                self._hand = event.hand
                paid = sum(award.amount for award in view.awards)
                self.biggest = max(self.biggest, (paid, event.hand), key=lambda pot: pot[0])
                for seat, chips in event.stacks:
                    if seat == self._session.seat:
                        self.hands += 1
                        self.net += chips - view.seat(seat).stack
            case _:
                pass

    def _changed(self, _events: Sequence[AnyEvent]) -> None:
        view, own = self._session.view, own_seat(self._session)
        if own is None or not own.name:
            return
        if self._began is None:
            self._began = self._now()
            if own.hand != "out":  # the player has been here before this program
                first = view.hand if view.playing else view.hand + 1
                self._first = first if first > 1 else 0
        elif view.hand > self._hand:
            self._missed = True  # a snapshot has come in the place of events
        self._hand = view.hand

    def label(self) -> str:
        """``evening +52`` for a corner of the screen; ``since hand 12 +52`` where the player has played before that."""
        if not self.hands:
            return ""
        return f"{f'since hand {self._first}' if self._first else 'evening'} {signed(self.net)}"

    def summary(self, *, look_back: bool = False) -> str:
        """``Tonight: 21 hands, 1 h 3 min, +52. Biggest pot 310 (hand 2).``; empty if no hand was played to its end.

        `look_back`: with the words for looking at the recorded hands.
        """
        if not self.hands or self._began is None:
            return ""
        since = f"Since hand {self._first}" if self._first else "Tonight"
        hands = counted(self.hands, "hand")
        gaps = " (some hands were not seen here)" if self._missed else ""
        told = f"{since}: {hands}, {_duration(self._now() - self._began)}, {signed(self.net)}{gaps}."
        pot, hand = self.biggest
        told += f" Biggest pot {pot} (hand {hand})." if pot else ""
        return f"{told} {LOOK_BACK}" if look_back else told


def _duration(seconds: float) -> str:
    """``less than a minute``, ``12 min``, ``1 h 3 min``"""
    hours, minutes = divmod(int(seconds) // 60, 60)
    if not hours:
        return f"{minutes} min" if minutes else "less than a minute"
    return f"{hours} h {minutes} min"
