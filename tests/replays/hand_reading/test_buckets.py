"""How strong a hand is: never less for a better one, draws and boards counted, in every game."""

import zlib
from itertools import islice
from math import comb

import pytest

from protocol.cards import DECK, cards
from replays.chances.deals import shuffled
from replays.chances.terms import GameTerms, terms_from
from replays.hand_reading import build_values
from replays.hand_reading.buckets import BUCKETS, Judge, judge_of
from server.engine.games.catalogue import GAMES, QUEEN
from server.engine.games.game import Game
from server.engine.games.house_games import load_game
from server.engine.ranking.strength import high
from tests.support.house_games import GRANDPAS
from tests.support.paths import ROOT

EVERY_GAME = [*GAMES.values(), load_game(GRANDPAS)]


def judge(game: str, wilds: tuple[int, ...] = ()) -> Judge:
    return judge_of(terms_from(GAMES[game]), wilds)


def bucket(game: str, down: str, up: str = "", *boards: str, wilds: tuple[int, ...] = ()) -> int:
    one = judge(game, wilds)
    return one.bucket(cards(down), cards(up), one.danger([cards(board) for board in boards]))


def merit(game: str, down: str, up: str, *boards: str) -> float:
    one = judge(game)
    held = (*cards(down), *cards(up))
    danger = one.danger([cards(board) for board in boards])
    return one.grade(danger, final=len(held) >= 7)(held, cards(down))


@pytest.mark.slow
def test_the_shipped_values_are_those_that_the_rules_give() -> None:
    shipped = (ROOT / "replays" / "hand_reading" / "values.bin").read_bytes()
    hands = [*[count for _, count in build_values.sevens()], *[count for _, count in build_values.flush_hands()]]
    assert sum(hands) == comb(52, 7)  # each is counted once
    assert zlib.decompress(shipped) == zlib.decompress(build_values.build())


@pytest.mark.parametrize("game", EVERY_GAME, ids=lambda game: game.id)
def test_a_bucket_is_found_for_every_street_of_every_game(game: Game) -> None:
    terms = terms_from(game)
    one = judge_of(terms)
    for size in range(1, terms.size + 1):
        deck = next(shuffled(list(DECK), 20, 3 * size))
        up = min(4, size - 1)
        danger = one.danger([deck[10 : 10 + up], deck[15 : 15 + up]])
        assert 0 <= one.bucket(deck[: size - up], deck[size - up : size], danger) < BUCKETS


@pytest.mark.parametrize("game", sorted(GAMES))
@pytest.mark.parametrize(("size", "up"), [(3, 1), (5, 3), (7, 4)])
def test_buckets_are_percentiles_of_random_hands(game: str, size: int, up: int) -> None:
    one = judge(game)
    found = []
    for deck in islice(shuffled(list(DECK), 20, 7), 300):
        danger = one.danger([deck[10 : 10 + up], deck[15 : 15 + up]])
        found.append(one.bucket(deck[: size - up], deck[size - up : size], danger))
    assert 0.15 < sum(one >= 6 for one in found) / len(found) < 0.30  # the best 22 %
    assert 0.15 < sum(one <= 1 for one in found) / len(found) < 0.36  # the worst 25 %


@pytest.mark.parametrize("game", ["stud", "razz"])
def test_a_better_hand_of_seven_is_never_in_a_lower_bucket(game: str) -> None:
    one, ranking = judge(game), (GAMES[game].showdown.high or GAMES[game].showdown.low)
    assert ranking is not None
    danger = one.danger([cards("Td9h4c4d"), cards("Kc7h2d5s")])
    hands = [tuple(deck[:7]) for deck in islice(shuffled(list(DECK), 7, 11), 300)]
    hands.sort(key=ranking.strength)
    buckets = [one.bucket(hand[:3], hand[3:], danger) for hand in hands]
    assert buckets == sorted(buckets)


@pytest.mark.parametrize(
    ("game", "up", "better_first"),
    [
        ("stud", "7c", ["AsAd", "KsKd", "9s9d", "2s2d", "Kd2s"]),
        ("stud", "7c 4d 9h", ["9s9d", "7s7d", "AsAd", "KsKd", "2s2d", "Kh2s"]),
        ("razz", "4c", ["As2d", "2d3s", "2s7d", "7s8d", "8s9d", "9sJd", "QsKd", "4s4d"]),
        ("razz", "4c 5d 9h", ["As2d", "2d3s", "7s8d", "2dTs", "QsKd", "5s4d"]),
        ("stud8", "7c", ["7s7d", "AsAd", "As2s", "Ts9d"]),
        ("barneys", "7c", ["7s7d", "AsAd", "As2s", "Ts9d"]),
    ],
)
def test_better_hidden_cards_are_worth_more(game: str, up: str, better_first: list[str]) -> None:
    worth = [merit(game, down, up, "Jd5h2h"[: len(up.replace(" ", ""))]) for down in better_first]
    assert worth == sorted(worth, reverse=True), dict(zip(better_first, worth, strict=True))


