"""The strength tables against rules written plainly, against pokerkit, and against counting.

`RYO_THOROUGH=1` (as in `make soak`) compares 100,000 hands with pokerkit instead of 1,500.
"""

import functools
import random
from collections.abc import Callable, Sequence
from itertools import combinations, pairwise
from typing import Any

import pytest

from protocol.cards import RANKS, SUITS, Card, cards
from server.engine.ranking.strength import ace_to_five, ace_to_six, ace_to_six_fallback, eight_or_better, high
from tests.support.limits import length
from tests.support.plain_rankings import (
    Key,
    KeyOfFive,
    ace_to_five_key,
    ace_to_six_key,
    best_key,
    eight_or_better_key,
    high_key,
    random_hand,
    suited_hand,
)

Strength = Callable[[Sequence[Card]], int]

PLAIN: list[tuple[Strength, KeyOfFive]] = [
    (high, high_key),
    (ace_to_five, ace_to_five_key),
    (eight_or_better, eight_or_better_key),
    (ace_to_six, ace_to_six_key),
]
by_ranking = pytest.mark.parametrize(("strength", "key"), PLAIN, ids=lambda f: f.__name__)


def assert_same_order(found: Sequence[tuple[Key, int]]) -> None:
    """Equal keys have equal strengths, and better keys larger ones."""
    ordered = sorted(set(found))
    for (worse, less), (better, more) in pairwise(ordered):
        assert worse < better
        assert less < more, (worse, better)


@pytest.mark.slow
@by_ranking
@pytest.mark.parametrize("size", [5, 6, 7, 8])
@pytest.mark.parametrize("deal", [random_hand, suited_hand])
def test_strengths_follow_the_plain_rules(
    strength: Strength, key: KeyOfFive, size: int, deal: Callable[[random.Random, int], list[Card]]
) -> None:
    rng = random.Random(f"{strength.__name__} {size}")
    found: list[tuple[Key, int]] = []
    for _ in range(length(700, 20_000) if size < 8 else length(100, 3000)):
        hand = deal(rng, size)
        expected = best_key(hand, key)
        assert (strength(hand) == 0) == (expected is None), hand
        if expected is not None:
            found.append((expected, strength(hand)))
    assert_same_order(found)


@by_ranking
def test_hands_of_every_size_are_on_one_scale(strength: Strength, key: KeyOfFive) -> None:
    rng = random.Random(1)
    for _ in range(300):
        hand = random_hand(rng, 8)
        for size in (6, 7, 8):
            part = hand[:size]
            assert strength(part) == max(strength(five) for five in combinations(part, 5))


@by_ranking
def test_fewer_than_five_cards_are_no_hand(strength: Strength, key: KeyOfFive) -> None:
    with pytest.raises(ValueError, match="five cards"):
        strength(cards("As Kd 2h 3c"))


PEERS: list[tuple[Strength, str]] = [
    (high, "StandardHighHand"),
    (ace_to_five, "RegularLowHand"),
    (eight_or_better, "EightOrBetterLowHand"),
]
by_peer = pytest.mark.parametrize(("strength", "peer"), PEERS, ids=["high", "a5", "8low"])


@functools.cache
def peer_cards() -> list[Any]:
    """The deck of pokerkit, which takes most of a second to import."""
    import pokerkit

    return [next(pokerkit.Card.parse(rank + suit)) for rank in RANKS for suit in SUITS]


def peer_index(peer: str, hand: Sequence[Card]) -> int | None:
    """The number of the hand in a type of hand of pokerkit, turned so that larger is better; None without one."""
    import pokerkit

    kind, deck = getattr(pokerkit, peer), peer_cards()
    try:
        found = kind.from_game([deck[card] for card in hand])
    except ValueError:
        return None
    index: int = found.entry.index
    return -index if kind.low else index


@pytest.mark.slow
@by_peer
def test_trap_A15_pokerkit_agrees(strength: Strength, peer: str) -> None:
    rng = random.Random(peer)
    found: list[tuple[Key, int]] = []
    for i in range(length(1500, 100_000)):
        hand = random_hand(rng, rng.choice((5, 6, 7, 7, 7))) if i % 4 else suited_hand(rng, 7)
        index = peer_index(peer, hand)
        assert (index is None) == (strength(hand) == 0), hand
        if index is not None:
            found.append(((index,), strength(hand)))
    assert_same_order(found)


