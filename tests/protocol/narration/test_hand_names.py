"""Names of hands in sentences: the article, the plural, and what players say."""

import pytest

from protocol.narration.hand_names import beside, one, several, spoken


@pytest.mark.parametrize(
    ("name", "single", "plural"),
    [
        ("ten-high flush", "a ten-high flush", "ten-high flushes"),
        ("ace-high straight", "an ace-high straight", "ace-high straights"),
        ("eight-high straight flush", "an eight-high straight flush", "eight-high straight flushes"),
        ("royal flush", "a royal flush", "royal flushes"),
        ("full house, kings over threes", "a full house, kings over threes", "full houses, kings over threes"),
        ("three sixes, ace kicker", "three sixes, ace kicker", "three sixes, ace kicker"),
        ("two pair, kings and nines, jack kicker", "two pair, kings and nines, jack kicker", None),
        ("pair of aces, king kicker", "a pair of aces, king kicker", "pairs of aces, king kicker"),
        ("king high, queen kicker", "king-queen high", "king-queen high"),
        ("seven-five low", "a seven-five low", "seven-five lows"),
        ("eight-six low", "an eight-six low", "eight-six lows"),
        ("pair of aces low", "a pair of aces low", "pairs of aces low"),
        ("wheel", "a wheel", "wheels"),
        ("no low: a straight", "no low: a straight", "no low: a straight"),
        ("the king of spades in the hole", "the king of spades in the hole", None),
    ],
)
def test_one_hand_and_tied_hands(name: str, single: str, plural: str | None) -> None:
    assert one(name) == single
    assert several(name) == (single if plural is None else plural)


def test_what_players_say() -> None:
    assert spoken("king high, queen kicker") == "king-queen high"
    assert spoken("pair of kings, queen kicker") == "pair of kings, queen kicker"
    assert beside("low", "seven-five low") == "seven-five"
    assert beside("low", "pair of aces low") == "pair of aces"
    assert beside("high", "king high, queen kicker") == "king-queen high"
