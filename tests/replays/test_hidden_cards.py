"""The law of hidden cards: what a seat has not seen changes no number that is worked out for it, in any game."""

import pytest

from replays.chances.memory import remember
from replays.hand_reading.reading import read_hands
from replays.playout.playout import option_values
from tests.support.engine_table import GAMES_PLAYED
from tests.support.hidden_law import worlds
from tests.support.spots import Moment


@pytest.mark.parametrize("game", sorted(GAMES_PLAYED))
def test_shuffling_all_hidden_cards_changes_no_number(game: str) -> None:
    for seen, everything in worlds(game):
        assert numbers(everything) == numbers(seen)


def numbers(moment: Moment) -> list[object]:
    """What is believed of the other hands, and what each option is worth."""
    view, seat, events = moment.view, moment.seat, moment.events
    reading = read_hands(view, seat, events, memory=remember(events, seat), holdings=10)
    values = option_values(view, seat, moment.request, events, reading=reading, deals=2)
    assert values is not None
    return [*map(reading.weights, reading.opponents), *reading.deals(3), values]
