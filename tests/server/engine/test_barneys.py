"""Barney's Poker: check-raise, odd man, declared pots (`rules.md` 7 and 12: C1-C9, D1-D17)."""

from collections.abc import Mapping
from typing import Any

import pytest

from protocol import events as ev
from server.engine.games.catalogue import BARNEYS
from server.engine.steps.betting import CHECKED, ODD_MAN, Bet
from server.engine.steps.opener import HIGH_BOARD
from server.engine.steps.vocabulary import Deal, Declare
from tests.support.stacked_hand import FIXED, StackedHand, contest, cut_short, deal, one_round

WHEEL_STRAIGHT = "2s 3d 4h 5c 6s"
LAST_ROUND = cut_short(BARNEYS, Deal(down=4, up=1), Declare(), Bet("big", opens=HIGH_BOARD, odd_man=True))
"""Five cards, the declaration, and the last betting round at 4."""


def house(players: int = 4, **changes: Any) -> StackedHand:
    """A round of 2 under the house rule; seat 1 is first."""
    return one_round(players, no_check_raise=True, **changes)


# --------------------------------------------------------------- check-raise


def test_C1_a_player_who_checked_may_not_raise() -> None:
    table = house().play("1 check, 2 bet 2, 3 call, 4 call")
    assert table.offers(1) == "fold, call 2"
    assert table.note(1) == CHECKED


def test_C2_not_after_a_raise_either() -> None:
    assert house().play("1 check, 2 bet 2, 3 call, 4 raise 4").offers(1) == "fold, call 4"


def test_C3_a_player_who_has_called_may_raise() -> None:
    table = house().play("1 check, 2 bet 2, 3 call, 4 raise 4, 1 call, 2 raise 6, 3 call, 4 call")
    assert table.offers(1) == "fold, call 2, raise to 8"


def test_C4_betting_first_is_never_restricted() -> None:
    assert house().play("1 bet 2, 2 raise 4, 3 fold, 4 fold").offers(1) == "fold, call 2, raise to 6"


def test_C5_no_shove_either() -> None:
    assert house(unit=10, chips={1: 15}).play("1 check, 2 bet 10, 3 fold, 4 fold").offers(1) == "fold, call 10"


def test_C6_a_player_who_has_not_checked_may_complete_a_short_all_in() -> None:
    table = house(unit=10, chips={2: 4}).play("1 check, 2 bet 4")
    assert table.offers(3) == "fold, call 4, complete to 10"
    assert table.play("3 complete 10, 4 fold").offers(1) == "fold, call 10"


def test_7_3_the_flags_are_of_one_round() -> None:
    table = deal(BARNEYS, {1: "xx Kc Kd", 2: "xx Qd Jd"}, button=2, stakes=FIXED).until("fourth street")
    table.play("1 check, 2 check").until("fifth street")
    assert table.play("1 bet 2, 2 raise 4").offers(1) == "fold, call 2, raise to 6"


def test_7_3_switched_off() -> None:
    table = one_round(4, no_check_raise=False).play("1 check, 2 bet 2, 3 call, 4 call")
    assert table.offers(1) == "fold, call 2, raise to 4"


# ------------------------------------------------------------------- odd man


def last_round(declared: Mapping[int, str], up: Mapping[int, str] | None = None, **changes: Any) -> StackedHand:
    """After the declaration; [1] has the highest board unless `up` says otherwise."""
    doors = up or {1: "Kc", 2: "Qd", 3: "Jh", 4: "9s"}
    rows = {seat: f"(xxxx) {doors[seat]}" for seat in declared}
    table = deal(LAST_ROUND, rows, button=max(declared), stakes=FIXED, **changes)
    for seat, direction in declared.items():
        table.play(f"{seat} declare {direction}")
    return table


def test_C7_the_odd_man_opens() -> None:
    table = last_round({1: "high", 2: "low", 3: "high"})
    assert table.last(ev.Declared).odd_man == table.opener == 2
    assert table.offers(2) == "fold, check, bet 4"


