"""The shipped tables: fresh, complete, and addressed without collisions."""

import zlib
from itertools import combinations_with_replacement

import pytest

from server.engine.ranking.build_tables import LookupTables, build, handfuls, key_sum
from server.engine.ranking.lookup_tables import (
    A5_CLASSES,
    A6_CLASSES,
    CARD_KEYS,
    HIGH_CLASSES,
    KEY_START,
    ROW_BITS,
    SUIT_KEYS,
    flush_suits,
    read_file,
    shipped,
)
from tests.support.child_python import in_child


@pytest.mark.slow
def test_the_shipped_file_is_a_fresh_build() -> None:
    assert zlib.decompress(read_file()) == build()


def test_handfuls_of_one_size_have_sums_of_their_own() -> None:
    counts = {5: 6175, 6: 18395, 7: 49205}
    for size, count in counts.items():
        sums = [key_sum(ranks) for ranks in handfuls(size)]
        assert len(sums) == len(set(sums)) == count


@pytest.mark.slow
def test_every_handful_is_found_where_the_build_put_it() -> None:
    tables = LookupTables()
    for size, bits in ROW_BITS.items():
        table = shipped().by_size[size]
        for name, column in (("high", table.high), ("a5", table.a5), ("a6", table.a6)):
            for ranks, strength in tables.ranks[name][size].items():
                total = key_sum(ranks)
                assert column[table.shifts[total & (1 << bits) - 1] + (total >> bits)] == strength


def test_classes_are_as_many_as_the_rules_give() -> None:
    five = shipped().by_size[5]
    assert max(*five.high, *shipped().flushes) == HIGH_CLASSES
    assert max(five.a5) == A5_CLASSES
    assert max(five.a6) == A6_CLASSES
    assert len(set(five.high) | set(shipped().flushes)) == HIGH_CLASSES + 1


def test_suit_sums_tell_a_flush_and_its_suit() -> None:
    for size in ROW_BITS:
        suits = flush_suits(size)
        for held in combinations_with_replacement(range(4), size):
            many = [suit + 1 for suit in range(4) if held.count(suit) >= 5]
            assert suits[sum(SUIT_KEYS[suit] for suit in held)] == (many[0] if many else 0)


def test_key_sums_stay_small_integers() -> None:
    """Python adds integers beyond 2**30 at half the speed."""
    highest = KEY_START + sum(sorted(CARD_KEYS)[-7:])
    assert KEY_START > -(2**30)
    assert highest < 2**30


def test_the_rankings_need_no_numpy() -> None:
    assert in_child("import sys, server.engine.ranking.rankings; print('numpy' in sys.modules)") == ["False"]
