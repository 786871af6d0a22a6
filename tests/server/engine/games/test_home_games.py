"""Anaconda, Chicago and Follow the Queen: the cases of `rules.md` 18, 19 and 20."""

from typing import Any

from protocol import events as ev
from protocol.cards import RANK_NAMES, cards
from server.engine.games.catalogue import ANACONDA, CHICAGO, FOLLOW_THE_QUEEN, STUD8, STUD_HIGH_LOW
from server.engine.games.house_games import load_game
from server.engine.steps.vocabulary import Deal
from tests.support.stacked_hand import StackedHand, contest, cut_short, deal

NINES = "9s 9d Qh Jc 8h 3d 4c"
QUEEN_HIGH = "Qd Jh Tc 8s 7d 5c 2h"
SEVEN_LOW = "7c 6d 4h 2c Ad Ks Kc"
STRAIGHT = "2s 3d 4h 5c 6s"

# ------------------------------------------------------------------- 18 Anaconda


def test_N1_all_cards_change_hands_at_once() -> None:
    rows = {1: "2c 3c 4c 5c 6c 7c 8c", 2: "2d 3d 4d 5d 6d 7d 8d", 3: "2h 3h 4h 5h 6h 7h 8h"}
    table = deal(ANACONDA, rows, button=3).until_asked("pass")
    table.play("1 pass 2c3c4c, 2 pass 2d3d4d, 3 pass 6h7h8h")
    assert sorted(table.down(1)) == sorted(cards("5c 6c 7c 8c 6h 7h 8h"))
    assert sorted(table.down(2)) == sorted(cards("5d 6d 7d 8d 2c 3c 4c"))
    assert sorted(table.down(3)) == sorted(cards("2h 3h 4h 5h 2d 3d 4d"))


def test_N2_a_folded_neighbour_is_passed_over() -> None:
    table = deal(ANACONDA, {1: "2c 3c 4c 5c 6c 7c 8c", 2: "", 3: "2h 3h 4h 5h 6h 7h 8h"}, button=3)
    table.play("1 check, 2 fold, 3 check, 1 pass 2c3c4c, 3 pass 6h7h8h")
    assert table.last(ev.CardsPassed).passes == (
        (1, 3, tuple(cards("2c 3c 4c"))),
        (3, 1, tuple(cards("6h 7h 8h"))),
    )


def test_N3_nobody_is_the_odd_man_and_nobody_bets_after_the_declaration() -> None:
    table = deal(ANACONDA, {1: "", 2: "", 3: ""}, button=3).until_asked("declare")
    rounds = table.count(ev.RoundOpened)
    table.play("1 declare high, 2 declare high, 3 declare low")
    declared = table.last(ev.Declared)
    assert (declared.odd_man, declared.why) == (None, "")
    assert table.count(ev.RoundOpened) == rounds
    assert table.hand.over


def test_18_a_house_game_names_an_odd_man_only_for_a_bet_in_which_it_matters() -> None:
    plain = """
id = "half"
title = "Half"
players = 4
steps = [
    { do = "deal", down = 5 },
    { do = "declare" },
    { do = "bet", opens = "dealers_left" },
    { do = "showdown", high = "high", low = "a6" },
]
"""
    odd = plain.replace('"dealers_left"', '"dealers_left", odd_man = true')
    for text, expected in ((plain, None), (odd, 3)):
        table = deal(load_game(text), {1: "", 2: "", 3: ""}, button=3)
        table.play("1 declare high, 2 declare high, 3 declare low")
        assert table.last(ev.Declared).odd_man == expected


def declared(rows: dict[int, str], directions: dict[int, str]) -> StackedHand:
    """Anaconda's showdown after 20 chips from everybody."""
    kept = {seat: " ".join(row.split()[:5]) for seat, row in rows.items()}
    return contest(ANACONDA, kept, 20, button=2, declared=directions)


def test_N4_nobody_went_low() -> None:
    table = declared({1: NINES, 2: QUEEN_HIGH}, {1: "high", 2: "high"})
    assert table.won() == {1: 40}
    assert table.last(ev.PotAwarded).why == "nobody went low"


def test_N4_nobody_went_high() -> None:
    table = declared({1: NINES, 2: SEVEN_LOW}, {1: "low", 2: "low"})
    assert table.won() == {2: 40}
    assert table.last(ev.PotAwarded).why == "nobody went high"


def test_N4_in_a_side_pot_without_the_low() -> None:
    rows = {1: "7c 6d 4h 2c Ad", 2: "9s 9d Qh Jc 8h", 3: "Qd Jh Tc 8s 7d"}
    table = contest(ANACONDA, rows, {1: 20, 2: 50, 3: 50}, button=3, declared={1: "low", 2: "high", 3: "high"})
    assert [(event.part, event.why) for event in table.all(ev.PotAwarded)] == [
        ("high", ""), ("low", ""), ("whole", "nobody in this pot went low"),
    ]  # fmt: skip


def test_N5_a_lone_low_that_is_a_straight_has_no_hand() -> None:
    table = declared({1: NINES, 2: STRAIGHT}, {1: "high", 2: "low"})
    assert table.won() == {1: 40}
    assert table.last(ev.PotAwarded).why == "nobody has a hand in the other direction"


def test_N6_eight_rounds() -> None:
    table = deal(ANACONDA, {1: "", 2: ""}, button=2).to_the_end()
    assert table.count(ev.RoundOpened) == 8


# -------------------------------------------------------------------- 19 Chicago

DEALT = cut_short(CHICAGO, Deal(down=2, up=1), Deal(up=3), Deal(down=1))
"""Chicago without betting: everybody is all-in for the ante."""
HOLE = "(Qd {}) Jh 9d 7c 4h (5c)"


