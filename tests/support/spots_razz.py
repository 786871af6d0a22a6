"""Spots of razz roll your own, at 2/4 with an ante and a bring-in of 1.

Rows name the cards in the order in which they are dealt; everybody turns the newest card unless the script says
otherwise. ``x`` is a hidden card of another player. Folding is 0.
"""

from server.engine.games.catalogue import RAZZ_ROLL_YOUR_OWN
from server.engine.ranking.strength import ace_to_five
from tests.support.plain_values import against, call_ends_betting
from tests.support.spots import Spot, betting, play, spot
from tests.support.stacked_hand import deal


def a_wheel_against_a_bet() -> Spot:
    """Nothing is lower; a call wins the pot and 4, a raise that is called 4 more. 6-4-3-2 that bets does not fold."""
    table = deal(RAZZ_ROLL_YOUR_OWN, {1: "(Ad 2c) 3h 4s Kd Qc (5d)", 2: "(x x) 6h 4c 3d 2s (x)"})
    found = spot(betting(table, "seventh street").play("2 bet 4"), "raise 8 > call > fold")
    assert against(found.moment, 2, ace_to_five).better == 0
    return found


def a_wheel_behind_a_check() -> Spot:
    """Nothing is lower, and 7-6-4-2 that bet on every street calls: a bet wins 4 more than a check."""
    table = deal(RAZZ_ROLL_YOUR_OWN, {1: "(Ad 2c) 3h 4s Kd Qc (5d)", 2: "(x x) 7h 6c 4d 2s (x)"})
    found = spot(betting(table, "seventh street").play("2 check"), "bet 4 > check")
    assert against(found.moment, 2, ace_to_five).better == 0
    return found


def a_king_low_against_five_four_three_two() -> Spot:
    """The other hand is worse for one holding in sixty: half a chip for 4, if the bet says nothing."""
    table = deal(RAZZ_ROLL_YOUR_OWN, {1: "(Kd Qc) Kh Jd 9s 9c (4d)", 2: "(x x) 5h 4h 3c 2d (x)"})
    found = spot(betting(table, "seventh street").play("2 bet 4"), "fold > call > raise 8")
    assert call_ends_betting(found.moment).average < -2
    return found


def a_nine_low_against_a_king_and_a_queen() -> Spot:
    """The other board needs three low cards without a pair in the hole: seven holdings of eight are worse."""
    table = deal(RAZZ_ROLL_YOUR_OWN, {1: "(9d 8c) 6h 3s 2d Kc (Kh)", 2: "(x x) Ks Qd 4h 2c (x)"})
    found = spot(
        betting(table, "seventh street").play("1 check, 2 bet 4"), "call > fold; raise 8 > fold", "call or raise 8"
    )
    assert call_ends_betting(found.moment).average > 10
    return found


def a_nine_low_for_a_small_price() -> Spot:
    """4 chips for 69: one time in 18 is enough. T-5-4-2 needs two of three hidden cards to fit. It has called on three
    streets and bets now, and still misses one time in five.
    """
    rows = {1: "(9d 7c) 6h 3s 2d Kc (Kh)", 2: "(x x) Ts 5d 4h 2c (x)", 3: "(x x) 7d 4c Jd Qs -"}
    table = deal(RAZZ_ROLL_YOUR_OWN, rows)
    play(table, "2 post, 3 complete 2, 1 raise 4, 2 call, 3 raise 6, 1 raise 8, 2 call, 3 call")
    play(
        table, "1 bet 2, 2 call, 3 raise 4, 1 raise 6, 2 call, 3 call, 1 bet 4, 2 call, 3 call, 2 bet 4, 3 fold, 1 call"
    )
    found = spot(table.play("2 bet 4"), "call > fold", "call or raise 8")
    assert call_ends_betting(found.moment).average > 10
    return found


def a_six_draw_against_an_eight_board_all_in() -> Spot:
    """A-2-3-6 with a card to come, and 8-5-4-2 is all in with three cards that nobody has seen: counted, far more than
    the price.
    """
    table = deal(RAZZ_ROLL_YOUR_OWN, {1: "(Ad 2c) 6h 3s Kc Qd", 2: "(x x) 8s 5d 4h 2d"}, chips={2: 13})
    found = spot(betting(table, "sixth street").play("2 bet 4"), "call > fold")
    assert call_ends_betting(found.moment).average > 2
    return found


def a_jack_draw_against_a_five_board_all_in() -> Spot:
    """The best that can come is a jack-nine; 5-4-3-2 needs one of three cards and misses one time in thirty."""
    table = deal(RAZZ_ROLL_YOUR_OWN, {1: "(Jd 9c) 4c 2s Kc Kd", 2: "(x x) 5s 4d 3h 2d"}, chips={2: 13})
    found = spot(betting(table, "sixth street").play("2 bet 4"), "fold > call")
    assert call_ends_betting(found.moment).average < -2
    return found


def a_nine_between_two_low_boards_that_raise() -> Spot:
    """5-4-3-2 bets and 6-4-3-A raises. The nine wins only if both have missed, each one time of eight at the most: 1
    chip for 8, and more to pay on the last card.
    """
    rows = {1: "(9d 7c) 8h Kc 4s 2h", 2: "(x x) 5h 4c 3d 2s", 3: "(x x) 6s 4d 3c Ad"}
    table = play(
        deal(RAZZ_ROLL_YOUR_OWN, rows),
        "1 post, 2 complete 2, 3 call, 1 call, 2 bet 2, 3 call, 1 call, 2 bet 4, 3 call, 1 call",
    )
    return spot(play(table, "2 bet 4, 3 raise 8"), "fold > call > raise 12")