@pytest.mark.slow
@by_peer
def test_trap_A15_the_same_winner_from_either_seat(strength: Strength, peer: str) -> None:
    rng = random.Random(15)
    lowest = -(10**6)
    for _ in range(length(400, 10_000)):
        deal = random_hand(rng, 14)
        left, right = deal[:7], deal[7:]
        indexes = [lowest if index is None else index for index in (peer_index(peer, left), peer_index(peer, right))]
        assert (strength(left) > strength(right)) == (indexes[0] > indexes[1])
        assert (strength(left) < strength(right)) == (indexes[0] < indexes[1])
        assert strength(left[::-1]) == strength(left)


def low_patterns(strength: Strength, top: str) -> list[str]:
    """The hands of five different ranks up to ``top`` that are a low in mixed suits, best first, in letters."""
    ranks = "A23456789TJQK"[: "A23456789TJQK".index(top) + 1]
    found: list[tuple[int, str]] = []
    for five in combinations(ranks, 5):
        value = strength(cards("".join(rank + suit for rank, suit in zip(five, "sdhcs", strict=True))))
        if value:
            found.append((value, "".join(reversed(five))))
    return [text for _, text in sorted(found, reverse=True)]


def test_rules_2_4_order_of_the_best_ace_to_six_lows() -> None:
    assert " ".join(low_patterns(ace_to_six, "7")) == (
        "6432A 6532A 6542A 6543A 7432A 7532A 7542A 7543A 75432 7632A 7642A 7643A 76432 7652A 7653A 76532 7654A 76542"
    )


@pytest.mark.parametrize(("top", "patterns"), [("7", 18), ("8", 52), ("K", 1277)])
def test_rules_2_4_counts_of_ace_to_six_patterns(top: str, patterns: int) -> None:
    assert len(low_patterns(ace_to_six, top)) == patterns


def test_rules_2_3_counts_of_eight_or_better_patterns() -> None:
    patterns = low_patterns(eight_or_better, "K")
    assert len(patterns) == 56
    assert (patterns[0], patterns[-1]) == ("5432A", "87654")


def test_rules_2_2_every_pattern_is_an_ace_to_five_low() -> None:
    patterns = low_patterns(ace_to_five, "K")
    assert len(patterns) == 1287
    assert (patterns[0], patterns[-1]) == ("5432A", "KQJT9")


def test_rules_2_4_only_seven_of_one_suit_have_no_low() -> None:
    deals = [hand for suit in range(4) for hand in combinations(range(suit, 52, 4), 7)]
    assert len(deals) == 6864
    assert not any(map(ace_to_six, deals))
    spades = range(3, 52, 4)
    strangers = [card for card in range(52) if card & 3 != 3]
    rng = random.Random(6)
    for six in combinations(spades, 6):
        assert ace_to_six((*six, rng.choice(strangers))) > 0
    for five in combinations(spades, 5):
        assert ace_to_six((*five, *rng.sample(strangers, 2))) > 0


def test_rules_7_4_fallback_order() -> None:
    worst_to_best = [
        "Ts Js Qs Ks As",
        "2s 3s 4s 5s 6s",
        "As 2s 3s 4s 5s",
        "Kd Kc Kh Ks Qd",
        "Ad Ac Ah As 2d",
        "Kd Kc Kh Qs Qd",
        "Ks Qs Js Ts 8s",
        "6s 4s 3s 2s As",
        "Td Js Qs Ks As",
        "3d 4h 5c 6s 7d",
        "2d 3h 4c 5s 6d",
        "Ad 2h 3c 4s 5d",
        "Kd Kc Kh Qs Jd",
        "Ad Ac 2h 2s 3d",
        "Kd Kc Qh Js 9d",
        "Kd Qc Jh Ts 8d",
        "6d 4c 3h 2s Ad",
    ]
    by_rule = [ace_to_six_fallback(cards(text)) for text in worst_to_best]
    assert by_rule == sorted(set(by_rule))
    assert by_rule[0] > 0


def test_rules_7_4_fallback_agrees_with_the_strict_order_where_there_is_a_low() -> None:
    rng = random.Random(7)
    hands = [hand for hand in (random_hand(rng, 5) for _ in range(3000)) if ace_to_six(hand)]
    found = [((ace_to_six_fallback(hand),), ace_to_six(hand)) for hand in hands]
    assert_same_order(found)
