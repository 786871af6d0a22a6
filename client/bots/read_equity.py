"""Equity as somebody judges it who reads hands: on deals that fit what the others did."""

from collections.abc import Iterable, Iterator

from client.bots.equity import ALONE, Dealt, Equity, VisibleHand, average, dealt_out, visible_hands
from protocol.events import Seat
from protocol.view import TableView
from replays.chances.terms import GameTerms
from replays.hand_reading.reading import Deal


def equity_on(deals: Iterable[Deal], view: TableView, seat: Seat, terms: GameTerms) -> Equity:
    """The equity of the hand in `seat` on these deals, which say what the others hold (`replays.hand_reading`)."""
    own, others, _ = visible_hands(view, seat)
    if not others:
        return ALONE
    seats = sorted(one.seat for one in view.in_hand() if one.seat != seat)

    def dealt() -> Iterator[Dealt]:
        for deal in deals:
            held = [_held(view, other, deal, hand) for other, hand in zip(seats, others, strict=True)]
            yield dealt_out([own, *held], deal.rest, terms)

    return average(dealt(), [hand.declared for hand in (own, *others)], view.wilds, terms)


def _held(view: TableView, seat: Seat, deal: Deal, hand: VisibleHand) -> VisibleHand:
    """The hand of another seat in a deal."""
    hole = tuple(deal.hidden[seat])
    cards = (*[card for card in view.seat(seat).up if card is not None], *hole, *view.community)
    return VisibleHand(cards, max(0, len(hand.cards) + hand.missing - len(cards)), hand.declared, hole)
