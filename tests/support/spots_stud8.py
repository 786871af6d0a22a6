"""Spots of seven-card stud high-low, eight or better, at 2/4 with an ante and a bring-in of 1.

Rows name the cards that count; ``x`` is a hidden card of another player, which the seat does not see. Folding is 0.
"""

from server.engine.games.catalogue import STUD8
from server.engine.ranking.strength import eight_or_better, high
from tests.support.plain_values import against, call_ends_betting
from tests.support.spots import Spot, betting, spot
from tests.support.stacked_hand import deal


def two_pair_against_three_nines_face_up() -> Spot:
    """Every holding beats kings and sevens, and there is no low: a call is 4 chips for nothing, a raise is 8."""
    table = deal(STUD8, {1: "(Kd Qc) Kh 7s 4d Jc (7d)", 2: "(x x) 9s 9h 9d 3c (x)"})
    found = spot(betting(table, "seventh street").play("2 bet 4"), "fold > call > raise 8")
    assert against(found.moment, 2, high).won == 0
    assert against(found.moment, 2, eight_or_better).better == 0
    return found


def a_steel_wheel_on_the_last_card() -> Spot:
    """Nothing beats it in either direction, so a call wins all that is there, and a raise 4 more when it is called."""
    table = deal(STUD8, {1: "(As 2s) 3s 4s Kd Kh (5s)", 2: "(x x) Qh Qd 8c 2h (x)"})
    betting(table, "seventh street").play("1 check, 2 bet 4")
    found = spot(table, "raise 8 > call > fold")
    assert against(found.moment, 2, high).won == 1
    assert against(found.moment, 2, eight_or_better).better == 0
    return found


def the_only_low_of_three_players() -> Spot:
    """Neither board can make a low, so half of the pot is sure: 4 more in a raise that both call bring back 6."""
    rows = {1: "(As 2c) 4h 6d Jc Th (7s)", 2: "(x x) Kh Kd Qs 9h (x)", 3: "(x x) Qd Qc Jd 9c (x)"}
    table = betting(deal(STUD8, rows), "seventh street").play("2 bet 4, 3 call")
    found = spot(table, "raise 8 > call > fold")
    assert all(against(found.moment, other, eight_or_better).won == 1 for other in (2, 3))
    return found


def a_wheel_with_a_card_to_come_against_kings() -> Spot:
    """Half is sure, since kings cannot make a low, and the straight wins the other half against eight holdings of nine:
    a raise of 4 that is called brings back more than 7.
    """
    table = deal(STUD8, {1: "(As 2c) 3h 4d 5s Jc", 2: "(x x) Kh Kd Qs 9c"})
    found = spot(betting(table, "sixth street").play("2 bet 4"), "raise 8 > call > fold")
    assert against(found.moment, 2, eight_or_better).won == 1
    assert against(found.moment, 2, high).won > 0.88
    return found


def a_flush_draw_without_a_heart() -> Spot:
    """Aces are all in, and the nine hearts that would help lie dead: nothing wins, and 4 chips would be lost."""
    return _flush_draw("2h 5h", "6h 7h", "8h Jh", "Th 3h", aces="Ah Ad", worth=-2)


def a_flush_draw_with_nine_hearts_left() -> Spot:
    """The same without dead hearts: 9 cards of 36 win some 40 chips for 4."""
    return _flush_draw("2s 5d", "6s 7d", "8s Jd", "Ts 3d", aces="As Ad", worth=2)


def _flush_draw(*dead: str, aces: str, worth: int) -> Spot:
    """Four hearts against aces all in, with one card to come; others have folded, whose two up cards are dead."""
    rows = {
        1: "(Kh 9h) 4h Qh 7s 2c",
        2: f"(x x) {aces} 9c Js",
        **{3 + i: f"(x x) {two} -" for i, two in enumerate(dead)},
    }
    table = betting(deal(STUD8, rows, chips={2: 19}), "fourth street")
    table.play("2 bet 4, 3 fold, 4 fold, 5 fold, 6 fold, 1 call, 2 bet 4, 1 raise 8, 2 call, 2 bet 4")
    found = spot(table, "call > fold" if worth > 0 else "fold > call")
    average = call_ends_betting(found.moment).average
    assert average > worth if worth > 0 else average < worth
    return found


def the_worst_low_draw_between_a_bet_and_a_raise() -> Spot:
    """Kings and tens bet, 5-4-3-A raises. Only an eight-seven can come, in 12 of 38 cards, and it wins half if the
    raiser has none of the twelve cards that make their low: 5 % of some 75 chips, less after what they did, for 8
    chips now and more later.
    """
    rows = {1: "(8d 7c) 6h 2s Kc Qd", 2: "(x x) Kh Kd Th Td", 3: "(x x) As 3d 4c 5h"}
    table = deal(STUD8, rows).play("1 post, 2 complete 2, 3 call, 1 call, 2 bet 4, 3 call, 1 call")
    table.play("2 bet 4, 3 raise 8, 1 call, 2 call, 2 bet 4, 3 raise 8")
    return spot(table, "fold > call > raise 12")


