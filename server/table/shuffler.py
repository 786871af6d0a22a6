"""All randomness of a server: shuffled decks.

A deck comes from a key of 32 bytes: the words of SHA-256(key, counter) drive an unbiased Fisher-Yates shuffle. The
key comes from the operating system, new for each deck; only tests and demonstrations count it up from a seed.
"""

import secrets
from collections.abc import Iterator
from hashlib import sha256
from struct import Struct

from protocol.cards import DECK, Card

KEY_BYTES = 32
_WORDS = Struct(">8I")
_COUNTER = Struct(">Q")
_SPAN = 1 << 32


def _words(key: bytes) -> Iterator[int]:
    """The words of SHA-256(key || counter), 32 bits each, big-endian."""
    counter = 0
    while True:
        yield from _WORDS.unpack(sha256(key + _COUNTER.pack(counter)).digest())
        counter += 1


def shuffled(key: bytes, size: int = len(DECK)) -> tuple[int, ...]:
    """The numbers below `size` in the order that `key` gives; every order is equally likely for a random key.

    From the last place down, each place swaps with one not above it. Words at or above the largest multiple of the
    number of places are thrown away, because taking them modulo would favour the low places.
    """
    row = list(range(size))
    words = _words(key)
    for place in range(size - 1, 0, -1):
        places = place + 1
        fair = _SPAN - _SPAN % places
        word = next(words)
        while word >= fair:
            word = next(words)
        other = word % places
        row[place], row[other] = row[other], row[place]
    return tuple(row)


class Shuffler:
    """A source of decks. Without a seed every deck is unpredictable; with one, the decks are always the same ones."""

    def __init__(self, seed: str | None = None) -> None:
        self._seed = None if seed is None else seed.encode()
        self._dealt = 0

    def deck(self) -> tuple[Card, ...]:
        """The next deck, top card first."""
        if self._seed is None:
            return shuffled(secrets.token_bytes(KEY_BYTES))
        self._dealt += 1
        return shuffled(sha256(self._seed + b"\0" + _COUNTER.pack(self._dealt)).digest())
