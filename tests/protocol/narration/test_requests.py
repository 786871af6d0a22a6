"""What is offered and who is waited for, in words."""

import pytest

from protocol import events as ev
from protocol.actions import Decision, Option
from protocol.cards import cards
from protocol.events import PotAwarded
from protocol.narration.awards import awarded
from protocol.narration.phrases import acted
from protocol.narration.requests import offered, passes_to, question, reasons, request_line, to_act
from protocol.narration.spans import plain
from protocol.seat_view import Pending, Pot, SeatView
from protocol.view import TableView

TWO = tuple(cards("As Td"))


@pytest.mark.parametrize(
    ("option", "text"),
    [
        (Option("fold"), "fold"),
        (Option("check"), "check"),
        (Option("call", amount=2), "call 2"),
        (Option("bring_in", amount=1), "bring in 1"),
        (Option("bet", least=2, most=2), "bet 2"),
        (Option("complete", least=4, most=4), "complete to 4"),
        (Option("raise", least=4, most=8), "raise to between 4 and 8"),
        (Option("declare", directions=("low", "high")), "declare low or high"),
        (Option("choose", cards=TWO, count=1), "choose one card of As Td"),
        (Option("choose", cards=(None, None), count=1), "choose one card"),
        (Option("buy", amount=4), "buy for 4"),
    ],
)
def test_an_option_in_words(option: Option, text: str) -> None:
    assert plain(offered(option)) == text


def asked(*seats: int) -> TableView:
    """A table of three at which these seats are asked to check or bet."""
    request = ev.ActionRequested(1, "bet", (Option("check"), Option("bet", least=2, most=4)), note="no raise by {2}")
    names = [SeatView(number, name) for number, name in enumerate(("Ann", "Bob", "Cat"), 1)]
    view = TableView(seats=names)
    for number in seats:
        view.seats[number - 1].pending = Pending(9, request)
    return view


def test_who_may_do_what_and_why_not_more() -> None:
    view = asked(1)
    assert plain(request_line(view, view.seat(1))) == "Ann may check or bet between 2 and 4. No raise by Bob."
    assert request_line(view, view.seat(2)) == ()


@pytest.mark.parametrize(
    ("decision", "options", "text"),
    [
        ("bet", (Option("check"), Option("bet", least=2, most=2)), "You may check or bet 2."),
        ("choose", (Option("choose", cards=TWO, count=1),), "Choose one card to turn up."),
        ("pass", (Option("pass", cards=TWO, count=2),), "Choose two cards to pass to Bob (left)."),
        ("discard", (Option("discard", cards=TWO, count=1),), "Discard up to one card, or none."),
        ("declare", (Option("declare", directions=("low", "high")),), "Do you go for low or high?"),
        ("game", (Option("game", games=("razz", "stud")),), "You deal. Which game is played?"),
        (
            "arrange",
            (Option("arrange", cards=TWO, count=5),),
            "Choose five cards in the order in which they are rolled; the last one stays hidden.",
        ),
    ],
)
def test_what_a_player_is_asked_who_has_the_answers_as_buttons(
    decision: Decision, options: tuple[Option, ...], text: str
) -> None:
    view = asked()
    for seat in view.seats:
        seat.hand = "live"
    view.seats[0].pending = Pending(9, ev.ActionRequested(1, decision, options, note="no raise by {2}"))
    assert plain(question(view, view.seat(1), "left")) == f"{text} No raise by Bob."
    assert question(view, view.seat(2), "left") == ()


def test_whom_the_table_waits_for() -> None:
    assert plain(to_act(asked(1, 3))) == "to act: Ann and Cat"
    assert to_act(asked()) == ()


def test_reasons_are_told_once_each() -> None:
    view = asked()
    view.why = "{1} has the lowest card"
    view.awards = (
        PotAwarded(0, "high", 5, ((1, 5),), why="the odd chip goes high"),
        PotAwarded(1, "high", 5, ((1, 5),), why="the odd chip goes high"),
        PotAwarded(1, "low", 4, ((2, 4),)),
    )
    told = [plain(line) for line in reasons(view, "no raise by {2}")]
    assert told == ["Ann has the lowest card.", "No raise by Bob.", "The odd chip goes high."]
    assert reasons(asked()) == []


