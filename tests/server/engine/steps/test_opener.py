"""Who opens a betting round (`rules.md` 3 and 12, O1-O18).

Where cards are chosen, everybody turns their newest one, so that the same rows serve every game: two down cards, then
up cards.
"""

from collections.abc import Mapping
from dataclasses import replace
from itertools import pairwise
from typing import Any

import pytest

from server.engine.games.catalogue import BARNEYS, RAZZ, RAZZ_ROLL_YOUR_OWN, STUD8, STUD_HIGH_LOW
from server.engine.games.game import Game
from server.engine.steps.betting import Bet
from server.engine.steps.opener import HIGH_CARD_ACE_HIGH, LOW_BOARD
from server.engine.steps.vocabulary import Choose, Step
from tests.support.stacked_hand import FIXED, StackedHand, deal

STREETS = {1: "third street", 2: "fourth street", 3: "fifth street", 4: "sixth street"}
RAZZ_GAMES = pytest.mark.parametrize("game", [RAZZ, RAZZ_ROLL_YOUR_OWN], ids=lambda game: game.id)


def boards(game: Game, up: Mapping[int, str], button: int = 8, **changes: Any) -> StackedHand:
    """A hand at the first bet of the street on which these boards lie."""
    rows = {seat: f"(xx) {row}" for seat, row in up.items()}
    size = len(next(iter(up.values())).replace(" ", "")) // 2
    return deal(game, rows, button=button, **changes).until(STREETS[size])


def test_O1_lowest_card_by_suit_must_open() -> None:
    assert boards(STUD8, {1: "2c", 2: "2d", 3: "Ks"}).opener == 1


def test_O2_ace_is_high_for_the_force_bet() -> None:
    assert boards(STUD8, {1: "Ac", 2: "Kd", 3: "3h"}).opener == 3


def test_O3_clubs_are_the_lowest_suit() -> None:
    assert boards(STUD8, {1: "2d", 2: "2h", 3: "2s", 4: "2c"}).opener == 4


@RAZZ_GAMES
def test_O4_the_king_of_spades_is_the_highest_card(game: Game) -> None:
    assert boards(game, {1: "Ks", 2: "Kh", 3: "Qs"}).opener == 1


@RAZZ_GAMES
def test_O5_ace_is_low_in_razz(game: Game) -> None:
    assert boards(game, {1: "As", 2: "2h", 3: "Qd"}).opener == 3


@RAZZ_GAMES
def test_O6_only_aces_the_spade_opens(game: Game) -> None:
    assert boards(game, {1: "Ah", 2: "As", 3: "Ad"}).opener == 2


@pytest.mark.parametrize(
    ("button", "changes", "opener"),
    [(1, {}, 2), (1, {"opener_tie": "suit"}, 3), (2, {}, 3), (2, {"opener_tie": "suit"}, 3)],
)
def test_O7_a_tie_goes_to_the_dealers_left_or_by_suit(button: int, changes: dict[str, Any], opener: int) -> None:
    up = {1: "2c 3d", 2: "Kc Qd", 3: "Kh Qs", 4: "9s 8s"}
    assert boards(STUD8, up, button, **changes).opener == opener


def test_O8_a_small_pair_beats_three_high_cards() -> None:
    assert boards(STUD8, {1: "As Ks Qs", 2: "4s 4h 2d"}).opener == 2


def test_O9_four_to_a_straight_flush_is_nothing() -> None:
    assert boards(STUD8, {1: "9s Ts Js Qs", 2: "2c 2d 3h 4h"}).opener == 2


def test_O10_trips_beat_two_pair() -> None:
    assert boards(STUD8, {1: "Ac Ad Kc Kd", 2: "2c 2d 2h 3s"}).opener == 2


@RAZZ_GAMES
def test_O11_order_of_low_boards(game: Game) -> None:
    falling = ["Ad 2c", "Ks Qs", "Ah As", "2d 2h"]
    assert boards(game, dict(enumerate(falling, 1))).opener == 1
    assert boards(game, dict(enumerate(reversed(falling), 1))).opener == 4
    for better, worse in pairwise(falling):
        assert boards(game, {1: worse, 2: better}).opener == 2, (better, worse)


@RAZZ_GAMES
@pytest.mark.parametrize(("tie", "opener"), [("position", 2), ("suit", 4)])
def test_O12_a_tie_of_low_boards(game: Game, tie: str, opener: int) -> None:
    up = {1: "8c 9d Ts", 2: "7c 5d 3s", 3: "8h 9s Th", 4: "7s 5h 3d"}
    assert boards(game, up, button=1, opener_tie=tie).opener == opener


@RAZZ_GAMES
def test_O12_by_suit_an_ace_is_the_lowest_card_of_a_low_board(game: Game) -> None:
    assert boards(game, {1: "As 2c", 2: "Ah 2d"}, opener_tie="suit").opener == 2


