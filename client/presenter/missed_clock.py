"""What a player is told whose clock has run out: once in every hand in which it does."""

from protocol.events import Acted, AnyEvent, ChoiceMade, Seat
from protocol.narration.phrases import count
from protocol.view import TableView


class MissedClock:
    """Finds the first decision of a hand that the table has made for the player."""

    def __init__(self) -> None:
        self._told = 0  # the last hand in which it was told

    def sentence(self, event: AnyEvent, view: TableView, seat: Seat) -> str:
        """A sentence for the player in that seat; empty for every other event. Call this with every event."""
        if not isinstance(event, Acted | ChoiceMade) or event.seat != seat or event.cause != "timeout":
            return ""
        if view.hand == self._told:
            return ""
        self._told = view.hand
        misses = view.rules.misses if view.rules is not None else 1
        then = f" After {count(misses, 'hand')} in a row like this you sit out." if misses > 1 else ""
        return f"Your clock ran out, so the table decided for you.{then}"
