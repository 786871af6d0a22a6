"""Sending people away from a table: whoever is kicked may come back, whoever is banned may not.

A seat is given up as one that the host frees: in a running hand its player checks or folds from now on, so they lose
nothing but what they have bet, and the table keeps the chips for the owner of the seat token.
"""

from dataclasses import dataclass

import structlog

from protocol import commands as cmd
from protocol.events import Seat
from protocol.narration.phrases import sentence
from protocol.near_matches import did_you_mean
from server.admission.ban import Ban, Person
from server.admission.player_names import name_key
from server.errors import WordRefused
from server.table.audience import Audience
from server.table.guest import Guest
from server.table.pipeline import Pipeline
from server.table.seats import Seats


@dataclass(frozen=True, slots=True)
class Known:
    """Somebody who is at the table, or to whom something belongs there.

    Fields:
        name: empty for a spectator who has not said one.
        token: digest of their seat token; empty if they have none.
        seat: theirs; None for a spectator, and for kept chips.
        guest: their connection; None if they are not connected.
    """

    name: str
    token: bytes = b""
    seat: Seat | None = None
    guest: Guest | None = None

    def person(self, table: str) -> Person:
        """What a ban may be about, at that table."""
        address = "" if self.guest is None else self.guest.address
        return Person([self.name] if self.name else [], [self.token] if self.token else [], address, table)


class Removals:
    """Sends people away from one table. `begin` has to be called first. The words raise WordRefused."""

    def __init__(self, audience: Audience, seats: Seats, log: structlog.typing.FilteringBoundLogger) -> None:
        self._audience, self._seats, self._log = audience, seats, log
        self._pipeline: Pipeline

    def begin(self, pipeline: Pipeline) -> None:
        """Goes on with that pipeline."""
        self._pipeline = pipeline

    # ------------------------------------------------------------------ who there is

    def everybody(self) -> list[Known]:
        """The players, the owners of kept chips, and the spectators in the order of their numbers."""
        state, seated = self._pipeline.state, self._audience.seated
        players = [
            Known(player.name, state.tokens.get(player.seat, b""), player.seat, seated.get(player.seat))
            for player in state.view.players()
        ]
        return players + [Known(name, token) for token, (name, _) in state.kept.items()] + self._spectators()

    def _spectators(self) -> list[Known]:
        owner, name = self._seats.owner, self._seats.name
        return [Known(name(guest), owner(guest) or b"", None, guest) for guest in self._audience.spectators]

    def find(self, name: str) -> list[Known]:
        """Everybody of that name; for ``#2`` the second spectator."""
        if name.startswith("#") and name[1:].isdecimal():
            return self._spectators()[int(name[1:]) - 1 :][:1] if int(name[1:]) else []
        return [known for known in self.everybody() if known.name and name_key(known.name) == name_key(name)]

    def spectator_lines(self) -> list[str]:
        """A line for each spectator, with the number by which the host may name them."""
        return [
            f"  #{number} {known.name or 'a spectator'}: watches from {known.guest.address}"
            for number, known in enumerate(self._spectators(), 1)
            if known.guest is not None
        ]

    # --------------------------------------------------------------------- the words

    def kick(self, name: str, by: str, reason: str) -> str:
        """Ends somebody's connection and gives their seat up; they may come back."""
        found = [known for known in self.find(name) if known.guest is not None or known.seat is not None]
        if not found:
            kept = any(known.token for known in self.find(name))
            names = [known.name for known in self.everybody() if known.name]
            raise WordRefused(
                f"{name} is not there; their chips are kept."
                if kept
                else f"There is no {name} at {self._pipeline.state.view.table}.{did_you_mean(name, names)}"
            )
        why = f": {reason}" if reason else ""
        called = found[0].name or "a spectator"
        self._say(sentence(f"{by} sends {called} away{why}"))
        for known in found:
            if known.guest is not None:
                known.guest.part("kicked", f"{sentence(f'{by} sends you away{why}')} You may come back.")
            self._see_off(known, f"sent away{why}")
        self._log.info("table.kicked", table=self._pipeline.state.view.table, player=called)
        return f"{called} is sent away.{self._left(found)}"

    def enforce(self, ban: Ban, told: str, announced: str) -> str:
        """Sends away everybody whom a ban is about, and says at the table what has been done.

        Args:
            told: what the banned read. announced: what everybody reads.
        """
        self._say(announced)
        table = self._pipeline.state.view.table
        found = [known for known in self.everybody() if ban.is_about(known.person(table))]
        for known in found:
            if known.guest is not None:
                known.guest.part("banned", told)
            self._see_off(known, "banned")
        gone = [known for known in found if known.guest is not None or known.seat is not None]
        if gone:
            self._log.info("table.banned", table=table, player=gone[0].name)
        return self._left(gone)

    def _see_off(self, known: Known, why: str) -> None:
        """What somebody had here is given up; `why` is for everybody."""
        if known.guest is not None:
            self._seats.gone(known.guest)
            self._seats.wait_no_longer(known.token)
        if known.seat is not None:
            self._seats.free(known.seat, why)

    def _left(self, gone: list[Known]) -> str:
        """What becomes of their seats, for the host."""
        view = self._pipeline.state.view
        if not any(known.seat is not None for known in gone):
            return ""
        if any(known.seat is not None and view.seat(known.seat).name == known.name for known in gone):
            return f" The seat at {view.table} is free when this hand is over; the chips are kept."
        return f" The seat at {view.table} is free; the chips are kept."

    def _say(self, text: str) -> None:
        self._pipeline.decide(cmd.Say("", text))
