"""Spots of Barney's Poker, 1 to 5 with an ante of 1, and of Anaconda at 2/4: games with five kept cards that declare.

Rows name the cards in the order in which they are dealt. The cards that another player keeps are written where the hand
is played; the seat sees of them what is rolled. Folding is 0.
"""

from server.engine.games.catalogue import ANACONDA, BARNEYS
from server.engine.ranking.strength import ace_to_six
from tests.support.plain_values import best_kept, count, declared_share, held, rolled_hands
from tests.support.spots import Spot, arranged, betting, betting_until_asked, play, spot
from tests.support.stacked_hand import StackedHand, deal

SIX_LOW = "2c3d4h6sAc"
THREE_SIXES = "6d6c6h2sKd"


def _declaring(hands: dict[int, str], amount: int = 2) -> StackedHand:
    """A hand of Barney's at the declaration: everybody holds these five cards, the last of them hidden."""
    return betting_until_asked(_rolled(hands, amount), "declare", amount)


def _rolled(hands: dict[int, str], amount: int = 2) -> StackedHand:
    """A hand of Barney's in which everybody has kept these five cards. Four of them showed before, in this order."""
    rows = {seat: f"({five[8:]} x) {five[:8]} (x)" for seat, five in hands.items()}
    return arranged(deal(BARNEYS, rows), hands, amount)


def kings_against_a_low_board() -> Spot:
    """2-3-4-6 goes low with every fifth card but a five, and beats a pair there. High alone is half of the pot; only
    the straights, 4 cards of 44, go high, too.
    """
    found = spot(_declaring({1: "9h7sJdKcKd", 2: SIX_LOW}), "declare high > declare low")
    own = held(found.moment)
    theirs = list(rolled_hands(found.moment, 2))
    lows = [five for five in theirs if ace_to_six(five)]
    assert len(theirs) - len(lows) <= 4
    assert all(declared_share(own, "low", five, "low") == 0 for five in lows)
    return found


def three_fives_against_three_sixes() -> Spot:
    """Three fives always lose to three sixes. Alone in low they are sure of half, whatever they look like; should the
    sixes go low, the fives are the lower three.
    """
    found = spot(_declaring({1: "5d5c5hQsJd", 2: THREE_SIXES}), "declare low > declare high")
    own = held(found.moment)
    assert all(declared_share(own, "high", five, "high") == 0 for five in rolled_hands(found.moment, 2))
    assert all(declared_share(own, "low", five, "low") == 1 for five in rolled_hands(found.moment, 2))
    return found


def a_full_house_against_three_sixes() -> Spot:
    """Only the fourth six beats sevens full of kings: high wins all of the pot, and low would be half of it."""
    found = spot(_declaring({1: "7d7cKh7hKc", 2: THREE_SIXES}), "declare high > declare low")
    own = held(found.moment)
    assert sum(declared_share(own, "high", five, "high") == 0 for five in rolled_hands(found.moment, 2)) == 1
    return found


def eight_low_against_a_board_with_a_nine() -> Spot:
    """9-6-4-2 has no low that beats 8-7: low is at least half of the pot, and all of it if the other goes low."""
    found = spot(_declaring({1: "8h7s5d3c2d", 2: "9d6c4h2sAc"}), "declare low > declare high")
    own = held(found.moment)
    assert all(declared_share(own, "low", five, "low") == 1 for five in rolled_hands(found.moment, 2))
    return found


def a_nine_high_that_cannot_be_a_low() -> Spot:
    """Against 7-4-3-2 the nine-low wins low for three fifth cards of five. But the other has kept the best five of
    seven, and so has a better low nearly four times of five: high alone is half of the pot far more often.
    """
    found = spot(_declaring({1: "9h8s6d5c3d", 2: "7d4c3h2sAc"}), "declare high > declare low")
    own = ace_to_six(held(found.moment))
    assert count(own, map(ace_to_six, rolled_hands(found.moment, 2))).won > 0.5
    assert count(own, best_kept(found.moment, 2, ace_to_six)).won < 0.25
    return found


def alone_in_high_with_nine_high() -> Spot:
    """Two better low boards: the nine-low beats both one time in sixteen, and is mostly alone in high."""
    hands = {1: "9h8s6d5c3h", 2: "7d5s3c2hAc", 3: "6h4c2d3s8d"}
    return spot(_declaring(hands), "declare high > declare low")


