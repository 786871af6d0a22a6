"""The decisions of a seat in a hand: which ones, and with what the seat saw."""

from client.coach.decisions import Decision, decisions, small_bet
from protocol import commands as cmd
from protocol.events import ActionRequested, AnyEvent
from protocol.stakes import Stakes
from protocol.view import TableView, hide
from protocol.visibility import project
from tests.support.engine_table import EngineTable
from tests.support.self_play import SelfPlay


def split(table: EngineTable, seat: int) -> tuple[TableView, list[AnyEvent]]:
    """The table before the last hand, and the events of the hand, as the seat has seen them."""
    view = TableView()
    steps = list(table.steps)
    last = max(at for at, step in enumerate(steps) if isinstance(step.command, cmd.StartHand))
    for step in steps[:last]:
        view.apply_all(step.events)
    events = [project(event, seat) for step in steps[last:] for event in step.events]
    return hide(view, seat), events


def decided(game: str, seed: int = 3, seat: int = 1, calm: float = 0.9) -> list[Decision]:
    table = SelfPlay(seed, (game,), 4, calm=calm)
    table.hand(trouble=False)
    return decisions(*split(table, seat), seat)


def test_every_decision_has_the_table_as_it_was_then_and_what_was_done() -> None:
    found = decided("barneys")
    assert len(found) > 5
    assert {one.request.decision for one in found} >= {"bet", "choose", "arrange", "declare"}
    for one in found:
        assert one.view.seat(1).pending is not None
        assert one.events[-1] == one.request
        assert isinstance(one.events[one.step - 1], ActionRequested)
        assert [player.down for player in one.view.seats if player.seat != 1 and None not in player.down] in (
            [], [()] * 3, [()] * 2, [()],
        )  # fmt: skip
        again = one.before.copy().apply_all(one.events)
        assert again == one.view
    assert [one.number for one in found] == sorted({one.number for one in found})


def test_the_answers_are_those_of_the_player() -> None:
    table = SelfPlay(5, ("stud8",), 3, calm=0.8)
    table.hand(trouble=False)
    answers = [one.action for one in table.commands if isinstance(one, cmd.Act) and one.seat == 2]
    assert [one.action for one in decisions(*split(table, 2), 2)] == answers


def test_what_a_clock_decided_is_no_decision_of_the_player() -> None:
    table = EngineTable().sit(100, 100)
    table.deal()
    while table.state.pending:
        seat, answers = next(iter(table.state.pending.items()))
        table.do(cmd.TimeUp(seat, answers))
    assert decisions(*split(table, 1), 1) == []
    assert decisions(*split(table, 2), 2) == []


def test_a_small_bet_is_in_the_middle_where_the_size_is_free() -> None:
    assert small_bet(Stakes(small=2, big=4)) == 2
    assert small_bet(Stakes(limit="spread", least=1, most=5)) == 3
