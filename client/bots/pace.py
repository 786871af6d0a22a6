"""How long bots take for their decisions, which a person can change while they play."""

import trio

PACES = (0.0, 0.2, 0.4, 0.8, 1.2, 2.0, 3.0, 5.0)
"""Seconds that the keys for faster and slower go through."""


class Pace:
    """The seconds that each bot takes for a decision.

    Attributes:
        seconds: the pause before a decision.
        hurrying: the bots play the rest of the hand without pauses.
    """

    def __init__(self, seconds: float = 0.0) -> None:
        self.seconds = seconds
        self.hurrying = False
        self._changed = trio.Event()

    async def pause(self) -> None:
        """Waits as long as a decision takes; a change of the pace ends the waiting."""
        if self.seconds and not self.hurrying:
            with trio.move_on_after(self.seconds):
                await self._changed.wait()

    def faster(self, steps: int = 1) -> str:
        """Makes the pauses shorter by so many steps of `PACES`, longer with -1. Returns a sentence that names them."""
        if steps > 0:
            self.seconds = max((pace for pace in PACES if pace < self.seconds), default=PACES[0])
        else:
            self.seconds = min((pace for pace in PACES if pace > self.seconds), default=PACES[-1])
        self._wake()
        return f"Bots take {self.seconds:g} s for a decision." if self.seconds else "Bots decide at once."

    def run_to_result(self) -> None:
        """Lets the bots finish this hand without pauses; `hand_over` ends it."""
        self.hurrying = True
        self._wake()

    def hand_over(self) -> None:
        """Ends the hurry: the next hand is played at the usual pace."""
        self.hurrying = False

    def _wake(self) -> None:
        self._changed.set()
        self._changed = trio.Event()
