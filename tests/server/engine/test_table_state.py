"""An evening at a table (`rules.md` 10; the engine's side): chips, seats, decisions, replays."""

import random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec.structs import replace

from protocol import commands as cmd
from protocol import events as ev
from protocol.actions import Action
from protocol.cards import DECK
from protocol.stakes import Stakes
from protocol.table_rules import Change, TableRules
from protocol.view import TableView, hide
from protocol.visibility import project
from server.engine.errors import IllegalAction
from server.engine.games.catalogue import GAMES
from server.engine.table_state import TableState
from tests.support.engine_table import EngineTable, deck_of, random_command, table_rules

ANTE_10 = Stakes(ante=10, bring_in=20, small=50, big=100)


# ---------------------------------------------------------------- by chance


@settings(max_examples=60, deadline=None)
@given(st.integers(0, 2**32), st.sampled_from(("never", "hand", "orbit", "dealer")), st.integers(1, 3))
def test_random_commands(seed: int, change: Change, misses: int) -> None:
    """Chips are conserved, only IllegalAction is raised, and the same commands give the same events."""
    rng = random.Random(seed)
    games = rng.sample(sorted(GAMES), 3)
    evening = EngineTable(table_rules(games, change=change, misses=misses, least=1, most=120))
    bank = 0
    for _ in range(200):
        command = random_command(rng, evening.table)
        before = len(evening.events)
        if not evening.attempt(command):
            continue
        for event in evening.events[before:]:
            bank += event.chips if isinstance(event, ev.PlayerSeated) else 0
            bank += event.amount if isinstance(event, ev.ChipsAdded) else 0
            bank -= event.chips if isinstance(event, ev.PlayerLeft) else 0
        view = evening.table.view
        assert view.chips() == bank
        assert all(seat.chips >= 0 for seat in view.seats)
        assert set(evening.table.pending) == {seat.seat for seat in view.seats if seat.pending is not None}
        assert not evening.table.leaving & set(evening.table.pending), "for those who left it is decided at once"
    again = TableState()
    events = [event for command in evening.commands for event in again.apply(command)]
    assert events == evening.events
    assert again.view == evening.table.view
    for viewer in (None, 1, 4):
        folded = TableView().apply_all([project(event, viewer) for event in events])
        assert folded == hide(evening.table.view, viewer)


def test_random_commands_reach_hands_and_refusals() -> None:
    """The commands above are not all refused, and not all accepted."""
    rng = random.Random(5)
    evening = EngineTable(table_rules(("barneys", "stud8", "razz"), change="dealer", misses=2, most=120))
    for _ in range(3000):
        evening.attempt(random_command(rng, evening.table))
    kinds = {type(event).__name__ for event in evening.events}
    assert sum(isinstance(event, ev.HandEnded) for event in evening.events) > 20
    assert {"PlayerLeft", "PlayerAway", "PlayerBack", "ChipsAdded", "ChipsOrdered", "GamePicked"} <= kinds
    assert {"stale", "not_asked", "buy_in", "not_seated", "done"} <= set(evening.refused)


# ------------------------------------------------------------------ the table

SHORT_GAME = """
id = "short"
title = "Five cards"
players = 4
steps = [{ do = "deal", down = 5 }, { do = "bet", opens = "dealers_left" }, { do = "showdown", high = "high" }]
"""


def test_before_the_table_is_open_nothing_happens() -> None:
    table = TableState()
    for command in (
        cmd.SitDown("Ann", 100, b""),
        cmd.StartHand(DECK, "x"),
        cmd.TimeUp(1, 1),
        cmd.AskGame(),
        cmd.GoOn(1),
    ):
        with pytest.raises(Exception, match="not open yet"):
            table.apply(command)


