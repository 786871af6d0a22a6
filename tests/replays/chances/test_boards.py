"""The best that a board can be: what is found among hands that are alike is what is found among all of them."""

import random
from itertools import combinations

import pytest

from replays.chances.boards import NO_LOW, board_limits
from replays.chances.spot import SeenHand, Spot
from replays.chances.terms import GameTerms
from server.engine.ranking.rankings import ACE_TO_SIX, HIGH


@pytest.mark.parametrize("now", range(4))
@pytest.mark.parametrize("arranged", [False, True])
def test_the_best_of_all_hands_is_found_without_trying_those_that_differ_in_suits_alone(
    now: int, arranged: bool
) -> None:
    dice = random.Random(now)
    for _ in range(6):
        deck = list(range(52))
        dice.shuffle(deck)
        favoured = dice.randrange(4)
        deck.sort(key=lambda card: card & 3 == favoured and dice.random() < 0.6, reverse=True)
        cards, rest = tuple(deck[: 7 - now]), deck[7 - now :]
        unseen = tuple(sorted(dice.sample(rest, 16)))
        rolled = cards[: dice.randrange(1, 5)] if arranged else None
        hand = SeenHand(2, cards, now=now, hidden=now, rolled=rolled)
        every = [(*cards, *hidden) for hidden in combinations(unseen, now)]
        if rolled is not None:
            fives = [five for seven in every for five in combinations(seven, 5)]
            every = [five for five in fives if set(rolled) <= set(five)]
        best, low = max(every, key=HIGH.strength), max(every, key=ACE_TO_SIX.strength)
        spot = Spot((SeenHand(1, ()), hand), unseen, (), (), GameTerms(low=ACE_TO_SIX))
        (limit,) = board_limits(spot)
        assert limit.high == HIGH.name(best)
        assert limit.low == (ACE_TO_SIX.name(low) if ACE_TO_SIX.strength(low) else NO_LOW)