def king_queen_jack_against_a_completion_and_a_raise() -> Spot:
    """Three bad cards and two players who show an ace and a four: a twentieth of the pot for 4 chips and more."""
    rows = {1: "(Kd Qc) Jh", 2: "(x x) Ks", 3: "(x x) 4c", 4: "(x x) Ah"}
    return spot(play(deal(RAZZ_ROLL_YOUR_OWN, rows), "2 post, 3 complete 2, 4 raise 4"), "fold > call > raise 6")


def ace_two_three_against_a_completion() -> Spot:
    """The best three cards: 60 % of the pot against one player, and more chips to come. Only folding is wrong."""
    rows = {1: "(Ad 2c) 3h", 2: "(x x) Ks", 3: "(x x) 7c"}
    table = play(deal(RAZZ_ROLL_YOUR_OWN, rows), "2 post, 3 complete 2")
    return spot(table, "raise 4 > fold; call > fold", "raise 4 or call")


def two_bad_cards_in_a_row_against_a_bet_and_a_raise() -> Spot:
    """4-3-2 has become 4-3-2-K-Q and needs both of the last cards. 5-4-A bets, 7-3-2 raises: an eighth of some 60 chips
    at the most, for 8 chips now and 8 later.
    """
    rows = {1: "(2d 3c) 4h Kc Qs", 2: "(x x) 5d 4d Ac", 3: "(x x) 7s 3h 2c"}
    table = play(
        deal(RAZZ_ROLL_YOUR_OWN, rows),
        "3 post, 1 complete 2, 2 call, 3 call, 2 bet 2, 3 call, 1 call, 2 bet 4, 3 raise 8",
    )
    return spot(table, "fold > call > raise 12")


def a_pair_and_a_king_against_two_boards_that_improve() -> Spot:
    """7-7-K with a three needs three cards; 5-2 bets, 6-A raises: a tenth of 50 chips, for 4 now and 12 later."""
    rows = {1: "(7c 7d) 3h Kd", 2: "(x x) 5h 2c", 3: "(x x) 6s Ac"}
    table = play(deal(RAZZ_ROLL_YOUR_OWN, rows), "3 post, 1 complete 2, 2 call, 3 call, 2 bet 2, 3 raise 4")
    return spot(table, "fold > call; fold > raise 6")


def a_ten_nine_behind_six_four_three_two_that_checks() -> Spot:
    """A check shows the cards for nothing. A bet is called by every better hand, which are seven of eight, and wins
    from few that are worse: 3 chips lost.
    """
    table = deal(RAZZ_ROLL_YOUR_OWN, {1: "(Td 9c) 8h 5s 3d Kc (Kh)", 2: "(x x) 6h 4c 3h 2s (x)"})
    found = spot(betting(table, "seventh street").play("2 check"), "check > bet 4")
    assert against(found.moment, 2, ace_to_five).won < 0.15
    return found


def a_six_low_against_a_board_that_cannot_beat_it() -> Spot:
    """K-Q-J-4 has two low cards to add to four at the most: 6-5-3-2-A wins always, and a raise wins more."""
    table = deal(RAZZ_ROLL_YOUR_OWN, {1: "(Ad 2c) 3h 5s Kd 6c (Qc)", 2: "(x x) Ks Qs Jh 4c (x)"})
    found = spot(betting(table, "seventh street").play("1 check, 2 bet 4"), "raise 8 > call > fold", "raise 8")
    assert against(found.moment, 2, ace_to_five).won == 1
    return found


def a_two_to_show_with_two_kings() -> Spot:
    """The board is 5-3 against Q-J-9 and Q-J-T, and two kings are in the hole beside the two. 5-3-2 up opens, and who
    has a nine or a ten at best mostly gives up the 15 chips. With a king up Q-J-9 opens, and two hands are better.
    """
    rows = {1: "(Kc Ks) 5d 3h 2s", 2: "(x x) Qd Jc 9h", 3: "(x x) Jd Ts Qc"}
    table = deal(RAZZ_ROLL_YOUR_OWN, rows, button=1)
    play(table, "2 post, 3 call, 1 complete 2, 2 call, 3 call, 1 bet 2, 2 call, 3 call").late(2).late(3)
    return spot(table, "choose 2s > choose Ks; choose 2s > choose Kc")


SPOTS = (
    a_two_to_show_with_two_kings,
    a_wheel_against_a_bet,
    a_wheel_behind_a_check,
    a_king_low_against_five_four_three_two,
    a_nine_low_against_a_king_and_a_queen,
    a_nine_low_for_a_small_price,
    a_six_draw_against_an_eight_board_all_in,
    a_jack_draw_against_a_five_board_all_in,
    a_nine_between_two_low_boards_that_raise,
    king_queen_jack_against_a_completion_and_a_raise,
    ace_two_three_against_a_completion,
    two_bad_cards_in_a_row_against_a_bet_and_a_raise,
    a_pair_and_a_king_against_two_boards_that_improve,
    a_ten_nine_behind_six_four_three_two_that_checks,
    a_six_low_against_a_board_that_cannot_beat_it,
)
