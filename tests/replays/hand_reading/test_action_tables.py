"""The written tables: better hands fold less and wager more, a dear call is made less often, and all adds up to 1."""

from itertools import pairwise

import pytest

from replays.hand_reading.action_tables import (
    FORCED,
    NOTHING,
    ONE_BET,
    RAISED,
    ActionChances,
    Part,
    Situation,
    action_chances,
)
from replays.hand_reading.buckets import BUCKETS

PARTS: tuple[Part, ...] = ("first", "middle", "last")
SITUATIONS = [
    Situation(part, facing, inside, led, price=0.2, opponents=opponents)
    for part in PARTS
    for facing in (NOTHING, FORCED, ONE_BET, RAISED)
    for inside in (False, True)
    for led in (False, True)
    for opponents in (1, 3, 7)
]


def wagers(situation: Situation) -> tuple[float, ...]:
    return action_chances(situation).wager


def test_every_row_is_a_set_of_chances() -> None:
    for situation in (*SITUATIONS, Situation("first", NOTHING, posts=True)):
        chances = action_chances(situation)
        assert all(len(row) == BUCKETS for row in chances), situation
        for row in zip(*chances, strict=True):
            assert sum(row) == pytest.approx(1), situation
            assert min(row) >= 0, situation


def test_better_hands_fold_less() -> None:
    for situation in SITUATIONS:
        fold = action_chances(situation).fold
        assert all(worse >= better for worse, better in pairwise(fold)), situation


def test_from_the_middle_on_better_hands_wager_more() -> None:
    for situation in SITUATIONS:
        wager = wagers(situation)[3:]
        assert all(worse <= better for worse, better in pairwise(wager)), situation


def test_a_dear_call_and_a_cold_call_are_made_less_often() -> None:
    for part in PARTS:
        cheap, dear = [action_chances(Situation(part, ONE_BET, price=price)).fold for price in (0.05, 0.3)]
        assert all(one < other for one, other in zip(cheap, dear, strict=True))
        inside, cold = [action_chances(Situation(part, RAISED, inside=one, price=0.25)).fold for one in (True, False)]
        assert all(one <= other for one, other in zip(inside, cold, strict=True))


def test_who_has_led_bets_again_and_nobody_folds_where_a_check_is_free() -> None:
    for part in PARTS:
        led, not_led = [wagers(Situation(part, NOTHING, led=led)) for led in (True, False)]
        assert all(one >= other for one, other in zip(led, not_led, strict=True))
        assert set(action_chances(Situation(part, NOTHING)).fold) == {0.0}


def test_where_no_wager_is_offered_all_who_do_not_fold_call() -> None:
    chances: ActionChances = action_chances(Situation("middle", RAISED, can_wager=False, price=0.2))
    assert set(chances.wager) == {0.0}
    assert chances.stay[-1] > 0.9