@pytest.mark.parametrize(
    ("rules", "code"),
    [
        (replace(table_rules(), games=()), "game"),
        (replace(table_rules(), games=(replace(table_rules().games[0], id="bridge"),)), "game"),
        (table_rules(stakes=Stakes(small=4, big=2)), "stakes"),
        (table_rules(stakes=Stakes(bring_in=3)), "stakes"),
    ],
)
def test_a_table_that_cannot_be_played_is_not_opened(rules: TableRules, code: str) -> None:
    with pytest.raises(IllegalAction) as refused:
        EngineTable(rules)
    assert refused.value.code == code


def test_a_refused_opening_leaves_no_house_game_behind() -> None:
    offer = replace(table_rules().games[0], id="short", definition=SHORT_GAME)
    table = TableState()
    with pytest.raises(IllegalAction, match="cannot be played for these stakes"):
        table.apply(
            cmd.OpenTable("kitchen", replace(table_rules(), games=(replace(offer, stakes=Stakes(bring_in=3)),)))
        )
    with pytest.raises(IllegalAction, match="Unknown game: short"):
        table.apply(cmd.OpenTable("kitchen", replace(table_rules(), games=(replace(offer, definition=""),))))


def test_button_moves_clockwise_over_those_who_play() -> None:
    evening = EngineTable().sit(100, 100, 100)
    buttons = []
    for _ in range(4):
        evening.deal().finish()
        buttons.append(evening.table.view.button)
    assert buttons == [1, 2, 3, 1]
    evening.do(cmd.SitOut(2))
    assert evening.deal().finish().table.view.button == 3


def test_a_full_table_with_too_many_for_the_game_the_dealer_plays() -> None:
    evening = EngineTable(table_rules(("barneys",))).sit(*[100] * 8).deal()
    assert evening.table.hand is not None
    assert evening.table.hand.seats == (2, 3, 4, 5, 6, 7, 1)


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


def test_who_takes_a_seat_over_starts_counting_his_actions_anew() -> None:
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
    assert stacks[1] > 100, "he has won more than the most, and bought nothing"
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


def test_who_sat_out_before_going_broke_stays_out_after_buying() -> None:
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
    assert not evening.table.view.seat(seat).away, "he stays in this hand"
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
    assert not evening.table.view.seat(1).away, "a hand between"
    evening.do(cmd.SitOut(1))
    evening.do(cmd.SitIn(1))
    late_hand(evening, 1)
    assert not evening.table.view.seat(1).away, "counted anew"


def test_a_void_hand_gives_everything_back() -> None:
    evening = EngineTable().sit(100, 90, 80).deal()
    for _ in range(5):
        evening.quietly()
    evening.do(cmd.VoidHand("spilled coffee"))
    assert [evening.stack(seat) for seat in (1, 2, 3)] == [100, 90, 80]
    assert evening.turn == []
    assert evening.deal().finish().table.view.hand == 2


def test_dealers_choice() -> None:
    evening = EngineTable(table_rules(("barneys", "stud8"), change="dealer")).sit(100, 100)
    assert evening.refusal(cmd.StartHand(DECK, "x")) == "not_now"
    evening.do(cmd.AskGame())
    assert evening.turn == [1]
    answers = evening.table.pending[1]
    for wrong in (Action("game", game="bridge"), Action("game"), Action("check", game="stud8"), Action("fold")):
        assert evening.refusal(cmd.Act(1, answers, wrong)) == "illegal"
    evening.act(1, Action("game", game="stud8"))
    evening.deal()
    assert evening.table.view.game == "stud8"
    evening.finish()
    evening.do(cmd.AskGame())
    evening.do(cmd.TimeUp(2, evening.table.pending[2]))
    assert evening.deal().table.view.game == "stud8", "the clock keeps the game"


@pytest.mark.parametrize(
    ("change", "played"),
    [("never", "aaaaaa"), ("hand", "abcabc"), ("orbit", "aaabbb")],
)
def test_the_game_changes(change: Change, played: str) -> None:
    games = {"stud8": "a", "razz": "b", "stud": "c"}
    evening = EngineTable(table_rules(tuple(games), change=change, least=1)).sit(500, 500, 500)
    assert "".join(games[evening.deal().finish().table.view.game] for _ in range(6)) == played


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
