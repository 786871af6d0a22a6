"""What is kept of cards in play-outs is what the judge says of them, the first time and again."""

import random

import pytest

from replays.chances.terms import terms_from
from replays.hand_reading.buckets import Way, judge_of
from replays.playout.card_worths import CardWorths
from server.engine.games.catalogue import GAMES

WAYS: tuple[Way, ...] = ("", "high", "low")
DECLARED = [(game, True, way) for game in sorted(GAMES) if terms_from(GAMES[game]).declares for way in WAYS]


@pytest.mark.parametrize(("game", "kept", "way"), [*[(game, False, "") for game in sorted(GAMES)], *DECLARED])
def test_a_bucket_is_that_of_the_judge(game: str, kept: bool, way: Way) -> None:
    terms = terms_from(GAMES[game])
    judge = judge_of(terms)
    worths = CardWorths(judge)
    rng = random.Random(f"{game} {kept} {way}")
    for _ in range(30):
        deck = list(range(52))
        rng.shuffle(deck)
        down, up = (deck[:3], deck[3:5]) if kept else (deck[:3], deck[3 : 3 + rng.randint(1, 4)])
        boards = [deck[10 + 4 * place :][: len(up)] for place in range(rng.randint(1, 5))]
        plain = judge.bucket(down, up, judge.danger(boards), kept=kept, way=way)
        numbers = tuple([worths.board(tuple(board)) for board in boards])
        for _ in range(2):
            assert worths.bucket(down, up, (), numbers, kept=kept, way=way) == plain


@pytest.mark.parametrize("game", sorted(GAMES))
def test_the_five_cards_that_are_kept_are_as_strong_as_all_of_them(game: str) -> None:
    terms = terms_from(GAMES[game])
    worths = CardWorths(judge_of(terms))
    rng = random.Random(game)
    for _ in range(30):
        seven = tuple(rng.sample(range(52), 7))
        for ranking, low in ((terms.high, False), (terms.low, True)):
            if ranking is not None:
                five = worths.best_kept(seven, 5, low=low)
                assert worths.best_kept(seven, 5, low=low) == five
                assert (len(five), set(five) <= set(seven)) == (5, True)
                assert ranking.strength(five) == ranking.strength(seven)
