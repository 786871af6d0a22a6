"""Pre-actions: decisions that a player makes before their turn, bound to a price.

A pre-action is carried out when the turn comes, provided that it costs what it cost when it was chosen; at any other
price it is dropped and the player is asked as usual.
"""

from dataclasses import dataclass
from typing import Literal, TypeAlias

from protocol.actions import Action
from protocol.events import ActionRequested, Chips
from protocol.view import TableView

PreActionKind: TypeAlias = Literal["call", "fold"]


@dataclass(frozen=True, slots=True)
class PreAction:
    """To call or to fold at `price` chips, in this hand and on this street only; at no price both are to check."""

    kind: PreActionKind
    price: Chips
    hand: int
    street: str

    def label(self) -> str:
        """``call 2``, ``fold``, or ``check``"""
        if not self.price:
            return "check"
        return f"call {self.price}" if self.kind == "call" else "fold"

    def answer(self, request: ActionRequested, view: TableView) -> Action | None:
        """The chosen action, or None where the request is not the expected one."""
        expected = (self.price, self.hand, self.street)
        if request.decision != "bet" or (request.call, view.hand, view.street) != expected:
            return None
        offered = {option.kind for option in request.options}
        if "check" in offered:
            return Action("check")
        return Action(self.kind) if self.kind in offered else None


def price(view: TableView, seat: int) -> Chips | None:
    """The price of staying in for this seat, as things stand; None where there is nothing to choose ahead.

    There is something to choose while another player is to bet and this seat comes later in the round.
    """
    if not seat or not view.playing:
        return None
    own = view.seat(seat)
    if own.hand != "live" or own.all_in or own.pending is not None or not own.chips:
        return None
    if not any(other.pending is not None and other.pending.request.decision == "bet" for other in view.asked()):
        return None
    cost = view.to_call(seat)
    return cost if cost or own.last is None else None  # a player who has acted is asked again only at another price


def toggled(current: PreAction | None, kind: PreActionKind, view: TableView, seat: int) -> PreAction | None:
    """The pre-action after its key was pressed: chosen, or taken back. No fold is offered where checking is free."""
    cost = price(view, seat)
    if cost is None:
        return current
    if current is not None and current.kind == kind:
        return None
    return PreAction(kind, cost, view.hand, view.street) if cost or kind == "call" else current
