"""Who opens: boards of one to four up cards (`rules.md` 2.5 and 12, O1-O18)."""

from collections.abc import Callable, Sequence
from itertools import combinations, pairwise

import pytest

from protocol.cards import Card, cards
from server.engine.ranking.boards import BOARD_KEY, high_board, high_board_of_key, low_board, low_board_of_key

Board = Callable[[Sequence[Card]], int]

FALLING = [
    ("O8", high_board, ["4s 4h 2d", "As Ks Qs"]),
    ("O9", high_board, ["2c 2d 3h 4h", "9s Ts Js Qs"]),
    ("O10", high_board, ["2s 2d 2h 3c", "As Ad Kh Kc"]),
    ("O11", low_board, ["Ad 2c", "Ks Qs", "Ah As", "2d 2h"]),
    ("O16", high_board, ["8c 8d Kh", "8h 8s Qc"]),
    ("O2 by board", high_board, ["Ac", "Kd", "3h"]),
    ("O18", high_board, ["Qs Jd 4h 2c", "Qd Th 9c 8s"]),
    ("2.5 categories", high_board, ["2s2d2h2c", "AsAdAhKc", "AsAdKhKc", "AsAdKhQc", "AsKdQhJc"]),
    ("2.5 low categories", low_board, ["KsQdJhTc", "AsAdKhQc", "AsAd2h2c", "AsAdAh2c", "AsAdAhAc"]),
    ("2.5 a missing card, high", high_board, ["8s 8d 6h 2c", "8h 8c 6s"]),
    ("2.5 a missing card, low", low_board, ["8s 7d 6h", "8h 7c"]),
    ("2.5 no low straight", low_board, ["As 2d 3h 4c", "2s 3d 4h 5c", "As 2d 3h 6c"]),
]


@pytest.mark.parametrize(("board", "falling"), [case[1:] for case in FALLING], ids=[case[0] for case in FALLING])
def test_O8_O9_O10_O11_O16_order_of_boards(board: Board, falling: list[str]) -> None:
    strengths = [board(cards(text)) for text in falling]
    assert strengths == sorted(set(strengths), reverse=True)
    assert strengths[-1] > 0


@pytest.mark.parametrize("board", [high_board, low_board])
def test_O7_O12_suits_leave_boards_tied(board: Board) -> None:
    assert board(cards("Kc Qd")) == board(cards("Kh Qs"))
    assert board(cards("7c 5d 3s")) == board(cards("7s 5h 3d"))


@pytest.mark.parametrize(("board", "of_key"), [(high_board, high_board_of_key), (low_board, low_board_of_key)])
def test_boards_by_running_key(board: Board, of_key: Callable[[int], int]) -> None:
    for size in (1, 2, 3):
        for up in combinations(range(0, 52, 3), size):
            assert of_key(sum(BOARD_KEY[card] for card in up)) == board(up)
    assert board([]) == 0


def plain_high(up: Sequence[Card]) -> tuple[list[int], list[int]]:
    """Counts first, then ranks: one pair beats no pair, two pair beat one, whatever the rest."""
    ranks = [card // 4 for card in up]
    order = sorted(set(ranks), key=lambda rank: (ranks.count(rank), rank), reverse=True)
    return [ranks.count(rank) for rank in order], order


@pytest.mark.slow
def test_high_boards_of_four_against_plain_counting() -> None:
    hands = [
        (a, b, c, d) for a in range(0, 52, 5) for b, c, d in combinations(range(1, 52, 2), 3) if a not in (b, c, d)
    ]
    ordered = sorted((plain_high(hand), high_board(hand)) for hand in hands)
    for (worse, low), (better, strong) in pairwise(ordered):
        assert low == strong if worse == better else low < strong


def test_more_than_four_cards_are_no_board() -> None:
    with pytest.raises(KeyError):
        high_board(cards("As Kd Qh Jc 9s"))
