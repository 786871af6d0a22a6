"""Cards, flow and clocks (`rules.md` 6, 7.2, 8.2, 9.2, 10 and 12: K1-K6, T1-T7)."""

from collections.abc import Mapping
from dataclasses import replace
from typing import Any, Literal

import pytest

from protocol import events as ev
from protocol.actions import Action
from protocol.cards import cards
from protocol.visibility import project
from server.engine.errors import IllegalAction
from server.engine.games.catalogue import BARNEYS, RAZZ_ROLL_YOUR_OWN, STUD8
from server.engine.steps.hand_state import ShortageOpener
from server.engine.steps.opener import HIGH_BOARD, LOW_BOARD
from tests.support.engine_table import HOUSE_GAME
from tests.support.stacked_hand import FIXED, StackedHand, contest, deal, one_round

Street = Literal["third street", "fourth street", "fifth street", "sixth street"]

# ------------------------------------------------------------------ shortage


def to_the_river(players: int, folds: Mapping[Street, int], **changes: Any) -> StackedHand:
    """Stud/8 up to seventh street; so many players fold on the streets named."""
    table = deal(STUD8, dict.fromkeys(range(1, players + 1), ""), button=players, **changes)
    streets: tuple[Street, ...] = ("third street", "fourth street", "fifth street", "sixth street")
    for street in streets:
        leaving = folds.get(street, 0)
        while table.hand.street == street:
            (seat,) = table.turn
            kinds = [option.kind for option in table.options(seat)]
            if leaving and "fold" in kinds:
                leaving -= 1
                table.play(f"{seat} fold")
            else:
                table.play(f"{seat} {'check' if 'check' in kinds else 'call' if 'call' in kinds else 'post'}")
    return table


@pytest.mark.parametrize(
    ("players", "folds", "community"),
    [
        pytest.param(8, {}, True, id="K1"),
        pytest.param(8, {"third street": 1}, False, id="K2"),
        pytest.param(8, {"fourth street": 1}, True, id="K3"),
        pytest.param(8, {"sixth street": 4}, False, id="K4"),
        pytest.param(8, {"sixth street": 3}, True, id="K4-five-for-four-cards"),
        pytest.param(8, {"fifth street": 1}, True, id="eight-eight-seven"),
        pytest.param(8, {"fifth street": 1, "sixth street": 2}, False, id="eight-eight-seven-then-five"),
        pytest.param(7, {}, False, id="K5"),
    ],
)
def test_K1_to_K5_shortage(players: int, folds: Mapping[Street, int], community: bool) -> None:
    table = to_the_river(players, folds)
    dealt = table.all(ev.CommunityDealt)
    assert bool(dealt) == community
    live = [table.hand.seats[i] for i in table.hand.live]
    for seat in live:
        assert len(table.down(seat)) + len(table.up(seat)) + len(table.hand.community) == 7
    if community:
        assert all(len(table.down(seat)) == 2 for seat in live), "nobody gets a card of their own"
        used = {card for seat in table.hand.seats for card in table.up(seat) + table.down(seat)}
        assert dealt[0].card not in used
    table.to_the_end()
    assert sum(chips for _, chips in table.hand.stacks()) == 1000 * players


K6 = {1: "(xx) Ac Td 8h 4s", 2: "(xx) Kd Kh 3c 2s"}


@pytest.mark.parametrize(("rule", "opener"), [("own_boards", 2), ("with_common", 1), ("previous_opener", 2)])
def test_K6_opener_with_a_common_card(rule: ShortageOpener, opener: int) -> None:
    game = replace(STUD8, shortage_opener=rule)
    rows = {**K6, 3: "(xx) 7c 7d 6c 5d", 4: "(xx) 2c 9d Jc Jd", 5: "(xx) 3d 9h Js Qh", 6: "(xx) 4c 9s Jh Qs",
            7: "(xx) 4d 9c 8d Ts", 8: "(xx) 5c 8c 7h Th"}  # fmt: skip
    table = deal(game, rows, button=8, common="As").until("seventh street")
    assert table.last(ev.CommunityDealt).card == cards("As")[0]
    assert table.opener == opener


