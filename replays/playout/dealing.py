"""Random deals of what a seat does not see: every card that it has not seen is as likely in one place as in another."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from protocol.cards import DECK, Card
from protocol.events import AnyEvent, Seat
from protocol.view import TableView
from replays.chances.deals import shuffled
from replays.chances.memory import remember


@dataclass(frozen=True, slots=True)
class Deal:
    """One way the hidden cards can lie.

    Fields:
        hidden: the face-down cards of each opponent who is in the hand.
        rest: the deck below, in order.
    """

    hidden: dict[Seat, tuple[Card, ...]]
    rest: list[Card]


def random_deals(view: TableView, seat: Seat, events: Iterable[AnyEvent], seed: int) -> Iterator[Deal]:
    """Deals without end; the same seed gives the same ones."""
    memory = remember(events, seat)
    seen = set(memory.put_aside) | set(view.community)
    for one in view.seats:
        seen.update(one.up, one.before, one.shown, memory.passed.get(one.seat, ()))
    seen.update([card for card in view.seat(seat).down if card is not None])
    rows: list[tuple[Seat, tuple[Card, ...], int]] = []
    for one in view.in_hand():
        if one.seat != seat:
            known = [card for card in (*one.before, *memory.passed.get(one.seat, ())) if card not in one.up]
            known = known[: len(one.down)]
            rows.append((one.seat, tuple(known), len(one.down) - len(known)))
    for deck in shuffled([card for card in DECK if card not in seen], 52 - len(seen), seed):
        hidden = {}
        at = 0
        for number, known_cards, count in rows:
            hidden[number] = (*known_cards, *deck[at : at + count])
            at += count
        yield Deal(hidden, deck[at:])
