"""The betting rows of `rules.md` 12 (B1-B30) and the switches of section 4, each both ways."""

from typing import Any

import pytest
from msgspec.structs import replace

from protocol import events as ev
from protocol.stakes import Stakes
from server.engine.games.catalogue import BARNEYS, RAZZ_ROLL_YOUR_OWN, STUD, STUD8
from server.engine.games.game import Game
from server.engine.steps.betting import CAPPED, CHECKED, NOBODY_LEFT, NOT_REOPENED
from tests.support.stacked_hand import FIXED, StackedHand, deal, one_round

SPREAD = replace(STUD8.stakes, limit="spread", most=4)
DEEP = Stakes(ante=0, bring_in=3, small=10, big=20)


def third_street(players: int = 4, **changes: Any) -> StackedHand:
    """Stud/8 at its first decision: seat 1 has the lowest card."""
    doors = ["2c", "Kd", "Qh", "Js", "Td", "9h"]
    rows = {seat: f"(xx) {doors[seat - 1]}" for seat in range(1, players + 1)}
    return deal(STUD8, rows, button=players, **changes)


def open_pair(**changes: Any) -> StackedHand:
    """Stud/8 on fourth street: seat 1 shows a pair and acts first, seats 2 to 4 follow."""
    rows = {1: "(xx) Kc Kd", 2: "(xx) 2c 9d", 3: "(xx) 4d 8h", 4: "(xx) 5s 7d"}
    return deal(STUD8, rows, button=4, **changes).until("fourth street")


# ------------------------------------------------------------- the forced bet


def test_B1_force_seat_posts_or_opens() -> None:
    assert third_street().offers(1) == "post 1, bet 2"


def test_B2_behind_the_force_bet() -> None:
    table = third_street().play("1 post")
    assert table.offers(2) == "fold, call 1, complete to 2"
    assert table.play("2 call").offers(3) == "fold, call 1, complete to 2"


def test_B3_a_completion_is_raised_by_the_small_bet() -> None:
    assert third_street().play("1 post, 2 complete 2").offers(3) == "fold, call 2, raise to 4"


def test_B4_completion_and_three_raises() -> None:
    table = third_street().play("1 post, 2 complete 2, 3 raise 4, 4 raise 6, 1 raise 8")
    assert table.offers(2) == "fold, call 6"
    assert table.note(2) == CAPPED


def test_B5_opened_for_the_full_bet() -> None:
    assert third_street().play("1 bet 2").offers(2) == "fold, call 2, raise to 4"


def test_B26_a_short_force_bet_leaves_the_price() -> None:
    table = third_street(stakes=DEEP, chips={1: 1})
    assert table.offers(1) == "post 1 all in"
    assert table.play("1 post").offers(2) == "fold, call 3, complete to 10"


def test_B27_an_all_in_of_half_the_bet_counts_as_full() -> None:
    table = third_street(stakes=DEEP, chips={2: 6}).play("1 post")
    assert table.offers(2) == "fold, call 3, complete to 6 all in"
    assert table.play("2 complete 6").offers(3) == "fold, call 6, raise to 16"


def test_B28_an_all_in_of_less_is_completed() -> None:
    table = third_street(stakes=DEEP, chips={2: 4}).play("1 post, 2 complete 4")
    assert table.offers(3) == "fold, call 4, complete to 10"


def test_B28_the_force_seat_still_has_its_raise() -> None:
    table = third_street(stakes=DEEP, chips={2: 4}).play("1 post, 2 complete 4, 3 call, 4 call")
    assert table.offers(1) == "fold, call 1, complete to 10", "a forced post is not a voluntary action"
    assert table.play("1 complete 10").offers(3) == "fold, call 6, raise to 20"


def test_B30_no_second_option_for_the_force_seat() -> None:
    table = third_street().play("1 post, 2 call, 3 call, 4 call")
    assert table.hand.street == "fourth street"


def test_4_2_the_force_seat_cannot_check_or_fold() -> None:
    table = third_street()
    kinds = {option.kind for option in table.options(1)}
    assert kinds == {"bring_in", "bet"}