def test_K6_previous_opener_and_own_boards_differ_after_a_fold() -> None:
    rows = {seat: f"(xx) {row}" for seat, row in enumerate(
        ["2c 9d Jc Jd", "Kd Kh 3c 2s", "7c 7d 6c 5d", "Ac Td 8h 4s", "3d 9h Js Qh", "4c 9s Jh Qs", "4d 9c 8d Ts",
         "5c 8c 7h Th"], 1)}  # fmt: skip
    rules: tuple[ShortageOpener, ...] = ("own_boards", "previous_opener")
    for rule in rules:
        table = deal(replace(STUD8, shortage_opener=rule), rows, button=8).until("sixth street")
        assert table.opener == 2
        table.play("2 fold")
        table.until("seventh street")
        assert table.hand.community, "seven players and four cards"
        assert table.opener == 1


def test_K6_boards_of_five_know_no_straights() -> None:
    for board, better, worse in (
        (LOW_BOARD, "2c 3c 4c 5c 7s", "2c 3c 4c 6c 7s"),
        (LOW_BOARD, "2c 3c 4c 6c 7s", "Ac 2c 3c 4c As"),
        (LOW_BOARD, "Ac 2c 3c 4c As", "2c 3c 4c 5c 2s"),
        (HIGH_BOARD, "2c 2d 2h 2s 3c", "Ac Ad Ah Ks Kc"),
        (HIGH_BOARD, "2c 2d 2h 3s 3c", "Ac Ad Ah Ks Qc"),
        (HIGH_BOARD, "2c 2d 5h 4s 3c", "2h 3h 4h 5h 6h"),
    ):
        assert board.with_common(cards(better)) > board.with_common(cards(worse)), (better, worse)


def test_6_all_in_players_share_the_common_card() -> None:
    table = to_the_river(8, {}, chips={3: 2})
    assert table.hand.community
    table.to_the_end()
    assert any(3 in seats for _, seats in table.pots())


# -------------------------------------------------------------------- clocks


def test_T1_timeout_folds_to_a_bet_and_checks_otherwise() -> None:
    table = one_round(3).late(1)
    assert table.last(ev.Acted) == ev.Acted(1, "check", 0, 0, cause="timeout")
    table.play("2 bet 2").late(3)
    assert table.last(ev.Acted) == ev.Acted(3, "fold", 0, 0, cause="timeout")


def test_T2_force_seat_posts_on_a_timeout() -> None:
    table = deal(STUD8, {1: "(xx) 2c", 2: "(xx) Kd", 3: "(xx) Qd"}, button=3).late(1)
    assert table.last(ev.Acted) == ev.Acted(1, "bring_in", 1, 1, cause="timeout")
    razz = deal(RAZZ_ROLL_YOUR_OWN, {1: "xx Kc", 2: "xx 2d"}, button=2).late(1).late(2).late(1)
    assert razz.last(ev.Acted) == ev.Acted(1, "bring_in", 1, 1, cause="timeout")


def test_T2_a_player_who_stands_in_for_the_opener_is_not_forced_to_pay() -> None:
    rows = {1: "(xx) 2c", 2: "(xx) Kd", 3: "(xx) Qd", 4: "(xx) Jd"}
    table = deal(STUD8, rows, button=4, chips={1: 1}).late(2)
    assert table.last(ev.Acted) == ev.Acted(2, "fold", 0, 0, cause="timeout")


def test_T3_timeout_turns_the_newest_card_and_the_reveal_goes_on() -> None:
    table = deal(BARNEYS, {1: "Ac Ad 2h 9s", 2: "Kc Kd 3h 8s"}, button=2)
    table.play("1 choose Ac")
    assert table.count(ev.CardsTurned) == 0
    table.late(2)
    assert table.last(ev.CardsTurned).cards == ((1, cards("Ac")[0]), (2, cards("3h")[0]))
    table.quiet_round()
    table.late(1).late(2)
    assert table.last(ev.CardsTurned).cards == ((1, cards("9s")[0]), (2, cards("8s")[0]))