def the_odd_man_faces_a_raise() -> Spot:
    """Alone in high, half of the pot is sure, whoever of the two lows wins the other half."""
    table = _declaring({1: "9h7sJdKcKd", 2: SIX_LOW, 3: "7d5s3c2h8c"}, amount=1)
    table.play("1 declare high, 2 declare low, 3 declare low, 1 check, 2 bet 5, 3 raise 10")
    return spot(table, "call > fold")


def three_queens_against_three_kings_that_bet_on_high() -> Spot:
    """Both have declared high, and three kings show: 5 chips for nothing, with every fifth card."""
    table = _declaring({1: "QdQcQh7s5d", 2: "KdKcKh9sTd", 3: SIX_LOW}, amount=1)
    table.play("1 declare high, 2 declare high, 3 declare low, 3 check, 1 check, 2 bet 5, 3 call")
    found = spot(table, "fold > call")
    own = held(found.moment)
    assert all(declared_share(own, "high", five, "high") == 0 for five in rolled_hands(found.moment, 2))
    return found


def a_jack_low_on_the_fourth_roll() -> Spot:
    """Kings and tens bet, 7-5-3-2 raises. Of seven cards the raiser has kept a fifth that loses to a jack-ten one time
    in seventeen, and high is lost: 3 % of some 90 chips, for 10 now and 5 after the declaration.
    """
    table = _rolled({1: "JdTc8h6s2d", 2: "KdKsTdThQc", 3: "7s5d3h2c8d"})
    found = spot(betting(table, "fourth roll", 2).play("2 bet 5, 3 raise 10"), "fold > call")
    assert count(ace_to_six(held(found.moment)), best_kept(found.moment, 3, ace_to_six)).won < 0.15
    return found


def a_ten_low_on_the_third_roll() -> Spot:
    """The same with a roll to come and a third low: each of two lows is better six times of seven, so that 1 % of
    some 110 chips is to be won, for 10 now and 10 later.
    """
    table = _rolled({1: "Td9c8h6s2d", 2: "QdQs9dQcJc", 3: "7s5d3h2c8d", 4: "6h4s3dAc7h"})
    return spot(betting(table, "third roll", 2).play("2 bet 5, 3 raise 10, 4 call"), "fold > call")


def the_best_low_on_the_fourth_roll() -> Spot:
    """6-4-3-2-A is half of the pot. Three others put in three times what a raise costs: 10 chips come back for 5."""
    table = _rolled({1: SIX_LOW, 2: "KdKsKhTdQc", 3: "QdQsQhJd9d", 4: "7s5d4s2d8d"})
    table = betting(table, "fourth roll", 2).play("2 bet 5, 3 call, 4 call")
    found = spot(table, "raise 10 > call > fold")
    assert all(ace_to_six(held(found.moment)) >= ace_to_six(five) for five in rolled_hands(found.moment, 4))
    return found


def a_queen_low_alone_against_three_kings() -> Spot:
    """Between two players who go opposite ways the pot is halved: a call of 5 brings back half of 45."""
    table = _rolled({1: "QdJc9h7s5d", 2: "KdKcKh2s3d"})
    return spot(betting(table, "fourth roll", 2).play("2 bet 5"), "call > fold", "call or raise 10")


def the_best_low_of_seven_cards() -> Spot:
    """Of A-2-3-4-5-6 and a king, 6-4-3-2-A is the best low of all, and half of the pot. A-2-3-4-5 is a straight and no
    low; as a high it loses when one of two players who show three of a kind fills up, two times of three.
    """
    rows = {1: "(Kd 5d) 6h 2s 4c 3d (Ac)", 2: "(x x) Qd Qs Qh Tc (x)", 3: "(x x) 9d 9s 9h 8c (x)"}
    table = betting_until_asked(deal(BARNEYS, rows), "arrange", 2)
    return spot(table, "arrange Ac2s3d4c6h > arrange Ac2s3d4c5d")


def a_full_house_of_seven_cards() -> Spot:
    """Aces full: nearly always half of the pot, and all of it against another high; 7-4-2-A with a pair is no low."""
    rows = {1: "(Ad Ac) 7h 2s Ah 4c (7d)", 2: "(x x) Kd Qs Kh Tc (x)", 3: "(x x) 9d 6s 5h 8c (x)"}
    table = betting_until_asked(deal(BARNEYS, rows), "arrange", 2)
    return spot(table, "arrange AdAcAh7h7d > arrange AdAcAh2s4c")


