"""The pages of rules: what they say for each game, and that their worked examples are right."""

import pytest
from msgspec.structs import replace

from protocol.cards import cards
from protocol.stakes import Stakes
from protocol.table_rules import Clocks, GameOffer, TableRules
from server.engine.games.catalogue import (
    ANACONDA,
    BARNEYS,
    CHICAGO,
    FOLLOW_THE_QUEEN,
    GAMES,
    RAZZ_ROLL_YOUR_OWN,
    STUD8,
    STUD_HIGH_LOW,
)
from server.engine.games.game import Game
from server.engine.games.house_games import load_game
from server.engine.games.ranking_help import EXAMPLES, RANKING_HELP, WILD_EXAMPLE
from server.engine.games.rules_page import rules_page
from server.engine.ranking.rankings import RANKINGS
from server.engine.ranking.wild_cards import name_with_wilds
from tests.support.engine_table import PASS_AND_DRAW

HOUSE_GAME = load_game(PASS_AND_DRAW)
EVERY = [*GAMES.values(), HOUSE_GAME]
HEADINGS = ["HOW A HAND GOES", "WHAT WINS", "BETTING", "WHO OPENS", "AT THE END", "ADVICE"]


def text(game: Game, **changes: object) -> str:
    """The page in one line, for the stakes of the game with these changes."""
    return " ".join(rules_page(game, replace(game.stakes, **changes)))


# ------------------------------------------------------------------ worked examples


@pytest.mark.parametrize("key", RANKINGS)
def test_a_worked_example_is_what_the_ranking_says(key: str) -> None:
    ranking, example = RANKINGS[key], EXAMPLES[key]
    hand, beats, loses_to = cards(example.hand), cards(example.beats), cards(example.loses_to)
    assert ranking.best(hand) == tuple(hand[:5]), "the five that play stand in front, as they are read out"
    assert ranking.strength(loses_to) > ranking.strength(hand) > ranking.strength(beats) > 0
    if example.neither:
        assert ranking.strength(cards(example.neither)) == 0


def test_the_names_in_the_examples() -> None:
    named = {
        key: [RANKINGS[key].name(cards(row)) for row in (one.hand, one.beats, one.loses_to, one.neither) if row]
        for key, one in EXAMPLES.items()
    }
    assert named == {
        "high": ["two pair, kings and nines, six kicker", "pair of aces, king kicker", "three twos, seven kicker"],
        "a5": ["eight-five low", "nine-four low", "seven-six low"],
        "8low": ["eight-five low", "eight-six low", "seven-six low", "no low: only four ranks of eight or under"],
        "a6": ["seven-five low", "eight-four low", "six-four low", "no low: a straight"],
    }
    assert name_with_wilds(cards(WILD_EXAMPLE[0]), cards(WILD_EXAMPLE[1])) == "full house, kings over nines"


# ------------------------------------------------------------------------ every page


@pytest.mark.parametrize("game", EVERY, ids=lambda game: game.id)
def test_every_page_has_all_its_parts_and_says_nothing_twice(game: Game) -> None:
    page = rules_page(game)
    assert page[0] == game.title
    assert [line for line in page if line.isupper()] == HEADINGS
    paragraphs = [line for line in page if line]
    assert len(set(paragraphs)) == len(paragraphs)
    numbered = [line.partition(". ")[2] for line in page if line[:3].strip().isdecimal()]
    assert len(set(numbered)) == len(numbered) >= 4
    for ranking in (game.showdown.high, game.showdown.low):
        if ranking is not None:
            assert RANKING_HELP[ranking.key] in "\n".join(page)
    whole = " ".join(page)
    for said in (
        "fold at any time, even where checking is free",
        "side pot",
        "equal hands share",
        "all-in",
        "a round is skipped",
    ):
        assert said in whole


