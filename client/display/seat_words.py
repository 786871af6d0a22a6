"""What a seat does, in the words beside its cards."""

from math import ceil
from typing import NamedTuple

from protocol.narration import phrases
from protocol.seat_view import SeatView
from protocol.view import TableView

DOING = {
    "bet": "to act",
    "choose": "choosing",
    "arrange": "arranging",
    "declare": "declaring",
    "pass": "choosing",
    "discard": "choosing",
    "buy": "thinking",
    "game": "names the game",
}
"""What a seat does while its request is open."""


class ClockLeft(NamedTuple):
    """What is left to a player: seconds of the clock, and of the time bank that runs when the clock is at 0."""

    seconds: float
    bank: float = 0.0

    def short(self) -> str:
        """``23s``; ``bank 42s`` when the time bank runs (`rules.md` 10)."""
        return f"{ceil(self.seconds)}s" if self.seconds > 0 or not self.bank else f"bank {ceil(self.bank)}s"

    def whole(self) -> str:
        """``23s + 42 bank``: never clock and bank in one number."""
        both = self.seconds > 0 and self.bank > 0
        return f"{self.short()} + {ceil(self.bank)} bank" if both else self.short()


def request_words(seat: SeatView, left: ClockLeft | None) -> str:
    """What the seat is asked for, with its clock: ``to act 12s``; empty without an open request."""
    if seat.pending is None:
        return ""
    text = DOING.get(seat.pending.request.decision, "thinking")
    return text if left is None else f"{text} {left.short()}"


def seat_words(view: TableView, seat: SeatView, left: ClockLeft | None) -> list[str]:
    """Everything that is worth saying about a seat now, the most important first."""
    said: list[str] = []
    over = not view.playing and bool(view.awards) and seat.hand != "out"
    if over:
        net = seat.won - seat.total
        said.append(f"wins {seat.won} ({net:+d})" if seat.won else f"{net:+d}")
    if seat.declared:
        said.append(seat.declared.upper() + (" odd man" if view.odd_man == seat.seat else ""))
    if not seat.online:
        said.append("offline")
    plays_on = view.playing and seat.hand == "live"  # who will sit out plays this hand to its end
    if seat.away and not plays_on:
        said.append("away" if seat.chips else "no chips")
    if seat.hand == "folded":
        said.append("folded")
        return said
    if over:
        said += ["mucked"] * (seat.mucked and not seat.shown) + ["ready"] * (seat.went_on and not seat.bot)
        return said
    if seat.all_in:
        said.append("all-in")
    if seat.pending is not None:
        said.append(request_words(seat, left))
    elif seat.choice is not None:
        said.append("chosen")
    elif seat.last is not None:
        said.append(phrases.acted(seat.last))
    if seat.away and plays_on:
        said.append("away")
    if view.playing and seat.hand == "out" and not seat.away:
        said.append("waits for the next hand")
    return said


def words_style(seat: SeatView) -> str:
    """The style of the words beside a seat."""
    if seat.pending is not None:
        return "class:turn"
    if seat.won:
        return "class:win"
    return "class:faint" if seat.hand != "live" else ""