def test_T4_razz_in_turn_barneys_together() -> None:
    rows = {1: "Ac 2d 3h", 2: "Kc 4d 5h", 3: "Qc 6d 7h"}
    razz = deal(RAZZ_ROLL_YOUR_OWN, rows, button=3)
    assert razz.turn == [1]
    razz.play("1 choose Ac, 2 choose Kc")
    assert razz.turn == [3]
    seen = [project(event, 3) for event in razz.events]
    assert [event.cards for event in seen if isinstance(event, ev.CardsTurned)] == [
        ((1, cards("Ac")[0]),),
        ((2, cards("Kc")[0]),),
    ]
    barneys = deal(BARNEYS, rows, button=3)
    assert barneys.turn == [1, 2, 3]
    barneys.play("2 choose Kc, 1 choose Ac")
    assert barneys.turn == [3]
    assert barneys.count(ev.CardsTurned) == 0
    for event in barneys.all(ev.ChoiceMade):
        assert project(event, 3).action is None
        assert project(event, event.seat).action == event.action
    barneys.play("3 choose 6d")
    (turned,) = barneys.all(ev.CardsTurned)
    assert [seat for seat, _ in turned.cards] == [1, 2, 3], "in dealing order, not in that of the answers"


def test_T4_the_order_is_from_the_dealers_left() -> None:
    table = deal(RAZZ_ROLL_YOUR_OWN, {1: "", 2: "", 3: ""}, button=1)
    assert table.turn == [2]


ARRANGED = {1: "As 2d 3h 4c 6s Kd Kh", 2: "9s 9d 9h 4d 4h 2c 7c", 3: ""}


def test_T5_a_missing_arrangement_is_made() -> None:
    table = deal(BARNEYS, ARRANGED, button=3).until_asked("arrange")
    table.play("3 arrange " + "".join(_texts(table.down(3)[:5])))
    table.late(1).late(2)
    # The best low is six-four, and for high there is one pair. The cards that were face up come first: 3h 4c 6s Kd.
    assert _texts(table.hand.down[0]) + _texts(table.hand.up[0]) == ["4c", "6s", "As", "2d", "3h"]
    assert table.hand.up[1] == cards("9h"), "no eight low: the best high five"
    made = [event for event in table.all(ev.ChoiceMade) if event.decision == "arrange"]
    assert [event.cause for event in made] == ["player", "timeout", "timeout"]
    for event in made:
        assert all(project(event, viewer).action is None for viewer in (1, 2, 3, None) if viewer != event.seat)


def _texts(row: list[int]) -> list[str]:
    return ["23456789TJQKA"[card >> 2] + "cdhs"[card & 3] for card in row]


@pytest.mark.parametrize(
    ("hand", "kept"),
    [
        pytest.param("As 2d 3h 4c 6s Kd Kh", "As 2d 3h 4c 6s", id="low-and-one-pair"),
        pytest.param("As 2d 3h 4c 8s Kd Kh", "As 2d 3h 4c 8s", id="an-eight-is-low-enough"),
        pytest.param("As 2d 3h 4c 9s Kd Kh", "As 4c 9s Kd Kh", id="a-nine-is-not"),
        pytest.param("As 2d 3h 4c 6s Ad 2h", "As 2d 6s Ad 2h", id="two-pair-beat-the-low"),
        pytest.param("As 2d 3h 4c 5s 7d 9h", "As 2d 3h 4c 5s", id="a-straight-beats-the-low"),
        pytest.param("As 2s 4s 6s 7s Kd Jh", "As 2s 4s 6s 7s", id="a-flush-beats-the-low"),
    ],
)
def test_T5_what_is_kept(hand: str, kept: str) -> None:
    table = deal(BARNEYS, {1: hand, 2: ""}, button=2).until_asked("arrange").late(1)
    action = table.last(ev.ChoiceMade).action
    assert action is not None
    assert action.cards is not None
    assert sorted(action.cards) == sorted(cards(kept))


def test_T5_order_of_rolling_what_was_shown_first_then_as_dealt() -> None:
    table = deal(BARNEYS, {1: "6s As 2d 3h 4c Kd Kh", 2: ""}, button=2)
    table.play("1 choose As").late(2).quiet_round()
    table.play("1 choose 3h").late(2).until_asked("arrange").late(1)
    action = table.last(ev.ChoiceMade).action
    assert action is not None
    assert _texts(list(action.cards or ())) == ["As", "3h", "4c", "6s", "2d"]


