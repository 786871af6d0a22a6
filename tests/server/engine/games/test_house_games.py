"""House games from a file: which files are accepted, which are refused and why, and that the games play."""

import random

import pytest

from client.bots.simple import random_legal
from protocol.cards import DECK
from server.engine.games.catalogue import GAMES
from server.engine.games.game import Game
from server.engine.games.house_games import BadGame, load_game
from server.engine.games.rules_page import rules_page
from server.engine.hand import Hand
from tests.support.house_games import GRANDPAS


def test_a_house_game_plays_to_the_end_and_keeps_its_chips() -> None:
    game = load_game(GRANDPAS)
    for seed in range(60):
        dice = random.Random(seed)
        deck = dice.sample(DECK, 52)
        hand = Hand(game, game.stakes, [(seat, dice.choice([2, 9, 60])) for seat in range(1, 7)], 1, deck)
        chips = sum(hand.chips)
        hand.start()
        while not hand.over:
            player = dice.choice(list(hand.requests))
            hand.act(hand.seats[player], random_legal(hand.requests[player], dice))
        assert sum(hand.chips) == chips


ONE_FORCED_ROUND = """
id = "short"
title = "One forced round"
players = 4
steps = [
    { do = "ante" },
    { do = "deal", down = 2, up = 1 },
    { do = "choose", how = "in_turn", first = "opener" },
    { do = "bet", opens = "high_card", bring_in = true },
    { do = "deal", down = 2 },
    { do = "showdown", low = "a5" },
]
"""


def test_choosing_begins_at_the_dealers_left_where_no_round_has_an_unforced_opener() -> None:
    game = load_game(ONE_FORCED_ROUND)
    hand = Hand(game, game.stakes, [(1, 50), (2, 50), (3, 50)], 3, DECK)
    hand.start()
    assert list(hand.requests) == [0]


@pytest.mark.parametrize(
    ("old", "new", "reason"),
    [
        ('do = "ante"', 'do = "anti"', "step 1: there is no step 'anti'; there are ante, deal, "),
        ("players = 6", "players = 6\ncolour = 3", "^there is no field `colour`$"),
        ('do = "ante"', 'do = "ante"\nsize = 3', "^step 1: there is no field `size`$"),
        ("most = 3\n", "most = 3\ncapp = 4\n", "^stakes: there is no setting 'capp'$"),
        ("players = 6", "players = 9", "players: 2 to 8"),
        ("players = 6", 'players = "six"', "^players: Expected `int`, got `str`$"),
        ('ranks = "3"', 'ranks = "1"', "a rank is one of"),
        ('opens = "low_board"', 'opens = "lowest"', "opens must be one of"),
        ("down = 3", "down = 0", "at least one card"),
        ("most = 3\n", "most = 0\n", "the least bet must be"),
        ('low = "8low"', 'low = "27"', "a ranking is one of"),
        ('do = "showdown"\nhigh = "high"\nlow = "8low"', 'do = "declare"', "the last step must be the showdown"),
        (
            'do = "showdown"\nhigh = "high"\nlow = "8low"',
            'do = "showdown"\nlow = "8low"',
            "a low that every hand makes",
        ),
        ("times = 3", "times = 99", "repeat"),
        ("count = 1", "count = 9", "not there to pass"),
        ('id = "grandpas"', "", "missing is the field `id`"),
        ('[[steps]]\ndo = "wilds"', '[[steps]]\ndo = "roll"\n[[steps]]\ndo = "wilds"', "step 2: only an arranged hand"),
        ("id =", "=", "not TOML"),
    ],
)
def test_a_wrong_file_is_refused_with_its_reason(old: str, new: str, reason: str) -> None:
    assert old in GRANDPAS
    with pytest.raises(BadGame, match=reason):
        load_game(GRANDPAS.replace(old, new, 1))


def game_of(*steps: str, players: int = 4) -> str:
    """A file with these steps, each of them in one line."""
    rows = ",\n".join(f"    {{ {step} }}" for step in steps)
    return f'id = "odd"\ntitle = "Odd"\nplayers = {players}\nsteps = [\n{rows}\n]\n'


FIVE = 'do = "deal", down = 5'
HIGH, LOW, BOTH = ('do = "showdown", ' + end for end in ('high = "high"', 'low = "a5"', 'high = "high", low = "a5"'))
ARRANGED = ('do = "deal", down = 7', 'do = "bring_back", keep = 5')


@pytest.mark.parametrize(
    ("steps", "reason"),
    [
        ((FIVE, HIGH, HIGH), "step 2: only the last step can be the showdown"),
        ((*ARRANGED, 'do = "deal", down = 1', HIGH), "step 3: cards cannot be dealt to an arranged hand"),
        ((FIVE, 'do = "deal", down = 3', HIGH), "step 2: nobody can hold more than seven cards"),
        (('do = "deal", up = 5', HIGH), "step 1: nobody can show more than four cards"),
        (('do = "deal", up = 1', 'do = "choose"', HIGH), "step 2: there is no hidden card to choose from"),
        ((FIVE, 'do = "draw", most = 6', HIGH), "step 2: as many cards cannot be drawn"),
        ((FIVE, 'do = "bring_back", keep = 4', HIGH), "step 2: a hand is arranged once, from at least five cards"),
        ((*ARRANGED, ARRANGED[1], HIGH), "step 3: a hand is arranged once"),
        ((FIVE, 'do = "bet", opens = "high_board"', HIGH), "step 2: no card shows yet, so the dealer's left must open"),
        (
            (FIVE, 'do = "bet", opens = "dealers_left", odd_man = true', HIGH),
            "step 2: there is no odd man before the declaration",
        ),
        (('do = "deal", down = 4', HIGH), "at the showdown everybody needs five cards"),
        ((FIVE, 'do = "showdown"'), "the showdown needs a ranking"),
        ((FIVE, BOTH + ", spade = true"), "the second half goes to the low or to the spade, not to both"),
        ((FIVE, 'do = "declare"', LOW), "with a declaration the showdown needs a high and a low"),
        ((FIVE, 'do = "repeat", times = 0, steps = [{ do = "ante" }]', HIGH), "repeat: 1 to 10 times"),
        (('do = "repeat", times = 10, steps = [{ do = "ante" }]',) * 40, "more than [0-9]+ steps"),
    ],
)
def test_steps_that_would_break_a_hand_are_refused_with_their_reason(steps: tuple[str, ...], reason: str) -> None:
    with pytest.raises(BadGame, match=reason):
        load_game(game_of(*steps))


@pytest.mark.parametrize(
    ("old", "new", "reason"),
    [
        ('"odd"', '"an odd game"', "id must be"),
        ('"Odd"', '"Odd\\u001b[2J"', "title must be"),
        ('"Odd"', '""', "title must be"),
    ],
)
def test_names_that_could_not_be_shown_are_refused(old: str, new: str, reason: str) -> None:
    assert load_game(game_of(FIVE, HIGH)).title == "Odd"
    with pytest.raises(BadGame, match=reason):
        load_game(game_of(FIVE, HIGH).replace(old, new, 1))


def test_too_many_cards_are_refused() -> None:
    with pytest.raises(BadGame, match="8 players would need"):
        load_game(GRANDPAS.replace("players = 6", "players = 8"))


@pytest.mark.parametrize("game", GAMES.values(), ids=GAMES)
def test_every_game_has_a_rules_page(game: Game) -> None:
    page = rules_page(game)
    assert page[0] == game.title
    assert any("Showdown" in line for line in page)
    assert all(line.isprintable() for line in page)
