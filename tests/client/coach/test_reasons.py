"""The reason of a verdict: something that anybody can count for themselves."""

import pytest

from client.coach.decisions import Decision
from client.coach.reasons import reason
from protocol.actions import Action, Direction, Option
from protocol.events import Acted, ActionRequested, AnyEvent, RoundOpened
from protocol.view import TableView
from tests.support.seen_tables import live, seen_table

FOLD, CALL = Action("fold"), Action("call")
BETS = (Option("call", amount=4), Option("fold"))


def asked(view: TableView, action: Action, *raisers: int) -> Decision:
    request = ActionRequested(1, "bet", BETS, call=4)
    wagers = [Acted(seat, "raise", 4, 4) for seat in raisers]
    events: tuple[AnyEvent, ...] = (RoundOpened("fifth street", 2, 2, ""), *wagers, request)
    return Decision(1, len(events), view, view, request, events, action)


def test_dead_cards_are_counted() -> None:
    view = seen_table(
        "stud",
        live(1, "Ah Kh", "9h 5h Jc"),
        live(2, up="2h 3h 4h", hidden=2, bet=4),
        live(3, up="6h 7h Ks", hidden=2),
    )
    assert reason(asked(view, CALL), FOLD) == "five of 9 cards for a flush were dead"


def test_a_flush_that_cannot_come_on_the_last_street_is_no_reason() -> None:
    view = seen_table(
        "stud",
        live(1, "Ah Kh 2c", "9h 5h Jc 3d"),
        live(2, up="2h 3h 4h Ts", hidden=3, bet=4),
    )
    assert reason(asked(view, CALL), FOLD) == "it cost 4 to win 24, against one player"


def test_players_who_have_raised_are_counted() -> None:
    view = seen_table(
        "stud", live(1, "Ah 8d", "2c 7s 9d"), live(2, up="Kh 3d 4s", hidden=2, bet=8), live(3, up="6h Qs Ks", hidden=2)
    )
    assert reason(asked(view, CALL, 2, 3), FOLD) == "two players had bet or raised in this round"


def test_live_cards_speak_for_staying_in() -> None:
    view = seen_table(
        "stud", live(1, "Ah Kh", "9h 5h Jc"), live(2, up="2c 3d 4s", hidden=2, bet=4), live(3, up="6s 7d Ks", hidden=2)
    )
    assert reason(asked(view, FOLD), CALL) == "9 of 9 cards for a flush were live"


@pytest.mark.parametrize(
    ("boards", "way", "told"),
    [
        (("2c 3d 4s Ks", "6s Qd Ks 2d"), "high", "one of two opponents had shown a low"),
        (("2c 3d 4s Ks", "6s Qd Ks 2d"), "low", "one of two opponents had shown no low"),
        (("2c 3d 4s Ks", "6s 5d 7s 2d"), "high", "two of two opponents had shown a low"),
        (("2c 3d 4s Ks",), "high", "the only opponent had shown a low"),
        (("2c 3d 4s Ks",), "low", "20 were in the pot, against one player"),
        (("Qc 3d Js Ks",), "low", "the only opponent had shown no low"),
    ],
)
def test_before_a_declaration_boards_are_counted(boards: tuple[str, ...], way: Direction, told: str) -> None:
    others = [live(seat, up=board, hidden=1) for seat, board in enumerate(boards, 2)]
    view = seen_table("barneys", live(1, "Ah Kh", "9h 5h Jc"), *others, keep=5)
    request = ActionRequested(1, "declare", (Option("declare", directions=("high", "low")),))
    taken = Action("declare", direction="low" if way == "high" else "high")
    decided = Decision(1, 1, view, view, request, (request,), taken)
    assert reason(decided, Action("declare", direction=way)) == told
