"""Trap A29: shuffles with a bias. The decks of `server.table.shuffler` are dealt and counted.

``RYO_THOROUGH=1`` deals 200,000 decks.
"""

import os
from collections.abc import Callable, Sequence
from math import sqrt
from pathlib import Path

import trio

from protocol.cards import Card
from server.table.shuffler import Shuffler
from tests.support.loopback_server import config, running
from tests.support.secret_events import decks

DEALS = 200_000 if os.environ.get("RYO_THOROUGH") else 8_000
POSITIONS = 21


def normal_of(chi_square: float, freedom: int) -> float:
    """Wilson and Hilferty: a chi-square as a standard normal deviate."""
    spread = 2 / (9 * freedom)
    return float(((chi_square / freedom) ** (1 / 3) - (1 - spread)) / sqrt(spread))


def biased(deal: int) -> list[int]:
    """A shuffle as it should not be: each place swaps with any place."""
    row = list(range(52))
    state = deal * 2_654_435_761 + 1
    for place in range(52):
        state = (state * 6_364_136_223_846_793_005 + 1_442_695_040_888_963_407) % 2**64
        other = (state >> 33) % 52
        row[place], row[other] = row[other], row[place]
    return row


def cell_deviate(counts: list[list[int]], deals: int) -> float:
    """How far the counts of card by position are from even, as a normal deviate."""
    even = deals / 52
    chi_square = sum((count - even) ** 2 / even for row in counts for count in row)
    return normal_of(chi_square, POSITIONS * 51)


def counted(make: Callable[[int], Sequence[int]], deals: int) -> tuple[list[list[int]], int]:
    """(counts of card by position, how often card k follows card k+1)."""
    counts = [[0] * 52 for _ in range(POSITIONS)]
    follows = 0
    for deal in range(deals):
        deck = make(deal)
        for position in range(POSITIONS):
            counts[position][deck[position]] += 1
        follows += sum([deck[at] - deck[at + 1] == 1 for at in range(51)])
    return counts, follows


def test_trap_A29_every_card_comes_everywhere_equally_often() -> None:
    shuffler = Shuffler("A29")
    counts, follows = counted(lambda _: shuffler.deck(), DEALS)
    # 3.72 is where a normal deviate has 1e-4 on each side.
    assert abs(cell_deviate(counts, DEALS)) < 3.72
    # 51 of the 52 * 51 ordered pairs of cards are of this kind, so a pair of neighbours is one of them once in 52.
    share = follows / (DEALS * 51)
    assert abs(share - 1 / 52) < 4 * sqrt((1 / 52) * (51 / 52) / (DEALS * 51))


def test_trap_A29_the_count_would_notice_a_biased_shuffle() -> None:
    counts, _ = counted(biased, 8_000)
    assert abs(cell_deviate(counts, 8_000)) > 3.72


def test_trap_A29_servers_of_the_same_second_deal_different_decks() -> None:
    one, two = Shuffler(), Shuffler()
    decks = [shuffler.deck() for shuffler in (one, two) for _ in range(200)]
    assert len(set(decks)) == 400
    assert all(sorted(deck) == list(range(52)) for deck in decks)


async def test_trap_A29_tables_that_are_opened_at_once_deal_different_decks(tmp_path: Path) -> None:
    """Through whole servers: two at the same time, with the same settings and the same players."""
    dealt: list[tuple[Card, ...]] = []
    async with (
        running(config(tmp_path / "one", games=("stud8",))) as one,
        running(config(tmp_path / "two", games=("stud8",))) as two,
    ):
        for house in (one, two):
            await house.play(await house.seated("Ann", "Ben"), 2)
            dealt += decks(await trio.Path(house.table.journal_path).read_bytes())
    assert len(dealt) >= 4
    assert len(set(dealt)) == len(dealt)
    assert all(sorted(deck) == list(range(52)) for deck in dealt)
