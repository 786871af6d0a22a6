"""The quick weights of a round are those that the plain judge gives, in every game."""

from itertools import islice

import pytest

from protocol.cards import DECK
from replays.chances.deals import shuffled
from replays.chances.terms import terms_from
from replays.hand_reading.betting_history import Round
from replays.hand_reading.buckets import BUCKETS, Way, judge_of
from replays.hand_reading.round_weights import RoundWeights, high_code, low_code
from tests.support.engine_table import GAMES_PLAYED

CHANCES = tuple([float(bucket) for bucket in range(BUCKETS)])
"""So that the weight is the bucket."""


@pytest.mark.slow
@pytest.mark.parametrize("game", sorted(GAMES_PLAYED))
@pytest.mark.parametrize("wilds", [(), (5,)])
def test_the_weight_is_that_of_the_bucket(game: str, wilds: tuple[int, ...]) -> None:
    terms = terms_from(GAMES_PLAYED[game])
    judge = judge_of(terms, wilds)
    for size, up in ((3, 1), (4, 2), (5, 3), (6, 4), (7, 4)):
        for deck in islice(shuffled(list(DECK), 20, size), 12):
            boards = (tuple(deck[10 : 10 + up]), tuple(deck[15 : 15 + up]))
            seen = Round(tuple(deck[:up]), (), boards, wilds, size, kept=False, way="", chances=CHANCES)
            hidden = deck[up:size]
            assert RoundWeights(judge, seen).weight(hidden) == judge.bucket(hidden, deck[:up], judge.danger(boards))


@pytest.mark.parametrize("game", ["barneys", "anaconda"])
@pytest.mark.parametrize("way", ["", "high", "low"])
def test_the_weight_of_five_that_were_kept_is_that_of_their_codes(game: str, way: Way) -> None:
    judge = judge_of(terms_from(GAMES_PLAYED[game]))
    for deck in islice(shuffled(list(DECK), 20, 3), 40):
        five, boards = deck[:5], (tuple(deck[10:13]), tuple(deck[15:18]))
        seen = Round(tuple(five[:3]), (), boards, (), 5, kept=True, way=way, chances=CHANCES)
        weights = RoundWeights(judge, seen)
        plain = judge.bucket(five[3:], five[:3], judge.danger(boards), kept=True, way=way)
        assert weights.weight(five) == plain
        assert weights.by_codes is not None
        assert weights.by_codes(high_code(judge, five), low_code(judge, five)) == plain