def test_10_default_pass_and_draw() -> None:
    """The cards that were dealt last go on, and none is drawn."""
    table = deal(HOUSE_GAME, {1: "As Ks Qs Js 2d", 2: "3c 4c 5c 6c 7c"}, button=2)
    for seat in (1, 2):
        table.late(seat)
    assert table.down(1) == cards("As Ks Qs Js 7c")
    assert table.down(2) == cards("3c 4c 5c 6c 2d")
    table.until_asked("discard").late(table.turn[0])
    assert table.last(ev.ChoiceMade).action == Action("discard", cards=())


@pytest.mark.parametrize(
    ("hand", "direction"),
    [("As 2d 3h 4c 6s", "low"), ("2s 3d 4h 5c 6s", "high"), ("9s 9d 2h 3c 4s", "high"), ("Ks Qd Jh 9c 8s", "low")],
)
def test_10_default_declaration(hand: str, direction: str) -> None:
    table = deal(BARNEYS, {1: f"{hand} xx", 2: ""}, button=2).until_asked("arrange")
    table.play(f"1 arrange {hand}").late(2).until_asked("declare").late(1)
    action = table.last(ev.ChoiceMade).action
    assert action == Action("declare", direction="low" if direction == "low" else "high")


def test_T6_one_player_left_declares_and_shows_nothing() -> None:
    table = deal(BARNEYS, {1: "", 2: "", 3: ""}, button=3, stakes=FIXED).until("second roll")
    first = table.first
    table.play(f"{first} bet 4")
    for seat in table.hand.seats:
        if seat != first:
            (turn,) = table.turn
            table.play(f"{turn} fold")
    assert table.hand.over
    assert table.won() == {first: 3}
    assert table.shown() == []
    assert table.count(ev.Declared) == table.count(ev.HandMucked) == 0
    assert table.count(ev.CardsTurned) == 6, "four selections and two rolls"


def test_T7_barneys_has_ten_betting_rounds() -> None:
    table = deal(BARNEYS, {1: "", 2: "", 3: ""}, button=3).until_asked("declare")
    table.play("1 declare low, 2 declare high, 3 declare high").to_the_end()
    assert table.count(ev.RoundOpened) == 10
    rounds = [event.street for event in table.all(ev.RoundOpened)]
    assert rounds == ["third street", "fourth street", "fifth street", "sixth street", "seventh street",
                      "first roll", "second roll", "third roll", "fourth roll", "the declaration"]  # fmt: skip


# ---------------------------------------------------------------- the streets


def test_7_2_what_lies_on_the_table_street_by_street() -> None:
    table = deal(BARNEYS, {1: "", 2: ""}, button=2)
    seen = []
    for street in ("third street", "fourth street", "fifth street", "sixth street", "seventh street", "first roll",
                   "second roll", "third roll", "fourth roll"):  # fmt: skip
        table.until(street)
        seen.append((len(table.down(1)), len(table.up(1))))
    assert seen == [(2, 1), (2, 2), (2, 3), (2, 4), (3, 4), (4, 1), (3, 2), (2, 3), (1, 4)]


def test_7_2_any_of_the_hidden_cards_may_be_turned_and_no_other() -> None:
    table = deal(BARNEYS, {1: "Ac 2d 3h 4s", 2: ""}, button=2)
    with pytest.raises(IllegalAction):
        table.play("1 choose Kd")
    table.play("1 choose 2d").late(2).quiet_round()
    assert set(table.options(1)[0].cards) == set(cards("Ac 3h 4s"))
    with pytest.raises(IllegalAction):
        table.play("1 choose 2d")
    with pytest.raises(IllegalAction):
        table.play("1 choose Ac 3h")
    table.play("1 choose Ac")


