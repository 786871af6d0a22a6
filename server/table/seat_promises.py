"""Promises of the host to players who have lost the key of their seat (trap A35).

Without its token nobody gets a seat, whatever name they say. The host can promise the seat of a name to whoever types a
certain word: for some time, and once. A client sends the word where a table's password goes, so that every client can
do it. It has 40 random bits, too many to guess in that time with the tries that a server answers.
"""

import base64
from collections.abc import Callable
from dataclasses import dataclass
from hmac import compare_digest

from server.admission.player_names import name_key

PROMISE_SECONDS = 600.0
"""How long a promise counts."""
_WORD_BYTES = 5


@dataclass(frozen=True, slots=True)
class SeatPromise:
    """One promise.

    Fields:
        name: of the player.
        lost: digest of the token to which the seat, or the kept chips, belong until then.
        word: opens the seat.
        until: the promise counts until then (`trio.current_time`).
    """

    name: str
    lost: bytes
    word: str
    until: float

    def opened_by(self, *spoken: str) -> bool:
        """Whether one of these texts is the word; capitals, hyphens and spaces do not matter."""
        right = _plain(self.word).encode()
        found = [compare_digest(_plain(text).encode(), right) for text in spoken]
        return any(found)


class SeatPromises:
    """The promises of one table.

    Args:
        new_bytes: gives that many random bytes.
    """

    def __init__(self, new_bytes: Callable[[int], bytes]) -> None:
        self._new_bytes = new_bytes
        self._promises: dict[bytes, SeatPromise] = {}

    def make(self, name: str, lost: bytes, now: float) -> SeatPromise:
        """A new promise; an earlier one about the same token counts no more."""
        letters = base64.b32encode(self._new_bytes(_WORD_BYTES)).decode().lower()
        promise = SeatPromise(name, lost, f"{letters[:4]}-{letters[4:]}", now + PROMISE_SECONDS)
        self._promises[lost] = promise
        return promise

    def of(self, name: str, now: float) -> SeatPromise | None:
        """The promise for that name; None if there is none that still counts."""
        self._promises = {lost: promise for lost, promise in self._promises.items() if now < promise.until}
        key = name_key(name)
        return next((promise for promise in self._promises.values() if name_key(promise.name) == key), None)

    def end(self, lost: bytes) -> None:
        """The promise about that token is kept, or not needed any more."""
        self._promises.pop(lost, None)


def _plain(text: str) -> str:
    return "".join(text.lower().replace("-", "").split())
