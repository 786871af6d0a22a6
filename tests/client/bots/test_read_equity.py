"""Equity on deals that somebody has read: by hand, and against the equity for random cards."""

import pytest

from client.bots.equity import ALONE, equity_of
from client.bots.game_terms import terms_of
from client.bots.read_equity import equity_on
from protocol.cards import cards
from replays.hand_reading.reading import Deal, read_hands
from tests.support.seen_tables import live, seen_table


def hidden(text: str, rest: str = "") -> Deal:
    return Deal({2: tuple(cards(text))}, list(cards(rest)))


def test_each_deal_is_a_showdown() -> None:
    view = seen_table("stud", live(1, "As Ad Ks", up="Kd 7c 4h 2s"), live(2, up="9s 9d 5c 3h", hidden=3))
    terms = terms_of(view)
    loses, wins, ties = hidden("9h 2c 4d"), hidden("8c 2d 4s"), hidden("5d Qs Jd")
    assert equity_on([wins], view, 1, terms).share == 1
    assert equity_on([loses], view, 1, terms).share == 0
    assert equity_on([wins, loses, wins, ties], view, 1, terms).share == 0.75


def test_cards_to_come_are_dealt_from_the_rest() -> None:
    view = seen_table("stud", live(1, "As Ad", up="Kd 7c 4h 2s"), live(2, up="9s 9d 5c 3h", hidden=2))
    deals = [hidden("2c 4d", "9h Qc"), hidden("2c 4d", "Qc 9h")]
    assert [equity_on([deal], view, 1, terms_of(view)).share for deal in deals] == [1, 0]


def test_of_a_hand_of_five_the_rest_is_what_the_deal_says() -> None:
    own = live(1, "Ah 2h", up="3s 4d 6c")
    other = live(2, up="Kh Kd Qc", hidden=2)
    view = seen_table("barneys", own, other, keep=5)
    equity = equity_on([hidden("Ks Qd")], view, 1, terms_of(view))
    assert (equity.high, equity.low) == (0, 0.5)


@pytest.mark.parametrize("game", ["stud8", "plainrazz", "barneys"])
def test_without_an_action_it_is_the_equity_for_random_cards(game: str) -> None:
    view = seen_table(game, live(1, "As 3d", up="4c 5h"), live(2, up="9d Ks", hidden=2), live(3, up="Js 8c", hidden=2))
    read = equity_on(read_hands(view, 1, [], holdings=400).deals(1000), view, 1, terms_of(view))
    assert read.share == pytest.approx(equity_of(view, 1, terms_of(view)).share, abs=0.1)


def test_without_an_opponent_everything_is_won() -> None:
    view = seen_table("stud", live(1, "As Ad", up="Kd"))
    assert equity_on([hidden("")], view, 1, terms_of(view)) == ALONE