def test_C8_the_odd_man_never_raises() -> None:
    table = last_round({1: "high", 2: "low", 3: "high"}).play("2 bet 4, 3 raise 8, 1 raise 12")
    assert table.offers(2) == "fold, call 8"
    assert table.note(2) == ODD_MAN


def test_C9_not_after_a_check_either() -> None:
    table = last_round({1: "high", 2: "low", 3: "high"}, no_check_raise=False).play("2 check, 3 bet 4, 1 call")
    assert table.offers(2) == "fold, call 4"
    assert table.note(2) == ODD_MAN


def test_C8_the_flag_is_static() -> None:
    table = last_round({1: "high", 2: "low", 3: "high"}).play("2 bet 4, 3 raise 8, 1 fold")
    assert table.offers(2) == "fold, call 4"


def test_C8_the_others_may_raise_him() -> None:
    table = last_round({1: "high", 2: "low", 3: "high"}).play("2 bet 4")
    assert table.offers(3) == "fold, call 4, raise to 8"


def test_A8_odd_man_without_the_rule_opens_by_board() -> None:
    plain = cut_short(BARNEYS, Deal(down=4, up=1), Declare(), Bet("big", opens=HIGH_BOARD))
    rows = {1: "(xxxx) Kc", 2: "(xxxx) Qd", 3: "(xxxx) Jh"}
    table = deal(plain, rows, button=3, stakes=FIXED).play("1 declare high, 2 declare low, 3 declare high")
    assert table.opener == 1
    assert table.play("1 bet 4").offers(2) == "fold, call 4, raise to 8"


# ---------------------------------------------------------------------- pots


def declared(
    rows: Mapping[int, tuple[str, str]],
    put: int | Mapping[int, int],
    *,
    dead: int = 0,
    button: int = 3,
    **changes: Any,
) -> StackedHand:
    """Everybody all-in, everybody declares, and the pots are paid."""
    return contest(
        BARNEYS,
        {seat: hand for seat, (_, hand) in rows.items()},
        put,
        dead=dead,
        button=button,
        declared={seat: {"L": "low", "H": "high"}[way] for seat, (way, _) in rows.items()},
        **changes,
    )


def test_D1_the_odd_man_takes_one_half() -> None:
    rows = {1: ("L", "7s 5d 4h 3c 2s"), 2: ("L", "7d 6d 4c 2h As"), 3: ("H", "9s 9d Kh Jc 8s")}
    table = declared(rows, 30, dead=1)
    assert table.last(ev.Declared).odd_man == 3
    assert table.won() == {3: 46, 1: 45}


def test_D2_two_left_opposite_ways() -> None:
    table = deal(LAST_ROUND, {1: "2s 2d 9h Jc 8s", 2: "As Ad 3c 4h Kd"}, button=2, stakes=FIXED, ante=20)
    table.play("1 declare high, 2 declare low")
    assert table.last(ev.Declared).odd_man is None
    assert table.count(ev.RoundSkipped) == 1
    assert table.hand.over
    assert table.won() == {1: 20, 2: 20}
    rows = {1: ("H", "2s 2d 9h Jc 8s"), 2: ("L", "As Ad Kc 4h 3d")}
    assert declared(rows, 20, dead=1).won() == {1: 21, 2: 20}


D3 = {1: "2s 2d 6h 4c Ks", 2: "As Ad Qh Jc 8s", 3: "7s 6d 4h 2c Ah"}


def test_D3_all_high_the_best_takes_the_whole() -> None:
    hands = {**D3, 3: "7s 5d 4h 3c 2h"}
    table = declared({seat: ("H", hand) for seat, hand in hands.items()}, 13, dead=2)
    assert table.last(ev.Declared).odd_man is None
    assert table.won() == {2: 41}


def test_D4_all_low_the_lowest_takes_the_whole() -> None:
    table = declared({seat: ("L", hand) for seat, hand in D3.items()}, 13, dead=2)
    assert table.last(ev.Declared).odd_man is None
    assert table.won() == {3: 41}


