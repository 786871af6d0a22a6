"""What the host can ask of a table by a word while people play: free a seat, give one back, pass over somebody.

Each word is a job for the table's pipeline and returns a sentence for the host. What it changes is a command like those
of the players: it is recorded with its reason, and everybody at the table reads it.
"""

from typing import Any

import trio

from protocol import commands as cmd
from protocol.near_matches import did_you_mean
from protocol.seat_view import SeatView
from server.admission.player_names import name_key
from server.admission.seat_tokens import seat_of
from server.engine.table_state import TableState
from server.errors import WordRefused
from server.table.audience import Audience
from server.table.pipeline import Pipeline
from server.table.seat_promises import PROMISE_SECONDS
from server.table.seats import Seats

WHY_FREED = "the host has freed the seat"


class HostWords:
    """The host's words at one table. `begin` has to be called first. All raise WordRefused, with nothing changed."""

    def __init__(self, audience: Audience, seats: Seats) -> None:
        self._audience, self._seats = audience, seats
        self._pipeline: Pipeline

    def begin(self, pipeline: Pipeline) -> None:
        """Goes on with that pipeline."""
        self._pipeline = pipeline

    @property
    def _state(self) -> TableState:
        return self._pipeline.state

    # --------------------------------------------------------------- what there is

    def names(self) -> list[str]:
        """Everybody who has a seat, or chips that are kept."""
        return [player.name for player in self._state.view.players()] + [name for name, _ in self._state.kept.values()]

    def players(self) -> list[str]:
        """A line for each of them."""
        lines = [self._line(player) for player in self._state.view.players()]
        return lines + [f"  - {name}: has no seat, {chips} chips are kept" for name, chips in self._state.kept.values()]

    def players_data(self) -> list[dict[str, Any]]:
        """The same for programs."""
        listed = [self._data(player) for player in self._state.view.players()]
        return listed + [{"seat": None, "name": name, "chips": chips} for name, chips in self._state.kept.values()]

    def _data(self, player: SeatView) -> dict[str, Any]:
        there = player.seat in self._audience.seated
        return {
            "seat": player.seat,
            "name": player.name,
            "chips": player.chips,
            "bot": player.bot,
            "host": self._state.view.is_host(player.seat),
            "connected": there,
            "minutes_absent": 0 if there else self._seats.minutes_absent(player.seat),
            "sits_out": player.away,
            "leaving": player.seat in self._state.leaving,
            "asked": None if player.pending is None else player.pending.request.decision,
        }

    def _line(self, player: SeatView) -> str:
        parts = [f"{player.chips} chips"]
        if player.bot:
            parts.append("a bot")
        if player.seat in self._audience.seated:
            parts.append("connected")
        else:
            parts.append(f"not there for {self._seats.minutes_absent(player.seat)} min")
        if self._state.view.is_host(player.seat):
            parts.append("a host")
        if player.away:
            parts.append("sits out")
        if player.seat in self._state.leaving:
            parts.append("leaves after this hand")
        if player.pending is not None:
            clock = "" if player.pending.request.seconds is not None else ", without a clock"
            parts.append(f"is asked to {_ASKED.get(player.pending.request.decision, 'decide')}{clock}")
        return f"  {player.seat} {player.name}: {', '.join(parts)}"

    # ------------------------------------------------------------------- the words

    def say(self, text: str) -> str:
        """Says something to everybody at the table."""
        self._pipeline.decide(cmd.Say("", text))
        return f"Said at {self._state.view.table}."

    def free(self, name: str) -> str:
        """Frees the seat of a player who is not there."""
        player = self.player(name)
        if player.seat in self._audience.seated:
            raise WordRefused(f"{player.name} is connected; only the seat of a player who is not there is freed.")
        if player.seat in self._state.leaving:
            raise WordRefused(f"{player.name}'s seat is given back when this hand is over already.")
        self._seats.free(player.seat, WHY_FREED)
        if self._state.view.seat(player.seat).name:
            return f"{player.name}'s seat is free when this hand is over; their chips are kept for them."
        kept = f"; their {player.chips} chips are kept for them" if player.chips else ""
        return f"{player.name}'s seat is free{kept}."

    def give_back(self, name: str) -> str:
        """Promises the seat of a player who has lost its key to whoever types a word."""
        name, lost = self._owner(name)
        seat = seat_of(lost, self._state.tokens)
        if seat is not None and seat in self._audience.seated:
            raise WordRefused(f"{name} is connected; a seat is given back only while its player is not there.")
        promise = self._seats.owners.promises.make(name, lost, trio.current_time())
        what = "seat" if seat is not None else "chips"
        return (
            f"{name} gets their {what} back by joining as {name} and typing {promise.word} where a password is asked "
            f"for. It counts once, within {PROMISE_SECONDS / 60:.0f} minutes."
        )

    def pass_over(self, name: str) -> str:
        """Decides for a player who is asked and whom no clock will pass over, as if a clock had run out."""
        player = self.player(name)
        if player.pending is None:
            raise WordRefused(f"{player.name} is not asked anything now.")
        if player.seat in self._audience.seated and player.pending.request.seconds is not None:
            raise WordRefused(f"{player.name} is connected, and their clock runs.")
        if self._state.view.stands_still:
            raise WordRefused("The table is paused; nobody is passed over before it goes on.")
        self._pipeline.decide(cmd.Say("", f"The host passes over {player.name}."))
        self._pipeline.decide(cmd.TimeUp(player.seat, player.pending.seq))
        return f"{player.name} is passed over."

    # -------------------------------------------------------------------- who it is

    def player(self, name: str) -> SeatView:
        """The player of that name, who has a seat. Raises WordRefused."""
        key = name_key(name)
        for player in self._state.view.players():
            if name_key(player.name) == key:
                return player
        for kept, chips in self._state.kept.values():
            if name_key(kept) == key:
                raise WordRefused(f"{kept} has no seat; {chips} chips are kept for them.")
        raise self._nobody(name)

    def _owner(self, name: str) -> tuple[str, bytes]:
        """The name as it is written, and the digest of the token, of somebody who has a seat or kept chips."""
        key, state = name_key(name), self._state
        for player in state.view.players():
            if name_key(player.name) == key:
                return player.name, state.tokens[player.seat]
        for lost, (kept, _) in state.kept.items():
            if name_key(kept) == key:
                return kept, lost
        raise self._nobody(name)

    def _nobody(self, name: str) -> WordRefused:
        return WordRefused(f"There is no {name} at {self._state.view.table}.{did_you_mean(name, self.names())}")


_ASKED = {
    "bet": "bet or fold",
    "choose": "turn up a card",
    "arrange": "arrange",
    "declare": "declare",
    "game": "choose the game",
    "pass": "pass cards",
    "discard": "discard",
}