def test_7_2_five_of_seven_are_kept_in_order() -> None:
    table = deal(BARNEYS, {1: "Ac 2d 3h 4s 5c 6d 7h", 2: ""}, button=2).until_asked("arrange")
    for refused in ("Ac2d3h4s", "Ac2d3h4s5c6d", "AcAc2d3h4s", "AcKd2d3h4s"):
        with pytest.raises(IllegalAction):
            table.play(f"1 arrange {refused}")
    table.play("1 arrange 7h Ac 2d 6d 5c").late(2)
    assert table.up(1) == cards("7h")
    assert table.quiet_round().up(1) == cards("7h Ac")


def test_7_4_all_in_players_still_choose_arrange_roll_and_declare() -> None:
    table = deal(BARNEYS, {1: "", 2: "", 3: ""}, button=3, chips={1: 1, 2: 1, 3: 1})
    asked = []
    while not table.hand.over:
        asked.append((table.decision, table.turn[0]))
        table.late(table.turn[0])
    assert asked == [(what, seat) for what in ["choose"] * 4 + ["arrange", "declare"] for seat in (1, 2, 3)]
    assert table.count(ev.RoundSkipped) == 10


def test_9_2_all_in_players_keep_turning_cards() -> None:
    table = deal(RAZZ_ROLL_YOUR_OWN, {1: "", 2: ""}, button=2, chips=1)
    assert table.decision == "choose"
    table.to_the_end()
    assert len(table.up(1)) == 4


def test_9_2_four_up_three_hidden() -> None:
    table = deal(RAZZ_ROLL_YOUR_OWN, {1: "", 2: ""}, button=2).until("seventh street")
    assert (len(table.down(1)), len(table.up(1))) == (3, 4)


def test_8_2_four_up_three_down() -> None:
    table = deal(STUD8, {1: "", 2: ""}, button=2).until("seventh street")
    assert (len(table.down(1)), len(table.up(1))) == (3, 4)


def test_8_2_last_aggressor_shows_first_otherwise_the_highest_board() -> None:
    rows = {1: "(Ks Kd) 2c 3d 4h 9s Qc", 2: "(Qs Qd) Jh Jc 8h 8d 7c"}
    table = deal(STUD8, rows, button=2).until("seventh street").play("2 check, 1 bet 4, 2 call")
    assert table.shown()[0] == 1
    table = deal(STUD8, rows, button=2).until("seventh street").play("2 check, 1 check")
    assert table.shown()[0] == 2


def test_8_2_after_an_all_in_the_highest_board_shows_first() -> None:
    rows = {1: "(Ks Kd) 2c 3d 4h 9s Qc", 2: "(Qs Qd) Jh Jc 8h 8d 7c"}
    table = deal(STUD8, rows, button=2, chips=4).until("fourth street").play("2 check, 1 bet 2, 2 call")
    assert table.hand.over
    assert table.shown()[0] == 2


def test_4_7_a_short_ante_is_dealt_in() -> None:
    table = deal(RAZZ_ROLL_YOUR_OWN, {1: "", 2: "", 3: ""}, button=3, ante=5, chips={2: 3})
    assert table.last(ev.AntesPosted).antes == ((1, 5), (2, 3), (3, 5))
    assert table.pots() == [(9, (1, 2, 3)), (4, (1, 3))]
    assert table.play("1 choose " + _texts(table.down(1))[0]).turn == [2]


def test_1_no_cards_are_burned() -> None:
    table = deal(BARNEYS, dict.fromkeys(range(1, 8), ""), button=7).to_the_end()
    dealt = [card for event in table.all(ev.CardsDealt) for _, down, up in event.cards for card in (*down, *up)]
    assert len(dealt) == len(set(dealt)) == 49


def test_8_2_in_turn_the_first_shows_and_a_beaten_player_may_muck() -> None:
    rows = {1: "Qs Qd 9d 8d 7d 3c 2c", 2: "Ks Kd 9h 8c 7s 4h 3h", 3: "2s 2d 9s 8s 7h Jd 4c"}
    table = contest(STUD8, rows, 20, button=3)
    assert table.shown() == [1, 2]
    assert [event.seat for event in table.all(ev.HandMucked)] == [3]
    assert contest(STUD8, rows, 20, button=3, show="all").shown() == [1, 2, 3]
