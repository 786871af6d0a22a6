"""Decks: unbiased, unpredictable, and for tests repeatable (trap A29 has the counts)."""

from collections import Counter
from hashlib import sha256
from itertools import permutations

from protocol.cards import DECK, cards
from server.table.shuffler import KEY_BYTES, Shuffler, shuffled
from tests.support.child_python import in_child

# The published order for this key, made by an independent implementation: session 00..0f, deal 7, seed 20..3f.
PUBLISHED = (
    "9s Qd As 7h 9d 9h Ks 2s 2h 5s 8d 7s 3h 3d 5h 6d 6s Js 8h Td 4s 6c Qs Th Qc Tc 3s 6h 4d Ts 7c Kd 9c Qh Ac 8c 7d 8s "
    "5d 2c Ah Jh Jd 5c 2d Ad Kh 4h Kc Jc 4c 3c"
)


def items(*parts: bytes) -> bytes:
    return b"".join(len(part).to_bytes(4, "big") + part for part in parts)


def test_the_published_vector() -> None:
    context = bytes(range(16)) + (7).to_bytes(8, "big")
    key = sha256(items(b"stud1/deck", context, bytes(range(0x20, 0x40)))).digest()
    assert shuffled(key) == tuple(cards(PUBLISHED))


def test_every_order_of_a_few_cards_is_equally_likely() -> None:
    seen = Counter(shuffled(number.to_bytes(32, "big"), 4) for number in range(24_000))
    assert set(seen) == set(permutations(range(4)))
    # 23 degrees of freedom: 58 is passed once in ten thousand; the keys are fixed, so the result is, too.
    assert sum((count - 1000) ** 2 / 1000 for count in seen.values()) < 58


def test_a_deck_is_the_52_cards() -> None:
    shuffler = Shuffler()
    first, second = shuffler.deck(), shuffler.deck()
    assert sorted(first) == sorted(second) == list(DECK)
    assert first != second


def test_a_seed_gives_the_same_evening_again_and_no_deck_twice() -> None:
    evening = [Shuffler("demo").deck() for _ in range(2)]
    assert evening[0] == evening[1]
    shuffler = Shuffler("demo")
    assert len({shuffler.deck() for _ in range(20)}) == 20
    assert Shuffler("other").deck() != evening[0]


FIXED_SYSTEM = """
import os
import random
asked = []
def urandom(size):
    asked.append(size)
    return bytes(range(len(asked), len(asked) + size))
os.urandom = random._urandom = urandom  # `random` has its own name for it, and may have been imported long ago
from server.table.shuffler import Shuffler
asked.clear()
print(*[number for _ in range(2) for number in Shuffler().deck()])
print(*asked)
"""


def test_the_whole_key_of_a_deck_comes_from_the_operating_system_and_nothing_else_does() -> None:
    """A system whose random bytes are known gives known decks, whatever the clock says and whichever process it is."""
    deck, asked = in_child(FIXED_SYSTEM)
    assert asked.split() == [str(KEY_BYTES)] * 2
    numbers = tuple(map(int, deck.split()))
    for start, dealt in ((1, numbers[:52]), (2, numbers[52:])):
        key = bytes(range(start, start + KEY_BYTES))
        assert dealt in (shuffled(key), shuffled(key[::-1]))  # `secrets` may turn the bytes around


def test_every_bit_of_a_key_changes_the_deck() -> None:
    key = bytes(range(KEY_BYTES))
    changed = [bytes(byte ^ ((bit // 8 == at) << bit % 8) for at, byte in enumerate(key)) for bit in range(256)]
    assert len({shuffled(key), *map(shuffled, changed)}) == 257
