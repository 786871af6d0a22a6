"""One seat of a table as a viewer sees it, and a pot: the parts of `protocol.view.TableView`."""

from typing import Literal, TypeAlias

import msgspec

from protocol import events as ev
from protocol.cards import MaybeCard
from protocol.events import Chips, Seat

InHand: TypeAlias = Literal["out", "live", "folded"]


class Pending(msgspec.Struct, frozen=True):
    """An open request and the number of its event, which an answer must name."""

    seq: int
    request: ev.ActionRequested


class Pot(msgspec.Struct, frozen=True):
    """Chips, and the seats that can win them."""

    amount: Chips
    seats: tuple[Seat, ...]


class SeatView(msgspec.Struct):
    """One seat.

    Fields:
        name: empty while the seat is free.
        chips: the stack, without the bet.
        hand: whether the seat is in the hand, has folded, or was not dealt in.
        bet: chips in front of the seat in this round; total: chips put in during this hand.
        down: hidden cards, oldest first or in the order of rolling; None where they are hidden from the viewer.
        up: face-up cards in the order in which they were turned.
        before: the cards that were face up before bring 'em back.
        shown: the hidden cards that were shown at the end; values: (ranking, name of the hand) in words.
        choice: the choice made in the running simultaneous step.
        declared: ``high``, ``low``, or empty.
        last: the last betting action of this round.
        won: chips won from pots in this hand.
        stack: chips at the start of the hand.
        pending: the open request.
    """

    seat: Seat
    name: str = ""
    chips: Chips = 0
    bot: bool = False
    away: bool = False
    online: bool = True
    went_on: bool = False
    hand: InHand = "out"
    bet: Chips = 0
    total: Chips = 0
    stack: Chips = 0
    all_in: bool = False
    down: tuple[MaybeCard, ...] = ()
    up: tuple[int, ...] = ()
    before: tuple[int, ...] = ()
    shown: tuple[int, ...] = ()
    values: tuple[tuple[str, str], ...] = ()
    mucked: bool = False
    choice: ev.ChoiceMade | None = None
    declared: str = ""
    last: ev.Acted | None = None
    won: Chips = 0
    pending: Pending | None = None
