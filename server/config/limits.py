"""Every limit of the outer skin in one place (`docs/hosting.md`): what one client may cost the others.

Times are seconds, sizes bytes. `Door` counts connections, `Bucket` counts frames.
"""

from collections import Counter

import msgspec

from protocol.wire.frames import CLIENT_CAP, HELLO_CAP


class Limits(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What a server takes from its clients.

    Fields:
        connections, per_address, greeting: how many connections in all, from one address, and without a `Hello` yet.
        hello: from the first byte of the connection to the end of its `Hello`.
        idle: without any frame; clients ping every 10 s.
        frame: a frame that has begun must end within this.
        rate, burst: frames a second, and how many at once.
        say_rate, say_burst, say_length: the same for chat, and characters of one saying.
        hand_rate, hand_burst: requests for the records of hands, a second and at once.
        hello_bytes, frame_bytes: largest frame before and after the `Hello`.
        out_frames, out_bytes: what waits for a client that does not read, before it is dropped.
        write: how long a client may take nothing at all while something waits for it.
        watchers: spectators at one table.
    """

    connections: int = 400
    per_address: int = 24
    greeting: int = 64
    hello: float = 5.0
    idle: float = 30.0
    frame: float = 5.0
    rate: float = 20.0
    burst: float = 40.0
    say_rate: float = 1.0
    say_burst: float = 5.0
    say_length: int = 200
    hand_rate: float = 2.0
    hand_burst: float = 10.0
    hello_bytes: int = HELLO_CAP
    frame_bytes: int = CLIENT_CAP
    out_frames: int = 256
    out_bytes: int = 1 << 20
    write: float = 10.0
    watchers: int = 200


class Bucket:
    """A token bucket: `burst` at once, `rate` a second after that."""

    __slots__ = ("_at", "_burst", "_left", "_rate")

    def __init__(self, rate: float, burst: float, now: float) -> None:
        self._rate, self._burst, self._left, self._at = rate, burst, burst, now

    def take(self, now: float) -> bool:
        """Whether one more is within the rate."""
        left = self._left + (now - self._at) * self._rate
        self._at = now
        if left > self._burst:
            left = self._burst
        if left < 1.0:
            self._left = left
            return False
        self._left = left - 1.0
        return True

    def give(self) -> None:
        """The last one does not count."""
        self._left = min(self._left + 1.0, self._burst)


class Door:
    """Counts the connections, and says which one is too many."""

    def __init__(self, limits: Limits) -> None:
        self._limits = limits
        self._by_address: Counter[str] = Counter()
        self.inside = 0
        self.greeting = 0

    def admit(self, address: str) -> str:
        """Counts one more connection in; or, as a sentence, why it must stay outside."""
        limits = self._limits
        if self.inside >= limits.connections:
            return "This server has as many connections as it takes. Try again later."
        if self._by_address[address] >= limits.per_address:
            return "There are too many connections from your address already."
        if self.greeting >= limits.greeting:
            return "Too many clients are arriving at once. Try again in a few seconds."
        self.inside += 1
        self.greeting += 1
        self._by_address[address] += 1
        return ""

    def greeted(self) -> None:
        """One of them has said hello."""
        self.greeting -= 1

    def leave(self, address: str, greeted: bool) -> None:
        """Counts one that was admitted out again."""
        self.inside -= 1
        if not greeted:
            self.greeting -= 1
        self._by_address[address] -= 1
        if not self._by_address[address]:
            del self._by_address[address]