def aces_where_open_queens_bet_and_a_straight_flush_board_raises() -> Spot:
    """Against random cards a pair of aces wins a fifth of this pot of 69. But queens bet into a board that raised them
    on fifth street, and it raises again: aces win only if neither has two pair, in 5 % at most, 4 chips for 8.
    """
    rows = {1: "(Ac Kd) Ad Tc 7s 5d (Jh)", 2: "(x x) Qs Qd 6c Jc (x)", 3: "(x x) 8h 9h Th 2c (x)"}
    table = deal(STUD8, rows).play("3 post, 1 complete 2, 2 call, 3 call, 2 bet 4, 3 call, 1 call")
    table.play("2 bet 4, 3 raise 8, 1 call, 2 call, 2 bet 4, 3 call, 1 call, 2 bet 4, 3 raise 8")
    return spot(table, "fold > call > raise 12")


def two_pair_for_a_small_price() -> Spot:
    """4 chips for 75: one time in 20 is enough. An ace that only called paired on sixth street and bets since then: it
    has two pair or better in two of three hands, and no low in most.
    """
    rows = {1: "(Qc 9d) Qh 9s 5d 2c (Jh)", 2: "(x x) As 7h 4c Ah (x)", 3: "(x x) Kd Jd Tc 8s -"}
    table = deal(STUD8, rows)
    table.play("1 post, 2 complete 2, 3 raise 4, 1 raise 6, 2 call, 3 raise 8, 1 call, 2 call")
    table.play("2 check, 3 bet 2, 1 raise 4, 2 call, 3 call, 2 check, 3 bet 4, 1 raise 8, 2 call, 3 call")
    found = spot(table.play("2 bet 4, 3 fold, 1 call, 2 bet 4"), "call > fold", "call or raise 8")
    assert call_ends_betting(found.moment).average > 10
    return found


def rags_against_a_completion_and_two_raises() -> Spot:
    """Queen-nine-four wins an eighth of what four players put in here: 6 chips or 8 for 5, and further bets to come."""
    rows = {1: "(Qs 9d) 4c", 2: "(x x) 2d", 3: "(x x) As", 4: "(x x) Kh", 5: "(x x) 6s"}
    table = deal(STUD8, rows).play("2 post, 3 complete 2, 4 raise 4, 5 raise 6")
    return spot(table, "fold > call; fold > raise 8")


def three_aces_on_third_street() -> Spot:
    """The best hand that there is: it wins two thirds against two players, and more than a small bet in any case."""
    rows = {1: "(Ac Ad) Ah", 2: "(x x) 3c", 3: "(x x) Ks", 4: "(x x) 7d"}
    table = deal(STUD8, rows).play("2 post, 3 complete 2, 4 call")
    return spot(table, "raise 4 > fold; call > fold", "raise 4 or call")


def a_gutshot_without_a_low_against_two_big_bets() -> Spot:
    """Open aces bet, and 7-6-4 of spades raises. Four queens make the straight, in a sixth of all cases, for half of
    the pot at most: some 6 chips for 8 now and 8 later.
    """
    rows = {1: "(Js 9d) Th 2c Kd", 2: "(x x) Ac Ad 5h", 3: "(x x) 7s 6s 4s"}
    table = deal(STUD8, rows).play("3 post, 1 call, 2 complete 2, 3 call, 1 call, 2 bet 4, 3 call, 1 call")
    return spot(table.play("2 bet 4, 3 raise 8"), "fold > call; fold > raise 12")


def four_tens_behind_three_nines_that_check() -> Spot:
    """Nothing beats four tens here, and three nines face up pay: a bet wins 4 more, and a check does not."""
    table = deal(STUD8, {1: "(Td Tc) Th 2s 5d Ts (6c)", 2: "(x x) 9s 9h 9d 3c (x)"})
    found = spot(betting(table, "seventh street").play("2 check"), "bet 4 > check")
    assert against(found.moment, 2, high).won == 1
    assert against(found.moment, 2, eight_or_better).better == 0
    return found


def three_low_cards_and_a_king_against_two_big_bets() -> Spot:
    """Open aces bet 4, and 7-6 of hearts raises to 8. A low comes in a third of all cases and is often the second best:
    12 % of some 60 chips for 8 chips now and 8 to 16 later.
    """
    rows = {1: "(2d 3c) 4s Kh", 2: "(x x) As Ad", 3: "(x x) 7h 6h"}
    table = deal(STUD8, rows).play("1 post, 2 complete 2, 3 call, 1 call, 2 bet 4, 3 raise 8")
    return spot(table, "fold > call > raise 12")


SPOTS = (
    two_pair_against_three_nines_face_up,
    a_steel_wheel_on_the_last_card,
    the_only_low_of_three_players,
    a_wheel_with_a_card_to_come_against_kings,
    a_flush_draw_without_a_heart,
    a_flush_draw_with_nine_hearts_left,
    the_worst_low_draw_between_a_bet_and_a_raise,
    aces_where_open_queens_bet_and_a_straight_flush_board_raises,
    two_pair_for_a_small_price,
    rags_against_a_completion_and_two_raises,
    three_aces_on_third_street,
    a_gutshot_without_a_low_against_two_big_bets,
    four_tens_behind_three_nines_that_check,
    three_low_cards_and_a_king_against_two_big_bets,
)
