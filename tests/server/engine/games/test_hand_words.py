"""What one's own cards make, in the words of the screen."""

import pytest

from protocol import events as ev
from protocol.actions import Action
from protocol.cards import cards
from protocol.seat_view import SeatView
from protocol.view import TableView
from server.engine.games.hand_words import best_fives, own_hand_names, own_hands, proposals


def holding(game: str, down: str, up: str = "", **seat: object) -> TableView:
    """A table at which seat 1 has these cards."""
    own = SeatView(1, "Ann", 50, hand="live", down=tuple(cards(down)), up=tuple(cards(up)))
    for name, value in seat.items():
        setattr(own, name, value)
    return TableView(game=game, playing=True, seats=[own])


@pytest.mark.parametrize(
    ("down", "up", "low"),
    [
        ("As 3c", "4d", "four-three so far, three low cards"),
        ("As 3c", "4d Kh Qs", "no low yet: needs two more ranks of eight or under"),
        ("As 3c", "4d Kh Qs Js", "no low any more: too few cards are to come"),
        ("As 3c", "4d Kh Qs 5s", "no low yet: needs one more rank of eight or under"),
        ("As 3c", "4d 4h 4s 3s", "no low any more: too few cards are to come"),
        ("Ks Qc", "Jd Th", "no low any more: too few cards are to come"),
        ("As 3c Jc", "4d Kh Qs 5s", "no low: only four ranks of eight or under"),
        ("As 3c", "4d Kh 7s 5s", "seven-five low"),
    ],
)
def test_a_low_that_is_not_there_yet_says_what_it_needs(down: str, up: str, low: str) -> None:
    assert dict(own_hands(holding("stud8", down, up), 1))["low"] == low


def test_when_the_hand_is_over_nothing_is_to_come() -> None:
    view = holding("stud8", "As 3c", "4d Kh Qs")
    view.playing = False
    assert dict(own_hands(view, 1))["low"] == "no low: only three ranks of eight or under"


def test_after_the_declaration_only_that_half_is_named() -> None:
    down, up = "2c", "3d 4h 6s 7s"
    assert own_hand_names(holding("barneys", down, up), 1) == "high: seven-six high   low: seven-six"
    assert own_hand_names(holding("barneys", down, up, declared="low"), 1) == "low: seven-six"
    chosen = ev.ChoiceMade(1, "declare", Action("declare", direction="high"))
    assert own_hand_names(holding("barneys", down, up, choice=chosen), 1) == "high: seven-six high"
    hidden = ev.ChoiceMade(1, "declare", None)
    assert "low" in own_hand_names(holding("barneys", down, up, choice=hidden), 1)


def test_nobody_has_no_hand_and_wild_cards_have_a_high_one() -> None:
    assert own_hands(holding("barneys", ""), 1) == ()
    view = holding("queen", "As Ad 3c 4c", "9h")
    view.wilds = (7,)
    assert own_hands(view, 1) == ()
    assert own_hand_names(view, 1) == "high: three aces, four kicker"


def test_the_best_five_for_each_direction_and_their_numbers() -> None:
    view = holding("barneys", "")
    seven = cards("5h 7h Qd As 4h Ac 2d")
    assert best_fives(view, seven) == {"high": tuple(cards("As Ac Qd 7h 5h")), "low": tuple(cards("7h 5h 4h 2d As"))}
    assert proposals(view, seven) == (
        "Best for high: 12346, pair of aces, queen kicker. Best for low: 12457, seven-five."
    )
    spades = cards("Ks Qs 9s 7s 5s 3s 2s")
    assert list(best_fives(view, spades)) == ["high"], "seven of one suit make no low"
    assert best_fives(view, spades[:4]) == {}
    assert proposals(holding("unheard", ""), seven) == ""
