"""The built-in games are those of the rules (`rules.md` 7.2, 8.2, 9.2, 13.1, 17), street by street."""

import pytest

from protocol import events as ev
from protocol.stakes import Stakes
from server.engine.games.catalogue import (
    ANACONDA,
    BARNEYS,
    CHICAGO,
    FOLLOW_THE_QUEEN,
    GAMES,
    RAZZ,
    RAZZ_ROLL_YOUR_OWN,
    STUD,
    STUD8,
    STUD_HIGH_LOW,
)
from server.engine.games.game import Game
from tests.support.stacked_hand import FIXED, contest, deal

STUD_STREETS = [
    ("third street", 2, 1, "post 1, bet 2"),
    ("fourth street", 2, 2, "fold, check, bet 2"),
    ("fifth street", 2, 3, "fold, check, bet 4"),
    ("sixth street", 2, 4, "fold, check, bet 4"),
    ("seventh street", 3, 4, "fold, check, bet 4"),
]
ROLLED_RAZZ = [
    ("third street", 2, 1, "post 1, bet 2"),
    ("fourth street", 2, 2, "fold, check, bet 2"),
    ("fifth street", 2, 3, "fold, check, bet 4"),
    ("sixth street", 2, 4, "fold, check, bet 4"),
    ("seventh street", 3, 4, "fold, check, bet 4"),
]
ROLLS = [(f"{number} roll", 5 - at, at, "fold, check, bet 4") for at, number in
         enumerate(("first", "second", "third", "fourth"), 1)]  # fmt: skip
BARNEYS_STREETS = [
    ("third street", 2, 1, "fold, check, bet 2"),
    ("fourth street", 2, 2, "fold, check, bet 2"),
    ("fifth street", 2, 3, "fold, check, bet 2"),
    ("sixth street", 2, 4, "fold, check, bet 2"),
    ("seventh street", 3, 4, "fold, check, bet 2"),
    *ROLLS,
]
ANACONDA_STREETS = [
    ("seventh street", 7, 0, "fold, check, bet 2"),
    ("passing 3 to the left", 7, 0, "fold, check, bet 2"),
    ("passing 2 to the left", 7, 0, "fold, check, bet 2"),
    ("passing 1 to the left", 7, 0, "fold, check, bet 2"),
    *ROLLS,
]


@pytest.mark.parametrize(
    ("game", "streets"),
    [
        (BARNEYS, BARNEYS_STREETS),
        (STUD8, STUD_STREETS),
        (RAZZ_ROLL_YOUR_OWN, ROLLED_RAZZ),
        (STUD, STUD_STREETS),
        (STUD_HIGH_LOW, STUD_STREETS),
        (RAZZ, STUD_STREETS),
        (ANACONDA, ANACONDA_STREETS),
        (CHICAGO, STUD_STREETS),
        (FOLLOW_THE_QUEEN, STUD_STREETS),
    ],
    ids=lambda value: value.id if isinstance(value, Game) else "",
)
def test_streets_cards_and_sizes(game: Game, streets: list[tuple[str, int, int, str]]) -> None:
    # Eleven spades and diamonds: no pair shows anywhere.
    rows = {1: "2s 4d 6s 8d Ts Qd As", 2: "3s 5d 7s 9d Js Kd Ad"}
    table = deal(game, rows, button=2, limit="fixed")
    seen = []
    for street, *_ in streets:
        table.until(street)
        seen.append((street, len(table.down(1)), len(table.up(1)), table.offers(table.first)))
    assert seen == streets
    assert table.count(ev.RoundOpened) == len(streets), "no other rounds"


def test_the_games_in_the_box_by_their_fields() -> None:
    fields = {game.id: (game.most_players, game.stakes.cap, game.stakes.no_check_raise) for game in GAMES.values()}
    assert fields == {
        "barneys": (7, 3, True), "stud8": (8, 3, False), "razz": (7, 3, False), "stud": (8, 3, False),
        "studhilo": (8, 3, False), "plainrazz": (8, 3, False), "anaconda": (7, 3, False), "chicago": (7, 3, False),
        "queen": (7, 3, False),
    }  # fmt: skip
    assert BARNEYS.stakes.limit == "spread"
    assert (BARNEYS.stakes.least, BARNEYS.stakes.most, BARNEYS.stakes.ante) == (1, 5, 1)
    for game in GAMES.values():
        assert game.stakes.problem() == ""
        assert game.stakes.opener_tie == game.stakes.odd_chip == "position"
    uncapped = [game.id for game in GAMES.values() if game.stakes.heads_up_uncapped]
    assert uncapped == ["stud8", "stud", "studhilo", "plainrazz", "chicago", "queen"]


def test_7_3_barneys_own_last_round_has_the_odd_man() -> None:
    table = deal(BARNEYS, {1: "", 2: "", 3: ""}, button=3, stakes=FIXED).until_asked("declare")
    table.play("1 declare high, 2 declare high, 3 declare low")
    assert table.last(ev.Declared).odd_man == table.opener == 3
    assert table.offers(3) == "fold, check, bet 4"
    assert table.play("3 bet 4, 1 raise 8, 2 call").offers(3) == "fold, call 4"


def test_7_3_barneys_own_check_raise_rule() -> None:
    table = deal(BARNEYS, {1: "xx Kc", 2: "xx Qd"}, button=2, stakes=FIXED).until("third street")
    assert table.play("1 check, 2 bet 2").offers(1) == "fold, call 2"


def test_17_stud_is_high_only_and_razz_is_low_only() -> None:
    rows = {1: "Ks Kd Qs Qd 9h 8c 7s", 2: "As 2d 3c 4h 6s Jd Jc"}
    assert contest(STUD, rows, 50, button=2).won() == {1: 100}
    assert contest(RAZZ, rows, 50, button=2).won() == {2: 100}
    assert contest(STUD8, rows, 50, button=2).won() == {1: 50, 2: 50}


def test_17_high_low_without_a_qualifier_always_splits() -> None:
    rows = {1: "Ks Kd Qs Qd 9h 8c 7s", 2: "As Jd Th 9c 5s Jc Td"}
    assert contest(STUD8, rows, 50, dead=1, button=2).won() == {1: 101}
    won = contest(STUD_HIGH_LOW, rows, 50, dead=1, button=2).won()
    assert won == {1: 51, 2: 50}


def test_8_1_open_pair_on_fourth_street_only() -> None:
    rows = {1: "(xx) Kc Kd Kh Ks", 2: "(xx) 2c 9d 9h 9c"}
    table = deal(STUD8, rows, button=2)
    offers = [table.until(street).offers(1) for street in ("fourth street", "fifth street", "sixth street")]
    assert offers == ["fold, check, bet 2 or 4", "fold, check, bet 4", "fold, check, bet 4"]


@pytest.mark.parametrize(
    ("stakes", "problem"),
    [
        (Stakes(ante=-1), "negative"),
        (Stakes(bring_in=-1), "negative"),
        (Stakes(small=0, bring_in=0), "small bet"),
        (Stakes(small=4, big=2), "small bet"),
        (Stakes(limit="spread", least=0), "least bet"),
        (Stakes(limit="spread", least=6, most=5), "least bet"),
        (Stakes(bring_in=3, small=2), "bring-in"),
        (Stakes(limit="spread", bring_in=6, most=5), "bring-in"),
        (Stakes(cap=0), "cap"),
    ],
)
def test_stakes_that_cannot_be_played(stakes: Stakes, problem: str) -> None:
    assert problem in stakes.problem()
