"""Batches give the numbers of the scalar rankings."""

import random
from collections.abc import Callable, Sequence
from itertools import combinations

import numpy as np
import pytest

from protocol.cards import Card
from server.engine.ranking import batch, strength
from tests.support.plain_rankings import random_hand, suited_hand

BATCHES: list[tuple[Callable[[batch.Hands], batch.Strengths], Callable[[Sequence[Card]], int]]] = [
    (batch.high_batch, strength.high),
    (batch.ace_to_five_batch, strength.ace_to_five),
    (batch.eight_or_better_batch, strength.eight_or_better),
    (batch.ace_to_six_batch, strength.ace_to_six),
]
by_ranking = pytest.mark.parametrize(("many", "one"), BATCHES, ids=[one.__name__ for _, one in BATCHES])


@pytest.mark.slow
@by_ranking
@pytest.mark.parametrize("deal", [random_hand, suited_hand])
def test_batches_agree_with_single_hands(
    many: Callable[[batch.Hands], batch.Strengths],
    one: Callable[[Sequence[Card]], int],
    deal: Callable[[random.Random, int], list[Card]],
) -> None:
    rng = random.Random(one.__name__)
    hands = [deal(rng, 7) for _ in range(20_000)]
    expected = [one(hand) for hand in hands]
    array = np.array(hands, dtype=np.uint8)
    assert many(array).tolist() == expected
    assert many(batch.packed(array)).tolist() == expected
    assert many(array[::-3]).tolist() == expected[::-3]
    assert many(np.asfortranarray(array)).tolist() == expected


def test_seven_of_one_suit_in_batches() -> None:
    hands = np.array([h for suit in range(4) for h in combinations(range(suit, 52, 4), 7)], dtype=np.uint8)
    assert not batch.ace_to_six_batch(hands).any()
    assert batch.ace_to_five_batch(hands).all()


@by_ranking
def test_no_hands_at_all(many: Callable[[batch.Hands], batch.Strengths], one: Callable[[Sequence[Card]], int]) -> None:
    assert many(np.empty((0, 7), dtype=np.uint8)).shape == (0,)
    assert many(np.empty(0, dtype=np.uint64)).shape == (0,)


@pytest.mark.parametrize("shape", [(3, 5), (7,), (2, 7, 1)])
def test_other_shapes_are_refused(shape: tuple[int, ...]) -> None:
    with pytest.raises(ValueError, match="hands are"):
        batch.high_batch(np.zeros(shape, dtype=np.uint8))


def test_packed_hands_combine() -> None:
    hand = np.array([[0, 5, 10, 15, 20, 25, 51]], dtype=np.uint8)
    assert batch.packed(hand[:, :3])[0] | batch.packed(hand[:, 3:])[0] == batch.packed(hand)[0]
    assert int(batch.packed(hand)[0]) == sum(1 << 16 * (card % 4) + card // 4 for card in hand[0].tolist())


@pytest.mark.slow
@by_ranking
@pytest.mark.parametrize("size", [5, 6])
def test_packed_hands_of_fewer_cards(
    size: int, many: Callable[..., batch.Strengths], one: Callable[[Sequence[Card]], int]
) -> None:
    rng = random.Random(size)
    hands = [deal(rng, size) for deal in (random_hand, suited_hand) for _ in range(3_000)]
    assert many(batch.packed(np.array(hands, dtype=np.uint8)), size).tolist() == [one(hand) for hand in hands]


def test_packed_hands_of_four_or_eight_cards_are_refused() -> None:
    for size in (4, 8):
        with pytest.raises(ValueError, match="hands are"):
            batch.high_batch(np.zeros(1, dtype=np.uint64), size)
