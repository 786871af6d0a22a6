"""Decisions whose right order is known: their own numbers hold."""

from collections.abc import Callable

import pytest

from tests.support import spots_declare, spots_razz, spots_stud8
from tests.support.spots import Spot

SPOTS = (*spots_stud8.SPOTS, *spots_razz.SPOTS, *spots_declare.SPOTS)


@pytest.mark.parametrize("make", SPOTS, ids=lambda make: make.__name__)
def test_what_a_spot_says_is_counted(make: Callable[[], Spot]) -> None:
    """A spot that counts holdings asserts what it says."""
    spot = make()
    offered = {option.kind for option in spot.moment.request.options}
    assert {action.kind for action in (*spot.best, *[one for pair in spot.order for one in pair])} <= offered