D5 = {1: ("H", "Ks 4d 3h 2c As"), 2: ("H", "9s 9d Qh Jc 8h"), 3: ("L", WHEEL_STRAIGHT)}


def test_D5_a_lone_straight_is_no_low() -> None:
    table = declared(D5, 20)
    assert table.last(ev.Declared).odd_man == 3
    assert table.won() == {2: 60}


def test_D5_a_straight_ranks_last_by_the_switch() -> None:
    assert declared(D5, 20, invalid_low="ranks_last").won() == {2: 30, 3: 30}


D6 = {1: ("H", "Ks 4d 3h 2c As"), 2: ("L", "9s 9d Qh Jc 8h"), 3: ("L", WHEEL_STRAIGHT)}


@pytest.mark.parametrize("rule", ["no_low", "ranks_last"])
def test_D6_a_pair_is_a_low_a_straight_is_not(rule: str) -> None:
    assert declared(D6, 20, invalid_low=rule).won() == {1: 30, 2: 30}


@pytest.mark.parametrize("rule", ["no_low", "ranks_last"])
def test_D7_only_straights_the_lower_wins(rule: str) -> None:
    rows = {1: ("L", WHEEL_STRAIGHT), 2: ("L", "3s 4d 5h 6c 7s")}
    assert declared(rows, 30, invalid_low=rule).won() == {1: 60}


@pytest.mark.parametrize("odd_chip", ["position", "suit_robert", "suit_tda"])
def test_D7_equal_straights_share(odd_chip: str) -> None:
    rows = {1: ("L", "2s 3d 4h 5c 6s"), 2: ("L", "2d 3h 4c 5d 6h")}
    table = declared(rows, 30, dead=1, odd_chip=odd_chip)
    assert sorted(table.won().values()) == [30, 31]


def test_D8_two_nut_lows() -> None:
    rows = {1: ("L", "6s 4d 3h 2c As"), 2: ("L", "6d 4h 3c 2s Ad"), 3: ("H", "9s 9d Kh Jc 8s")}
    assert declared(rows, 34, dead=1, button=1).won() == {3: 52, 2: 26, 1: 25}


def test_D9_an_all_in_low() -> None:
    rows = {1: ("L", "7s 5d 3h 2c Ad"), 2: ("H", "Ks Kh Kd 9c 8d"), 3: ("H", "Js Jh Jd 9s 8h")}
    table = declared(rows, {1: 20, 2: 50, 3: 50})
    assert (table.won_of(0), table.won_of(1)) == ({1: 30, 2: 30}, {2: 60})


def test_D10_odd_man_all_in_the_next_opens() -> None:
    table = last_round({1: "low", 2: "high", 3: "high"}, chips={1: 1})
    assert table.last(ev.Declared).odd_man == table.opener == 1
    assert table.first == 2


def test_D11_one_able_player_in_each_direction() -> None:
    table = last_round({1: "low", 2: "high", 3: "high"}, chips={2: 1})
    assert table.count(ev.RoundSkipped) == 1
    assert table.hand.over


def test_D12_balanced_the_highest_board_opens() -> None:
    up = {1: "Qc", 2: "Jd", 3: "Kh", 4: "9s"}
    table = last_round({1: "high", 2: "low", 3: "high", 4: "low"}, up)
    assert table.last(ev.Declared).odd_man is None
    assert table.opener == 3
    assert table.play("3 bet 4").offers(4) == "fold, call 4, raise to 8"


def test_D12_all_one_way_the_highest_board_opens() -> None:
    table = last_round({1: "high", 2: "high", 3: "high"})
    assert table.last(ev.Declared).odd_man is None
    assert table.opener == 1


def test_D13_a_lone_high_wins_with_anything() -> None:
    rows = {1: ("H", "9s 9d Kh Jc 8s"), 2: ("L", "7s 6d 4h 2c Ad"), 3: ("L", "8d 6h 4c 2s As")}
    assert declared(rows, 25, dead=2).won() == {1: 39, 2: 38}


