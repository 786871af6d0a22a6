"""The judge: when a difference is told, and that what looks best in one count is measured in another."""

import pytest

from client.coach.decisions import Decision
from client.coach.judge import LOOK, PARTS, judge
from client.coach.kinds import kind_of
from client.coach.words import chips, coach_line, doing
from protocol.actions import Action, Option
from protocol.cards import cards
from protocol.events import Acted, ActionRequested, AnyEvent, RoundOpened
from protocol.view import TableView
from tests.support.fixed_values import Counted, FixedValues
from tests.support.seen_tables import live, seen_table

CALL, FOLD, RAISE = Action("call"), Action("fold"), Action("raise", to=8)
OPTIONS = (Option("call", amount=4), Option("raise", least=8, most=8), Option("fold"))


def stud8_table() -> TableView:
    """Sixth street: two opponents with low boards, a flush draw of which many cards are dead."""
    return seen_table(
        "stud8",
        live(1, "Ah Kh", "9h 5h Jc Qd"),
        live(2, up="2h 3h 4c Ts", hidden=2, bet=4),
        live(3, up="6h 7h 8s Ks", hidden=2),
        pot=30,
        street="sixth street",
    )


def decision(action: Action = CALL, view: TableView | None = None, *, rounds: int = 4) -> Decision:
    view = view or stud8_table()
    request = ActionRequested(1, "bet", OPTIONS, call=4)
    opened = RoundOpened("sixth street", 2, 2, "")
    events: tuple[AnyEvent, ...] = (*[opened] * rounds, Acted(2, "bet", 4, 4), request)
    return Decision(1, len(events), view, view, request, events, action)


@pytest.mark.parametrize(
    ("better", "spread", "counts"),
    [
        (1.0, 0.1, True),  # half a small bet
        (0.9, 0.1, False),
        (3.0, 1.4, True),  # three standard errors, those of all deals together
        (3.0, 2.3, False),
        (-1.0, 0.1, False),
    ],
)
def test_a_difference_counts_from_half_a_small_bet_and_three_errors_on(
    better: float, spread: float, counts: bool
) -> None:
    found = judge(decision(), Counted(lambda one, seed: {FOLD: better}, spread))
    assert found is not None
    assert found.counts == counts


def test_what_looks_best_is_measured_on_fresh_deals() -> None:
    count = Counted(lambda one, seed: {FOLD: 5.0} if seed == "look" else {FOLD: 2.0, RAISE: 9.0})
    found = judge(decision(), count)
    assert found is not None
    assert (found.best, found.chips) == (FOLD, 2.0)
    assert count.asked == [(1, LOOK, "look"), (1, PARTS[0], "count 1")]


def test_the_second_count_ends_when_it_is_clear() -> None:
    unsure = Counted(lambda one, seed: {FOLD: 2.0}, 0.9)
    judge(decision(), unsure)
    assert [seed for _, _, seed in unsure.asked] == ["look", "count 1", "count 2"]
    hopeless = Counted(lambda one, seed: {FOLD: 5.0 if seed == "look" else -1.0}, 1.0)
    judge(decision(), hopeless)
    assert [seed for _, _, seed in hopeless.asked] == ["look", "count 1"]


def test_a_decision_that_looks_right_costs_no_second_count() -> None:
    count = Counted(lambda one, seed: {FOLD: 0.2})
    found = judge(decision(), count)
    assert found is not None
    assert not found.counts
    assert len(count.asked) == 1


def test_what_cannot_be_counted_has_no_verdict() -> None:
    assert judge(decision(), Counted(lambda one, seed: None)) is None


@pytest.mark.parametrize(
    ("taken", "best", "rounds", "kind"),
    [
        (CALL, FOLD, 1, "staying"),
        (CALL, FOLD, 2, "chasing"),
        (RAISE, FOLD, 2, "chasing"),
        (FOLD, CALL, 1, "folding"),
        (CALL, RAISE, 3, "checking"),
        (RAISE, CALL, 3, "betting"),
        (Action("raise", to=8), Action("raise", to=10), 3, "checking"),
    ],
)
def test_kinds_of_decisions(taken: Action, best: Action, rounds: int, kind: str) -> None:
    assert kind_of(decision(taken, rounds=rounds), best) == kind


def test_the_line_has_the_numbers_and_a_reason_that_can_be_counted() -> None:
    found = judge(decision(), Counted(lambda one, seed: {FOLD: 2.9}, 0.4))
    assert found is not None
    line = coach_line(found)
    assert line == (
        "Coach: calling 4 on sixth street gave up about 3 chips (2.9 ± 0.4) against folding; "
        "two players had shown a low."
    )
    assert "mistake" not in line


@pytest.mark.parametrize(
    ("number", "words"), [(1.0, "1 chip"), (0.9, "1 chip"), (1.3, "1.5 chips"), (2.0, "2 chips"), (14.4, "14 chips")]
)
def test_chips_in_round_numbers(number: float, words: str) -> None:
    assert chips(number) == words


def test_actions_in_words() -> None:
    assert doing(CALL, 4) == "calling 4"
    assert doing(RAISE) == "raising to 8"
    assert doing(Action("declare", direction="low")) == "declaring low"
    assert doing(Action("choose", cards=tuple(cards("Kd")))) == "turning Kd"
    assert doing(Action("discard", cards=())) == "throwing nothing away"


def test_fixed_values_of_the_tests_are_values() -> None:
    values = FixedValues({CALL: 1.0, FOLD: 0.0})
    assert values.best == CALL
    assert values.difference(CALL, FOLD) == (1.0, 0.1)
