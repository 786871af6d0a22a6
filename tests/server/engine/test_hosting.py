"""Hosts, pauses, void hands and corrected stacks, as the engine decides them."""

import random

import pytest

from protocol import commands as cmd
from protocol import events as ev
from protocol.actions import Action
from protocol.facts import HostChanged, Pause, PauseKind
from server.engine.table_state import TableState
from tests.support.engine_table import EngineTable, deck_of, host_command, random_command, table_rules

PAUSE = cmd.PausePlay(Pause("pause", "Ann", "dinner"))


def token(seat: int) -> bytes:
    return bytes([seat]) * 32


def test_nobody_acts_and_nothing_is_dealt_while_the_table_is_paused() -> None:
    table = EngineTable().sit(100, 100, 100).deal()
    (seat,) = table.turn
    table.do(PAUSE)
    asked = table.state.pending[seat]
    assert table.refusal(cmd.Act(seat, asked, Action("fold"))) == "paused"
    assert table.refusal(cmd.TimeUp(seat, asked)) == "paused"
    assert table.refusal(PAUSE) == "paused"
    table.do(cmd.Say("Ben", "back in a minute", 2))
    table.do(cmd.ResumePlay("Ann"))
    assert table.turn == [seat]
    table.finish()
    table.do(PAUSE)
    assert not table.state.can_deal()
    assert table.refusal(cmd.StartHand(deck_of(random.Random(1)), "h2")) == "not_now"
    table.do(cmd.ResumePlay("Ann"))
    assert table.state.can_deal()
    assert table.refusal(cmd.ResumePlay("Ann")) == "not_now"


@pytest.mark.parametrize("kind", ["stop", "break"])
def test_the_running_hand_ends_before_the_table_stops(kind: PauseKind) -> None:
    table = EngineTable().sit(100, 100).deal()
    table.do(cmd.PausePlay(Pause(kind, "Ann", minutes=10)))
    table.finish()
    assert table.state.view.hand == 1
    assert not table.state.can_deal()
    table.do(cmd.ResumePlay("Ann"))
    assert table.state.can_deal()


def test_who_leaves_during_a_pause_is_decided_for_when_the_table_goes_on() -> None:
    table = EngineTable().sit(100, 100, 100).deal()
    (seat,) = table.turn
    table.do(PAUSE)
    table.do(cmd.StandUp(seat))
    assert table.turn == [seat]
    table.do(cmd.ResumePlay("Ann"))
    assert seat not in table.turn


def test_a_void_hand_gives_back_the_chips_and_the_same_dealer_deals_the_same_game_again() -> None:
    """Robert's Rules of Poker, misdeals: the deal is made again; the button does not move."""
    table = EngineTable(table_rules(("stud8", "razz"), change="hand")).sit(100, 7, 60)
    table.deal().finish()
    stacks = [table.stack(seat) for seat in (1, 2, 3)]
    table.deal()
    button, game = table.state.view.button, table.state.view.game
    for _ in range(3):
        table.quietly()
    table.do(cmd.VoidHand("declared void by Ann: a card was seen", redeal=True))
    assert [table.stack(seat) for seat in (1, 2, 3)] == stacks
    view = table.state.view
    assert (view.pot(), view.playing, table.turn) == (0, False, [])
    table.deal()
    assert (view.button, view.game) == (button, game)
    table.finish()
    table.deal()
    assert view.button != button
    assert view.game != game


def test_a_void_hand_shows_no_card() -> None:
    table = EngineTable().sit(100, 100).deal()
    events = table.do(cmd.VoidHand("declared void by Ann", redeal=True))
    assert [type(event) for event in events] == [ev.HandVoided]
    assert table.refusal(cmd.Show(1)) == "not_now"


def test_a_stack_is_corrected_between_hands_with_a_reason_that_everybody_reads() -> None:
    table = EngineTable().sit(100, 100)
    (added,) = table.do(cmd.CorrectStack(1, 20, "corrected by Ann: a forgotten rebuy"))
    assert added == ev.ChipsAdded(1, 20, 120, "corrected by Ann: a forgotten rebuy")
    assert table.refusal(cmd.CorrectStack(1, -121, "why")) == "buy_in"
    assert table.refusal(cmd.CorrectStack(1, 0, "why")) == "buy_in"
    assert table.refusal(cmd.CorrectStack(7, 5, "why")) == "not_seated"
    assert [type(event) for event in table.do(cmd.CorrectStack(2, -100, "why"))] == [ev.ChipsAdded, ev.PlayerAway]
    assert [type(event) for event in table.do(cmd.CorrectStack(2, 50, "why"))] == [ev.ChipsAdded, ev.PlayerBack]
    table.deal()
    assert table.refusal(cmd.CorrectStack(1, 20, "why")) == "not_now"