def test_4_2_force_seat_with_less_than_the_full_bet_may_open_all_in() -> None:
    table = third_street(stakes=DEEP, chips={1: 6})
    assert table.offers(1) == "post 3, bet 6 all in"
    assert table.play("1 bet 6").offers(2) == "fold, call 6, raise to 16"


def test_4_2_a_force_bet_as_large_as_the_small_bet_is_the_bet() -> None:
    table = third_street(bring_in=2)
    assert table.offers(1) == "post 2"
    assert table.play("1 post").offers(2) == "fold, call 2, raise to 4"
    assert table.play("2 raise 4, 3 raise 6, 4 raise 8").offers(1) == "fold, call 6"


def test_4_2_without_a_force_bet_amount_the_opener_checks_or_bets() -> None:
    table = third_street(bring_in=0)
    assert table.offers(1) == "fold, check, bet 2"


# -------------------------------------------------------------- the open pair


def test_B6_open_pair_unopened() -> None:
    assert open_pair().offers(1) == "fold, check, bet 2 or 4"


def test_B7_open_pair_after_a_small_bet() -> None:
    assert open_pair().play("1 bet 2").offers(2) == "fold, call 2, raise to 4 or 6"


def test_B8_open_pair_after_a_big_raise() -> None:
    assert open_pair().play("1 bet 2, 2 raise 6").offers(3) == "fold, call 6, raise to 10"


def test_B9_open_pair_the_holder_checks() -> None:
    assert open_pair().play("1 check").offers(2) == "fold, check, bet 2 or 4"


def test_B10_open_pair_after_a_big_bet() -> None:
    assert open_pair().play("1 bet 4").offers(2) == "fold, call 4, raise to 8"


def test_B10a_a_small_raise_does_not_lock_the_round() -> None:
    table = open_pair().play("1 bet 2, 2 raise 4")
    assert table.offers(3) == "fold, call 4, raise to 6 or 8"
    assert table.play("3 raise 8").offers(4) == "fold, call 8, raise to 12"


def test_4_3_open_pair_switched_off() -> None:
    table = open_pair(open_pair="off")
    assert table.offers(1) == "fold, check, bet 2"
    assert table.play("1 bet 2").offers(2) == "fold, call 2, raise to 4"


def test_4_3_open_pair_for_the_holder_only() -> None:
    table = open_pair(open_pair="holder")
    assert table.offers(1) == "fold, check, bet 2 or 4"
    assert table.play("1 check").offers(2) == "fold, check, bet 2"
    assert table.play("2 bet 2").offers(3) == "fold, call 2, raise to 4"
    assert table.play("3 call, 4 call").offers(1) == "fold, call 2, raise to 4 or 6"
    assert table.play("1 raise 6").offers(2) == "fold, call 4, raise to 10", "after a big wager only big raises"


def test_4_3_no_pair_no_option_and_no_option_on_other_streets() -> None:
    rows = {1: "(xx) Kc Qd Kh", 2: "(xx) 2c 9d 9h"}
    table = deal(STUD8, rows, button=2).until("fourth street")
    assert table.offers(1) == "fold, check, bet 2"
    assert table.until("fifth street").offers(1) == "fold, check, bet 4"


def test_4_3_the_option_stays_when_the_pair_folds() -> None:
    assert open_pair().play("1 fold").offers(2) == "fold, check, bet 2 or 4"


def test_4_3_a_pair_that_has_folded_before_does_not_count() -> None:
    rows = {1: "(xx) Kc -", 2: "(xx) 2c 9d", 3: "(xx) 4d 8h"}
    table = deal(STUD8, rows, button=3).play("2 post, 3 call, 1 fold").until("fourth street")
    assert table.offers(2) == "fold, check, bet 2"


def test_4_3_the_cap_counts_wagers_not_sizes() -> None:
    table = open_pair().play("1 bet 2, 2 raise 4, 3 raise 8, 4 raise 12")
    assert table.offers(1) == "fold, call 10"


