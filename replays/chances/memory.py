"""What a seat remembers of a hand that no table shows any more: cards that it has passed on or put aside."""

from collections.abc import Iterable
from dataclasses import dataclass, field

from protocol import events as ev
from protocol.cards import Card
from protocol.events import AnyEvent, Seat


@dataclass(frozen=True, slots=True)
class Memory:
    """Own cards of a running hand that have gone.

    Fields:
        put_aside: cards that were discarded, or not kept; they cannot come any more.
        passed: the seats that hold cards which were passed to them. From the next exchange on nobody knows where
            these are, so they count as unseen again.
    """

    put_aside: frozenset[Card] = frozenset()
    passed: dict[Seat, tuple[Card, ...]] = field(default_factory=dict)


NOTHING = Memory()


def remember(events: Iterable[AnyEvent], seat: Seat) -> Memory:
    """What the seat remembers after these events of one hand, which must be as this seat has seen them."""
    held: set[Card] = set()
    put_aside: set[Card] = set()
    passed: dict[Seat, tuple[Card, ...]] = {}
    chosen: tuple[Card, ...] = ()
    for event in events:
        match event:
            case ev.HandStarted():
                held, put_aside, passed, chosen = set(), set(), {}, ()
            case ev.CardsDealt():
                for dealt, down, up in event.cards:
                    if dealt == seat:
                        held.update([card for card in (*down, *up) if card is not None])
            case ev.ChoiceMade() if event.seat == seat and event.action is not None:
                chosen = event.action.cards or ()
                if event.decision == "arrange":
                    put_aside |= held.difference(chosen)
            case ev.CardsDiscarded():
                put_aside.update([card for who, row in event.cards if who == seat for card in row if card is not None])
            case ev.CardsPassed():
                passed = {taker: chosen for giver, taker, _ in event.passes if giver == seat}
                held = held.difference(chosen)
                for _, taker, row in event.passes:
                    if taker == seat:
                        held.update([card for card in row if card is not None])
            case _:
                pass
    return Memory(frozenset(put_aside), passed)
