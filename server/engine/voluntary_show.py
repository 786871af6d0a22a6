"""Cards that a player shows by choice when the hand is over (`rules.md` 7.4, last row)."""

from collections.abc import Sequence

from protocol import events as ev
from protocol.cards import Card
from protocol.seat_view import SeatView
from protocol.view import TableView
from server.engine.errors import IllegalAction
from server.engine.games.game import Game
from server.engine.ranking.wild_cards import name_with_wilds


def shown_after(game: Game, view: TableView, seat: SeatView, cards: Sequence[Card]) -> ev.HandShown:
    """The event in which `seat` shows these hidden cards of its hand, or all of them if none are named.

    Cards that were shown before stay shown: the event names all of them, in the order of the hand. Raises IllegalAction
    for a seat without a hand, for cards that are not hidden cards of that hand, and if nothing new would be shown.
    """
    down = tuple([card for card in seat.down if card is not None])
    if seat.hand == "out" or not down:
        raise IllegalAction("not_now", "You have no hidden cards to show.")
    if any(card not in down for card in cards):
        raise IllegalAction("illegal", "Only hidden cards of your own last hand can be shown.")
    asked = {*(cards or down), *seat.shown}
    shown = tuple([card for card in down if card in asked])
    if len(shown) == len(seat.shown):
        raise IllegalAction("not_now", "You have shown that already.")
    return ev.HandShown(seat.seat, shown, _values(game, view, seat) if len(shown) == len(down) else ())


def _values(game: Game, view: TableView, seat: SeatView) -> tuple[tuple[str, str], ...]:
    """(ranking, name) of the whole hand; of what it came to if it was folded before it had five cards."""
    holding = [card for card in (*seat.down, *seat.up, *view.community) if card is not None]
    wild = [card for card in holding if card >> 2 in view.wilds]
    if wild:
        return (("high", name_with_wilds(holding, wild)),) if len(holding) >= 5 else ()
    rule = game.showdown
    rankings = [ranking for ranking in (rule.high, rule.low) if ranking is not None]
    return tuple([(ranking.key, ranking.partial_name(holding)) for ranking in rankings])