def test_O13_barneys_opens_without_a_forced_bet() -> None:
    table = boards(BARNEYS, {1: "As", 2: "Kc", 3: "Ad", 4: "9h"}, button=2, stakes=FIXED)
    assert table.opener == table.first == 3
    assert table.offers(3) == "fold, check, bet 2"
    assert boards(BARNEYS, {1: "As", 2: "Kc", 3: "Ad", 4: "9h"}, button=2, opener_tie="suit").opener == 1


@pytest.mark.parametrize(("game", "chips"), [(STUD8, 2), (BARNEYS, 1)], ids=["stud8", "barneys"])
def test_O14_opener_all_in_the_next_acts_first(game: Game, chips: int) -> None:
    up = {1: "Ac Ad", 2: "Kc 9d", 3: "Qc 8d", 4: "3c 4d"}
    table = boards(game, up, chips={1: chips})
    assert (table.opener, table.first) == (1, 2)


def test_O15_low_card_all_in_on_the_ante() -> None:
    table = boards(STUD8, {1: "2c", 2: "Kd", 3: "Qh", 4: "Jh"}, chips={1: 1})
    assert (table.opener, table.first) == (1, 2)
    assert table.offers(2) == "fold, post 1, bet 2"
    assert table.play("2 fold").offers(3) == "fold, post 1, bet 2"
    assert table.play("3 post").offers(4) == "fold, call 1, complete to 2"


def test_O16_the_kicker_decides_between_equal_pairs() -> None:
    assert boards(STUD8, {1: "8c 8d Kh", 2: "8h 8s Qc"}).opener == 1


def test_O17_only_rolled_cards_count_after_bring_em_back() -> None:
    rows = {1: "2c3c Kc Kd 9c 9d 4d", 2: "2d3d 4c 5c 6c 8c 7c", 3: "2h3h 4h 5h 6h 8h 7h"}
    table = deal(BARNEYS, rows, button=3).until("sixth street")
    assert table.opener == 1
    table.until_asked("arrange")
    table.play("1 arrange 4d KcKd9c9d, 2 arrange 7c 4c5c6c8c, 3 arrange 7h 4h5h6h8h")
    assert [table.up(seat) for seat in (1, 2, 3)] == [[8 + 1], [20], [22]]
    assert table.opener == 2


def test_O18_after_a_fold_the_best_of_the_other_boards_opens() -> None:
    rows = {1: "xx Qc Jc 4c 2c", 2: "xx Ac Ad 3d 5d -", 3: "xx Qd Td 9d 8d"}
    table = deal(BARNEYS, rows, button=3).until("sixth street")
    assert table.opener == 2
    table.play("2 fold")
    assert table.until("seventh street").opener == 1


def test_expose_from_the_dealers_left_or_from_the_coming_opener() -> None:
    steps = tuple(
        replace(step, first=LOW_BOARD) if isinstance(step, Choose) else step for step in RAZZ_ROLL_YOUR_OWN.steps
    )
    game = replace_steps(RAZZ_ROLL_YOUR_OWN, steps)
    rows = {1: "xx Kc", 2: "xx 9d", 3: "xx 2h"}
    by_position = deal(RAZZ_ROLL_YOUR_OWN, rows, button=3).until_asked("choose", 2)
    assert _choosers(by_position) == [1, 2, 3]
    by_opener = deal(game, rows, button=3)
    assert by_opener.turn == [1], "without boards there is no coming opener"
    assert _choosers(by_opener.until_asked("choose", 2)) == [3, 1, 2]


def _choosers(table: StackedHand) -> list[int]:
    seats = []
    while table.decision == "choose":
        (seat,) = table.turn
        seats.append(seat)
        table.late(seat)
    return seats


def test_no_qualifier_with_the_high_card_bringing_in_and_the_low_board_opening() -> None:
    steps = tuple(
        replace(step, opens=HIGH_CARD_ACE_HIGH if step.bring_in else LOW_BOARD) if isinstance(step, Bet) else step
        for step in STUD_HIGH_LOW.steps
    )
    game = replace_steps(STUD_HIGH_LOW, steps)
    up = {1: "Kc 3d", 2: "Ah 9d", 3: "2c 4d"}
    table = deal(game, {seat: f"(xx) {row}" for seat, row in up.items()}, button=3)
    assert table.opener == 2, "ace high"
    assert table.until("fourth street").opener == 3
    usual = deal(STUD_HIGH_LOW, {seat: f"(xx) {row}" for seat, row in up.items()}, button=3)
    assert (usual.opener, usual.until("fourth street").opener) == (3, 2)


def replace_steps(game: Game, steps: tuple[Step, ...]) -> Game:
    """The same game with other steps."""
    return replace(game, steps=steps)
