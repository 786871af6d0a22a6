"""The habits of players: counted by stage of the hand, and what they do to the tables."""

from itertools import product

import pytest

from protocol import events as ev
from replays.hand_reading.action_tables import NOTHING, ONE_BET, ActionChances, Situation, action_chances
from replays.hand_reading.habits import (
    FIRST,
    LATE,
    MIDDLE,
    ORDINARY,
    PRIOR,
    STAGES,
    USUAL_FOLDS,
    USUAL_WAGERS,
    Counts,
    Habits,
    Tendency,
    chances_of,
    stage_of,
)
from server.engine.games.catalogue import GAMES
from tests.support.stacked_hand import deal

FACING = action_chances(Situation("last", ONE_BET, price=0.2))
FREE = action_chances(Situation("last", NOTHING))


def stud() -> Habits:
    """What seat 2 does: completes, bets on fourth street and on seventh street, and folds to a raise there."""
    table = deal(GAMES["stud"], {1: "(5s 5d) 4c", 2: "(x x) 9d"}, button=2).play("1 post, 2 complete 2, 1 call")
    return Habits().see_all(table.events)


def test_decisions_count_for_the_stage_in_which_they_are_taken() -> None:
    habits = stud()
    assert habits.of(2, FIRST) == Counts(FIRST, offers=1, wagers=1, calls=1)
    assert habits.of(2, MIDDLE) == Counts(MIDDLE)
    assert [stage_of(number) for number in range(1, 8)] == [FIRST, MIDDLE, MIDDLE, MIDDLE, LATE, LATE, LATE]


def test_a_seat_that_somebody_else_takes_starts_anew() -> None:
    habits = stud()
    habits.see(ev.PlayerLeft(2, "Ben", 100))
    assert habits.of(2, FIRST) == Counts(FIRST)


@pytest.mark.parametrize("declares", [True, False])
@pytest.mark.parametrize("stage", STAGES)
def test_an_ordinary_player_and_one_who_is_not_known_play_by_the_tables(stage: int, *, declares: bool) -> None:
    usual = Counts(stage, 1000, round(1000 * USUAL_WAGERS[stage]), 1000, round(1000 * USUAL_FOLDS[stage]))
    assert usual.tendency() == Counts(stage).tendency() == ORDINARY
    for chances in (FACING, FREE):
        for row, found in zip(chances, chances_of(chances, ORDINARY, stage, declares=declares), strict=True):
            assert found == pytest.approx(row)


def test_a_few_decisions_prove_little_and_many_prove_it() -> None:
    loose = [Counts(LATE, offers=many, wagers=many).tendency().loose for many in (1, PRIOR, 1000)]
    assert loose[0] < 0.1 < loose[1] < 0.6 < 0.9 < loose[2]
    sticky = [Counts(LATE, calls=many).tendency().sticky for many in (1, PRIOR, 1000)]
    assert sticky == [0.05, 0.5, 1.0]


@pytest.mark.parametrize("declares", [True, False])
def test_chances_are_chances_for_every_tendency(*, declares: bool) -> None:
    steps = [step / 10 for step in range(-10, 11)]
    for stage, loose, sticky in product(STAGES, steps, steps):
        for chances in (FACING, FREE):
            found = chances_of(chances, Tendency(loose, sticky), stage, declares=declares)
            for one in zip(*found, strict=True):
                assert min(one) >= 0
                assert sum(one) == pytest.approx(1)


def weakest_and_best(
    chances: ActionChances, tendency: Tendency, *, declares: bool = False
) -> tuple[tuple[float, float], tuple[float, float]]:
    """(folds, wagers) of the weakest hands, and of the best ones."""
    found = chances_of(chances, tendency, LATE, declares=declares)
    return (found.fold[0], found.wager[0]), (found.fold[-1], found.wager[-1])


def test_who_never_folds_calls_with_anything_and_who_always_folds_keeps_the_best_hands() -> None:
    weak, best = weakest_and_best(FACING, Tendency(0, 1.0))
    assert weak[0] == best[0] == 0
    ordinary, _ = weakest_and_best(FACING, ORDINARY)
    weak, best = weakest_and_best(FACING, Tendency(0, -0.5))
    assert weak[0] > ordinary[0] + 0.1
    assert best[0] < 0.1


def test_who_bets_everything_bets_weak_hands_and_who_never_bets_bets_none() -> None:
    weak, best = weakest_and_best(FREE, Tendency(0.9, 0), declares=True)
    assert weak[1] > 0.9 * best[1]
    weak, best = weakest_and_best(FREE, Tendency(0.9, 0))
    assert weak[1] > 0.8 * best[1]
    weak, best = weakest_and_best(FREE, Tendency(-1.0, 0))
    assert weak[1] == best[1] == 0


def test_who_bets_somewhat_more_bets_more_of_the_better_hands_but_where_halves_are_declared_anything() -> None:
    ordinary = [wagers for _, wagers in weakest_and_best(FREE, ORDINARY)]
    weak, best = [wagers for _, wagers in weakest_and_best(FREE, Tendency(0.4, 0))]
    anything, too = [wagers for _, wagers in weakest_and_best(FREE, Tendency(0.4, 0), declares=True)]
    assert anything == pytest.approx(0.4 + 0.6 * ordinary[0])
    assert ordinary[0] < weak < anything
    assert best > max(too, ordinary[1])


def test_who_folds_somewhat_less_calls_with_more_of_the_better_hands() -> None:
    ordinary = [folds for folds, _ in weakest_and_best(FACING, ORDINARY)]
    weak, _ = [folds for folds, _ in weakest_and_best(FACING, Tendency(0, 0.4))]
    blind, _ = [folds for folds, _ in weakest_and_best(FACING, Tendency(0, 0.4), declares=True)]
    assert blind == pytest.approx(0.6 * ordinary[0])
    assert blind < weak < ordinary[0]
