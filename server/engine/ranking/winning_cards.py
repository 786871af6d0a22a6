"""Which five cards win a share of a pot, as they are read out."""

from protocol.actions import Direction
from protocol.cards import Card
from protocol.events import PotAwarded, Seat
from protocol.view import TableView
from server.engine.ranking.rankings import RANKINGS


def winning_cards(
    award: PotAwarded, view: TableView
) -> list[tuple[Seat, tuple[tuple[Direction, tuple[Card, ...]], ...]]]:
    """The winners whose cards were shown, each with the five cards that play and the direction in which they do.

    `view` is the table behind the award. A hand that wins in both directions has two fives. There are none for hands
    with wild cards, which stand for others, for a spade in the hole, and for lows that are none.
    """
    found = []
    for number, _ in award.winners:
        seat = view.seat(number)
        holding = (*seat.shown, *seat.up, *view.community)
        if len(holding) < 5 or any(card >> 2 in view.wilds for card in holding):
            continue
        both = " and ".join([name for _, name in seat.values]) == award.hand
        rankings = [RANKINGS[key] for key, name in seat.values if key in RANKINGS and (both or name == award.hand)]
        hands: list[tuple[Direction, tuple[Card, ...]]] = []
        for ranking in rankings:
            if five := ranking.best(holding):
                hands.append(("low" if ranking.is_low else "high", five))
        if hands:
            found.append((number, tuple(hands)))
    return found
