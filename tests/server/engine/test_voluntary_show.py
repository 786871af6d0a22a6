"""Hidden cards shown by choice when the hand is over (`rules.md` 7.4: losers may muck)."""

import random

import pytest

from client.bots.simple import passive
from protocol import commands as cmd
from protocol import events as ev
from protocol.actions import Action
from protocol.view import TableView, hide
from protocol.visibility import project
from server.engine.errors import IllegalAction
from tests.support.engine_table import EngineTable, deck_of, table_rules


def after_a_fold(game: str = "stud8", players: int = 3) -> EngineTable:
    """A hand that all but one folded at once."""
    table = EngineTable(table_rules((game,)))
    for seat in range(1, players + 1):
        table.do(cmd.SitDown(f"P{seat}", 100, b"", seat))
    table.do(cmd.StartHand(deck_of(random.Random(3)), "kitchen-1"))
    state = table.state
    while state.hand is not None:
        seat, seq = next(iter(state.pending.items()))
        pending = state.view.seat(seat).pending
        assert pending is not None
        folds = any(option.kind == "fold" for option in pending.request.options)
        table.do(cmd.Act(seat, seq, Action("fold") if folds else passive(pending.request)))
    return table


def test_all_cards_with_what_they_make() -> None:
    state = after_a_fold().state
    for seat in (1, 2, 3):
        own = state.view.seat(seat)
        [event] = state.apply(cmd.Show(seat))
        assert isinstance(event, ev.HandShown)
        assert event.cards == own.down == own.shown
        assert [ranking for ranking, _ in event.values] == ["high", "8low"]
        assert all(name for _, name in event.values)


def test_one_card_then_the_rest() -> None:
    state = after_a_fold().state
    first, second = state.view.seat(2).down
    assert second is not None
    assert state.apply(cmd.Show(2, (second,))) == (ev.HandShown(2, (second,)),)
    for again in ((second,), (second, second)):
        with pytest.raises(IllegalAction) as refused:
            state.apply(cmd.Show(2, again))
        assert refused.value.code == "not_now"
    [event] = state.apply(cmd.Show(2))
    assert isinstance(event, ev.HandShown)
    assert event.cards == (first, second)
    assert event.values
    with pytest.raises(IllegalAction):
        state.apply(cmd.Show(2))


def test_only_own_hidden_cards_of_the_last_hand() -> None:
    state = after_a_fold().state
    others = state.view.seat(1).down
    for cards in (others, state.view.seat(2).up, (52,), (-1,)):
        with pytest.raises(IllegalAction) as refused:
            state.apply(cmd.Show(2, cards))  # type: ignore[arg-type]  # a card is never hidden from the engine
        assert refused.value.code == "illegal"
    assert state.view.seat(2).shown == ()
    state.apply(cmd.SitDown("New", 100, b"", 4))
    for seat in (4, 5):
        with pytest.raises(IllegalAction):
            state.apply(cmd.Show(seat))


def test_not_while_a_hand_runs_nor_before_the_first_nor_after_one_that_does_not_count() -> None:
    table = EngineTable(table_rules())
    for seat in (1, 2):
        table.do(cmd.SitDown(f"P{seat}", 100, b"", seat))
    state = table.state
    for command in (None, cmd.StartHand(deck_of(random.Random(1)), "kitchen-1"), cmd.VoidHand("spilt beer")):
        if command is not None:
            state.apply(command)
        with pytest.raises(IllegalAction) as refused:
            state.apply(cmd.Show(1))
        assert refused.value.code == "not_now"


@pytest.mark.parametrize("game", ["barneys", "razz", "stud8"])
def test_everybody_sees_what_is_shown_and_nothing_else(game: str) -> None:
    table = after_a_fold(game)
    card = table.state.view.seat(2).down[0]
    assert card is not None
    table.do(cmd.Show(2, (card,)))
    for viewer in (None, 1, 2):
        view = TableView().apply_all(project(event, viewer) for event in table.events)
        assert view == hide(table.state.view, viewer)
        assert view.seat(2).shown == (card,)
        assert (None in view.seat(2).down) == (viewer != 2)