def test_four_to_a_flush_on_fifth_street_are_a_good_hand() -> None:
    assert bucket("stud", "Ks9s", "4s7s2d", "Td8c3c") >= 4
    assert merit("stud", "Ks9s", "4s7s2d", "Td8c3c") > merit("stud", "Ks9s", "4s7d2d", "Td8c3c") + 0.15


def test_a_draw_that_was_missed_is_nothing_at_the_end() -> None:
    assert bucket("stud", "Ks9s3c", "4s7s2dJd", "Td8c3d6c") <= 2


def test_three_to_a_low_are_good_on_third_street_and_poor_on_sixth() -> None:
    assert bucket("stud8", "As3d", "5c", "Kd") >= 7
    assert bucket("stud8", "As3d", "5cKdJhTc", "Kh9d9c4s") <= 3
    assert bucket("razz", "As3d", "5c", "Kd") >= 8


def test_a_smooth_low_beats_a_rough_one() -> None:
    assert merit("razz", "As2d", "3c4h8s", "Kd9c7c") > merit("razz", "6s5d", "7c4h8s", "Kd9c7c")


def test_a_paired_board_is_worth_little_in_razz() -> None:
    assert merit("razz", "As2d", "3c3h", "7d6c") < merit("razz", "As2d", "3cJh", "7d6c")


def test_a_board_of_kings_makes_nines_weaker_and_a_low_stronger() -> None:
    assert merit("stud", "9s9d", "4c7h", "KdKc") < merit("stud", "9s9d", "4c7h", "Kd5c") - 0.1
    assert merit("razz", "8s5d", "4c9h", "KdKc") > merit("razz", "8s5d", "4c9h", "2d5c") + 0.1


def test_a_hand_that_goes_both_ways_is_worth_more_than_either() -> None:
    both = merit("stud8", "As2s", "4s5s6d", "Kd9c7c")
    assert both > merit("stud8", "As2d", "4s5h6d", "Kd9c7c") > merit("stud8", "As2d", "4s9h6d", "Kd9c7c")
    assert both > merit("stud8", "AsKs", "4sTs9d", "Kd9c7c")


def test_where_players_declare_one_good_direction_is_enough() -> None:
    assert bucket("barneys", "As2d3c", "4h6sKdTc", "9c9dJd4s") >= 6
    assert bucket("barneys", "KsKh3c", "3h3sKdTc", "9c9dJd4s") == 9
    assert bucket("barneys", "9s9h3c", "4hJsKdTc", "9c7dJd4s") <= 2


def test_after_a_declaration_only_that_direction_counts() -> None:
    one = judge("barneys")
    danger = one.danger([cards("9c9dJd4s")])
    down, up = cards("6c"), cards("As2d3c4h")
    assert one.bucket(down, up, danger, kept=True, way="low") == 9
    assert one.bucket(down, up, danger, kept=True, way="high") <= 2


def test_the_highest_spade_in_the_hole_is_half_of_chicago() -> None:
    assert (
        merit("chicago", "As7d", "4c", "Kd")
        > merit("chicago", "Ad7s", "4c", "Kd")
        > merit("chicago", "Ad7d", "4c", "Kd")
    )
    assert merit("chicago", "Ks7d", "4c", "As") > merit("chicago", "Ks7d", "4c", "Ad")
    assert merit("chicago", "7d4c", "As", "Kd") < merit("chicago", "As4c", "7d", "Kd")


def test_a_wild_card_makes_a_good_hand() -> None:
    fives = (3,)
    assert bucket("queen", "5sKd", "9c", "Jd", wilds=fives) >= 6
    assert bucket("queen", "5s5d", "9c", "Jd", wilds=fives) == 9
    assert bucket("queen", "Ts2d", "9c", "5d", wilds=fives) <= 3
    assert judge("queen", fives).high_value(cards("5s5d5cKs9d")) > judge("queen").high_value(cards("KsKdKc5s9d")) > 0
    assert QUEEN not in fives


def test_no_card_makes_a_made_hand_worth_less() -> None:
    """A pair with one more card is never below what it was against a random hand, less what a blank costs."""
    one = judge("stud")
    made = cards("AsAdAcKsKd")
    assert high(made) > 0
    assert one.high_value(made) <= one.high_value([*made, 0]) + 2


def test_the_terms_of_an_unknown_game_can_be_judged() -> None:
    one = judge_of(GameTerms())
    assert 0 <= one.bucket(cards("As2d"), cards("3c"), one.danger([])) < BUCKETS
