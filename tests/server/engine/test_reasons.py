"""The engine says why: who opens, why there is no raise, where the odd chip went, why there is no low."""

import pytest

from protocol import events as ev
from protocol.actions import Action
from server.engine.errors import IllegalAction
from server.engine.games.catalogue import BARNEYS, RAZZ, STUD8
from tests.support.stacked_hand import contest, deal, one_round


def test_why_a_seat_opens() -> None:
    rows = {1: "(xx) 2c Qs", 2: "(xx) 9d Qd", 3: "(xx) 3h 4s"}
    table = deal(STUD8, rows, button=1)
    assert table.last(ev.RoundOpened).why == "{1} has the lowest up card, 2c"
    why = table.until("fourth street").last(ev.RoundOpened).why
    assert why.startswith("{2} has the highest board, queen high")
    tied = deal(RAZZ, {1: "(xx) Kc 2s", 2: "(xx) 9d 4d", 3: "(xx) 9h 4s"}, button=1).until("fourth street")
    assert tied.last(ev.RoundOpened).why.endswith("first from the dealer's left")


@pytest.mark.parametrize(
    ("script", "seat", "to", "reason"),
    [
        ("1 bet 2, 2 raise 4, 3 raise 6, 1 raise 8", 2, 10, "the raises are capped"),
        ("1 check, 2 bet 2, 3 call", 1, 4, "you have checked and not called"),
    ],
)
def test_why_a_raise_is_refused(script: str, seat: int, to: int, reason: str) -> None:
    table = one_round(3, no_check_raise=True).play(script)
    assert reason in table.note(seat)
    with pytest.raises(IllegalAction) as refused:
        table.hand.act(seat, Action("raise", to=to))
    assert refused.value.code == "illegal"
    assert reason in refused.value.text


def test_why_an_amount_is_refused() -> None:
    table = one_round(3, limit="spread", least=1, most=4).play("1 bet 1, 2 raise 3")
    with pytest.raises(IllegalAction, match="The raise must be to between 5 and 7"):
        table.hand.act(3, Action("raise", to=8))
    with pytest.raises(IllegalAction, match="You cannot check now; you may fold, call or raise"):
        table.hand.act(3, Action("check"))


def test_where_the_odd_chip_went() -> None:
    table = contest(STUD8, {1: "As Ah 2d 3h 4c 8s 8d", 2: "Ac 2h 3c 4d 8h Kc Qd"}, 51, dead=1, button=3)
    high, low = table.all(ev.PotAwarded)
    assert high.why == "the odd chip of the pot goes high"
    assert low.why == "the odd chip goes to {1}, first from the dealer's left"
    assert low.hand == "eight-four low"


def test_why_there_is_no_low() -> None:
    table = contest(STUD8, {1: "Ks Kd Qs Qd 9h 8c 7s", 2: "As Ad Jc Th 9c 4d 3c"}, 50, button=2)
    (award,) = table.all(ev.PotAwarded)
    assert award.why == "no low: high takes all"
    shown = dict(table.all(ev.HandShown)[0].values)
    assert shown["8low"] == "no low: only two ranks of eight or under"


def test_why_a_straight_is_no_low_in_barneys() -> None:
    rows = {1: "9s 9d Qh Jc 8h", 2: "2s 3d 4h 5c 6s"}
    table = contest(BARNEYS, rows, 20, button=2, declared={1: "high", 2: "low"}, show="all")
    values = {event.seat: dict(event.values) for event in table.all(ev.HandShown)}
    assert values[2] == {"a6": "no low: a straight"}
    assert table.last(ev.PotAwarded).why == "nobody has a hand in the other direction"


def test_why_a_round_is_skipped_and_why_the_odd_man() -> None:
    table = contest(BARNEYS, {1: "", 2: "", 3: ""}, 20, button=3, declared={1: "high", 2: "low", 3: "high"})
    assert table.last(ev.RoundSkipped).why == "no two players have chips left to bet"
    assert table.last(ev.Declared).why == "{2} alone goes low: the odd man"
