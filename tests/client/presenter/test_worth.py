"""What a hand is worth, in words; and that the words come from what the seat can see."""

import random

import pytest
from msgspec.structs import replace

from client.input.table_commands import WORTH
from client.presenter.queries import answer
from client.presenter.worth import NO_ADVICE, price_and_chance, worth
from protocol.cards import cards
from protocol.narration.spans import plain
from protocol.seat_view import Pot, SeatView
from protocol.table_rules import GameOffer, TableRules
from protocol.view import TableView, hide
from server.engine.games.catalogue import GAMES, STUD8
from tests.support.hidden_cards import shuffled
from tests.support.local_table import LocalTable
from tests.support.seated_presenter import screen, sit


def stud8(own_up: str = "4d Kh Qs", *, bet: int = 10) -> TableView:
    """Ann has a three and an ace in the hole; Bob shows kings and has bet; Cat has folded."""
    ann = SeatView(1, "Ann", 90, hand="live", down=tuple(cards("As 3c")), up=tuple(cards(own_up)))
    bob = SeatView(2, "Bob", 90, hand="live", down=(None, None), up=tuple(cards("Kd 9c 2h")), bet=bet)
    cat = SeatView(3, "Cat", 90, hand="folded", down=(None, None), up=tuple(cards("Ac 8h")))
    return TableView(game="stud8", playing=True, seats=[ann, bob, cat], pots=(Pot(120, (1, 2)),))


def lines(view: TableView, seat: int = 1) -> list[str]:
    return [plain(line) for line in worth(view, seat)]


def test_cards_to_come_live_and_dead_cards_and_the_price() -> None:
    told = lines(stud8())
    assert told[0] == "Two cards to come, 42 cards unseen."
    assert told[1] == "For high: a pair with 13 cards (A 3 4 Q K), 53 %. Dead: Kd Ac."
    assert told[2] == "For low: an eight or better needs two more ranks of 2 5 6 7 8."
    assert told[3].startswith("10 to call into a pot of 130: needs 8 %, on average ")
    assert told[4].startswith("Against hands of any kind yours wins about ")
    assert told[4].endswith(" % of the pot (an equal share is 50 %); whoever bets often has a better one.")
    assert len(told) == 5


def test_without_a_price_there_is_only_the_chance() -> None:
    assert not any("to call" in line for line in lines(stud8(bet=0)))


def test_the_price_is_rounded_against_the_caller() -> None:
    view = stud8()
    assert 10 / 140 < 0.08
    assert plain(price_and_chance(view, 1)[0]).startswith("10 to call into a pot of 130: needs 8 %")


def test_a_low_that_cannot_come_any_more_says_so() -> None:
    told = lines(stud8("Jd Kh Qs 9s"))
    assert "For low: an eight or better cannot come any more." in told


def test_a_straight_that_is_no_low_wants_a_card_that_breaks_it() -> None:
    view = stud8("4d 5h 6s", bet=0)
    view.game = "barneys"
    view.seats[0].down = tuple(cards("2s 3c"))
    assert any(line.startswith("For low: a low card with 10 cards (A 7 8), ") for line in lines(view))


def test_where_players_declare_both_directions_are_weighed_until_one_is_declared() -> None:
    view = stud8()
    view.game = "barneys"
    weighed = "It is the best high hand about "
    assert any(line.startswith(weighed) for line in lines(view))
    view.seats[0].declared = "high"
    assert not any(line.startswith(weighed) for line in lines(view))


def test_the_direction_does_not_depend_on_what_the_others_may_declare() -> None:
    view = stud8("Kd Kh Qs Qd", bet=0)
    view.game = "barneys"
    view.seats[0].down, view.seats[1].down = tuple(cards("Ks 3c 2s")), (None, None, None)
    view.seats[1].up = tuple(cards("9d 9c 2h 4s"))
    assert lines(view) == [
        "Against hands of any kind yours wins about 50 % of the pot (an equal share is 50 %); whoever bets often has a "
        "better one.",
        "It is the best high hand about 100 % of the time, the best low one 0 %.",
    ]


def test_few_cards_are_named_and_a_flush_is_of_one_suit() -> None:
    view = stud8("4d 6s 8s 9s")
    told = lines(view)
    assert any(line.startswith("For high: a flush with 9 cards (2 3 4 5 7 T J Q K of one suit), ") for line in told)


def test_after_the_declaration_only_that_half_counts_and_after_the_last_card_nothing_can_come() -> None:
    view = stud8()
    view.seats[0].declared = "low"
    assert not any("For high" in line for line in lines(view))
    last = stud8("4d Kh Qs 9s")
    last.seats[0].down = tuple(cards("As 3c 5h"))
    assert not any("come" in line or "For " in line for line in lines(last))


def test_a_table_can_forbid_advice() -> None:
    view = stud8()
    offer = GameOffer("stud8", STUD8.title, STUD8.stakes, 8)
    view.rules = TableRules(name="Kitchen", seats=3, games=(offer,), coach=False)
    assert worth(view, 1) == [NO_ADVICE]
    assert price_and_chance(view, 1) == []
    view.rules = replace(view.rules, coach=True)
    assert len(worth(view, 1)) == 5


def test_an_unknown_game_is_not_judged() -> None:
    view = stud8()
    view.game = "unheard"
    assert worth(view, 1) == []


def test_the_answer_stands_in_the_story_behind_what_the_hand_makes() -> None:
    table = LocalTable("stud8", 4)
    table.deal()
    table.play_until(lambda view: view.seat(1).pending is not None)
    presenter, _, _ = sit(table)
    presenter.press("i")
    seen = screen(presenter)
    assert "* You hold [" in seen
    assert "cards to come" in seen.lower()
    presenter.press("x")
    assert "You hold [" not in screen(presenter), "own cards that are face down do not stand in the story"


@pytest.mark.parametrize("game", GAMES)
def test_shuffling_all_hidden_cards_changes_no_word(game: str) -> None:
    dice = random.Random(game)
    table = LocalTable(game, 4)
    table.deal()
    asked = 0
    for _ in range(400):
        view = table.state.view
        own = view.seat(1)
        if own.pending is not None and own.hand == "live":
            asked += 1
            said = answer(WORTH, "", hide(view, 1), 1)
            assert answer(WORTH, "", shuffled(view, dice), 1) == said
            assert answer(WORTH, "", hide(shuffled(view, dice), 1), 1) == said
        if asked == 6 or not table.step():
            break
    assert asked >= 3
