"""The high ranking with wild cards, against trying every replacement."""

import random
from collections.abc import Sequence
from itertools import combinations

import pytest

from protocol.cards import DECK, Card, cards
from server.engine.ranking.strength import high
from server.engine.ranking.wild_cards import high_with_wilds
from tests.support.plain_rankings import random_hand

FIVE_OF_A_KIND = 7462


def tried(naturals: Sequence[Card], jokers: int) -> int:
    """The best high of five when every wild card becomes every card the five do not hold, or a fifth of a rank."""
    best = 0
    for count in range(min(jokers, 5), -1, -1):
        for held in combinations(naturals, 5 - count):
            ranks = {card // 4 for card in held}
            if len(ranks) <= 1:
                best = max(best, FIVE_OF_A_KIND + 1 + max(ranks, default=12))
            for stand_ins in combinations(sorted(set(DECK) - set(held)), count):
                best = max(best, high([*held, *stand_ins]))
    return best


@pytest.mark.parametrize(("size", "jokers", "deals"), [(5, 1, 150), (7, 1, 60), (5, 2, 12), (6, 2, 4), (7, 0, 100)])
def test_wild_cards_against_every_replacement(size: int, jokers: int, deals: int) -> None:
    rng = random.Random(size * 10 + jokers)
    for deal in range(deals):
        hand = random_hand(rng, size)
        if deal % 3 == 0:  # more pairs and flushes than deals give
            hand = rng.sample([card for card in DECK if card % 4 == 1 or card < 16], size)
        wild = frozenset(hand[:jokers])
        assert high_with_wilds(hand, wild) == tried(hand[jokers:], jokers), (hand, wild)


@pytest.mark.parametrize(
    ("hand", "wild", "same_as"),
    [
        ("As Ad Ah Kc Qs 3d 4h", "3d", "As Ad Ah Ac Ks"),
        ("Ks Qs Js 9s 2d 3h 4c", "3h", "Ks Qs Js Ts 9s"),
        ("Ks Qs Js 9d 2d 3h 4c", "3h", "Ks Qs Js Td 9d"),
        ("Ks Qs 8s 2s 7d 3h 4c", "3h", "As Ks Qs 8s 2s"),
        ("As 2d 3c 9h Kd 5s Jh", "9h", "As 2d 3c 4h 5s"),
        ("As 2d 3c 9h 9d 5s Jh", "9h 9d", "2d 3c 4h 5s 6h"),
        ("Ks Kd Qh Qc 2s 3h 5c", "3h", "Ks Kd Kh Qc Qs"),
        ("Ks Jd 9h 7c 5s 3h 2c", "3h", "Ks Kd Jh 9c 7s"),
        ("Ks Kd 9h 7c 5s 3h 2c", "3h", "Ks Kd Kh 9c 7s"),
    ],
)
def test_what_a_wild_card_makes(hand: str, wild: str, same_as: str) -> None:
    assert high_with_wilds(cards(hand), cards(wild)) == high(cards(same_as))


def test_five_of_a_kind_beats_a_straight_flush() -> None:
    twos = high_with_wilds(cards("2s 2d 2h 2c 3s"), cards("3s"))
    aces = high_with_wilds(cards("As Ad Ah 3s 3d 9c 8h"), cards("3s 3d"))
    assert high(cards("As Ks Qs Js Ts")) == FIVE_OF_A_KIND < twos < aces
    assert high_with_wilds(cards("3s 3d 3h 3c 9s"), cards("3s 3d 3h 3c 9s")) == aces


def test_a_hand_without_its_wild_cards_is_a_plain_hand() -> None:
    rng = random.Random(4)
    for _ in range(300):
        hand = random_hand(rng, 7)
        assert high_with_wilds(hand, set(DECK) - set(hand)) == high(hand)


def test_more_wild_cards_never_make_a_hand_worse() -> None:
    rng = random.Random(5)
    for _ in range(2000):
        hand = random_hand(rng, 7)
        strengths = [high_with_wilds(hand, hand[:jokers]) for jokers in range(8)]
        assert strengths == sorted(strengths), hand
