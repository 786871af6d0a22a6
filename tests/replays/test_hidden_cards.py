"""The law of hidden cards: what a seat has not seen changes no number that is worked out for it, in any game.

At decisions by chance in hands by chance the truth is changed wherever it is hidden from the seat. Then the numbers
are asked for again: once from what the seat sees, and once from all the events and cards, of which only those that
the seat has seen may be used.
"""

import random
from collections.abc import Iterator

import pytest

from protocol.cards import DECK
from protocol.events import AnyEvent, Seat
from replays.playout.playout import option_values
from server.engine.hand import Hand
from tests.support.engine_table import GAMES_PLAYED, PASS_AND_DRAW
from tests.support.hidden_cards import elsewhere
from tests.support.random_hands import pick
from tests.support.seen_tables import running_hand
from tests.support.spots import Moment, seen

PLAYERS = 4
OFTEN = 0.2
"""Share of the decisions that are looked at."""


def decisions(game: str, rng: random.Random) -> Iterator[tuple[list[AnyEvent], Seat]]:
    """Some decisions of a hand played by chance: all that has happened, and who is asked."""
    rules = GAMES_PLAYED[game]
    deck = rng.sample(DECK, len(DECK))
    hand = Hand(rules, rules.stakes, [(seat, 100) for seat in range(1, PLAYERS + 1)], 1, deck, ident=f"{rng.random()}")
    events = hand.start()
    while not hand.over:
        player, request = rng.choice(list(hand.requests.items()))
        if rng.random() < OFTEN:
            yield events, hand.seats[player]
        events += hand.act(hand.seats[player], pick(rng, request.options, 0.9))


def numbers(moment: Moment) -> object:
    """All that is worked out for the seat."""
    return option_values(moment.view, moment.seat, moment.request, moment.events, deals=2)


@pytest.mark.parametrize("game", GAMES_PLAYED)
def test_shuffling_all_hidden_cards_changes_no_number(game: str) -> None:
    rng = random.Random(f"law {game}")
    rules, definition = GAMES_PLAYED[game], PASS_AND_DRAW if game == "passdraw" else ""
    judged = 0
    for events, seat in decisions(game, rng):
        other = elsewhere(events, rng, seat)
        moment = seen(rules, events, seat, definition)
        assert seen(rules, other, seat, definition) == moment
        everything = Moment(seat, running_hand(rules, other, definition), tuple(other), moment.request)
        found = numbers(moment)
        assert found is not None
        assert numbers(everything) == found
        judged += 1
    assert judged
