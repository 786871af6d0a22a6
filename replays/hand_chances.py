"""The chances of a seat at a moment of a recording, from what it saw and remembered then."""

from collections.abc import Sequence
from dataclasses import dataclass

from protocol.events import AnyEvent, Seat
from protocol.view import TableView
from replays.chances.estimate import Estimate, Numbers
from replays.chances.memory import Memory, remember
from replays.chances.report import Chances, Price, describe, price_of
from replays.chances.spot import Spot, spot_of, untold
from replays.hand_reading.read_chances import ReadEstimate
from replays.hand_reading.reading import read_hands
from replays.playback import Playback, Viewpoint
from server.engine.games.known_games import game_at


@dataclass(frozen=True, slots=True)
class SpotSeen:
    """A spot of a recording.

    Fields:
        spot: what the seat saw; view: the table, as it saw it.
        untold: why no chances can be told; empty where they can.
        events: of the hand, as the seat saw them; memory: what it remembered of them.
    """

    spot: Spot
    view: TableView
    untold: str
    events: Sequence[AnyEvent]
    memory: Memory

    def as_played(self) -> ReadEstimate:
        """The chances if the others hold what their actions in this hand say."""
        seat = self.spot.hands[0].seat
        return ReadEstimate(self.spot, read_hands(self.view, seat, self.events, memory=self.memory))

    def describe(self, numbers: Numbers | None = None) -> Chances:
        """The chances, with these numbers."""
        return describe(self.spot, self.view, numbers, self.untold)

    @property
    def price(self) -> Price | None:
        """What the seat has to pay to stay in; None if it need not."""
        return price_of(self.spot, self.view)


def spot_at(playback: Playback, viewpoint: Viewpoint, position: int | None = None) -> SpotSeen | None:
    """The spot at a position (default: the current one) from a viewpoint.

    None where that is no seat that plays on, where the rules of the game are not known, and in a hand that is not over:
    a recording tells nobody their chances while they play.
    """
    at = playback.position if position is None else position
    seat = playback.permitted(viewpoint, at)
    if not isinstance(seat, int) or playback.is_running(at):
        return None
    view = playback.view(seat, at)
    game = game_at(view)
    if game is None or not view.playing or not 0 < seat <= len(view.seats):
        return None
    events = [moment.event for moment in playback.moments(max(playback.hand_start(at) - 1, 0), at, seat)]
    memory = remember(events, seat)
    spot = spot_of(view, seat, game, memory)
    return None if spot is None else SpotSeen(spot, view, untold(view, game), events, memory)


def chances_at(playback: Playback, seat: Seat, position: int | None = None) -> Chances | None:
    """The chances of a seat at a position (default: the current one), always the same ones; None as in `spot_at`."""
    seen = spot_at(playback, seat, position)
    if seen is None:
        return None
    return seen.describe(None if seen.untold else Estimate(seen.spot).finish())
