"""Seats at a table (`rules.md` 10): who sits where, bought chips, missed clocks."""

import random

from protocol import commands as cmd
from protocol import events as ev
from protocol.cards import DECK
from protocol.stakes import Stakes
from tests.support.engine_table import EngineTable, deck_of, table_rules

ANTE_10 = Stakes(ante=10, bring_in=20, small=50, big=100)


def test_leaving_in_a_hand_the_seat_is_decided_for_and_given_back() -> None:
    evening = EngineTable().sit(100, 100, 100).deal()
    (seat,) = evening.turn
    evening.do(cmd.StandUp(seat))
    assert seat not in evening.turn
    posted = next(event for event in evening.events if isinstance(event, ev.Acted))
    assert (posted.seat, posted.action, posted.cause) == (seat, "bring_in", "left")
    evening.finish()
    left = next(event for event in evening.events if isinstance(event, ev.PlayerLeft))
    assert left.seat == seat
    assert not evening.table.view.seat(seat).name


def test_the_actions_of_a_new_player_in_a_seat_are_counted_anew() -> None:
    evening = EngineTable().sit(100, 100, 100).deal()
    for number in (900, 1):
        while 1 not in evening.turn:
            evening.quietly()
        assert evening.table.hand is not None
        evening.act(1, evening.table.hand.default(1), number)
        evening.finish()
        if number == 900:
            evening.do(cmd.StandUp(1))
            evening.do(cmd.SitDown("Dot", 100, b"new", 1))
            evening.deal()
    assert evening.table.tokens[1] == b"new"
    assert evening.table.last_ids[1] == 1


def test_chips_bought_in_a_hand_arrive_after_it() -> None:
    evening = EngineTable().sit(100, 100).deal()
    evening.do(cmd.TopUp(1, 50))
    assert evening.table.view.chips() == 200
    evening.finish()
    assert evening.table.view.chips() == 250


def test_chips_bought_in_a_hand_do_not_lift_a_stack_above_the_most() -> None:
    evening = EngineTable(table_rules(("stud",), least=20, most=100, stakes=ANTE_10)).sit(100, 100)
    evening.deal(deck_of(random.Random(3)))
    evening.do(cmd.TopUp(1, 10))
    evening.do(cmd.TopUp(2, 10))
    evening.finish()
    stacks = sorted(evening.stack(seat) for seat in (1, 2))
    assert stacks[1] > 100, "the winner has more than the most, and bought nothing"
    assert evening.table.view.chips() == sum(stacks)
    added = [event for event in evening.events if isinstance(event, ev.ChipsAdded)]
    assert [event.seat for event in added] == [seat for seat in (1, 2) if evening.stack(seat) == stacks[0]]
    assert all(event.chips <= 100 for event in added)


def test_out_of_chips_is_away_and_back_after_buying() -> None:
    evening = EngineTable(table_rules(stakes=ANTE_10)).sit(10, 100, 100)
    rng = random.Random(1)
    while evening.stack(1):
        deck = list(DECK)
        rng.shuffle(deck)
        evening.deal(deck).finish()
    assert evening.table.view.seat(1).away
    evening.do(cmd.TopUp(1, 50))
    assert not evening.table.view.seat(1).away


def test_a_player_who_sat_out_before_going_broke_stays_out_after_buying() -> None:
    for seed in range(40):
        evening = EngineTable(table_rules(stakes=ANTE_10)).sit(10, 100, 100)
        deck = list(DECK)
        random.Random(seed).shuffle(deck)
        evening.deal(deck)
        evening.do(cmd.SitOut(1))
        evening.finish()
        if not evening.stack(1):
            break
    assert evening.stack(1) == 0
    evening.do(cmd.TopUp(1, 50))
    assert evening.table.view.seat(1).away
    evening.do(cmd.SitIn(1))
    assert not evening.table.view.seat(1).away


def test_10_a_missed_clock_sits_out_from_the_next_hand() -> None:
    evening = EngineTable().sit(100, 100, 100).deal()
    (seat,) = evening.turn
    evening.do(cmd.TimeUp(seat, evening.table.pending[seat]))
    assert not evening.table.view.seat(seat).away, "dealt in to the end of this hand"
    evening.finish()
    assert evening.table.view.seat(seat).away
    assert seat not in evening.table.ready()
    evening.do(cmd.SitIn(seat))
    assert seat in evening.table.ready()


def late_hand(evening: EngineTable, seat: int) -> None:
    """A hand in which the seat's first clock runs out."""
    evening.deal()
    while seat not in evening.turn:
        evening.quietly()
    evening.do(cmd.TimeUp(seat, evening.table.pending[seat]))
    evening.finish()


def test_10_misses_count_in_a_row_and_anew_after_sitting_in() -> None:
    rules = table_rules(misses=2)
    evening = EngineTable(rules).sit(100, 100, 100)
    late_hand(evening, 1)
    late_hand(evening, 1)
    assert evening.table.view.seat(1).away, "two hands in a row"
    evening = EngineTable(rules).sit(100, 100, 100)
    late_hand(evening, 1)
    evening.deal().finish()
    late_hand(evening, 1)
    assert not evening.table.view.seat(1).away, "one hand between them without a miss"
    evening.do(cmd.SitOut(1))
    evening.do(cmd.SitIn(1))
    late_hand(evening, 1)
    assert not evening.table.view.seat(1).away, "counted anew"


def test_seats_names_and_buy_ins() -> None:
    evening = EngineTable(table_rules(seats=3, least=20, most=100)).sit(50, 50)
    for command, code in (
        (cmd.SitDown("ann", 50, b""), "name_taken"),
        (cmd.SitDown("", 50, b""), "no_name"),
        (cmd.SitDown("Cai", 19, b""), "buy_in"),
        (cmd.SitDown("Cai", 101, b""), "buy_in"),
        (cmd.SitDown("Cai", 50, b"", 2), "seat_taken"),
        (cmd.SitDown("Cai", 50, b"", 0), "seat_taken"),
        (cmd.SitDown("Cai", 50, b"", 4), "seat_taken"),
        (cmd.TopUp(1, 51), "buy_in"),
        (cmd.TopUp(3, 10), "not_seated"),
        (cmd.SitIn(1), "not_away"),
        (cmd.AskGame(), "not_now"),
        (cmd.VoidHand(""), "not_now"),
        (cmd.StartHand((*DECK[:51], 0), "x"), "deck"),
        (cmd.OpenTable("again", table_rules()), "open"),
    ):
        assert evening.refusal(command) == code, command
    evening.do(cmd.SitDown("Cai", 100, b""))
    assert evening.refusal(cmd.SitDown("Dot", 50, b"")) == "full"
