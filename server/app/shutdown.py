"""How a server ends in order: at once, after the running hands (a drain), or when nobody has been there for long."""

import structlog
import trio

from server.app.lobby import Lobby

DRAIN_WITHIN = 300.0
"""Seconds that running hands have to end before a stop; what then still runs goes on at the next start."""
READ_RESULT = 5.0
"""Seconds that the players have after the last hand to read its result."""
LOOK = 0.2
"""Seconds between looks whether a hand is still played, or somebody is there."""


class Shutdown:
    """The end of a server, which the words of the host and the signals of the system ask for.

    Args:
        lobby: its tables.

    Attributes:
        draining: set when no more hands are dealt, because the server is about to stop.
        stopping: set when an orderly stop has begun; running hands go on after the next start.
    """

    def __init__(self, lobby: Lobby, log: structlog.typing.FilteringBoundLogger) -> None:
        self.draining, self.stopping = trio.Event(), trio.Event()
        self._lobby, self._log = lobby, log
        self._back = ""

    @property
    def farewell(self) -> str:
        """What everybody is told at the end."""
        return f"The server stops. {self._when_back()}"

    def stop(self, back: str = "") -> None:
        """Begins an orderly stop. `back`: when the server should be up again ("in 5 minutes"); empty if unknown."""
        self._back = back or self._back
        self.stopping.set()

    def drain(self, back: str = "") -> None:
        """Stops when the running hands are over, or after `DRAIN_WITHIN`; no more are dealt, and nobody new sits down.

        `back` as for `stop`. Said again, it only tells everybody another time.
        """
        self._back = back or self._back
        self._lobby.closing = f"The server takes no new players, because it stops soon. {self._when_back()}"
        for table in self._lobby.tables.values():
            table.hold(f"No more hands are dealt: the server stops when the last ones are over. {self._when_back()}")
        self._log.info("server.draining", tables=len(self.playing()))
        self.draining.set()

    def playing(self) -> list[str]:
        """The ids of the tables where a hand is played; a hand that nobody is there to play is not waited for."""
        return [table.id for table in self._lobby.tables.values() if table.in_hand]

    def _when_back(self) -> str:
        if self._back:
            return f"Everything stays as it is. It should be up again {self._back}."
        return "Everything stays as it is; come back when it is up again."

    async def stop_after_drain(self) -> None:
        """Stops the server when the last hand of a drain is over. Works until then."""
        await self.draining.wait()
        played = [self._lobby.tables[name] for name in self.playing()]
        with trio.move_on_after(DRAIN_WITHIN):
            while True:
                if not self.playing():
                    break
                await trio.sleep(LOOK)
            if any(table.state.hand is None for table in played):
                await trio.sleep(READ_RESULT)
        self.stop()

    async def stop_when_idle(self, minutes: float) -> None:
        """Stops the server when no person has been connected for so long. Works until then."""
        since = trio.current_time()
        while trio.current_time() - since < minutes * 60:
            await trio.sleep(LOOK)
            if self._lobby.somebody:
                since = trio.current_time()
        self._log.info("server.idle", minutes=minutes)
        self.stop()
