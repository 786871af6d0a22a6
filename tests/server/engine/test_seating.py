"""Seats at a table (`rules.md` 10): who sits where, bought chips, missed clocks."""

import random

import pytest

from protocol import commands as cmd
from protocol import events as ev
from protocol.cards import DECK
from protocol.stakes import Stakes
from server.engine.errors import IllegalAction
from server.engine.table_state import TableState
from tests.support.engine_table import EngineTable, deck_of, table_rules

ANTE_10 = Stakes(ante=10, bring_in=20, small=50, big=100)


def test_leaving_in_a_hand_the_seat_is_decided_for_and_given_back() -> None:
    table = EngineTable().sit(100, 100, 100).deal()
    (seat,) = table.turn
    table.do(cmd.StandUp(seat))
    assert seat not in table.turn
    posted = next(event for event in table.events if isinstance(event, ev.Acted))
    assert (posted.seat, posted.action, posted.cause) == (seat, "bring_in", "left")
    table.finish()
    left = next(event for event in table.events if isinstance(event, ev.PlayerLeft))
    assert left.seat == seat
    assert not table.state.view.seat(seat).name


def test_the_actions_of_a_new_player_in_a_seat_are_counted_anew() -> None:
    table = EngineTable().sit(100, 100, 100).deal()
    for number in (900, 1):
        while 1 not in table.turn:
            table.quietly()
        assert table.state.hand is not None
        table.act(1, table.state.hand.default(1), number)
        table.finish()
        if number == 900:
            table.do(cmd.StandUp(1))
            table.do(cmd.SitDown("Dot", 100, b"new", 1))
            table.deal()
    assert table.state.tokens[1] == b"new"
    assert table.state.last_ids[1] == 1


def test_chips_bought_in_a_hand_arrive_after_it() -> None:
    table = EngineTable().sit(100, 100).deal()
    table.do(cmd.TopUp(1, 50))
    assert table.state.view.chips() == 200
    table.finish()
    assert table.state.view.chips() == 250


def test_chips_bought_in_a_hand_do_not_lift_a_stack_above_the_most() -> None:
    table = EngineTable(table_rules(("stud",), least=20, most=100, stakes=ANTE_10)).sit(100, 100)
    table.deal(deck_of(random.Random(3)))
    table.do(cmd.TopUp(1, 10))
    table.do(cmd.TopUp(2, 10))
    table.finish()
    stacks = sorted(table.stack(seat) for seat in (1, 2))
    assert stacks[1] > 100, "the winner has more than the most, and bought nothing"
    assert table.state.view.chips() == sum(stacks)
    added = [event for event in table.events if isinstance(event, ev.ChipsAdded)]
    assert [event.seat for event in added] == [seat for seat in (1, 2) if table.stack(seat) == stacks[0]]
    assert all(event.chips <= 100 for event in added)


def test_out_of_chips_is_away_and_back_after_buying() -> None:
    table = EngineTable(table_rules(stakes=ANTE_10)).sit(10, 100, 100)
    rng = random.Random(1)
    while table.stack(1):
        deck = list(DECK)
        rng.shuffle(deck)
        table.deal(deck).finish()
    assert table.state.view.seat(1).away
    table.do(cmd.TopUp(1, 50))
    assert not table.state.view.seat(1).away


def test_a_player_who_sat_out_before_going_broke_stays_out_after_buying() -> None:
    for seed in range(40):
        table = EngineTable(table_rules(stakes=ANTE_10)).sit(10, 100, 100)
        deck = list(DECK)
        random.Random(seed).shuffle(deck)
        table.deal(deck)
        table.do(cmd.SitOut(1))
        table.finish()
        if not table.stack(1):
            break
    assert table.stack(1) == 0
    table.do(cmd.TopUp(1, 50))
    assert table.state.view.seat(1).away
    table.do(cmd.SitIn(1))
    assert not table.state.view.seat(1).away