def test_4_3_short_all_in_is_measured_against_the_small_bet_until_a_big_one_is_made() -> None:
    stakes = replace(STUD8.stakes, ante=0, bring_in=5, small=10, big=20)
    table = open_pair(stakes=stakes, chips={2: 5 + 15}).play("1 bet 10, 2 raise 15")
    assert table.offers(3) == "fold, call 15, raise to 25 or 35", "5 of 10 is half a bet"
    table = open_pair(stakes=stakes, chips={2: 5 + 25}).play("1 bet 20, 2 raise 25")
    assert table.offers(3) == "fold, call 25, complete to 40", "5 of 20 is less"


def test_4_3_open_pair_is_for_the_stud_games_only() -> None:
    assert STUD.stakes.open_pair == STUD8.stakes.open_pair == "any_active"
    assert RAZZ_ROLL_YOUR_OWN.stakes.open_pair == BARNEYS.stakes.open_pair == "off"
    rows = {1: "xx Kc Kd", 2: "xx 2c 9d"}
    table = deal(BARNEYS, rows, button=2, stakes=FIXED, open_pair="any_active").until("fourth street")
    assert table.offers(1) == "fold, check, bet 2"


# --------------------------------------------------------------------- spread


def test_B11_B12_a_raise_is_at_least_the_last_one() -> None:
    table = one_round(4, limit="spread", least=1, most=4).play("1 bet 1, 2 raise 3")
    assert table.offers(3) == "fold, call 3, raise to 5 to 7"
    assert table.play("3 raise 7").offers(4) == "fold, call 7, raise to 11"


def test_B13_B14_the_force_seat_opens_for_any_amount() -> None:
    table = third_street(stakes=SPREAD, most=5)
    assert table.offers(1) == "post 1, bet 2 to 5"
    assert table.play("1 post").offers(2) == "fold, call 1, raise to 2 to 6"


def test_B14a_force_two_of_ten() -> None:
    table = third_street(stakes=SPREAD, bring_in=2, least=2, most=10).play("1 post, 2 raise 7")
    assert table.offers(3) == "fold, call 7, raise to 12 to 17"


def test_4_4_the_force_bet_counts_toward_the_cap() -> None:
    table = third_street(stakes=SPREAD, most=5).play("1 post, 2 raise 2, 3 raise 3, 4 raise 4")
    assert table.offers(1) == "fold, call 3"


def test_4_4_an_opening_between_force_and_least_is_a_bet() -> None:
    table = third_street(stakes=SPREAD, bring_in=1, least=3, most=5)
    assert table.offers(1) == "post 1, bet 2 to 5"
    assert table.play("1 bet 2").offers(2) == "fold, call 2, raise to 4 to 7"


def test_4_4_later_streets_keep_the_bounds() -> None:
    table = third_street(stakes=SPREAD, bring_in=1, least=2, most=5).until("fourth street")
    assert table.offers(table.first) == "fold, check, bet 2 to 5"


# --------------------------------------------------------- short all-ins (4.5)


def pagat(**changes: Any) -> StackedHand:
    """Limit 5: [1] checks, [2] bets 5, [3] calls, [4] is all-in for 6."""
    return one_round(5, unit=5, chips={4: 6}, **changes).play("1 check, 2 bet 5, 3 call, 4 raise 6")


def test_B15_the_next_may_complete() -> None:
    assert pagat().offers(5) == "fold, call 6, complete to 10"


def test_B16_a_player_who_checked_before_the_bet_may_complete_too() -> None:
    assert pagat().play("5 call").offers(1) == "fold, call 6, complete to 10"


def test_B16_but_not_under_the_house_rule() -> None:
    table = pagat(no_check_raise=True).play("5 call")
    assert table.offers(1) == "fold, call 6"
    assert table.note(1) == CHECKED


def test_B17_the_bettor_is_not_reopened() -> None:
    table = pagat().play("5 call, 1 call")
    assert table.offers(2) == "fold, call 1"
    assert table.note(2) == NOT_REOPENED


def test_B18_an_all_in_bet_of_three_quarters() -> None:
    assert one_round(3, unit=20, chips={1: 15}).play("1 bet 15").offers(2) == "fold, call 15, raise to 35"


def test_B18_exactly_half_is_enough() -> None:
    assert one_round(3, unit=20, chips={1: 10}).play("1 bet 10").offers(2) == "fold, call 10, raise to 30"


