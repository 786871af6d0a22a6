"""What a bet, a raise and a call need: more as long as bets will follow, less where half of the pot is to be won."""

from dataclasses import replace

import pytest

from client.bots.betting import betting_action
from client.bots.edges import BettingSpot, bet_edge, call_edge, raise_edge
from client.bots.equity import Equity
from protocol.actions import Option
from replays.chances.terms import GameTerms, terms_from
from server.engine.games.catalogue import GAMES
from tests.support.engine_table import HOUSE_GAME

FREE = (Option("check"), Option("bet", least=4, most=4))
FACING = (Option("call", amount=4), Option("raise", least=8, most=8), Option("fold"))
DRAW = terms_from(HOUSE_GAME)
STUD8, RAZZ, BARNEYS = [terms_from(GAMES[game]) for game in ("stud8", "razz", "barneys")]


def spot(terms: GameTerms, edge: float, cards: int, players: int = 2, *, wagers: int = 0) -> BettingSpot:
    """Of somebody who reads hands; with 20 chips in the pot a call of 4 needs a sixth of it."""
    share = edge / players
    return BettingSpot(
        Equity(share, share, share, 1 / players), terms, 20, 4 * bool(wagers), wagers, cards, 1, 1.0, caution=0.0
    )


@pytest.mark.parametrize("terms", [STUD8, RAZZ])
def test_between_two_players_a_call_must_be_worth_its_price_and_the_bets_that_follow(terms: GameTerms) -> None:
    """Third street to seventh; a sixth of the pot is an edge of a third."""
    edges = [call_edge(spot(terms, 1, cards, wagers=1)) * 3 for cards in range(3, 8)]
    assert edges == pytest.approx([1.8, 1.9, 1.6, 1.3, 1.0])


def test_among_many_players_a_half_of_the_pot_is_worth_more_of_a_call_and_a_whole_one_is_not() -> None:
    """Six players on third street."""
    assert call_edge(spot(STUD8, 1, 3, 6, wagers=1)) == pytest.approx(1 + 0.8 / 3)
    assert call_edge(spot(RAZZ, 1, 3, 6, wagers=1)) == pytest.approx(1.8)


@pytest.mark.parametrize("game", ["stud8", "razz", "barneys", "stud"])
def test_with_the_last_card_it_calls_for_its_price(game: str) -> None:
    terms = terms_from(GAMES[game])
    answers = [betting_action(spot(terms, edge, 7, wagers=1), FACING).kind for edge in (0.32, 0.35)]
    assert answers == ["fold", "call"]


@pytest.mark.parametrize("terms", [BARNEYS, DRAW])
def test_where_players_declare_or_draw_it_plays_as_if_less_were_known(terms: GameTerms) -> None:
    """It calls with an edge of 0.6 between two players, bets with 1, and raises like a careful player."""
    dear = replace(spot(terms, 1, 5, wagers=1), pot=8)
    assert (call_edge(dear), raise_edge(dear)) == pytest.approx((0.6, 1.45))
    assert betting_action(spot(terms, 1.6, 5), FREE).kind == "bet", "it does not wait for the bets of others"


def test_it_bets_a_little_less_than_an_even_share_as_long_as_there_are_draws() -> None:
    assert [bet_edge(spot(STUD8, 1, cards)) for cards in (4, 6, 7)] == [0.85, 0.85, 1.0]
    assert bet_edge(spot(BARNEYS, 1, 4)) == 1.0


def test_whoever_knows_what_the_bets_mean_raises_with_the_same_edge_whatever_their_number() -> None:
    assert {raise_edge(spot(STUD8, 1, 5, players, wagers=wagers)) for players in (2, 6) for wagers in (1, 2)} == {1.3}
    careful = [raise_edge(replace(spot(STUD8, 1, 5, 2, wagers=wagers), caution=1.0)) for wagers in (1, 2)]
    assert careful == pytest.approx([1.45, 1.7])
    assert raise_edge(replace(spot(STUD8, 1, 5, wagers=1), blind=True)) == 1.05, "bets that mean nothing"


def test_in_lowball_it_waits_with_a_hand_that_is_far_ahead_until_the_last_card() -> None:
    ahead = [betting_action(spot(RAZZ, edge, cards), FREE).kind for edge, cards in ((1.4, 5), (1.6, 5), (1.6, 7))]
    assert ahead == ["bet", "check", "bet"]
    assert betting_action(spot(RAZZ, 1.6, 5, wagers=1), FACING).kind == "raise"
    assert betting_action(spot(STUD8, 1.6, 5), FREE).kind == "bet"
    assert betting_action(replace(spot(RAZZ, 1.6, 5), caution=1.0), FREE).kind == "bet", "the others do not think of it"


def test_a_careful_player_asks_for_a_clear_edge() -> None:
    """As the quick house bot does, which reads nobody."""
    careful = replace(spot(STUD8, 1, 5, wagers=1), caution=1.0)
    assert (bet_edge(careful), call_edge(careful)) == (1.15, 0.0), "a call at a third of its worth is always good"
    assert call_edge(replace(careful, pot=8)) == 0.9


def test_between_careful_and_keen_lies_what_a_player_of_half_the_caution_asks_for() -> None:
    assert bet_edge(replace(spot(STUD8, 1, 5), caution=0.5)) == pytest.approx((1.15 + 0.85) / 2)
