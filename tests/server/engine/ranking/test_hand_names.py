"""What hands are called."""

import pytest

from protocol.cards import cards, cards_text
from server.engine.ranking.rankings import ACE_TO_FIVE, ACE_TO_SIX, EIGHT_OR_BETTER, HIGH, RANKINGS, Ranking

NAMES = [
    (HIGH, "Ks Kd 9h 9c Js 4d 2h", "two pair, kings and nines, jack kicker"),
    (HIGH, "As Ks Qs Js Ts 2d 2h", "royal flush"),
    (HIGH, "Ks Qs Js Ts 9s 2d 2h", "king-high straight flush"),
    (HIGH, "Kd Qs Js Ts 9s 2d 2h", "king-high straight"),
    (HIGH, "Ad 5s 4s 3s 2s Kd Qh", "five-high straight"),
    (HIGH, "6d 6s 6h 6c 2s Kd Qh", "four sixes, king kicker"),
    (HIGH, "6d 6s 6h 3c 3s Kd Qh", "full house, sixes over threes"),
    (HIGH, "6d 6s 6h 3c 2s Kd Qh", "three sixes, king kicker"),
    (HIGH, "Jd Js 6h 3c 2s Kd Qh", "pair of jacks, king kicker"),
    (HIGH, "Jd 9s 6h 3c 2s Kd Qh", "king high, queen kicker"),
    (HIGH, "Kh 9h 6h 3h 2h Kd Qs", "king-high flush"),
    (ACE_TO_FIVE, "Ad As 2h 2c 3s", "two pair, twos and aces low"),
    (ACE_TO_FIVE, "Ad As Ah 2c 3s", "three aces low"),
    (ACE_TO_FIVE, "Ad As Ah 2c 2s", "full house, aces over twos low"),
    (ACE_TO_FIVE, "Ad As Ah Ac 2s", "four aces low"),
    (EIGHT_OR_BETTER, "Kd Qs Jh Tc 9s", "no low: no ranks of eight or under"),
    (EIGHT_OR_BETTER, "8d 8s 8h Tc 9s", "no low: only one rank of eight or under"),
    (ACE_TO_SIX, "8c 7c 5c 3c 2c Ac", "no low: six clubs"),
    (ACE_TO_SIX, "8c 7d 5c 3c 2c Ac", "seven-five low"),
]


@pytest.mark.parametrize(("ranking", "hand", "name"), NAMES)
def test_names(ranking: Ranking, hand: str, name: str) -> None:
    assert ranking.name(cards(hand)) == name


PARTIAL = [
    (HIGH, "Js", "jack high"),
    (HIGH, "Ks Kd", "pair of kings"),
    (HIGH, "Ks Kd 4h", "pair of kings, four kicker"),
    (HIGH, "Ks Kd 4h 4c", "two pair, kings and fours"),
    (HIGH, "Ks Kd Kh", "three kings"),
    (HIGH, "As Ks Qs Js", "ace high, king kicker"),
    (ACE_TO_FIVE, "6s 8d Ac", "eight-six so far"),
    (ACE_TO_FIVE, "As", "ace so far"),
    (ACE_TO_SIX, "6s 8d 6c", "pair of sixes so far"),
    (EIGHT_OR_BETTER, "6s Kd 8c 8h", "eight-six so far, two low cards"),
    (EIGHT_OR_BETTER, "As Kd", "ace so far, one low card"),
    (EIGHT_OR_BETTER, "Ks Kd", "nothing for low so far"),
    (ACE_TO_SIX, "2s 3d 4h 5c 6s", "no low: a straight"),
    (HIGH, "", ""),
]


@pytest.mark.parametrize(("ranking", "hand", "name"), PARTIAL)
def test_names_of_unfinished_hands(ranking: Ranking, hand: str, name: str) -> None:
    assert ranking.partial_name(cards(hand)) == name


def test_the_five_cards_that_play_are_in_reading_order() -> None:
    assert cards_text(HIGH.best(cards("2h 9c Kd 4d 9h Js Ks"))) == "Ks Kd 9h 9c Js"
    assert cards_text(HIGH.best(cards("Ad 5s 4s 3s 2s Kd Qh"))) == "5s 4s 3s 2s Ad"
    assert cards_text(ACE_TO_SIX.best(cards("As 2d 3h 4c 6s Kd Kh"))) == "6s 4c 3h 2d As"
    assert EIGHT_OR_BETTER.best(cards("Kd Qs Jh Tc 9s")) == ()


def test_rankings_by_key() -> None:
    assert {key: ranking.title for key, ranking in RANKINGS.items()} == {
        "high": "high",
        "a5": "ace-to-five low",
        "8low": "eight-or-better low",
        "a6": "ace-to-six low",
    }
    assert [ranking.name(cards("As Kd Qh Jc Ts")) for ranking in RANKINGS.values()] == [
        "ace-high straight",
        "king-queen low",
        "no low: only one rank of eight or under",
        "no low: a straight",
    ]