def test_the_role_belongs_to_the_token_and_not_to_the_name() -> None:
    table = EngineTable().sit(100, 100)
    table.do(cmd.NameHost(1, by="the operator"))
    view = table.state.view
    assert view.is_host(1)
    assert table.refusal(cmd.NameHost(1)) == "not_now"
    table.do(cmd.StandUp(1, "the host has freed the seat", keep=True))
    assert not view.hosts
    table.do(cmd.SitDown("Ann B", 100, b"x" * 32, 1))
    assert not view.hosts, "another token in the seat is no host"
    events = table.do(cmd.SitDown("Ann", 100, token(1), 3))
    assert [event.fact for event in events if isinstance(event, ev.Said)] == [HostChanged(3, True)]
    assert view.hosts == (3,)
    table.do(cmd.StandUp(3))
    table.do(cmd.SitDown("Ann", 100, token(1), 3))
    assert not view.hosts, "who leaves for good gives the role back"


def test_a_seat_that_is_given_back_keeps_the_role() -> None:
    table = EngineTable().sit(100, 100)
    table.do(cmd.NameHost(1))
    table.do(cmd.Connection(1, False))
    table.do(cmd.GiveBack("Ann", token(1), b"n" * 32, "by the host's word"))
    restored = TableState.restored(table.state.checkpoint())
    assert restored.view.is_host(1)
    restored.apply(cmd.StandUp(1, keep=True))
    restored.apply(cmd.SitDown("Ann", 100, b"n" * 32, 4))
    assert restored.view.hosts == (4,)


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(40))
def test_chips_are_conserved_and_the_same_commands_give_the_same_table_whatever_a_host_does(seed: int) -> None:
    """`TableState.apply` itself raises ChipsLost; every accepted command is played once more from the start."""
    rng = random.Random(seed)
    rules = table_rules(("stud8", "barneys"), change="hand", misses=2)
    table = EngineTable(rules).sit(*[rng.randint(5, 60) for _ in range(rng.randint(2, 5))])
    for _ in range(300):
        lucky = rng.random() < 0.15
        table.attempt(host_command(rng, rng.randint(1, 5)) if lucky else random_command(rng, table.state))
    again = TableState()
    for step in table.steps:
        assert step.command is not None
        assert again.apply(step.command) == step.events
    assert again.view == table.state.view
    assert {"paused", "not_now"} & set(table.refused)


def test_a_hand_with_side_pots_on_the_last_street_is_void_to_the_last_chip() -> None:
    for seed in range(400):
        rng = random.Random(seed)
        table = EngineTable(table_rules(("stud8",))).sit(100, 12, 60, 100)
        table.deal(deck_of(rng))
        while table.state.hand is not None and not (
            table.state.view.street == "seventh street" and len(table.state.view.pots) > 1
        ):
            command = random_command(rng, table.state)
            if isinstance(command, cmd.Act):
                table.attempt(command)
        if table.state.hand is None:
            continue
        view = table.state.view
        assert any(seat.all_in for seat in view.in_hand())
        folded = [seat.seat for seat in view.seats if seat.hand == "folded"]
        (voided,) = table.do(cmd.VoidHand("declared void by Ann", redeal=True))
        assert isinstance(voided, ev.HandVoided)
        assert dict(voided.stacks) == {1: 100, 2: 12, 3: 60, 4: 100}
        assert [table.stack(seat) for seat in (1, 2, 3, 4)] == [100, 12, 60, 100]
        assert (view.pot(), view.pots) == (0, ())
        assert not any(seat.all_in for seat in view.seats)
        assert all(not view.seat(seat).shown for seat in folded)
        table.deal(deck_of(rng)).finish()
        assert view.chips() == 272
        return
    raise AssertionError("no such hand")