@pytest.mark.parametrize(
    ("game", "said"),
    [
        (BARNEYS, "  3.  Three times: everybody gets one card face down. Everybody turns one of their hidden cards"),
        (BARNEYS, "  6.  Four times: everybody turns (rolls) the next of their cards"),
        (BARNEYS, "Cards that were face up before no longer count"),
        (BARNEYS, "Only rolled cards count once the cards have been taken back"),
        (BARNEYS, "Your hand is the five cards that you keep"),
        (BARNEYS, "the odd man, who is alone in one direction, opens and never raises"),
        (BARNEYS, "skipped where no two players with chips want the same half"),
        (BARNEYS, "If all declare the same, the best hand in that direction wins the whole pot"),
        (BARNEYS, "A straight or flush declared low is no hand"),
        (BARNEYS, "Only the winners show"),
        (BARNEYS, "at most 3 raises, also between two players"),
        (BARNEYS, "whoever has checked may not raise in that round before they have called once"),
        (BARNEYS, "Whoever is alone in a direction wins that half"),
        (STUD8, "best five of your seven cards"),
        (STUD8, "Where nobody has such a low, the high hand takes the whole pot"),
        (STUD8, "High and low may be made of different cards"),
        (STUD8, "Completing is the first bet, not a raise"),
        (STUD8, "If somebody shows a pair, everybody may bet or raise 4 in this round"),
        (STUD8, "one card is dealt face up in the middle"),
        (STUD8, "where only two players with chips are left before that"),
        (RAZZ_ROLL_YOUR_OWN, "seeing what the players before them turned"),
        (RAZZ_ROLL_YOUR_OWN, "any pair is worse than none"),
        (CHICAGO, "a spade that lies face up does not count"),
        (FOLLOW_THE_QUEEN, "the queens themselves are not wild, and where a queen comes last, nothing is"),
        (FOLLOW_THE_QUEEN, "Five of a kind beats everything"),
        (ANACONDA, "Everybody passes three cards to the player at their left"),
        (HOUSE_GAME, "best five of your six cards"),
        (HOUSE_GAME, "Everybody may throw away up to three cards and gets as many new ones"),
    ],
)
def test_a_page_says_what_the_sources_say(game: Game, said: str) -> None:
    assert said in text(game)


@pytest.mark.parametrize(
    ("game", "unsaid"),
    [
        (STUD_HIGH_LOW, "shows a pair"),
        (ANACONDA, "odd man"),
        (ANACONDA, "Bring 'em back"),
        (BARNEYS, "bring-in"),
        (BARNEYS, "in the middle"),
        (STUD8, "House rule"),
        (RAZZ_ROLL_YOUR_OWN, "goes to high"),
    ],
)
def test_a_page_says_nothing_that_the_game_has_not(game: Game, unsaid: str) -> None:
    assert unsaid not in text(game)


@pytest.mark.parametrize(
    ("game", "changes", "said"),
    [
        (STUD8, {"limit": "spread"}, "has to open, with 1 to 5. That is the first bet"),
        (STUD8, {"bring_in": 2}, "has to bet 2"),
        (STUD8, {"bring_in": 0}, "the lowest up card opens"),
        (STUD8, {"open_pair": "holder"}, "A player who shows a pair may bet or raise 4"),
        (STUD8, {"cap": None}, "no limit to the number of raises"),
        (STUD8, {"cap": 1}, "at most one raise"),
        (STUD8, {"small": 4}, "every bet and every raise is 4."),
        (STUD8, {"short_allin": "full"}, "less than a full raise"),
        (STUD8, {"opener_tie": "suit"}, "On a tie the higher suit opens"),
        (STUD8, {"odd_chip": "suit_tda"}, "by suit among the five that play"),
        (BARNEYS, {"invalid_low": "ranks_last"}, "ranks behind every real low"),
        (BARNEYS, {"no_check_raise": False}, "You may check and then raise"),
        (FOLLOW_THE_QUEEN, {"followed_wild": True}, "the queens themselves are always wild, too"),
    ],
)
def test_a_page_says_what_the_stakes_change(game: Game, changes: dict[str, object], said: str) -> None:
    assert said in text(game, **changes)


def test_a_page_at_a_table_has_the_rules_of_the_table() -> None:
    stakes = Stakes(limit="spread")
    offer = GameOffer("barneys", BARNEYS.title, stakes, 7)
    table = TableRules(name="Kitchen", seats=4, games=(offer,), clocks=Clocks(bet=25, bank=50), show="all")
    page = rules_page(BARNEYS, stakes, table)
    at = page.index("AT THIS TABLE")
    assert page[at + 1 : at + 3] == [
        "-  Chips: 20 to 1000, usually 100.",
        "-  You have 25 seconds for a bet, and 50 more in your time bank.",
    ]
    assert "-  Everybody who is still in shows their cards (a rule of this table)." in page
    assert not any("No advice" in line for line in page)
    forbidden = rules_page(BARNEYS, stakes, replace(table, coach=False))
    assert "-  No advice: the keys that judge a hand are off (house rule)." in forbidden