def test_10_a_missed_clock_sits_out_from_the_next_hand() -> None:
    table = EngineTable().sit(100, 100, 100).deal()
    (seat,) = table.turn
    table.do(cmd.TimeUp(seat, table.state.pending[seat]))
    assert not table.state.view.seat(seat).away, "dealt in to the end of this hand"
    table.finish()
    assert table.state.view.seat(seat).away
    assert seat not in table.state.ready()
    table.do(cmd.SitIn(seat))
    assert seat in table.state.ready()


def late_hand(table: EngineTable, seat: int) -> None:
    """A hand in which the seat's first clock runs out."""
    table.deal()
    while seat not in table.turn:
        table.quietly()
    table.do(cmd.TimeUp(seat, table.state.pending[seat]))
    table.finish()


def test_10_misses_count_in_a_row_and_anew_after_sitting_in() -> None:
    rules = table_rules(misses=2)
    table = EngineTable(rules).sit(100, 100, 100)
    late_hand(table, 1)
    late_hand(table, 1)
    assert table.state.view.seat(1).away, "two hands in a row"
    table = EngineTable(rules).sit(100, 100, 100)
    late_hand(table, 1)
    table.deal().finish()
    late_hand(table, 1)
    assert not table.state.view.seat(1).away, "one hand between them without a miss"
    table.do(cmd.SitOut(1))
    table.do(cmd.SitIn(1))
    late_hand(table, 1)
    assert not table.state.view.seat(1).away, "counted anew"


def test_seats_names_and_buy_ins() -> None:
    table = EngineTable(table_rules(seats=3, least=20, most=100)).sit(50, 50)
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
        assert table.refusal(command) == code, command
    table.do(cmd.SitDown("Cai", 100, b""))
    assert table.refusal(cmd.SitDown("Dot", 50, b"")) == "full"


def with_tokens() -> EngineTable:
    """Three players with the tokens a, b and c; the last one is not connected."""
    table = EngineTable()
    for number, token in enumerate((b"a", b"b", b"c")):
        table.do(cmd.SitDown(("Ann", "Ben", "Cho")[number], 200, token))
    table.do(cmd.Connection(3, False))
    return table


def test_trap_A35_a_seat_that_is_given_back_keeps_chips_cards_and_name() -> None:
    table = with_tokens().deal()
    before = table.state.view.seat(3).down
    assert table.do(cmd.GiveBack("Cho", b"c", b"new", "the host's word")) == (ev.Said("", "the host's word"),)
    assert table.state.tokens == {1: b"a", 2: b"b", 3: b"new"}
    assert table.state.view.seat(3).down == before
    assert before
    table.finish()
    assert table.state.view.chips() == 600


def test_trap_A35_kept_chips_that_are_given_back_come_with_the_new_token() -> None:
    table = with_tokens()
    table.do(cmd.StandUp(3, "not there", keep=True))
    table.do(cmd.GiveBack("Cho", b"c", b"new", "the host's word"))
    assert table.state.kept == {b"new": ("Cho", 200)}
    restored = TableState.restored(table.state.checkpoint())
    assert restored.kept == table.state.kept
    table.do(cmd.SitDown("Cho", 200, b"new"))
    assert (table.state.tokens[3], table.state.kept) == (b"new", {})


def test_trap_A35_nothing_is_given_back_that_is_not_lost() -> None:
    table = with_tokens()
    table.do(cmd.SitDown("Dot", 150, b"d"))
    table.do(cmd.StandUp(4, "not there", keep=True))
    for lost, token, code in (
        (b"a", b"new", "seat_taken"),  # Ann is connected
        (b"c", b"b", "seat_taken"),  # the new token has a seat of its own
        (b"c", b"d", "seat_taken"),  # or kept chips
        (b"x", b"new", "not_seated"),
    ):
        with pytest.raises(IllegalAction) as refused:
            table.do(cmd.GiveBack("Cho", lost, token, ""))
        assert refused.value.code == code
        assert table.state.tokens == {1: b"a", 2: b"b", 3: b"c"}
