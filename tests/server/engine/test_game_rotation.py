"""Which game is dealt next: it changes with the hand, with the orbit, or as the dealer likes."""

import pytest

from protocol import commands as cmd
from protocol.actions import Action
from protocol.cards import DECK
from protocol.table_rules import GameChange
from tests.support.engine_table import EngineTable, table_rules


def test_dealers_choice() -> None:
    table = EngineTable(table_rules(("barneys", "stud8"), change="dealer")).sit(100, 100)
    assert table.refusal(cmd.StartHand(DECK, "x")) == "not_now"
    table.do(cmd.AskGame())
    assert table.turn == [1]
    answers = table.state.pending[1]
    for wrong in (Action("game", game="bridge"), Action("game"), Action("check", game="stud8"), Action("fold")):
        assert table.refusal(cmd.Act(1, answers, wrong)) == "illegal"
    table.act(1, Action("game", game="stud8"))
    table.deal()
    assert table.state.view.game == "stud8"
    table.finish()
    table.do(cmd.AskGame())
    table.do(cmd.TimeUp(2, table.state.pending[2]))
    assert table.deal().state.view.game == "stud8", "the clock keeps the game"


@pytest.mark.parametrize(
    ("change", "played"),
    [("never", "aaaaaa"), ("hand", "abcabc"), ("orbit", "aaabbb")],
)
def test_the_game_changes(change: GameChange, played: str) -> None:
    games = {"stud8": "a", "razz": "b", "stud": "c"}
    table = EngineTable(table_rules(tuple(games), change=change, least=1)).sit(500, 500, 500)
    assert "".join(games[table.deal().finish().state.view.game] for _ in range(6)) == played
