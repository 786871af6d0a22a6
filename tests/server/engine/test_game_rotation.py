"""Which game is dealt next: it changes with the hand, with the orbit, or as the dealer likes."""

import pytest

from protocol import commands as cmd
from protocol.actions import Action
from protocol.cards import DECK
from protocol.table_rules import GameChange
from tests.support.engine_table import EngineTable, table_rules


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
def test_the_game_changes(change: GameChange, played: str) -> None:
    games = {"stud8": "a", "razz": "b", "stud": "c"}
    evening = EngineTable(table_rules(tuple(games), change=change, least=1)).sit(500, 500, 500)
    assert "".join(games[evening.deal().finish().table.view.game] for _ in range(6)) == played
