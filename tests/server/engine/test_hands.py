"""The worked hands of `rules.md` 12 (H1-H21) and the traps about hand values (A12-A14)."""

import pytest

from protocol.cards import RANKS, cards
from server.engine.ranking.rankings import ACE_TO_FIVE, ACE_TO_SIX, EIGHT_OR_BETTER, HIGH, Ranking
from server.engine.ranking.strength import ace_to_five, ace_to_six, eight_or_better, high


def best(ranking: Ranking, hand: str) -> str:
    """The ranks of the five cards that play, as they are read out; "" if there is no hand."""
    return "".join(RANKS[card >> 2] for card in ranking.best(cards(hand)))


HANDS = [
    ("H1", "As Kd 2d 3h 4c 5s 6h", ACE_TO_SIX, "6432A", "six-four low"),
    ("H1", "As Kd 2d 3h 4c 5s 6h", HIGH, "65432", "six-high straight"),
    ("H2", "As 2s 3s 4s 6s Kd Qh", ACE_TO_SIX, "Q432A", "queen-four low"),
    ("H2", "As 2s 3s 4s 6s Kd Qh", HIGH, "A6432", "ace-high flush"),
    ("H3", "As 2s 3s 4s 6s 6h Kd", ACE_TO_SIX, "6432A", "six-four low"),
    ("H4", "Ah 2h 3h 4h 5h", HIGH, "5432A", "five-high straight flush"),
    ("H4", "Ah 2h 3h 4h 5h", ACE_TO_FIVE, "5432A", "wheel"),
    ("H4", "Ah 2h 3h 4h 5h", EIGHT_OR_BETTER, "5432A", "wheel"),
    ("H4", "Ah 2h 3h 4h 5h", ACE_TO_SIX, "", "no low: five hearts"),
    ("H5", "As Kd Qh Jc Ts", ACE_TO_SIX, "", "no low: a straight"),
    ("H6", "2s 3d 4h 5c 6s", ACE_TO_SIX, "", "no low: a straight"),
    ("H6", "2s 3d 4h 5c 6s", EIGHT_OR_BETTER, "65432", "six-five low"),
    ("H7", "7d 5d 4d 3d 2d", ACE_TO_SIX, "", "no low: five diamonds"),
    ("H7", "7d 5d 4d 3d 2d", ACE_TO_FIVE, "75432", "seven-five low"),
    ("H8", "Ks Ad 2h 3c 4s", ACE_TO_SIX, "K432A", "king-four low"),
    ("H8", "Ks Ad 2h 3c 4s", HIGH, "AK432", "ace high, king kicker"),
    ("H12", "2s 3d 4h 5c 6s 7d 8h", ACE_TO_SIX, "75432", "seven-five low"),
    ("H12", "2s 3d 4h 5c 6s 7d 8h", HIGH, "87654", "eight-high straight"),
    ("H13", "Ks Kd Qs Qd Js Jd Tc", ACE_TO_FIVE, "JJKQT", "pair of jacks low"),
    ("H14", "As Ad 2s 2d 3s 3d 4c", ACE_TO_FIVE, "AA432", "pair of aces low"),
    ("H14", "As Ad 2s 2d 3s 3d 4c", EIGHT_OR_BETTER, "", "no low: only four ranks of eight or under"),
    ("H17", "9c 9d 8s 7h 6d 5c 4c", EIGHT_OR_BETTER, "87654", "eight-seven low"),
    ("H17", "9c 9d 8s 7h 6d 5c 4c", HIGH, "98765", "nine-high straight"),
    ("H18", "Ks Kh 9d 7s 5c 3h 2d", EIGHT_OR_BETTER, "", "no low: only four ranks of eight or under"),
    ("H19", "As 2s 3s 4s 6s 8s Ts", ACE_TO_SIX, "", "no low: seven spades"),
    ("H20", "As 2s 3s 4s 5d 6s 9s", ACE_TO_SIX, "6532A", "six-five low"),
    ("H21", "As 2d 3h 4c 6s", HIGH, "A6432", "ace high, six kicker"),
]


