"""An evening at a table: commands by chance, the opening, the button, and void hands."""

import random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec.structs import replace

from protocol import commands as cmd
from protocol import events as ev
from protocol.cards import DECK
from protocol.stakes import Stakes
from protocol.table_rules import GameChange, TableRules
from protocol.view import TableView, hide
from protocol.visibility import project
from server.engine.errors import IllegalAction
from server.engine.games.catalogue import GAMES
from server.engine.table_state import TableState
from tests.support.engine_table import EngineTable, random_command, table_rules

# ---------------------------------------------------------------- by chance


@pytest.mark.slow
@settings(max_examples=60, deadline=None)
@given(st.integers(0, 2**32), st.sampled_from(("never", "hand", "orbit", "dealer")), st.integers(1, 3))
def test_random_commands(seed: int, change: GameChange, misses: int) -> None:
    """Chips are conserved, only IllegalAction is raised, and the same commands give the same events."""
    rng = random.Random(seed)
    games = rng.sample(sorted(GAMES), 3)
    table = EngineTable(table_rules(games, change=change, misses=misses, least=1, most=120))
    bank = 0
    for _ in range(200):
        command = random_command(rng, table.state)
        before = len(table.events)
        if not table.attempt(command):
            continue
        for event in table.events[before:]:
            bank += event.chips if isinstance(event, ev.PlayerSeated) else 0
            bank += event.amount if isinstance(event, ev.ChipsAdded) else 0
            bank -= event.chips if isinstance(event, ev.PlayerLeft) else 0
        view = table.state.view
        assert view.chips() == bank
        assert all(seat.chips >= 0 for seat in view.seats)
        assert set(table.state.pending) == {seat.seat for seat in view.seats if seat.pending is not None}
        assert not table.state.leaving & set(table.state.pending), "for those who left it is decided at once"
    again = TableState()
    events = [event for command in table.commands for event in again.apply(command)]
    assert events == table.events
    assert again.view == table.state.view
    for viewer in (None, 1, 4):
        folded = TableView().apply_all([project(event, viewer) for event in events])
        assert folded == hide(table.state.view, viewer)


def test_random_commands_reach_hands_and_refusals() -> None:
    """The commands above are not all refused, and not all accepted."""
    rng = random.Random(5)
    table = EngineTable(table_rules(("barneys", "stud8", "razz"), change="dealer", misses=2, most=120))
    for _ in range(3000):
        table.attempt(random_command(rng, table.state))
    kinds = {type(event).__name__ for event in table.events}
    assert sum(isinstance(event, ev.HandEnded) for event in table.events) > 20
    assert {"PlayerLeft", "PlayerAway", "PlayerBack", "ChipsAdded", "ChipsOrdered", "GamePicked"} <= kinds
    assert {"stale", "not_asked", "buy_in", "not_seated", "done"} <= set(table.refused)


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


def test_the_button_moves_clockwise_over_the_seats_that_play() -> None:
    table = EngineTable().sit(100, 100, 100)
    buttons = []
    for _ in range(4):
        table.deal().finish()
        buttons.append(table.state.view.button)
    assert buttons == [1, 2, 3, 1]
    table.do(cmd.SitOut(2))
    assert table.deal().finish().state.view.button == 3


def test_a_full_table_with_too_many_for_the_game_the_dealer_plays() -> None:
    table = EngineTable(table_rules(("barneys",))).sit(*[100] * 8).deal()
    assert table.state.hand is not None
    assert table.state.hand.seats == (2, 3, 4, 5, 6, 7, 1)


def test_a_void_hand_gives_everything_back() -> None:
    table = EngineTable().sit(100, 90, 80).deal()
    for _ in range(5):
        table.quietly()
    table.do(cmd.VoidHand("spilled coffee"))
    assert [table.stack(seat) for seat in (1, 2, 3)] == [100, 90, 80]
    assert table.turn == []
    assert table.deal().finish().state.view.hand == 2
