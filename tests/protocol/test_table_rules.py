"""Stakes, clocks and the small questions that a view answers."""

import pytest

from protocol import events as ev
from protocol.seat_view import Pending, Pot, SeatView
from protocol.stakes import Stakes
from protocol.table_rules import Clocks, GameOffer, TableRules
from protocol.view import TableView
from server.engine.games.catalogue import GAMES


@pytest.mark.parametrize("game", GAMES)
def test_the_usual_stakes_of_every_game_can_be_played(game: str) -> None:
    assert GAMES[game].stakes.problem() == ""


@pytest.mark.parametrize(
    ("stakes", "reason"),
    [
        (Stakes(ante=-1), "cannot be negative"),
        (Stakes(bring_in=-1), "cannot be negative"),
        (Stakes(small=0), "the small bet must be at least 1"),
        (Stakes(small=5, big=4), "at most the big bet"),
        (Stakes(small=2, big=4, bring_in=3), "must not exceed the first bet"),
        (Stakes(limit="spread", least=0), "the least bet must be at least 1"),
        (Stakes(limit="spread", least=6, most=5), "at most the largest"),
        (Stakes(limit="spread", least=1, most=5, bring_in=6), "must not exceed the first bet"),
        (Stakes(cap=0), "at least one raise"),
        (Stakes(cap=-1), "at least one raise"),
    ],
    ids=lambda part: part if isinstance(part, str) else "",
)
def test_stakes_that_cannot_be_played_say_why(stakes: Stakes, reason: str) -> None:
    assert reason in stakes.problem()


@pytest.mark.parametrize(
    "stakes",
    [
        Stakes(ante=0, bring_in=0),
        Stakes(small=4, big=4, bring_in=4),
        Stakes(limit="spread", least=5, most=5, bring_in=5),
        Stakes(limit="spread", small=9, big=1),
        Stakes(cap=None),
        Stakes(cap=1),
    ],
    ids=str,
)
def test_stakes_on_the_edge_can_be_played(stakes: Stakes) -> None:
    assert stakes.problem() == ""


def test_stakes_in_words() -> None:
    assert Stakes(ante=2, small=5, big=10).words().startswith("ante 2")
    assert Stakes(ante=0, small=5, big=10).words() == "limits 5/10"
    assert Stakes(limit="spread", ante=0, least=1, most=5).words() == "bets 1 to 5"


def test_every_decision_has_its_clock_and_zero_switches_it_off() -> None:
    clocks = Clocks(bet=1, choose=2, arrange=3, declare=4)
    seconds = {
        "bet": 1, "buy": 1, "choose": 2, "pass": 2, "discard": 2, "game": 2, "arrange": 3, "declare": 4,
    }  # fmt: skip
    assert {decision: clocks.seconds(decision) for decision in seconds} == seconds
    none = Clocks(bet=0, choose=0, arrange=0, declare=0)
    assert {none.seconds(decision) for decision in seconds} == {None}


def table() -> TableView:
    """Two players and a free seat; a pot of 30, and 5 and 3 in front."""
    offer = GameOffer("stud", "Stud", Stakes(), 8)
    view = TableView().apply_all([ev.TableOpened("main", TableRules(name="Kitchen", seats=3, games=(offer,)))])
    view.seats[0] = SeatView(1, "Ann", 92, hand="live", bet=5)
    view.seats[1] = SeatView(2, "Ben", 70, hand="folded", bet=3)
    view.pots = (Pot(20, (1, 2)), Pot(10, (1,)))
    return view


def test_a_view_counts_its_chips() -> None:
    view = table()
    assert view.pot() == 38
    assert view.chips() == 200


def test_a_view_knows_its_seats() -> None:
    view = table()
    assert [seat.name for seat in view.players()] == ["Ann", "Ben"]
    assert [seat.name for seat in view.in_hand()] == ["Ann"]
    assert view.seat(3).name == ""
    assert [view.name(number) for number in (1, 3, 0, 9)] == ["Ann", "seat 3", "seat 0", "seat 9"]
    for number in (0, -1, 4):
        with pytest.raises(IndexError):
            view.seat(number)


def test_a_view_knows_who_is_asked_and_what_staying_in_costs() -> None:
    view = table()
    view.playing = True
    view.seats[1] = SeatView(2, "Ben", 70, hand="live", bet=3)
    assert [view.to_call(number) for number in (1, 2, 3, None)] == [0, 2, 0, 0]
    view.seats[1].chips = 1
    assert view.to_call(2) == 1, "nobody pays more than their stack"
    assert view.asked() == []
    view.seats[1].pending = Pending(9, ev.ActionRequested(2, "bet", ()))
    assert [seat.seat for seat in view.asked()] == [2]
    view.playing = False
    assert view.to_call(2) == 0


def test_a_copy_is_independent() -> None:
    view = table()
    other = view.copy()
    assert other == view
    other.apply(ev.ChipsAdded(1, 8, 100))
    assert (other.seat(1).chips, view.seat(1).chips) == (100, 92)
    assert (other.seq, view.seq) == (2, 1)


def test_a_new_hand_forgets_the_last_one() -> None:
    view = table()
    view.apply(ev.BroughtBack((1,), 5))
    view.apply(ev.Declared(((1, "low"),), 1))
    assert (view.keep, view.odd_man, view.seat(1).declared) == (5, 1, "low")
    view.apply(ev.HandStarted(2, "main-2", "stud", "Stud", 1, ((1, 92), (2, 70)), Stakes()))
    assert (view.keep, view.odd_man, view.pots, view.awards) == (0, 0, (), ())
    one = view.seat(1)
    assert (one.declared, one.bet, one.stack, one.hand, one.before) == ("", 0, 92, "live", ())
    assert view.seat(3).hand == "out"


def test_a_voided_hand_gives_all_chips_back() -> None:
    view = table()
    view.apply(ev.HandVoided(1, ((1, 100), (2, 100)), "a torn card"))
    assert [seat.chips for seat in view.seats] == [100, 100, 0]
    assert view.chips() == 200
    assert (view.pots, view.playing, view.why) == ((), False, "a torn card")


def test_a_result_keeps_the_players_who_have_left_since_and_not_their_secrets() -> None:
    view = table()
    view.seats[0].down, view.seats[0].won = (1, 2), 30
    view.apply(ev.PlayerLeft(1, "Ann", 92))
    view.apply(ev.PlayerSeated(1, "Zoe", 50))
    view.apply(ev.PlayerLeft(1, "Zoe", 50))
    assert view.name(1) == "seat 1"
    ended = view.as_it_ended()
    assert (ended.name(1), ended.seat(1).won, ended.seat(1).down) == ("Ann", 30, (None, None))
    assert [seat.name for seat in ended.players()] == ["Ann", "Ben"]
    view.apply(ev.HandStarted(2, "h-2", "stud", "Stud", 2, ((2, 70),), Stakes()))
    assert view.gone == ()
    view.apply(ev.PlayerLeft(2, "Ben", 70))
    assert view.gone == (), "a hand that is still played has no result"
