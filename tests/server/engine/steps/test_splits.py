"""Pots and their splitting (`rules.md` 4.6, 4.7, 5 and 12: P1-P3, S1-S10)."""

import pytest

from server.engine.games.catalogue import RAZZ, RAZZ_ROLL_YOUR_OWN, STUD8
from server.engine.games.game import Game
from server.engine.steps.pots import build_pots, uncalled
from tests.support.stacked_hand import contest, deal, one_round

KINGS_UP = "Ks Kd Qs Qd 9h 8c 7s"
QUEENS = "Qs Qh Qd Kc 9c 7d 8s"


# ------------------------------------------------------------------------ pots


def test_P1_a_short_ante_makes_a_main_pot() -> None:
    table = deal(STUD8, {1: "", 2: "", 3: "", 4: ""}, button=4, ante=2, chips={3: 1})
    assert table.pots() == [(4, (1, 2, 3, 4)), (3, (1, 2, 4))]


def test_P2_what_nobody_can_call_goes_back_first() -> None:
    table = contest(STUD8, {1: "", 2: ""}, {1: 20, 2: 12}, dead=2, button=2)
    assert table.returned() == {1: 8}
    assert table.pots() == [(26, (1, 2))]


def test_P2_a_bet_that_everybody_folds_to_goes_back_too() -> None:
    table = one_round(3, limit="spread", most=20).play("1 bet 12, 2 fold, 3 fold")
    assert table.returned() == {1: 12}
    assert table.won() == {}


def test_P3_layers() -> None:
    assert build_pots([10, 25, 40, 40, 5], [0, 1, 2, 3]) == [(45, (0, 1, 2, 3)), (45, (1, 2, 3)), (30, (2, 3))]
    table = contest(STUD8, dict.fromkeys(range(1, 5), ""), {1: 10, 2: 25, 3: 40, 4: 40}, dead=5, button=4)
    assert table.pots() == [(45, (1, 2, 3, 4)), (45, (2, 3, 4)), (30, (3, 4))]


def test_P3_a_fold_merges_the_layers_that_it_alone_kept_apart() -> None:
    assert build_pots([10, 25, 40, 40, 5], [0, 2, 3]) == [(45, (0, 2, 3)), (75, (2, 3))]
    assert uncalled([40, 40, 10], [0, 2]) == (-1, 0), "a folded player has matched it"


# ----------------------------------------------------------------------- splits


def test_S1_both_ways() -> None:
    table = contest(STUD8, {1: "As 2s 3s 4s 5s Kh 9d", 2: "Kc Kd Qs Qd 9h 8c 7s"}, 50, button=2)
    assert table.won() == {1: 100}


def test_S2_no_low() -> None:
    table = contest(STUD8, {1: KINGS_UP, 2: "As Ad Jc Th 9c 4d 3c"}, 50, dead=1, button=2)
    assert table.won() == {1: 101}


LOW_TIE = {1: "As Ah 2d 3h 4c 8s 8d", 2: "Ac 2h 3c 4d 8h Kc Qd"}
"""[1] has two pair and an 8-4 low, [2] the same low."""


def test_S3_quarters() -> None:
    assert contest(STUD8, LOW_TIE, 50, dead=1, button=3).won() == {1: 76, 2: 25}


@pytest.mark.parametrize(("button", "first", "second"), [(3, 78, 25), (1, 77, 26)])
def test_S3b_odd_low_chip_by_position(button: int, first: int, second: int) -> None:
    table = contest(STUD8, LOW_TIE, 51, dead=1, button=button)
    assert table.won() == {1: first, 2: second}
    assert table.odd() == [1 if button == 3 else 2]


@pytest.mark.parametrize(("dead", "won"), [(0, {1: 33, 2: 33}), (1, {1: 34, 2: 33})])
def test_S4_the_same_winners_both_ways_share_evenly(dead: int, won: dict[int, int]) -> None:
    rows = {1: "As 2d 3h 4c 5s Kh Qd", 2: "Ad 2h 3c 4s 5d Ks Qc"}
    table = contest(STUD8, rows, 33, dead=dead, button=3)
    assert table.won() == won


@pytest.mark.parametrize(("dead", "won"), [(1, {2: 34, 4: 33, 1: 33}), (2, {2: 34, 4: 34, 1: 33})])
def test_S5_three_broadways(dead: int, won: dict[int, int]) -> None:
    rows = {1: "As Kd Qh Jc Ts 9s 9d", 2: "Ad Kh Qc Js Td 9h 8c", 4: "Ah Kc Qs Jd Th 9c 8d"}
    assert contest(STUD8, rows, 33, dead=dead, button=1).won() == won


