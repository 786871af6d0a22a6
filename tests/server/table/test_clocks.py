"""Clocks and the time bank (`rules.md` 10), without any time passing."""

from math import inf

from protocol.events import ActionRequested, Seat
from protocol.table_rules import Clocks
from server.table.clocks import TableClocks

RULES = Clocks(bet=30, choose=20, arrange=60, declare=20, bank=60, grace=45)
BET = ActionRequested(1, "bet", (), seconds=30)
CHOOSE = ActionRequested(1, "choose", (), seconds=20)
FREE = ActionRequested(1, "bet", (), seconds=None)


def clocks(rules: Clocks = RULES) -> TableClocks:
    return TableClocks(rules)


def follow(table: TableClocks, asked: dict[Seat, int], request: ActionRequested, now: float) -> None:
    table.follow(asked, lambda seat: request, now)


def test_betting_has_its_time_and_then_the_bank() -> None:
    table = clocks()
    follow(table, {3: 10}, BET, 1000.0)
    assert table.next == 1090.0
    assert table.due(1089.9) == []
    assert table.due(1090.0) == [(3, 10)]


def test_everybody_is_told_once_that_a_clock_has_gone_on_to_the_bank() -> None:
    table = clocks()
    follow(table, {3: 10}, BET, 1000.0)
    assert table.wake == 1030.0
    assert not table.overtime(1029.9)
    assert table.overtime(1030.0)
    assert not table.overtime(1031.0)
    assert table.left(1030.0) == ((3, 600),)
    assert table.wake == table.next == 1090.0
    follow(table, {3: 11}, BET, 1090.0)  # the bank is used up
    assert table.wake == table.next == 1120.0
    assert not table.overtime(1120.0)
    follow(table, {3: 12, 4: 12}, CHOOSE, 1200.0)
    assert table.wake == table.next == 1220.0


def test_choosing_has_no_bank() -> None:
    table = clocks()
    follow(table, {3: 10, 4: 11}, CHOOSE, 1000.0)
    assert table.next == 1020.0
    assert table.due(1020.0) == [(3, 10), (4, 11)]


def test_the_bank_is_of_the_session_and_only_overtime_is_paid() -> None:
    table = clocks()
    follow(table, {3: 10}, BET, 0.0)
    follow(table, {4: 11}, BET, 50.0)  # seat 3 answered after 50 seconds: 20 from the bank
    follow(table, {3: 12}, BET, 60.0)  # seat 4 in time
    assert table.next == 60.0 + 30 + 40
    follow(table, {4: 13}, BET, 61.0)
    assert table.next == 61.0 + 30 + 60


def test_a_bank_that_is_used_up_stays_used_up_until_the_seat_is_given_back() -> None:
    table = clocks()
    follow(table, {3: 10}, BET, 0.0)
    follow(table, {}, BET, 90.0)
    follow(table, {3: 11}, BET, 100.0)
    assert table.next == 130.0
    follow(table, {}, BET, 101.0)
    table.leave([3])
    follow(table, {3: 12}, BET, 200.0)
    assert table.next == 290.0


def test_the_same_question_keeps_its_clock() -> None:
    table = clocks()
    follow(table, {3: 10, 4: 11}, CHOOSE, 0.0)
    follow(table, {3: 10}, CHOOSE, 5.0)
    follow(table, {3: 10}, CHOOSE, 6.0)
    assert table.next == 20.0


def test_without_clocks_nothing_is_ever_due() -> None:
    table = clocks()
    follow(table, {3: 10}, FREE, 0.0)
    assert table.next == inf
    assert table.left(0.0) == ()
    follow(table, {}, FREE, 1e9)
    follow(table, {3: 11}, BET, 1e9)
    assert table.next == 1e9 + 90, "the bank was not touched"


def test_fault_74_80_a_stop_of_the_process_is_nobodys_time() -> None:
    table = clocks()
    follow(table, {3: 10}, CHOOSE, 0.0)
    table.shift(60.0)
    assert table.due(79.0) == []
    assert table.due(80.0) == [(3, 10)]


def test_fault_80_after_a_restart_clocks_are_full_with_the_grace_on_top() -> None:
    table = clocks()
    table.restart({3: 10}, lambda seat: CHOOSE, 500.0)
    assert table.next == 565.0
    follow(table, {3: 10}, CHOOSE, 501.0)
    assert table.next == 565.0


def test_what_is_left_is_told_in_tenths_with_the_bank() -> None:
    table = clocks()
    follow(table, {5: 10, 2: 11}, CHOOSE, 0.0)
    assert table.left(0.55) == ((2, 195), (5, 195))
    assert table.left(99.0) == ((2, 0), (5, 0))


def test_rules_10_an_absent_player_has_one_clock_and_no_bank() -> None:
    table = clocks()
    assert not table.presence([3], 0.0)
    follow(table, {3: 10}, BET, 0.0)
    assert table.next == 30.0
    assert table.left(0.0) == ((3, 300),)
    assert table.presence([], 29.0), "who is back has the bank again"
    assert table.next == 90.0
    follow(table, {3: 11}, BET, 40.0)
    assert table.banks(40.0) == ((3, 500),), "ten seconds of it were used"


def test_rules_10_a_player_who_is_lost_while_deciding_has_one_clock_from_then_on() -> None:
    table = clocks()
    follow(table, {3: 10}, BET, 0.0)
    assert table.next == 90.0
    assert table.presence([3], 20.0)
    assert table.next == 50.0
    assert not table.presence([3, 4], 25.0)
    table.shift(100.0)
    assert table.next == 150.0
    assert table.presence([4], 100.0)
    assert table.next == 190.0
    assert not table.presence([3], 170.0), "twenty seconds were left, with the bank"
    assert table.next == 190.0


def test_rules_10_after_a_restart_an_absent_player_has_the_grace_and_no_bank() -> None:
    table = clocks()
    table.presence([3], 0.0)
    table.restart({3: 10}, lambda seat: BET, 0.0)
    assert table.next == 30.0 + 45.0


def test_a_bank_that_runs_is_told_apart_from_the_clock() -> None:
    table = clocks()
    follow(table, {3: 10}, BET, 0.0)
    assert table.banks(30.0) == ()
    assert (table.left(50.0), table.banks(50.0)) == (((3, 400),), ((3, 400),))
    assert not table.bank_used()
    follow(table, {4: 11}, BET, 50.0)
    assert table.bank_used()
    assert not table.bank_used()
    assert table.banks(60.0) == ((3, 400),)