def test_B18_full_bet_rule() -> None:
    table = one_round(3, unit=20, chips={1: 15}, short_allin="full").play("1 bet 15")
    assert table.offers(2) == "fold, call 15, complete to 20"


def test_B19_an_all_in_bet_below_half() -> None:
    assert one_round(3, unit=20, chips={1: 8}).play("1 bet 8").offers(2) == "fold, call 8, complete to 20"


def test_B20_B21_B22_short_all_ins_add_up() -> None:
    table = one_round(5, unit=20, chips={2: 26, 4: 31}).play("1 bet 20, 2 raise 26")
    assert table.offers(3) == "fold, call 26, complete to 40"
    table.play("3 call, 4 complete 31")
    assert table.offers(5) == "fold, call 31, raise to 51"
    assert table.play("5 call").offers(1) == "fold, call 11, raise to 51"


def test_B22_full_bet_rule_does_not_reopen() -> None:
    table = one_round(5, unit=20, chips={2: 26, 4: 31}, short_allin="full")
    table.play("1 bet 20, 2 raise 26, 3 call, 4 complete 31, 5 call")
    assert table.offers(1) == "fold, call 11"


def test_4_5_printed_checks_of_barge() -> None:
    assert one_round(3, unit=400, chips={1: 100}).play("1 bet 100").offers(2) == "fold, call 100, complete to 400"
    assert one_round(3, unit=400, chips={1: 300}).play("1 bet 300").offers(2) == "fold, call 300, raise to 700"


def test_B29_spread_limit_wants_the_full_raise() -> None:
    table = one_round(4, chips={2: 8}, limit="spread", least=1, most=5)
    table.play("1 bet 5, 2 raise 8, 3 call, 4 call")
    assert table.offers(1) == "fold, call 3"
    assert table.note(1) == NOT_REOPENED


def test_B29_half_bet_rule_in_spread_limit() -> None:
    table = one_round(4, chips={2: 8}, limit="spread", least=1, most=5, short_allin="half")
    table.play("1 bet 5, 2 raise 8")
    assert table.offers(3) == "fold, call 8, raise to 13"


def test_4_5_a_short_all_in_does_not_reopen_for_a_caller_of_the_forced_bet() -> None:
    table = third_street(5, stakes=DEEP, chips={3: 4}).play("1 post, 2 call, 3 complete 4")
    assert table.offers(4) == "fold, call 4, complete to 10"
    assert table.play("4 call, 5 call").offers(1) == "fold, call 1, complete to 10"
    assert table.play("1 call").offers(2) == "fold, call 1"


def test_4_5_a_short_bet_does_not_reopen_for_a_player_who_has_checked() -> None:
    table = one_round(3, unit=20, chips={2: 8}).play("1 check, 2 bet 8, 3 call")
    assert table.offers(1) == "fold, call 8"
    assert table.note(1) == NOT_REOPENED


def test_4_5_a_call_for_less_is_always_allowed() -> None:
    table = one_round(3, unit=20, chips={2: 7}).play("1 bet 20")
    assert table.offers(2) == "fold, call 7 all in"


# ------------------------------------------------------------------- the cap


def test_B23_heads_up_stud8_has_no_cap() -> None:
    table = third_street(2).until("fifth street")
    a, b = table.first, 3 - table.first
    table.play(f"{a} bet 4, {b} raise 8, {a} raise 12, {b} raise 16, {a} raise 20, {b} raise 24")
    assert table.offers(a) == "fold, call 4, raise to 28"


def test_B23_heads_up_capped_by_the_switch() -> None:
    table = third_street(2, heads_up_uncapped=False).until("fifth street")
    a, b = table.first, 3 - table.first
    assert table.play(f"{a} bet 4, {b} raise 8, {a} raise 12, {b} raise 16").offers(a) == "fold, call 4"