def chicago(rows: dict[int, str], put: int = 50) -> StackedHand:
    return deal(DEALT, rows, button=len(rows), chips=put, ante=put)


def test_G1_the_spade_takes_half() -> None:
    assert chicago({1: "(Kh Kd) 9c 8d 5h 3c (Jd)", 2: HOLE.format("2s")}).won() == {1: 50, 2: 50}


def test_G2_a_spade_face_up_wins_nothing() -> None:
    table = chicago({1: "(Kh Kd) As 8d 5h 3c (Jd)", 2: HOLE.format("3s")})
    assert table.won() == {1: 50, 2: 50}
    assert table.all(ev.PotAwarded)[1].hand == "the three of spades in the hole"


def test_G3_without_a_spade_in_the_hole_high_takes_all() -> None:
    table = chicago({1: "(Kh Kd) As 8d 5h 3c (Jd)", 2: HOLE.format("3h")})
    assert table.won() == {1: 100}
    assert table.last(ev.PotAwarded).why == "no spade: high takes all"


def test_G4_one_player_wins_both_halves() -> None:
    assert chicago({1: "(Ks Kd) 9c 8d 5h 3c (Jd)", 2: HOLE.format("3s")}).won() == {1: 100}


def test_G5_the_odd_chip_goes_high() -> None:
    rows = {1: "(Kh Kd) 9c 8d 5h 3c (Jd)", 2: HOLE.format("2s"), 3: "(Qh Th) 8c 7d 6c 4d (2d)"}
    assert chicago(rows, 1).won() == {1: 2, 2: 1}


# ------------------------------------------------------------ 20 Follow the Queen

QUEEN, SEVEN, FOUR = (RANK_NAMES.index(name) for name in ("queen", "seven", "four"))


def queen(first: str, second: str, street: str = "fourth street", **changes: Any) -> StackedHand:
    """Two players' up cards; the hand runs to the first bet of that street. Their hidden cards say nothing."""
    rows = {1: f"(2s 3s) {first}", 2: f"(2d 8d) {second}"}
    return deal(FOLLOW_THE_QUEEN, rows, button=2, **changes).until(street)


def test_W1_the_card_after_the_queen_is_wild() -> None:
    table = queen("Qc 9h", "7d Ts", "third street")
    assert table.hand.wilds == (SEVEN,)
    assert table.last(ev.WildsNamed).why == "seven after queen"


def test_W2_the_next_queen_ends_that() -> None:
    assert queen("Qc Qh", "7d 4h").hand.wilds == (FOUR,)


def test_W3_a_queen_that_comes_last_leaves_nothing_wild() -> None:
    table = queen("Qc 9h Tc Jc", "7d Ts Kc Qh", "seventh street")
    assert table.hand.wilds == ()
    assert table.last(ev.WildsNamed).why == "queen turned up, nothing after it yet"


def test_W4_the_next_card_may_come_on_the_next_street() -> None:
    assert queen("9c 7h", "Qd Ts", "third street").hand.wilds == ()
    assert queen("9c 7h", "Qd Ts").hand.wilds == (SEVEN,)


def test_W5_hidden_queens_do_nothing() -> None:
    rows = {1: "(Qs Qh) 9c 7h Tc Jd (Qc)", 2: "(Qd 8d) 5d Ts"}
    table = deal(FOLLOW_THE_QUEEN, rows, button=2).until("seventh street")
    assert (table.hand.wilds, table.count(ev.WildsNamed)) == ((), 0)


def test_W6_a_queen_after_a_queen_waits_for_the_next_card() -> None:
    assert queen("Qc 4h", "Qd Ts", "third street").hand.wilds == ()
    assert queen("Qc 4h", "Qd Ts").hand.wilds == (FOUR,)


def test_W7_by_the_switch_the_queens_are_wild_too() -> None:
    assert queen("9c", "7d", "third street", followed_wild=True).hand.wilds == (QUEEN,)
    assert queen("Qc 9h", "7d Ts", "third street", followed_wild=True).hand.wilds == (QUEEN, SEVEN)
    table = queen("Qc 9h Tc Jc", "7d Ts Kc Qh", "seventh street", followed_wild=True)
    assert table.hand.wilds == (QUEEN,)
    assert [event.why for event in table.all(ev.WildsNamed)] == [
        "seven after queen", "queen turned up, nothing after it yet"
    ]  # fmt: skip


def test_W7_queens_that_are_wild_from_the_first_card_on_are_told() -> None:
    table = queen("9c", "7d", "third street", followed_wild=True)
    assert table.last(ev.WildsNamed).why == "queens are always wild"


def test_W8_a_wild_card_on_a_board_is_the_card_that_is_printed_on_it() -> None:
    rows = {1: "(2s 3s) Qc 9h", 2: "(2d 8d) 7d Ah", 3: "(2h 8h) 4s 4c"}
    table = deal(FOLLOW_THE_QUEEN, rows, button=3).until("fourth street")
    assert (table.hand.wilds, table.opener) == ((SEVEN,), 3)


# --------------------------------------------------------------- 17 stud high-low


def test_17_an_open_pair_changes_nothing_in_high_low_without_a_qualifier() -> None:
    rows = {1: "(xx) Kc Kd", 2: "(xx) 2c 9d"}
    offers = {game.id: deal(game, rows, button=2).until("fourth street").offers(1) for game in (STUD8, STUD_HIGH_LOW)}
    assert offers == {"stud8": "fold, check, bet 2 or 4", "studhilo": "fold, check, bet 2"}
    switched = deal(STUD_HIGH_LOW, rows, button=2, open_pair="any_active").until("fourth street")
    assert switched.offers(1) == "fold, check, bet 2 or 4"
