"""What a seat could know of its chances: from what it sees alone, and what is told by name."""

import random

import pytest

from protocol.cards import cards_text
from protocol.view import hide
from replays.chances.boards import BoardLimit
from replays.chances.report import at
from replays.chances.spot import EXCHANGE, NO_SPADE, NO_WILDS, spot_of, untold
from server.engine.games.catalogue import GAMES
from server.engine.games.house_games import load_game
from tests.support.hidden_cards import shuffled
from tests.support.local_table import LocalTable
from tests.support.seen_tables import live, seen_table


@pytest.mark.slow
@pytest.mark.parametrize("game", GAMES)
@pytest.mark.parametrize("seed", [1, 2, 3])
def test_shuffling_all_hidden_cards_changes_no_number(game: str, seed: int) -> None:
    dice = random.Random(f"{game} {seed}")
    rules = GAMES[game]
    table = LocalTable(game, 4, seed=seed)
    table.deal()
    judged = 0
    streets = set()
    while table.step():
        view = table.state.view
        own = view.seat(1)
        if own.hand != "live" or not view.playing:
            continue
        spot = spot_of(hide(view, 1), 1, rules)
        for _ in range(3):
            other = shuffled(view, dice)
            assert spot_of(other, 1, rules) == spot == spot_of(hide(other, 1), 1, rules)
            assert untold(other, rules) == untold(view, rules)
        if spot is not None and view.street not in streets and own.pending is not None:
            streets.add(view.street)
            if len(streets) % 3 == seed % 3:  # the estimates follow from the spot; a few of them are made all the same
                judged += 1
                assert at(hide(shuffled(view, dice), 1), 1, rules) == at(view, 1, rules)
    assert judged


def test_the_same_moment_always_gives_the_same_numbers() -> None:
    view = seen_table("stud8", live(1, "As 3c", "4d"), live(2, up="Kd", hidden=2), live(3, up="9c", hidden=2))
    assert at(view, 1, GAMES["stud8"]) == at(view.copy(), 1, GAMES["stud8"])
    assert at(view, 1, GAMES["stud8"], numpy=False) == at(view.copy(), 1, GAMES["stud8"], numpy=False)


def test_live_and_dead_cards_what_the_boards_can_be_and_the_price() -> None:
    folded = live(3, up="Ac 8h", hidden=2)
    folded.hand = "folded"
    bob = live(2, up="Kd 9c 2h Ks", hidden=2, bet=10)
    view = seen_table("stud8", live(1, "As 3c", "4d 5h 7s Kh"), bob, folded, pot=120)
    found = at(view, 1, GAMES["stud8"])
    assert found is not None
    assert (found.unseen, cards_text(found.dead), found.to_come) == (40, "8h Ac", 1)
    outs = [(one.makes, cards_text(one.live), cards_text(one.dead)) for one in found.outs]
    assert outs[0] == ("a straight", "2c 2d 2s 6c 6d 6h 6s", "2h")
    assert outs[2:] == [("a five-low", "2c 2d 2s", "2h"), ("a six-low", "6c 6d 6h 6s", "")]
    assert found.boards == (BoardLimit(2, "full house, kings over nines", "no low"),), "two kings are dead"
    assert found.price is not None
    assert (found.price.call, found.price.pot) == (10, 130)
    assert found.price.needs == pytest.approx(10 / 140)


def test_a_low_is_named_by_its_highest_card_and_dead_cards_are_its_own() -> None:
    view = seen_table(
        "stud8", live(1, "As 3c", "4d 8h Ks"), live(2, up="5d 3s 2d", hidden=2), live(3, up="7c Jd Jh", hidden=2)
    )
    found = at(view, 1, GAMES["stud8"])
    assert found is not None
    (low,) = [one for one in found.outs if one.side == "low"]
    assert low.makes == "an eight-low"
    assert (cards_text(low.live), cards_text(low.dead)) == ("2c 2h 2s 5c 5h 5s 6c 6d 6h 6s 7d 7h 7s", "2d 5d 7c")


def test_what_is_not_told_says_so() -> None:
    before = seen_table("anaconda", live(1, "As 3c 4d 5h 7s Kh Kd"), live(2, hidden=7), street="seventh street")
    found = at(before, 1, GAMES["anaconda"])
    assert found is not None
    assert (found.numbers, found.untold, found.boards) == (None, EXCHANGE, ())
    after = seen_table("anaconda", live(1, "As 3c 4d 5h 7s Kh Kd"), live(2, hidden=7), street="passing 1 to the left")
    found = at(after, 1, GAMES["anaconda"])
    assert found is not None
    assert found.numbers is not None
    assert found.numbers.share is None, "it depends on what both declare"
    deals = '{do = "deal", down = 2, up = 1}, {do = "choose"}, {do = "deal", down = 3}'
    rows = f'{{do = "ante"}}, {deals}, {{do = "showdown", high = "high", spade = true}}'
    spades = load_game(f'id = "sp"\ntitle = "Spades"\nplayers = 4\nsteps = [{rows}]')
    assert untold(before, spades) == NO_SPADE
    deals = '{do = "deal", down = 2, up = 1}, {do = "deal", up = 3, wild_after = "Q"}, {do = "deal", down = 1}'
    rows = f'{{do = "ante"}}, {deals}, {{do = "showdown", high = "high"}}'
    late = load_game(f'id = "late"\ntitle = "Late queens"\nplayers = 4\nsteps = [{rows}]')
    assert untold(before, late) == NO_WILDS
    assert [untold(before, GAMES[game]) for game in GAMES if game != "anaconda"] == [""] * 8


@pytest.mark.parametrize("numpy", [True, False])
def test_without_a_hand_or_an_opponent_there_are_no_chances(numpy: bool) -> None:
    view = seen_table("stud8", live(1, "As 3c", "4d"), live(2, up="Kd", hidden=2))
    view.seats[1].hand = "folded"
    assert at(view, 1, GAMES["stud8"], numpy=numpy) is None
    assert at(view, 2, GAMES["stud8"], numpy=numpy) is None
    view.seats[1].hand = "live"
    view.playing = False
    assert at(view, 1, GAMES["stud8"], numpy=numpy) is None


@pytest.mark.parametrize(("down", "up"), [("As As", "4d"), ("As 3c 5h 6h 7h 8h", "4d 9s")])
def test_a_table_from_elsewhere_that_no_deal_fits_has_no_chances(down: str, up: str) -> None:
    view = seen_table("stud8", live(1, down, up), live(2, up="Kd", hidden=2))
    assert at(view, 1, GAMES["stud8"]) is None