def rags_in_the_first_round() -> Spot:
    """King-nine-four between a bet and a raise by aces and kings: a fifth of some 30 chips, for 10."""
    table = play(deal(BARNEYS, {1: "(Kd 9c) 4h", 2: "(x x) As", 3: "(x x) Ks"}), "2 bet 5, 3 raise 10")
    return spot(table, "fold > call; fold > raise 15")


def a_small_pair_on_seventh_street() -> Spot:
    """J-T-9-8-4-4-K has no straight and no low. Three queens bet, A-2-4-6 raises: nothing to win either way."""
    rows = {1: "(Jd Tc) 9s 4d 8c Kh (4h)", 2: "(x x) Qd Qc Qh 5s (x)", 3: "(x x) Ad 2c 4s 6d (x)"}
    table = betting(deal(BARNEYS, rows), "seventh street", 2)
    return spot(play(table, "2 bet 5, 3 raise 10"), "fold > call > raise 15")


def _passing(rows: dict[int, str], times: int) -> StackedHand:
    """Anaconda at the n-th exchange; before it everybody has passed the newest cards, and bet 2 in each round."""
    table = betting_until_asked(deal(ANACONDA, rows), "pass")
    for _ in range(times - 1):
        for seat in rows:
            table.late(seat)
        betting_until_asked(table, "pass")
    return table


def four_kings_and_three_to_pass() -> Spot:
    """The kings win high, all four of them or three, but not two."""
    table = _passing({1: "KdKcKhKs2d7h9c", 2: "", 3: ""}, 1)
    best = "pass 2d7h9c or pass Kd7h9c or pass Kc7h9c or pass Kh7h9c or pass Ks7h9c"
    return spot(table, "pass 2d7h9c > pass KdKc9c; pass 2d7h9c > pass KdKcKh", best)


def aces_full_and_two_to_pass() -> Spot:
    """Two kings and a queen have come to three aces: the full house stays, which nearly always wins high."""
    return spot(
        _passing({1: "AdAcAh2d 9s4h7c", 2: "", 3: "xxxx KdKcQs"}, 2), "pass Qs2d > pass AdKd; pass Qs2d > pass AdAc"
    )


def six_four_and_one_to_pass() -> Spot:
    """A ten and a king beside the best low there is: one of the two goes on."""
    return spot(
        _passing({1: "Ad2c3h4s", 2: "xxxxx TdKc", 3: "xxxx6d"}, 3),
        "pass Td > pass 4s; pass Kc > pass Ad",
        "pass Td or pass Kc",
    )


def a_jack_low_on_the_last_roll_of_anaconda() -> Spot:
    """No bet follows the declaration. Kings bet, 7-5-3-2 raises: half of some 85 chips one time in twenty, for 8."""
    hands = {1: "JdTc8h6s2d", 2: "KdKsKhTdQc", 3: "7s5d3h2c8d"}
    # Everybody passes the newest cards, so that of three players each has the seventh card back in the end.
    table = deal(ANACONDA, {seat: f"{five[:8]} x x {five[8:]}" for seat, five in hands.items()})
    table = betting(arranged(table, hands), "fourth roll").play("2 bet 4, 3 raise 8")
    found = spot(table, "fold > call > raise 12")
    assert count(ace_to_six(held(found.moment)), best_kept(found.moment, 3, ace_to_six)).won < 0.15
    return found


SPOTS = (
    kings_against_a_low_board,
    three_fives_against_three_sixes,
    a_full_house_against_three_sixes,
    eight_low_against_a_board_with_a_nine,
    a_nine_high_that_cannot_be_a_low,
    alone_in_high_with_nine_high,
    the_odd_man_faces_a_raise,
    three_queens_against_three_kings_that_bet_on_high,
    a_jack_low_on_the_fourth_roll,
    a_ten_low_on_the_third_roll,
    the_best_low_on_the_fourth_roll,
    a_queen_low_alone_against_three_kings,
    the_best_low_of_seven_cards,
    a_full_house_of_seven_cards,
    rags_in_the_first_round,
    a_small_pair_on_seventh_street,
    four_kings_and_three_to_pass,
    aces_full_and_two_to_pass,
    six_four_and_one_to_pass,
    a_jack_low_on_the_last_roll_of_anaconda,
)
