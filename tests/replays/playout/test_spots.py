"""The play-outs against an independent referee: decisions whose right order is counted, or given by numbers."""

from collections.abc import Callable

import pytest
from msgspec.structs import replace

from protocol.actions import Action
from replays.chances.memory import remember
from replays.hand_reading.reading import read_hands
from replays.playout.playout import option_values
from replays.playout.values import OptionValues
from tests.support import spots_declare, spots_razz, spots_stud8
from tests.support.spots import Spot, words

SPOTS = (*spots_stud8.SPOTS, *spots_razz.SPOTS, *spots_declare.SPOTS)
DEALS = 100
MANY = ("pass", "arrange")
"""Decisions with so many answers that the play-outs consider a few; those that the spot names are compared besides."""


@pytest.mark.slow
@pytest.mark.parametrize("make", SPOTS, ids=lambda make: make.__name__)
def test_what_is_right_is_worth_most(make: Callable[[], Spot]) -> None:
    """A spot that counts holdings asserts by itself what it says of them."""
    spot = make()
    view, seat, events, request = spot.moment.view, spot.moment.seat, spot.moment.events, spot.moment.request
    reading = read_hands(view, seat, events, memory=remember(events, seat))
    values = option_values(view, seat, request, events, reading=reading, deals=DEALS)
    assert values is not None
    said = f"{make.__doc__}\n{table(values)}"
    assert any(same(values.best, right) for right in spot.best), said
    if request.decision in MANY:
        values = option_values(view, seat, request, events, reading=reading, deals=DEALS, options=spot.named)
        assert values is not None
    for better, worse in spot.order:
        assert values.difference(better, worse)[0] > 0, f"{words(better)} > {words(worse)}: {said}"


def table(values: OptionValues) -> str:
    """A line for each option: what it is, its chips, their error."""
    rows = sorted(values.options, key=values.chips, reverse=True)
    return "\n".join([f"{words(one):20}{values.chips(one):+7.1f} ± {values.error(one):.1f}" for one in rows])


def same(one: Action, other: Action) -> bool:
    """Whether two actions are the same, in whatever order their cards are named."""
    return replace(one, cards=None) == replace(other, cards=None) and set(one.cards or ()) == set(other.cards or ())
