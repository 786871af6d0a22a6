"""Decisions by chance in hands by chance, each twice: as its seat sees it, and with everything to be seen.

What is hidden from the seat is another truth the second time. A number that is worked out for the seat must be the
same both times.
"""

import itertools
import random
from collections.abc import Iterator
from itertools import islice

from protocol.cards import DECK
from server.engine.hand import Hand
from tests.support.engine_table import GAMES_PLAYED, HOUSE_GAME, PASS_AND_DRAW
from tests.support.hidden_cards import elsewhere
from tests.support.random_hands import pick
from tests.support.seen_tables import running_hand
from tests.support.spots import Moment, seen

PLAYERS = 4
CHIPS = 100
OFTEN = 0.1
"""Share of the decisions that are looked at."""


def worlds(game: str, count: int = 6) -> Iterator[tuple[Moment, Moment]]:
    """So many decisions: (as the seat sees it, with everything to be seen and other cards where the seat sees none)."""
    dice = random.Random(f"law {game}")
    hands = (played for number in itertools.count() for played in _decisions(game, f"law-{number}", dice))
    return islice(hands, count)


def _decisions(game: str, ident: str, dice: random.Random) -> Iterator[tuple[Moment, Moment]]:
    rules, definition = GAMES_PLAYED[game], PASS_AND_DRAW if game == HOUSE_GAME.id else ""
    stacks = [(seat, CHIPS) for seat in range(1, PLAYERS + 1)]
    hand = Hand(rules, rules.stakes, stacks, 1, dice.sample(DECK, len(DECK)), ident=ident)
    events = hand.start()
    while not hand.over:
        player, request = dice.choice(list(hand.requests.items()))
        seat = hand.seats[player]
        if dice.random() < OFTEN:
            moment = seen(rules, events, seat, definition)
            other = elsewhere(events, dice, seat)
            assert seen(rules, other, seat, definition) == moment
            yield moment, Moment(seat, running_hand(rules, other, definition), tuple(other), request)
        events += hand.act(seat, pick(dice, request.options, 0.9))