@pytest.mark.parametrize("game", [RAZZ_ROLL_YOUR_OWN, BARNEYS], ids=lambda game: game.id)
def test_B24_capped_heads_up_too(game: Game) -> None:
    street = "fifth street" if game is RAZZ_ROLL_YOUR_OWN else "first roll"
    table = deal(game, {1: "", 2: ""}, button=2, limit="fixed").until(street)
    a, b = table.first, 3 - table.first
    table.play(f"{a} bet 4, {b} raise 8, {a} raise 12, {b} raise 16")
    assert table.offers(a) == "fold, call 4"
    assert table.note(a) == CAPPED


def test_B25_a_fold_does_not_lift_the_cap() -> None:
    table = one_round(3, heads_up_uncapped=True).play("1 bet 2, 2 raise 4, 3 raise 6, 1 raise 8, 2 fold")
    assert table.offers(3) == "fold, call 2"


def test_B25_heads_up_before_the_cap_lifts_it() -> None:
    table = one_round(3, heads_up_uncapped=True).play("1 bet 2, 2 raise 4, 3 fold, 1 raise 6, 2 raise 8, 1 raise 10")
    assert table.offers(2) == "fold, call 2, raise to 12"


def test_4_1_other_caps_and_none() -> None:
    table = one_round(3, cap=4).play("1 bet 2, 2 raise 4, 3 raise 6, 1 raise 8")
    assert table.offers(2) == "fold, call 4, raise to 10"
    assert table.play("2 raise 10").offers(3) == "fold, call 4"
    table = one_round(3, cap=None).play("1 bet 2, 2 raise 4, 3 raise 6, 1 raise 8, 2 raise 10, 3 raise 12")
    assert table.offers(1) == "fold, call 4, raise to 14"


def test_4_5_after_the_cap_nobody_is_all_in_above_it() -> None:
    table = one_round(5, chips={5: 9}).play("1 bet 2, 2 raise 4, 3 raise 6, 4 raise 8")
    assert table.offers(5) == "fold, call 8"


def test_4_1_a_short_all_in_does_not_use_up_a_raise() -> None:
    table = one_round(5, unit=20, chips={2: 26}).play("1 bet 20, 2 raise 26, 3 complete 40, 4 raise 60")
    assert table.offers(5) == "fold, call 60, raise to 80"
    assert table.play("5 raise 80").offers(1) == "fold, call 60"


# ------------------------------------------------------------ rounds and turns


def test_1_no_raise_when_nobody_could_call_it() -> None:
    table = one_round(2, chips={1: 2}).play("1 bet 2")
    assert table.offers(2) == "fold, call 2"
    assert table.note(2) == NOBODY_LEFT


def test_1_a_round_is_skipped_with_one_able_player() -> None:
    table = third_street(3, chips={2: 2, 3: 2}).play("1 post, 2 call, 3 call")
    skipped = table.all(ev.RoundSkipped)
    assert table.hand.over
    assert [event.street for event in skipped] == ["fourth street", "fifth street", "sixth street", "seventh street"]


def test_1_the_only_able_player_still_answers_a_wager() -> None:
    table = one_round(2, unit=20, chips={2: 30}).play("1 bet 20, 2 raise 30")
    assert table.offers(1) == "fold, call 10"


def test_4_8_a_fold_without_a_bet_is_allowed() -> None:
    table = one_round(3).play("1 fold, 2 check")
    assert table.offers(3) == "fold, check, bet 2"


def test_4_9_check_raise_is_allowed_without_the_house_rule() -> None:
    assert one_round(3).play("1 check, 2 bet 2, 3 fold").offers(1) == "fold, call 2, raise to 4"
    table = one_round(3, no_check_raise=True).play("1 check, 2 bet 2, 3 fold")
    assert table.offers(1) == "fold, call 2"


def test_4_9_the_house_rule_in_stud_leaves_the_force_seat_free() -> None:
    table = third_street(no_check_raise=True).play("1 post, 2 complete 2, 3 fold, 4 fold")
    assert table.offers(1) == "fold, call 1, raise to 4"


def test_4_1_sizes_by_street() -> None:
    table = third_street(2)
    sizes = []
    for street in ("fourth street", "fifth street", "sixth street", "seventh street"):
        table.until(street)
        sizes.append(table.offers(table.first))
    assert sizes == ["fold, check, bet 2"] + ["fold, check, bet 4"] * 3