@pytest.mark.parametrize(
    ("hand", "ranking", "plays", "name"),
    [case[1:] for case in HANDS],
    ids=[f"{case[0]}-{case[2].key}" for case in HANDS],
)
def test_H1_to_H21(hand: str, ranking: Ranking, plays: str, name: str) -> None:
    assert best(ranking, hand) == plays
    assert ranking.name(cards(hand)) == name
    assert bool(ranking.strength(cards(hand))) == bool(plays)


def test_H20_the_low_uses_the_card_of_another_suit() -> None:
    assert cards("5d")[0] in ACE_TO_SIX.best(cards("As 2s 3s 4s 5d 6s 9s"))


LOWER_FIRST = [
    ("H9", ACE_TO_SIX, "7s 5d 4h 3c 2s", "7d 6d 4c 2h As"),
    ("H10", ACE_TO_SIX, "As Ad 5h 6c 7s", "2s 2d 3h 4c 5s"),
    ("H10", ACE_TO_FIVE, "As Ad 5h 6c 7s", "2s 2d 3h 4c 5s"),
    ("H11", ACE_TO_FIVE, "Ks Kd Qh Jc 9s", "As Ad 2h 2c 3s"),
    ("H11", ACE_TO_SIX, "Ks Kd Qh Jc 9s", "As Ad 2h 2c 3s"),
    ("H15", ACE_TO_FIVE, "9s 8d 7h 6c 5s", "Ts 4d 3h 2c As"),
    ("H16", ACE_TO_FIVE, "Ks Qd Jh Tc 9s", "As Ad 2h 3c 4s"),
    ("A14", ACE_TO_FIVE, "Qs Jd Th 9c 8s", "Ks 4d 3h 2c As"),
    ("A14", ACE_TO_FIVE, "Ks 4d 3h 2c As", "As Ad 2h 3c 4s"),
    ("A14", ACE_TO_FIVE, "As Ad Kh Kc Qs", "As Ad Ah Kc Qs"),
    ("A14", ACE_TO_FIVE, "6s 5s 4s 3s 2s", "7s 4d 3h 2c As"),
]


@pytest.mark.parametrize(
    ("ranking", "lower", "higher"),
    [case[1:] for case in LOWER_FIRST],
    ids=[f"{case[0]}-{case[1].key}-{case[2].replace(' ', '')}" for case in LOWER_FIRST],
)
def test_H9_H10_H11_H15_H16_lower_hand_wins(ranking: Ranking, lower: str, higher: str) -> None:
    assert ranking.strength(cards(lower)) > ranking.strength(cards(higher)) > 0


def test_trap_A12_ace_to_five_is_a_straight() -> None:
    wheel = high(cards("As 2d 3c 4h 5s Kd Qc"))
    assert wheel > high(cards("Ks Kh Kd 9c 7s 4d 2h"))
    assert wheel < high(cards("2s 3d 4c 5h 6s"))
    assert HIGH.name(cards("Qs Kd Ac 2h 3s")) == "ace high, king kicker"


def test_trap_A13_steel_wheel() -> None:
    steel_wheel = high(cards("Ad 2d 3d 4d 5d Kc Ks"))
    for weaker in ("As Kd Qh Jc Ts", "Ah Kh Qh Jh 9h", "As Ad Ah Ks Kd", "As Ad Ah Ac Ks"):
        assert steel_wheel > high(cards(weaker))
    assert steel_wheel < high(cards("2d 3d 4d 5d 6d"))


def test_trap_A14_the_wheel_is_the_best_low_suited_or_not() -> None:
    suited, plain = cards("5s 4s 3s 2s As"), cards("5s 4d 3h 2c As")
    for strength in (ace_to_five, eight_or_better):
        assert strength(suited) == strength(plain) > strength(cards("6s 4d 3h 2c As"))
    assert ace_to_six(suited) == ace_to_six(plain) == 0


def test_trap_A14_smallest_pattern_without_five_ranks() -> None:
    assert best(ACE_TO_FIVE, "As Ad Ah Ks Kd Kh Qs") == "KKAAQ"


@pytest.mark.parametrize(("hand", "qualifies"), [("9s4d3h2cAs", False), ("AsAd4h3c2s", False), ("8s7d6h5c4s", True)])
def test_trap_A14_qualifying_for_eight_or_better(hand: str, qualifies: bool) -> None:
    assert (eight_or_better(cards(hand)) > 0) == qualifies