def test_D15_a_side_pot_of_its_own() -> None:
    rows = {
        1: ("H", "Ks Kd Kh Qc Qs"),
        2: ("H", "Js Jd Jh 2c 2s"),
        3: ("L", "6s 4d 3h 2d As"),
        4: ("L", "7s 6d 4h 2h Ad"),
    }
    table = declared(rows, {1: 15, 2: 40, 3: 40, 4: 60}, button=4)
    assert table.returned() == {4: 20}
    assert (table.won_of(0), table.won_of(1)) == ({1: 30, 3: 30}, {2: 38, 3: 37})


def test_D16_everybody_folds_to_the_odd_man() -> None:
    table = last_round({1: "high", 2: "low", 3: "high"}).play("2 bet 4, 3 fold, 1 fold")
    assert table.won() == {2: 3}
    assert table.shown() == []


def test_D17_the_odd_man_folds() -> None:
    table = last_round({1: "high", 2: "low", 3: "high", 4: "high"})
    table.play("2 fold, 3 check, 4 check, 1 check")
    assert table.count(ev.Declared) == 1
    assert sum(table.won().values()) == 4
    assert 2 not in table.won()
    assert [event.part for event in table.all(ev.PotAwarded)] == ["whole"]


def test_7_4_a_side_pot_whose_players_went_the_same_way_is_whole() -> None:
    rows = {1: ("L", "7s 5d 3h 2c Ad"), 2: ("H", "Ks Kh Kd 9c 8d"), 3: ("H", "Js Jh Jd 9s 8h")}
    table = declared(rows, {1: 20, 2: 50, 3: 50})
    assert [(event.pot, event.part) for event in table.all(ev.PotAwarded)] == [(0, "high"), (0, "low"), (1, "whole")]


# ----------------------------------------------------------------- who shows


def test_7_4_only_winners_show() -> None:
    rows = {1: ("H", "Ks Kd 9h 8c 7s"), 2: ("H", "Qs Qd 9d 8d 7d"), 3: ("L", "7h 5d 4h 3c 2s")}
    table = declared(rows, 20)
    assert sorted(table.shown()) == [1, 3]
    assert [event.seat for event in table.all(ev.HandMucked)] == [2]


def test_7_4_all_show_by_the_switch() -> None:
    rows = {1: ("H", "Ks Kd 9h 8c 7s"), 2: ("H", "Qs Qd 9d 8d 7d"), 3: ("L", "7h 5d 4h 3c 2s")}
    assert sorted(declared(rows, 20, show="all").shown()) == [1, 2, 3]


def test_7_4_a_side_pot_of_straights_declared_low_goes_to_the_lower_one() -> None:
    rows = {1: ("H", "9s 9d Qh Jc 8h"), 2: ("L", "3s 4d 5h 6c 7s"), 3: ("L", WHEEL_STRAIGHT)}
    table = declared(rows, {1: 20, 2: 50, 3: 50})
    assert (table.won_of(0), table.won_of(1)) == ({1: 60}, {3: 60})


def test_7_4_a_straight_beats_a_flush_where_neither_is_a_low() -> None:
    rows = {1: ("L", "As 2s 3s 4s 7s"), 2: ("L", "9s Td Jh Qc Kd")}
    assert declared(rows, 30).won() == {2: 60}


def test_7_4_ranked_last_a_straight_still_loses_to_any_pair() -> None:
    rows = {1: ("L", "Ks Kd Kh Qc Qs"), 2: ("L", WHEEL_STRAIGHT), 3: ("H", "9s 9d Jh Tc 8h")}
    assert declared(rows, 20, invalid_low="ranks_last").won() == {1: 30, 3: 30}


def test_7_4_a_loser_does_not_show_even_if_first() -> None:
    rows = {1: ("H", "Qs Qd 9d 8d 7d"), 2: ("H", "Ks Kd 9h 8c 7s"), 3: ("H", "2s 2d 9s 8s 7h")}
    table = declared(rows, 20, button=3)
    assert [type(event) for event in table.events if isinstance(event, ev.HandShown | ev.HandMucked)] == [
        ev.HandMucked, ev.HandShown, ev.HandMucked,
    ]  # fmt: skip