def test_S6_an_all_in_low_has_no_part_of_the_side_pot() -> None:
    rows = {1: "7s 5d 3h 2c Ad Kh Jd", 2: QUEENS, 3: "Js Jh Ts Th 9d 8h 6c"}
    table = contest(STUD8, rows, {1: 20, 2: 50, 3: 50}, button=3)
    assert table.pots() == [(60, (1, 2, 3)), (60, (2, 3))]
    assert (table.won_of(0), table.won_of(1)) == ({1: 30, 2: 30}, {2: 60})
    assert table.won() == {1: 30, 2: 90}


def test_S7_high_alone_and_a_tied_low() -> None:
    rows = {1: "As 2d 3h 4c 8s Kh Qd", 2: "Ad 2h 3c 4s 8d Ks Qc", 3: "9s 9d 9h Js Jd 6h Tc"}
    assert contest(STUD8, rows, 30, dead=1, button=3).won() == {3: 46, 1: 23, 2: 22}


@pytest.mark.parametrize("game", [RAZZ, RAZZ_ROLL_YOUR_OWN], ids=lambda game: game.id)
def test_S8_a_suited_and_a_plain_wheel_tie(game: Game) -> None:
    rows = {1: "As 2s 3s 4s 5s Kh Qd", 2: "Ad 2h 3c 4d 5d Ks Qc"}
    assert contest(game, rows, 37, dead=1, button=1).won() == {2: 38, 1: 37}


S9 = {1: "Ah 2d 3c 4s 8h Kc Qd", 2: "As 2h 3d 4c 8s Qh Js"}


@pytest.mark.parametrize(("rule", "seat"), [("position", 2), ("suit_robert", 1), ("suit_tda", 2)])
def test_S9_odd_chip_of_a_tied_low(rule: str, seat: int) -> None:
    rows = {**S9, 3: "9s 9d 9h Jh Jd 6h Tc"}
    table = contest(STUD8, rows, 34, dead=1, button=1, odd_chip=rule)  # low half 51
    assert table.odd() == [seat]
    assert table.won() == {3: 52, seat: 26, 3 - seat: 25}


@pytest.mark.parametrize(("rule", "seat"), [("position", 2), ("suit_robert", 1), ("suit_tda", 1)])
def test_S9_from_the_other_side(rule: str, seat: int) -> None:
    """The same hands with the spades swapped, so that position and the suit of the highest card disagree."""
    rows = {1: "Ah 2h 3d 4c 8s Qh Js", 2: "As 2d 3c 4s 8h Kc Qd", 3: "9s 9d 9h Jh Jd 6h Tc"}
    table = contest(STUD8, rows, 34, dead=1, button=1, odd_chip=rule)
    assert table.odd() == [seat]


@pytest.mark.parametrize(("rule", "seat"), [("position", 1), ("suit_robert", 2), ("suit_tda", 2)])
def test_S10_odd_chip_of_a_tied_high(rule: str, seat: int) -> None:
    rows = {1: "Ah Ad Kc Kd Js 9c Tc", 2: "As Ac Kh Ks Jd 9d Td"}
    table = contest(STUD8, rows, 50, dead=1, button=2, odd_chip=rule)
    assert table.odd() == [seat]
    assert table.won() == {seat: 51, 3 - seat: 50}


def test_5_suit_rules_differ_on_the_high_half() -> None:
    """The ace of spades is among the seven but not among the five that play."""
    rows = {1: "9h 8d 7c 6c 5d As Ac", 2: "9s 8h 7d 6h 5s Ad Kh"}
    assert contest(STUD8, rows, 50, dead=1, button=1, odd_chip="suit_robert").odd() == [1]
    assert contest(STUD8, rows, 50, dead=1, button=1, odd_chip="suit_tda").odd() == [2]


def test_5_nobody_gets_two_odd_chips_of_a_half() -> None:
    for dead in range(3):
        rows = {1: "As Kd Qh Jc Ts 9s 9d", 2: "Ad Kh Qc Js Td 9h 8c", 4: "Ah Kc Qs Jd Th 9c 8d"}
        table = contest(STUD8, rows, 33, dead=dead, button=1)
        assert len(table.odd()) == len(set(table.odd())) == dead


def test_5_ranking_invalid_lows_last_is_for_declared_games_only() -> None:
    rows = {1: KINGS_UP, 2: "As Ad Jc Th 9c 4d 3c"}
    assert contest(STUD8, rows, 50, button=2, invalid_low="ranks_last").won() == {1: 100}