@pytest.mark.parametrize(
    ("pots", "award", "sentence"),
    [
        (
            1,
            PotAwarded(0, "whole", 9, ((1, 9),), "pair of aces"),
            "Ann wins 9, a pair of aces.",
        ),
        (
            2,
            PotAwarded(1, "low", 9, ((1, 5), (3, 4)), "wheel"),
            "Ann and Cat split the low half of the side pot, 5 and 4: wheels.",
        ),
        (
            3,
            PotAwarded(2, "spade", 5, ((2, 5),)),
            "Side pot 2, spade: Bob wins 5.",
        ),
        (3, PotAwarded(0, "high", 5, ((2, 5),)), "Main pot, high: Bob wins 5."),
        (1, PotAwarded(0, "high", 143, ((2, 143),), "ten-high flush"), "High: Bob wins 143, a ten-high flush."),
        (
            4,
            PotAwarded(0, "high", 10, ((2, 5), (3, 5)), "ace-high straight"),
            "Bob and Cat split the high half of the main pot, 5 each: ace-high straights.",
        ),
        (
            1,
            PotAwarded(0, "whole", 9, ((1, 3), (2, 3), (3, 3)), "king high, queen kicker"),
            "Ann, Bob and Cat split the pot, 3 each: king-queen high.",
        ),
        (
            1,
            PotAwarded(0, "whole", 9, ((1, 9),), "", (), "everybody else folded"),
            "Ann wins 9 (everybody else folded).",
        ),
    ],
)
def test_an_award_in_a_sentence(pots: int, award: PotAwarded, sentence: str) -> None:
    view = asked()
    view.pots = (Pot(0, (1, 2, 3)),) * pots
    assert plain(awarded(award, view)) == sentence


def test_one_award_of_both_halves_names_both_hands() -> None:
    view = asked()
    view.seat(1).values = (("high", "pair of aces, king kicker"), ("8low", "eight-six low"))
    award = PotAwarded(0, "whole", 9, ((1, 9),), "pair of aces, king kicker and eight-six low")
    assert plain(awarded(award, view)) == "Ann wins 9, both halves: a pair of aces, king kicker and an eight-six low."


def test_whether_nobody_went_low_or_no_low_counted() -> None:
    view = asked()
    award = PotAwarded(0, "whole", 9, ((1, 9),), "pair of aces", (), "nobody has a hand in the other direction")
    for seat in view.seats:
        seat.hand, seat.declared = "live", "high"
    assert plain(awarded(award, view)) == "Ann wins 9, a pair of aces (nobody went low)."
    view.seat(2).declared = "low"
    assert plain(awarded(award, view)) == "Ann wins 9, a pair of aces (no hand that went low counts)."


def test_the_cards_that_win_stand_in_the_same_sentence() -> None:
    view = asked()
    five, other = tuple(cards("Th 9h 8h 5h 3h")), tuple(cards("Tc 9c 8c 5c 3c"))
    award = PotAwarded(0, "high", 9, ((1, 9),), "ten-high flush")
    told = awarded(award, view, lambda award, view: [(1, [("high", five)])])
    assert plain(told) == "High: Ann wins 9, a ten-high flush (Th 9h 8h 5h 3h)."
    tied = PotAwarded(0, "high", 8, ((1, 4), (2, 4)), "ten-high flush")
    told = awarded(tied, view, lambda award, view: [(1, [("high", five)]), (2, [("high", other)])])
    assert plain(told) == (
        "Ann and Bob split the high half, 4 each: ten-high flushes (Ann Th 9h 8h 5h 3h, Bob Tc 9c 8c 5c 3c)."
    )


def test_a_betting_action_in_words() -> None:
    assert acted(ev.Acted(1, "raise", 8, 12)) == "raises to 12"
    assert acted(ev.Acted(1, "call", 8, 12)) == "calls 8"
    assert acted(ev.Acted(1, "fold", 0, 0)) == "folds"


@pytest.mark.parametrize(
    ("side", "taker"), [("left", "Bob (left)"), ("right", "Dan (right)"), ("across", "Cat (across)"), ("", "")]
)
def test_who_gets_the_cards_that_are_passed(side: str, taker: str) -> None:
    seats = [SeatView(number, name, hand="live") for number, name in enumerate(("Ann", "Bob", "Cat", "Dan"), 1)]
    assert passes_to(TableView(seats=seats), 1, side) == taker
    assert passes_to(TableView(seats=seats), 9, side) == ""
