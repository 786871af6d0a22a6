"""The price list on the screen: choosing a decision, and the table as it was seen then."""

from pathlib import Path

import pytest

from client.coach.decisions import Decision
from client.display.text_cells import line_width, plain
from client.display.theme import Theme
from client.presenter.review import GONE, ReviewPresenter
from client.review.price_list import Costly, PriceList
from client.review.reviewed_hand import PricedDecision
from protocol.actions import Action, Option
from protocol.events import ActionRequested
from replays.hand_summaries import HandSummary
from replays.library import ListedHand
from tests.support.seated_presenter import RecordingTerminal
from tests.support.seen_tables import live, seen_table


def costly(number: int, chips: float) -> Costly:
    hand = HandSummary(number, f"t-{number}", "stud8", "Stud", 0, 1, names={1: "Player 1"}, net={1: -5})
    told = f"Calling 4 on sixth street gave up about {chips:g} chips ({chips:.1f} ± 0.4) against folding; it cost 4."
    price = PricedDecision(3, 40, "sixth street", "chasing", chips, 0.4, told)
    return Costly(ListedHand(number + 100, Path("x.ryo"), b"", hand), 1, price)


def decision(one: Costly) -> Decision:
    view = seen_table("stud8", live(1, "Ah Kh", "9h 5h Jc Qd"), live(2, up="2h 3h 4c Ts", hidden=2, bet=4), pot=30)
    request = ActionRequested(1, "bet", (Option("call", amount=4), Option("fold")), call=4)
    return Decision(3, 40, view, view, request, (), Action("call"))


def presenter(count: int = 12, *, gone: bool = False) -> tuple[ReviewPresenter, RecordingTerminal]:
    terminal = RecordingTerminal()
    rows = [costly(number, 20.0 - number) for number in range(count)]
    found = PriceList("Evening of 2026-12-01", "Player 1", hands=12, net=-60, decisions=99, counted=99, costly=rows)
    decision_of = (lambda one: None) if gone else decision
    return ReviewPresenter(found, terminal, Theme(palette="none", ascii=True), decision_of), terminal


def shown(one: ReviewPresenter, columns: int = 80, rows: int = 24) -> str:
    drawn = one.lines(columns, rows)
    assert len(drawn) == rows
    assert all(line_width(line) <= columns for line in drawn)
    return "\n".join(map(plain, drawn))


@pytest.mark.parametrize("size", [(80, 24), (120, 40), (40, 10)])
def test_the_chosen_decision_is_always_on_the_screen(size: tuple[int, int]) -> None:
    one, _ = presenter()
    assert "Evening of 2026-12-01, Player 1: 12 hands, -60." in " ".join(shown(one, *size).split())
    for number in range(1, 12):
        one.press("down")
        assert f"> #{100 + number}:" in shown(one, *size)
    one.press("down")
    assert "> #111:" in shown(one, *size)
    for _ in range(11):
        one.press("up")
    assert "Evening of 2026-12-01" in shown(one, *size)


def test_enter_shows_the_table_and_esc_the_list() -> None:
    one, terminal = presenter()
    one.press("down")
    one.press("enter")
    table = shown(one)
    assert "gave up about 19 chips" in table
    assert '--at "hand 1 step 40" --player "Player 1"' in " ".join(table.split())
    assert "2 of 12" in table
    one.press("down")
    assert "3 of 12" in shown(one)
    one.press("escape")
    assert "> #102:" in shown(one)
    one.press("q")
    assert terminal.ended == ["left"]


def test_a_recording_that_has_gone_is_said() -> None:
    one, _ = presenter(gone=True)
    one.press("enter")
    assert GONE in shown(one)
    one.press("down")
    assert GONE not in shown(one)


def test_without_costly_decisions_there_is_nothing_to_choose() -> None:
    one, _ = presenter(0)
    one.press("enter")
    one.press("down")
    assert "none gave up anything to speak of." in shown(one)
