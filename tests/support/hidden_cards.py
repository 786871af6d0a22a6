"""Tables on which cards that a seat cannot see are other ones: what is told to that seat must not change."""

import random

from protocol.cards import DECK
from protocol.events import Seat
from protocol.view import TableView


def shuffled(view: TableView, dice: random.Random, seat: Seat = 1) -> TableView:
    """The all-seeing view with other cards wherever that seat cannot see them."""
    view = view.copy()
    seen = {card for one in view.seats for card in (*one.up, *one.before)} | set(view.community)
    seen |= {card for card in view.seat(seat).down if card is not None}
    hidden = [card for card in DECK if card not in seen]
    dice.shuffle(hidden)
    for one in view.seats:
        if one.seat == seat:
            continue
        brought = [card for card in one.down if card in one.before]
        others = [hidden.pop() for _ in range(len(one.down) - len(brought))]
        one.down = tuple(dice.sample([*brought, *others], len(one.down)))
    return view
